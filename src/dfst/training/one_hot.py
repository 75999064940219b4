"""Any machine is a DFST: one-hot weights that follow a transition table exactly (the paper's Theorem 1)."""

from __future__ import annotations

import numpy as np

from dfst.errors import InputError
from dfst.training.model import DFST, MOVES, check_size
from dfst.world.machine import UNDEFINED, GridMachine


def from_machine(machine: GridMachine, hidden_dim: int | None = None) -> DFST:
    """The one-hot DFST of ``machine``, in float32; ``hidden_dim`` may be larger than the number of states.

    A[x][q', q] = 1 where (q, x) goes on in q'; B[x][s, q] = C[x][m, q] = 1 where it writes s and moves m. So h is
    always exactly one-hot and never drifts. Nothing is set for an undefined pair: there every score is 0, which means
    stuck.

    >>> import dfst
    >>> model = from_machine(dfst.task("mult10").machine, hidden_dim=108)
    >>> model, int(model.h0.argmax()), sorted(set(model.A.ravel().tolist()))
    (DFST('mult10', K=12, d=108, float32), 0, [0.0, 1.0])
    """
    states, k = len(machine.states), len(machine.alphabet)
    d = states if hidden_dim is None else hidden_dim
    check_size(k, d)
    if d < states:
        do = f"Use a hidden dimension of {states} or more."
        raise InputError(f"{states} states do not fit into {d} dimensions", where=machine.name, do=do)
    A, B = np.zeros((k, d, d), np.float32), np.zeros((k, k, d), np.float32)
    C, h0 = np.zeros((k, MOVES, d), np.float32), np.zeros(d, np.float32)
    q, x = np.nonzero(machine.next_state != UNDEFINED)
    B[x, machine.written[q, x], q] = 1
    C[x, machine.move[q, x], q] = 1
    q, x = np.nonzero(machine.next_state >= 0)
    A[x, machine.next_state[q, x], q] = 1
    h0[machine.start] = 1
    return DFST(machine.alphabet, A, B, C, h0, machine.name, machine.layout)
