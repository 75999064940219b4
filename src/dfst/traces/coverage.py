"""What a set of traces shows of a machine: rules it never uses, and at which lengths its loops are seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dfst.errors import InputError
from dfst.traces.states import states_along
from dfst.traces.traces import Traces
from dfst.world.machine import HALTED, UNDEFINED, GridMachine
from dfst.world.moves import Move


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


def coverage(machine: GridMachine, traces: Traces) -> Coverage:
    """What ``traces``, which must be runs of ``machine``, show of it.

    >>> import dfst
    >>> add2 = dfst.task("add2")
    >>> report = coverage(add2.machine, dfst.sample(add2))
    >>> report.uncovered
    ()
    >>> next(loop for loop in report.loops if loop.state == "back")
    Loop(state='back', move=<Move.R: 3>, symbols=('_',), lengths={1: 5, 2: 2, 3: 2})
    >>> coverage(add2.machine, dfst.record(add2.machine, [("0", "0")])).uncovered[:2]
    (('enter', '1'), ('rise', '1'))
    """
    states, last = states_along(machine, traces), traces.offsets[1:] - 1
    following, move = machine.next_state[states, traces.seen], traces.moves
    if (going := np.flatnonzero(following[last] != HALTED)).size:
        what = f"trace {going[0]} is not a run of the machine (step {traces.lengths[going[0]] - 1})"
        raise InputError(what, where=machine.name)
    used = np.zeros(machine.next_state.shape, bool)
    used[states, traces.seen] = True
    walking = following == states  # never at a trace's last step
    same = walking[1:] & walking[:-1] & (states[1:] == states[:-1]) & (move[1:] == move[:-1])
    begins = np.flatnonzero(np.concatenate([[True], ~same]))[: len(states)]
    loops: dict[tuple[int, int], Counter[int]] = {}
    for at, length in zip(begins, np.diff(begins, append=len(states)), strict=True):
        if walking[at]:
            loops.setdefault((int(states[at]), int(move[at])), Counter())[int(length)] += 1
    missed = np.argwhere((machine.next_state != UNDEFINED) & ~used)
    symbols = machine.alphabet.symbols
    return Coverage(
        tuple((machine.states[q], symbols[x]) for q, x in missed),
        tuple(
            Loop(machine.states[q], move, tuple(symbols[x] for x in on), dict(sorted(loops.get((q, move), {}).items())))
            for q, move, on in _self_loops(machine)
        ),
    )


def _self_loops(machine: GridMachine) -> list[tuple[int, Move, list[int]]]:
    """(state, direction, symbols) wherever a state goes on in itself."""
    found = []
    for q in range(len(machine.states)):
        for move in Move:
            symbols = np.flatnonzero((machine.next_state[q] == q) & (machine.move[q] == move))
            if len(symbols):
                found.append((q, move, symbols.tolist()))
    return found
