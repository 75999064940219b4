"""Whether traces can be those of runs, and of one deterministic policy.

In a run a cell keeps what was written on it, and the last move halts, and no other; what sees the same acts the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np

from dfst.errors import InputError, quoted
from dfst.shapes import Int64
from dfst.traces.traces import MARK, UNKNOWN, Traces
from dfst.world.conversation import name_of_symbol
from dfst.world.moves import MOVE_NAMES, OFFSETS, Move

_NOISY = "Or let dfst learn --noisy correct them."


class Fault(NamedTuple):
    """The first thing in a trace that no run on a grid can have left; traces and steps count from 0."""

    trace: int
    step: int
    kind: Literal["contradiction", "does-not-halt"]
    what: str
    do: str


def faults(traces: Traces) -> list[Fault]:
    """For every trace that cannot be that of a run, what is wrong with it first."""
    found = {fault.trace: fault for fault in _not_halting(traces)}
    for fault in (*_changed_cells(traces), *_going_on(traces)):  # the later kinds hide what follows from them
        found[fault.trace] = fault
    return [found[trace] for trace in sorted(found)]


def check_traces(traces: Traces) -> None:
    """Refuse traces that no run leaves, and two that no deterministic policy leaves: they teach nothing."""
    if found := faults(traces):
        more = len(found) - 1
        others = f" ({more} other trace{'s are' if more > 1 else ' is'} faulty, too)" if more else ""
        raise InputError(found[0].what + others, do=f"{found[0].do} {_NOISY}")
    check_agreement(traces)


def _changed_cells(traces: Traces) -> Iterator[Fault]:
    """Steps that see something else than what was last written on their cell."""
    trace, starts = np.repeat(np.arange(len(traces)), traces.lengths), np.repeat(traces.offsets[:-1], traces.lengths)
    ways = np.array(OFFSETS, np.int64)[traces.moves]
    passed = np.concatenate([np.zeros((1, 2), np.int64), np.cumsum(ways, axis=0)[:-1]]) if len(ways) else ways
    cells = passed - passed[starts]
    order = np.lexsort((cells[:, 1], cells[:, 0], trace))  # stable: the visits of a cell stay in order
    before, after = order[:-1], order[1:]
    same = (trace[before] == trace[after]) & (cells[before] == cells[after]).all(axis=1)
    wrong = same & (traces.written[before] != traces.seen[after]) & ~traces.unknown[before]
    first: dict[int, tuple[int, int]] = {}
    for wrote, sees in sorted(zip(before[wrong].tolist(), after[wrong].tolist(), strict=True), key=lambda two: two[1]):
        first.setdefault(int(trace[sees]), (wrote, sees))
    do = "Correct one of the two steps (traces and steps count from 0), or record the trace again."
    symbols, offsets = traces.alphabet.symbols, traces.offsets.tolist()
    for i, (wrote, sees) in first.items():
        seen, written = symbols[traces.seen[sees]], symbols[traces.written[wrote]]
        what = f"trace {i} contradicts itself: at step {sees - offsets[i]} it sees {quoted(seen)} on the cell where it"
        what += f" wrote {quoted(written)} at step {wrote - offsets[i]}"
        yield Fault(i, sees - offsets[i], "contradiction", what, do)


def _going_on(traces: Traces) -> Iterator[Fault]:
    do = "S means halting: cut the trace there (traces and steps count from 0)."
    for at in reversed(np.flatnonzero(traces.moves == Move.S).tolist()):  # the first of a trace comes last, and stays
        i = int(np.searchsorted(traces.offsets, at, "right")) - 1
        step = at - int(traces.offsets[i])
        if at + 1 < traces.offsets[i + 1]:
            yield Fault(i, step, "contradiction", f"trace {i} goes on after the move S of step {step}", do)


def _not_halting(traces: Traces) -> Iterator[Fault]:
    last = traces.moves[traces.offsets[1:] - 1]
    do = "Let it go on until the teacher halts (the move S), or leave it out (traces count from 0)."
    for i in np.flatnonzero(last != Move.S).tolist():
        what = f"trace {i} never halts: its last move is {MOVE_NAMES[last[i]]}, not S"
        yield Fault(i, int(traces.lengths[i]) - 1, "does-not-halt", what, do)


def by_what_they_see(traces: Traces) -> tuple[list[int], Int64[np.ndarray, " N"]]:
    """The traces in the order of what they see, and how many steps each sees alike with the one before it.

    >>> import dfst
    >>> by_what_they_see(dfst.record("add2", [("1", "1"), ("0", "1"), ("1", "10")]))
    ([1, 2, 0], array([ 0,  1, 10]))
    """
    order, shared = sorted(range(len(traces)), key=lambda i: traces[i].seen.tobytes()), [0]
    for i, j in pairwise(order):
        steps = min(len(traces[i].seen), len(traces[j].seen))
        differs = traces[i].seen[:steps] != traces[j].seen[:steps]
        shared.append(int(differs.argmax()) if differs.any() else steps)
    return order, np.array(shared, np.int64)


def check_agreement(traces: Traces) -> None:
    """Refuse two traces that see the same and act differently: no deterministic policy leaves both."""
    for first, second, at in disagreements(traces):
        seen = quoted(named(traces, int(traces[first].seen[at])))
        if traces.world.is_conversation:
            one, other = (_writes(traces, i, at) for i in (first, second))
            names = " and ".join(called(traces, i) for i in (first, second))
            what = f"{names} begin with the same {at + 1} inputs, but the last of "
            what += f"them, {seen}, is answered {one} in one and {other} in the other"
            raise InputError(what, do=f"Correct one of them. {_NOISY}")
        what = f"traces {first} and {second} see the same but act differently: at step {at}, seeing {seen}, "
        what += f"{action(traces, first, at)} in one and {action(traces, second, at)} in the other"
        raise InputError(what, do=f"Record them again from one deterministic policy. {_NOISY}")


def disagreements(traces: Traces) -> Iterator[tuple[int, int, int]]:
    """Pairs of traces that see the same and act differently, and the step; none only if no two traces do.

    What is not known differs from nothing.
    """
    order, shared = by_what_they_see(traces)
    written, by = np.empty((2, int(traces.lengths.max(initial=0))), np.int64)  # the last that was known, and by whom
    moves = written.copy()
    for trace, steps in zip(order, shared.tolist(), strict=False):
        mine, known = traces[trace], traces[trace].written != UNKNOWN
        both_known = known[:steps] & (written[:steps] != UNKNOWN)
        differs = (mine.moves[:steps] != moves[:steps]) | (both_known & (mine.written[:steps] != written[:steps]))
        if differs.any():
            at = int(differs.argmax())
            first, second = sorted((trace, int(by[at])))
            yield first, second, at
        length, fresh = len(known), np.arange(len(known)) >= steps
        written[:length][known | fresh] = mine.written[known | fresh]
        by[:length][known | fresh] = trace
        moves[:length] = mine.moves


def with_what_others_know(traces: Traces) -> Traces:
    """``traces``, where an unknown output is the one that another trace shows after the same inputs, if one does."""
    if not traces.unknown.any():
        return traces
    order, shared = by_what_they_see(traces)
    path, node = np.empty(int(traces.lengths.max()), np.int64), np.empty(len(traces.seen), np.int64)
    for trace, steps in zip(order, shared.tolist(), strict=True):
        begin, end = traces.offsets[trace], traces.offsets[trace + 1]
        path[steps : end - begin] = np.arange(begin + steps, end)  # a prefix is called after its first record
        node[begin:end] = path[: end - begin]
    known, found = ~traces.unknown, traces.written.copy()
    found[node[known]] = traces.written[known]
    return replace(traces, written=np.where(known, traces.written, found[node]))


def called(traces: Traces, trace: int) -> str:
    """A trace in a sentence: by the name that its log has for it, or by its number."""
    if traces.cases:
        return f"case {quoted(traces.cases[trace])}"
    return f"conversation {trace + 1}" if traces.world.is_conversation else f"trace {trace}"


def action(traces: Traces, trace: int, step: int) -> str:
    """What a step of a trace does, in words, such as ``'0' and R``; of a conversation, what it answers."""
    writes = _writes(traces, trace, step)
    return writes if traces.world.is_conversation else f"{writes} and {MOVE_NAMES[traces[trace].moves[step]]}"


def _writes(traces: Traces, trace: int, step: int) -> str:
    """What a step of a trace writes, in quotes; a question mark without them if that is not known."""
    known = traces[trace].written[step] != UNKNOWN
    return quoted(answer(traces, trace, step)) if known else MARK


def answer(traces: Traces, trace: int, step: int) -> str:
    """What a step of a trace writes; a question mark if that is not known."""
    written = int(traces[trace].written[step])
    return MARK if written == UNKNOWN else named(traces, written)


def named(traces: Traces, symbol: int) -> str:
    """A symbol by its number; of a conversation, the name that the log has for it."""
    shown = traces.alphabet.symbols[symbol]
    return name_of_symbol(shown) if traces.world.is_conversation else shown


def check_alphabet(model: Any, traces: Traces) -> None:
    """Refuse traces over another alphabet than the model's: symbols, their order, the blank, and the classes.

    Only an alphabet that names no classes at all, as that of bare traces, goes with every choice of them.
    """
    ours, theirs = model.alphabet, traces.alphabet
    differs = "symbols" if theirs.symbols != ours.symbols else ""
    if not differs and theirs.blank != ours.blank:
        differs = f"blank ({quoted(theirs.blank)}, not {quoted(ours.blank)})"
    if not differs and theirs.classes and ours.classes and theirs.classes != ours.classes:
        differs = "classes of symbols"
    if differs:
        what = f"the traces have another alphabet than the model: other {differs}"
        raise InputError(what, do="Use traces of the model's task.")
