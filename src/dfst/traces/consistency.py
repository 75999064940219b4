"""Whether a trace can be that of a run: a cell keeps what was written on it; the last move halts, and no other."""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from dfst.errors import InputError, quoted
from dfst.traces.agreement import NOISY, check_agreement
from dfst.traces.traces import Traces
from dfst.world.moves import MOVE_NAMES, OFFSETS, Move


class Fault(NamedTuple):
    """The first thing in a trace that no run on a grid can have left; traces and steps count from 0."""

    trace: int
    step: int
    kind: Literal["contradiction", "does-not-halt"]
    what: str
    do: str


def faults(traces: Traces) -> list[Fault]:
    """For every trace that cannot be that of a run, what is wrong with it first.

    >>> import dfst
    >>> traces = dfst.record(dfst.task("add2").machine, [("1", "1")])
    >>> faults(traces)
    []
    >>> traces.seen[5] = 0  # it was 1
    >>> print(faults(traces)[0].what)
    trace 0 contradicts itself: at step 5 it sees '0' on the cell where it wrote '1' at step 3
    """
    found = {fault.trace: fault for fault in _not_halting(traces)}
    for fault in (*_changed_cells(traces), *_going_on(traces)):  # the later kinds hide what follows from them
        found[fault.trace] = fault
    return [found[trace] for trace in sorted(found)]


def check_traces(traces: Traces) -> None:
    """Refuse traces that no run leaves, and two that no deterministic policy leaves: they teach nothing."""
    if found := faults(traces):
        more = len(found) - 1
        others = f" ({more} other trace{'s are' if more > 1 else ' is'} faulty, too)" if more else ""
        raise InputError(found[0].what + others, do=f"{found[0].do} {NOISY}")
    check_agreement(traces)


def _changed_cells(traces: Traces) -> list[Fault]:
    """Steps that see something else than what was last written on their cell."""
    trace, starts = np.repeat(np.arange(len(traces)), traces.lengths), np.repeat(traces.offsets[:-1], traces.lengths)
    ways = np.array(OFFSETS, np.int64)[traces.moves]
    passed = np.concatenate([np.zeros((1, 2), np.int64), np.cumsum(ways, axis=0)[:-1]]) if len(ways) else ways
    cells = passed - passed[starts]
    order = np.lexsort((cells[:, 1], cells[:, 0], trace))  # stable: the visits of a cell stay in order
    before, after = order[:-1], order[1:]
    same = (trace[before] == trace[after]) & (cells[before] == cells[after]).all(axis=1)
    wrong = same & (traces.written[before] != traces.seen[after])
    first: dict[int, tuple[int, int]] = {}
    for wrote, sees in sorted(zip(before[wrong].tolist(), after[wrong].tolist(), strict=True), key=lambda two: two[1]):
        first.setdefault(int(trace[sees]), (wrote, sees))
    do = "Correct one of the two steps (traces and steps count from 0), or record the trace again."
    symbols, offsets, result = traces.alphabet.symbols, traces.offsets.tolist(), []
    for i, (wrote, sees) in first.items():
        seen, written = symbols[traces.seen[sees]], symbols[traces.written[wrote]]
        what = f"trace {i} contradicts itself: at step {sees - offsets[i]} it sees {quoted(seen)} on the cell where it"
        what += f" wrote {quoted(written)} at step {wrote - offsets[i]}"
        result.append(Fault(i, sees - offsets[i], "contradiction", what, do))
    return result


def _going_on(traces: Traces) -> list[Fault]:
    halts = np.flatnonzero(traces.moves == Move.S)
    trace = np.searchsorted(traces.offsets, halts, "right") - 1
    early = {int(i): int(at) for i, at in zip(trace[::-1], halts[::-1], strict=True) if at + 1 < traces.offsets[i + 1]}
    do = "S means halting: cut the trace there (traces and steps count from 0)."
    return [
        Fault(i, step, "contradiction", f"trace {i} goes on after the move S of step {step}", do)
        for i, step in ((i, at - int(traces.offsets[i])) for i, at in early.items())
    ]


def _not_halting(traces: Traces) -> list[Fault]:
    last = traces.moves[traces.offsets[1:] - 1]
    do = "Let it go on until the teacher halts (the move S), or leave it out (traces count from 0)."
    return [
        Fault(
            i, int(traces.lengths[i]) - 1, "does-not-halt", f"trace {i} never halts: its last move is {name}, not S", do
        )
        for i, name in ((int(i), MOVE_NAMES[last[i]]) for i in np.flatnonzero(last != Move.S))
    ]
