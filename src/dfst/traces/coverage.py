"""A machine led along traces: its states, which traces never show, and what of it they show or leave out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

import numpy as np

from dfst.errors import InputError
from dfst.shapes import Int32, Int64
from dfst.traces.traces import Traces
from dfst.world.machine import HALTED, UNDEFINED, GridMachine
from dfst.world.moves import Move


def followed(machine: GridMachine, traces: Traces) -> tuple[Int32[np.ndarray, " steps"], Int64[np.ndarray, " N"]]:
    """The state of ``machine`` before every step, stored end to end; and how many steps of each trace it takes.

    It takes a step that its rule makes as recorded, as far as the record is known. Beyond the first that it does not
    take, and beyond halting, states are -1.
    """
    states, agreed = np.full(len(traces.seen), -1, np.int32), np.zeros(len(traces), np.int64)
    state, alive = np.full(len(traces), machine.start, np.int32), np.arange(len(traces))
    unknown = traces.unknown
    for t in range(int(traces.lengths.max(initial=0))):
        alive = alive[traces.lengths[alive] > t]
        at, q = traces.offsets[alive] + t, state[alive]
        x = traces.seen[at]
        states[at] = q
        following = machine.next_state[q, x]
        taken = (machine.written[q, x] == traces.written[at]) | unknown[at]
        taken &= machine.move[q, x] == traces.moves[at]
        taken &= following != UNDEFINED
        agreed[alive] += taken
        state[alive] = following
        alive = alive[taken & (following >= 0)]
    return states, agreed


def leaving(machine: GridMachine, traces: Traces) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Where traces leave ``machine``: trace, step, the machine's state (-1: it has halted), and whether it is stuck."""
    states, agreed = followed(machine, traces)
    left = np.flatnonzero(agreed < traces.lengths)
    at = traces.offsets[left] + agreed[left]
    q = states[at]
    return left, agreed[left], q, (q >= 0) & (machine.next_state[q, traces.seen[at]] == UNDEFINED)


def outside(machine: GridMachine, traces: Traces) -> int:
    """How many steps of ``traces`` lie where ``machine`` has no rule, or beyond such a step.

    >>> import dfst
    >>> add2 = dfst.task("add2")
    >>> outside(add2.machine, dfst.sample(add2))
    0
    """
    left, steps, _, stuck = leaving(machine, traces)
    return int((traces.lengths[left] - steps)[stuck].sum())


def used(machine: GridMachine, traces: Traces, *, known: bool = False) -> np.ndarray:
    """Which rules of ``machine`` the traces use, as far as it follows them; if ``known``, where the record is known."""
    states, _ = followed(machine, traces)
    found, steps = np.zeros(machine.next_state.shape, bool), states >= 0
    steps &= ~(traces.unknown & known)
    found[states[steps], traces.seen[steps]] = True
    return found


@dataclass(frozen=True)
class Loop:
    """A walk: steps in one direction during which the machine stays in ``state``.

    ``symbols`` are those on which it does so; ``lengths`` counts how often a walk of each length is seen. A loop seen
    at few lengths is a loop whose length the traces do not pin down.
    """

    state: str
    move: Move
    symbols: tuple[str, ...]
    lengths: Mapping[int, int]


@dataclass(frozen=True)
class Coverage:
    """The pairs (state, symbol) that are defined but never used, and every loop."""

    uncovered: tuple[tuple[str, str], ...]
    loops: tuple[Loop, ...]

    def to_json(self) -> dict[str, Any]:
        """For a program."""
        loops = [asdict(loop) | {"move": loop.move.name, "symbols": list(loop.symbols)} for loop in self.loops]
        return {"uncovered": [list(pair) for pair in self.uncovered], "loops": loops}


def coverage(machine: GridMachine, traces: Traces) -> Coverage:
    """What ``traces``, which must be runs of ``machine``, show of it.

    >>> import dfst
    >>> add2 = dfst.task("add2")
    >>> report = coverage(add2.machine, dfst.sample(add2))
    >>> report.uncovered
    ()
    >>> next(loop for loop in report.loops if loop.state == "back")
    Loop(state='back', move=<Move.R: 3>, symbols=('_',), lengths={1: 5, 2: 2, 3: 2})
    """
    symbols, other = machine.alphabet.symbols, traces.alphabet  # their classes say nothing about steps
    if (symbols, machine.alphabet.blank) != (other.symbols, other.blank):
        raise InputError("the traces have another alphabet than the machine", where=machine.name)
    states, agreed = followed(machine, traces)
    following = machine.next_state[states, traces.seen]
    # a machine that takes every step but does not halt with the trace fails at its last step
    agreed = np.where(following[traces.offsets[1:] - 1] == HALTED, agreed, np.minimum(agreed, traces.lengths - 1))
    if len(bad := np.flatnonzero(agreed < traces.lengths)):
        first = bad[agreed[bad].argmin()]
        raise InputError(f"trace {first} is not a run of the machine (step {agreed[first]})", where=machine.name)
    used = np.zeros(machine.next_state.shape, bool)
    used[states, traces.seen] = True
    stays = following == states  # never at a trace's last step, so that no walk goes on in the next one
    seen: dict[tuple[int, int], Counter[int]] = {}
    for (state, way, walking), steps in groupby(zip(*(c.tolist() for c in (states, traces.moves, stays)), strict=True)):
        if walking:
            seen.setdefault((state, way), Counter())[len([*steps])] += 1
    loops = []
    for q, state in enumerate(machine.states):
        for way in Move:
            on = np.flatnonzero((machine.next_state[q] == q) & (machine.move[q] == way))
            if len(on):
                lengths = dict(sorted(seen.get((q, way), {}).items()))
                loops.append(Loop(state, way, tuple(symbols[x] for x in on), lengths))
    missed = np.argwhere((machine.next_state != UNDEFINED) & ~used)
    return Coverage(tuple((machine.states[q], symbols[x]) for q, x in missed), tuple(loops))
