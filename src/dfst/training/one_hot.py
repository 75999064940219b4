"""Any machine is a DFST: one-hot weights that follow a transition table exactly (the paper's Theorem 1)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dfst.errors import InputError
from dfst.traces.traces import Trace
from dfst.training.model import DFST, MOVES, check_size, forward
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
    if d < states:
        do = f"Use a hidden dimension of {states} or more."
        raise InputError(f"{states} states do not fit into {d} dimensions", where=machine.name, do=do)
    check_size(k, d)
    A, B = np.zeros((k, d, d), np.float32), np.zeros((k, k, d), np.float32)
    C, h0 = np.zeros((k, MOVES, d), np.float32), np.zeros(d, np.float32)
    q, x = np.nonzero(machine.next_state != UNDEFINED)
    B[x, machine.written[q, x], q] = 1
    C[x, machine.move[q, x], q] = 1
    q, x = np.nonzero(machine.next_state >= 0)
    A[x, machine.next_state[q, x], q] = 1
    h0[machine.start] = 1
    return DFST(machine.alphabet, A, B, C, h0, machine.name, machine.layout)


@dataclass(frozen=True)
class Replay:
    """How far a model follows a trace: ``agreed`` steps of ``steps``; ``stuck`` if it then had nothing to say.

    ``margin`` is the smallest gap between the best and the second score over all agreed steps (1 for one-hot models).
    """

    agreed: int
    steps: int
    stuck: bool
    margin: float

    @property
    def exact(self) -> bool:
        """Whether every step agrees."""
        return self.agreed == self.steps


def replay(model: DFST, trace: Trace) -> Replay:
    """Follow ``trace`` until the model would act otherwise. Agreeing on every step, it would have made the same run.

    All scores 0 is the outcome stuck, not an argmax over zeros.

    >>> import dfst
    >>> machine = dfst.task("add2").machine
    >>> replay(from_machine(machine), dfst.record(machine, [("111", "1")])[0])
    Replay(agreed=36, steps=36, stuck=False, margin=1.0)
    """
    if max(trace.seen.max(), trace.written.max()) >= len(model.alphabet):
        raise InputError("the trace has symbols the model does not know", do="Use a trace of the model's task.")
    scores, steps = forward(model, trace.seen), len(trace.seen)
    silent = (scores.symbols == 0).all(axis=1) | (scores.moves == 0).all(axis=1)
    best = [np.sort(head, axis=1)[:, -2:] for head in scores]
    tied = (best[0][:, 0] == best[0][:, 1]) | (best[1][:, 0] == best[1][:, 1])  # no argmax: the model has no opinion
    wrong = tied | (scores.symbols.argmax(axis=1) != trace.written) | (scores.moves.argmax(axis=1) != trace.moves)
    agreed = int(np.argmax(np.append(silent | wrong, True)))
    leads = [np.diff(two[:agreed], axis=1) for two in best]
    return Replay(agreed, steps, agreed < steps and bool(silent[agreed]), float(np.min(leads, initial=np.inf)))
