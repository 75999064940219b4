"""A machine led along traces: its states, which the traces themselves never show."""

from __future__ import annotations

import numpy as np

from dfst.errors import InputError
from dfst.shapes import Int32, Int64
from dfst.traces.traces import Traces
from dfst.world.machine import UNDEFINED, GridMachine


def followed(machine: GridMachine, traces: Traces) -> tuple[Int32[np.ndarray, " steps"], Int64[np.ndarray, " N"]]:
    """The state of ``machine`` before every step, stored end to end; and how many steps of each trace it takes.

    It takes a step that its rule makes as recorded. Beyond the first that it does not take, and beyond halting, states
    are -1.
    """
    states, agreed = np.full(len(traces.seen), -1, np.int32), np.zeros(len(traces), np.int64)
    state, alive = np.full(len(traces), machine.start, np.int32), np.arange(len(traces))
    for t in range(int(traces.lengths.max(initial=0))):
        alive = alive[traces.lengths[alive] > t]
        at, q = traces.offsets[alive] + t, state[alive]
        x = traces.seen[at]
        states[at] = q
        following = machine.next_state[q, x]
        taken = (machine.written[q, x] == traces.written[at]) & (machine.move[q, x] == traces.moves[at])
        taken &= following != UNDEFINED
        agreed[alive] += taken
        state[alive] = following
        alive = alive[taken & (following >= 0)]
    return states, agreed


def steps_followed(machine: GridMachine, traces: Traces) -> Int64[np.ndarray, " N"]:
    """How many steps of each trace ``machine`` takes as recorded; all of them: its length.

    >>> import dfst
    >>> add2 = dfst.task("add2")
    >>> traces = dfst.sample(add2)
    >>> bool((steps_followed(add2.machine, traces) == traces.lengths).all())
    True
    """
    return followed(machine, traces)[1]


def states_along(machine: GridMachine, traces: Traces) -> Int32[np.ndarray, " steps"]:
    """The state of ``machine`` before every step of ``traces``, which must be its runs, stored end to end.

    >>> import dfst
    >>> machine = dfst.task("add2").machine
    >>> states = states_along(machine, dfst.record(machine, [("1", "1")]))
    >>> [machine.states[q] for q in states[:4]]
    ['enter', 'enter', 'enter', 'rise']
    """
    alphabet, other = machine.alphabet, traces.alphabet  # their classes say nothing about steps
    if (alphabet.symbols, alphabet.blank) != (other.symbols, other.blank):
        raise InputError("the traces have another alphabet than the machine", where=machine.name)
    states, agreed = followed(machine, traces)
    bad = np.flatnonzero(agreed < traces.lengths)
    if len(bad):
        first = bad[agreed[bad].argmin()]
        raise InputError(f"trace {first} is not a run of the machine (step {agreed[first]})", where=machine.name)
    return states
