"""What a log leaves open about a machine that was learned from it, and which words of inputs would settle it.

No teacher and no reference is used: states and transitions are those of the machine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from dfst.judging.examine import Cause, Finding, some
from dfst.traces.coverage import followed
from dfst.traces.traces import Traces
from dfst.world.machine import GridMachine

_OFTEN, _WORDS = 2, 8
"""Transitions that are seen less often are named; so many words are written."""

Word = tuple[int, ...]


def open_questions(machine: GridMachine, traces: Traces) -> Iterator[Finding]:
    """Transitions that a log shows less than twice, and states that nothing in it tells apart.

    >>> from dfst.traces.logs import traces_of_conversations
    >>> from dfst.world.conversation import Turn, conversation_machine
    >>> lamp = conversation_machine([Turn("off", "push", "light", "on"), Turn("on", "push", "dark", "off")], "off")
    >>> log = traces_of_conversations([[("push", "light"), ("push", "dark")], [("push", "light")]])
    >>> print(*open_questions(lamp, log.reordered(lamp.alphabet)))
    warning: seen-once: 1 of 2 transitions is seen less than twice, such as (on, push). Record conversations such as \
push push.
    """
    symbols, inputs = machine.alphabet.symbols, [machine.alphabet.index[symbol] for symbol in machine.world.inputs]
    states, _ = followed(machine, traces)
    shortest = {q: word for (q,), word in _words(machine, inputs, machine.start)}
    shown, seen = (states >= 0) & ~traces.unknown, np.zeros(machine.next_state.shape, np.int64)
    np.add.at(seen, (states[shown], traces.seen[shown]), 1)
    rare = [((*word, x), q, x) for q, word in shortest.items() for x in inputs if seen[q, x] < _OFTEN]
    if rare:
        never, are = int(sum(seen[q, x] == 0 for _, q, x in rare)), "is" if len(rare) == 1 else "are"
        what = f"{len(rare)} of {len(shortest) * len(inputs)} transitions {are} seen less than twice"
        what += f", {never} of them never" * (never > 0)
        what += f", such as {some([f'({machine.states[q]}, {symbols[x]})' for _, q, x in rare])}"
        yield _finding("seen-once", what, machine, [word for word, _, _ in rare])
    untold = (pair for pair in combinations(shortest, 2) if not _told_apart(machine, traces, states, pair))
    if open_ := {pair: word for pair in untold if (word := _differing(machine, inputs, *pair)) is not None}:
        words = [(*shortest[q], *word) for pair, word in open_.items() for q in pair]
        names = some([f"{machine.states[p]} and {machine.states[q]}" for p, q in open_])
        what = f"nothing in the log tells apart {len(open_)} pair{'s' * (len(open_) > 1)} of states: {names}"
        yield _finding("not-told-apart", what, machine, words)


def _finding(cause: Cause, what: str, machine: GridMachine, words: list[Word]) -> Finding:
    """The finding that these words of inputs would settle, the shortest first."""
    texts = [" ".join(machine.alphabet.symbols[x] for x in word) for word in sorted(dict.fromkeys(words), key=len)]
    return Finding(cause, what, f"Record conversations such as {some(texts, _WORDS)}.", "warning", tuple(texts))


def _words(machine: GridMachine, inputs: list[int], *start: int) -> Iterator[tuple[Word, Word]]:
    """Where inputs lead from ``start``, with the shortest word; of two states at once, as long as they stay apart."""
    found, waiting = {start: Word()}, deque([start])
    while waiting:
        states = waiting.popleft()
        yield states, found[states]
        for x in inputs:
            after = tuple(machine.next_state[states, x].tolist())
            if min(after) >= 0 and len({*after}) == len(after) and after not in found:
                found[after] = (*found[states], x)
                waiting.append(after)


def _differing(machine: GridMachine, inputs: list[int], one: int, other: int) -> Word | None:
    """The shortest word that the machine answers differently in two states; None if there is none."""
    table = machine.table
    for (p, q), word in _words(machine, inputs, one, other):
        for x in inputs:
            theirs, ours = table[p][x], table[q][x]
            if (theirs and theirs[1]) != (ours and ours[1]):
                return (*word, x)
    return None


def _told_apart(machine: GridMachine, traces: Traces, states: np.ndarray, pair: tuple[int, int]) -> bool:
    """Whether some word was recorded in both states, with answers that differ."""
    known, blank = ~traces.unknown, machine.alphabet.blank_index
    waiting = [tuple(np.flatnonzero(states == q) for q in pair)]
    while waiting:
        one, other = waiting.pop()  # the steps before which the same word was seen
        one, other = (steps[(states[steps] >= 0) & (traces.seen[steps] != blank)] for steps in (one, other))
        for x in np.intersect1d(traces.seen[one], traces.seen[other]).tolist():
            a, b = one[traces.seen[one] == x], other[traces.seen[other] == x]
            p, q = int(states[a[0]]), int(states[b[0]])
            if machine.written[p, x] != machine.written[q, x] and known[a].any() and known[b].any():
                return True
            if machine.next_state[p, x] != machine.next_state[q, x]:
                waiting.append((a + 1, b + 1))
    return False
