"""What a set of traces shows of a machine: rules it never uses, and at which lengths its loops are seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dfst.errors import InputError
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
    >>> add2 = dfst.expert("add2")
    >>> report = coverage(add2.machine, dfst.sample(add2))
    >>> report.uncovered
    ()
    >>> next(loop for loop in report.loops if loop.state == "back")
    Loop(state='back', move=<Move.R: 3>, symbols=('_',), lengths={1: 5, 2: 2, 3: 2})
    >>> coverage(add2.machine, dfst.record(add2.machine, [("0", "0")])).uncovered[:2]
    (('enter', '1'), ('rise', '1'))
    """
    alphabet, other = machine.alphabet, traces.alphabet  # their classes say nothing about steps
    if (alphabet.symbols, alphabet.blank) != (other.symbols, other.blank):
        raise InputError("the traces have another alphabet than the machine", where=machine.name)
    batch = traces.padded()
    used = np.zeros(machine.next_state.shape, bool)
    state = np.full(len(traces), machine.start)
    loops: dict[tuple[int, int], Counter[int]] = {}
    looping = np.zeros_like(state)  # the direction (move + 1) of the walk each trace is in, 0 for none
    length = np.zeros_like(state)

    def close(ended: np.ndarray) -> None:
        for q, m, steps in zip(state[ended], looping[ended] - 1, length[ended], strict=True):
            loops.setdefault((int(q), int(m)), Counter())[int(steps)] += 1

    for t in range(batch.seen.shape[1]):
        alive = batch.lengths > t
        x = batch.seen[:, t]
        q = np.where(alive, state, 0)
        following, move = machine.next_state[q, x], machine.move[q, x]
        same_action = (machine.written[q, x] == batch.written[:, t]) & (move == batch.moves[:, t])
        halts_at_end = (following == HALTED) == (batch.lengths == t + 1)
        fits = (following != UNDEFINED) & same_action & halts_at_end
        if not fits[alive].all():
            bad = int(np.flatnonzero(alive & ~fits)[0])
            raise InputError(f"trace {bad} is not a run of the machine (step {t})", where=machine.name)
        used[q[alive], x[alive]] = True
        stays = alive & (following == q)
        goes_on = stays & (looping == move + 1)
        close(alive & (looping > 0) & ~goes_on)
        length = np.where(goes_on, length + 1, 1)
        looping = np.where(stays, move + 1, 0)
        state = np.where(alive, following, state)
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
