"""Which state a machine is in along traces that only show what it did."""

from __future__ import annotations

import numpy as np

from dfst.errors import InputError
from dfst.shapes import Int32
from dfst.traces.traces import Traces
from dfst.world.machine import HALTED, UNDEFINED, GridMachine


def states_along(machine: GridMachine, traces: Traces) -> Int32[np.ndarray, " steps"]:
    """The state of ``machine`` before every step of ``traces``, stored end to end as they are.

    >>> import dfst
    >>> machine = dfst.expert("add2").machine
    >>> states = states_along(machine, dfst.record(machine, [("1", "1")]))
    >>> [machine.states[q] for q in states[:4]]
    ['enter', 'enter', 'enter', 'rise']
    """
    alphabet, other = machine.alphabet, traces.alphabet
    if (alphabet.symbols, alphabet.blank) != (other.symbols, other.blank):
        raise InputError("the traces have another alphabet than the machine", where=machine.name)
    states = np.empty(len(traces.seen), np.int32)
    state, alive = np.full(len(traces), machine.start, np.int32), np.arange(len(traces))
    for t in range(int(traces.lengths.max(initial=0))):
        alive = alive[traces.lengths[alive] > t]
        at, q = traces.offsets[alive] + t, state[alive]
        x = traces.seen[at]
        states[at] = q
        following = machine.next_state[q, x]
        same = (machine.written[q, x] == traces.written[at]) & (machine.move[q, x] == traces.moves[at])
        ends = (following == HALTED) & (traces.lengths[alive] > t + 1)
        bad = alive[(following == UNDEFINED) | ~same | ends]
        if len(bad):
            raise InputError(f"trace {bad[0]} is not a run of the machine (step {t})", where=machine.name)
        state[alive] = following
    return states
