"""Phase two: on the finished machine, poor states are merged into richer ones that explain them.

And at last, after phase three, states that no future can tell apart become one: that changes nothing that the machine
does.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from dfst.effort import Effort
from dfst.extraction.swap import SwapTest
from dfst.extraction.trie import Step, Table, witnesses
from dfst.world.machine import UNDEFINED, GridMachine

_PAIRS = 16
"""So many pairs of states are looked at in the time of one swap test."""


@dataclass(frozen=True)
class Merge:
    """Two states, the first of the ``pairs`` (kept, joined), became one because the kept one explains the other.

    The swap test holds one way, along ``tested`` steps; ``shared`` recorded actions are common to both and to what
    follows them. The other pairs had to become one as well, because they follow under the same symbol.
    """

    pairs: list[tuple[int, int]]
    shared: int
    tested: int


@dataclass(frozen=True)
class Merged:
    """The machine after phase two: ``home`` says which state each state of phase one has become."""

    table: Table
    home: list[int]
    merges: list[Merge]


_Rows = dict[int, dict[int, Step]]
_Tested = dict[tuple[int, int], int | None]
_Trial = tuple[Merge, _Rows]
"""A merge that the swap test allows, and what would become of the machine."""


def merge(table: Table, test: SwapTest, progress: Callable[[str], None], effort: Effort) -> Merged:
    """Merge while there is a pair of states of which the richer explains the poorer and no two recorded actions clash.

    Richer: seen with at least as many symbols. Of all such pairs the one with the most shared recorded actions comes
    first; with none shared there is nothing but the model's word, and the states stay apart. Where ``effort`` ends, so
    does the merging.
    """
    rows = dict(enumerate(table))
    home = list(range(len(table)))
    merges: list[Merge] = []
    known: _Tested = {}
    while (best := _best(rows, home, known, test, effort)) is not None:
        made, rows = best
        merges.append(made)
        for kept, gone in made.pairs:
            home = [kept if state == gone else state for state in home]
        changed = {state for pair in made.pairs for state in pair}
        known = {pair: steps for pair, steps in known.items() if not changed & {*pair}}
        progress(f"{len(rows)} states after {len(merges)} merges")
    return Merged([rows.get(q, {}) for q in range(len(table))], home, merges)


def _best(rows: _Rows, home: list[int], known: _Tested, test: SwapTest, effort: Effort) -> _Trial | None:
    """The merge to make next, if there is one and the effort has not ended; tests are kept in ``known``."""
    best: _Trial | None = None
    for b in rows:
        if effort.over(1 + len(rows) // _PAIRS):
            return None
        for a in rows:
            if a == b or len(rows[b]) > len(rows[a]) or not _compatible(rows[a], rows[b]):
                continue
            if (a, b) not in known:
                known[a, b] = test.one_way(witnesses(rows[a]), witnesses(rows[b]))
            tested = known[a, b]
            trial = None if tested is None else _trial(rows, home, a, b, tested)
            if trial is not None and (best is None or trial[0].shared > best[0].shared):
                best = trial
    return best


def _compatible(a: dict[int, Step], b: dict[int, Step]) -> bool:
    """Whether two states have a symbol in common and act alike on all they have in common."""
    common = a.keys() & b.keys()
    return bool(common) and all(a[x].action == b[x].action for x in common)


def _trial(rows: _Rows, home: list[int], a: int, b: int, tested: int) -> _Trial | None:
    """Fold b into a, and whatever follows both under the same symbol; None if two recorded actions clash."""
    rows, pairs, shared = dict(rows), list[tuple[int, int]](), 0
    became: dict[int, int] = {}

    def find(state: int) -> int:
        state = home[state]
        while state in became:
            state = became[state]
        return state

    waiting = [(a, b)]
    while waiting:
        kept, gone = map(find, waiting.pop())
        if kept == gone:
            continue
        became[gone] = kept
        pairs.append((kept, gone))
        row = dict(rows[kept])
        for x, step in rows.pop(gone).items():
            if x not in row:
                row[x] = step
                continue
            mine = row[x]
            if mine.action != step.action:
                return None
            shared += 1
            if mine.target is not None and step.target is not None:
                waiting.append((mine.target, step.target))
            row[x] = _together(mine, step)
        rows[kept] = row
    return Merge(pairs, shared, tested), rows


def _together(mine: Step, other: Step) -> Step:
    """One step that was observed in two states: the longer future is its witness."""
    witness = min(mine, other, key=lambda step: (-step.height, step.witness))
    target = mine.target if mine.target is not None else other.target
    return replace(witness, target=target)


def futures(machine: GridMachine) -> list[int]:
    """A number for every state: two states have the same number if no sequence of symbols tells them apart.

    This is partition refinement as by Moore: all states begin in one block, and a block splits while two of its states
    act differently or lead to different blocks. A missing rule is an answer of its own. The blocks are numbered in the
    order of their first states.
    """
    following, defined = machine.next_state, machine.next_state != UNDEFINED
    actions = [np.where(defined, array, 0) for array in (machine.written, machine.move)]
    block, blocks = np.zeros(len(machine.states), int), 1
    while True:
        targets = _led(following, block)
        rows = map(tuple, np.hstack([block[:, None], targets, *actions]).tolist())
        number: dict[tuple[int, ...], int] = {}
        block = np.array([number.setdefault(row, len(number)) for row in rows])
        if len(number) == blocks:  # as many as before: since blocks only split, they are the same
            return block.tolist()
        blocks = len(number)


def without_twins(machine: GridMachine) -> tuple[GridMachine, list[int]]:
    """The machine with one state for each future, and the number of the state that each state has become.

    The states keep their order, the first of several its place; they are called s0, s1 and so on.
    """
    became = futures(machine)
    first = [became.index(i) for i in range(1 + max(became))]
    smaller = replace(
        machine,
        states=tuple(f"s{i}" for i in range(len(first))),
        start=became[machine.start],
        next_state=_led(machine.next_state[first], np.array(became, np.int32)),
        written=machine.written[first],
        move=machine.move[first],
    )
    return smaller, became


def _led(following: np.ndarray, became: np.ndarray) -> np.ndarray:
    """Where a table leads when state q is called ``became[q]``; HALTED and UNDEFINED stay."""
    return np.where(following >= 0, became[np.maximum(following, 0)], following)
