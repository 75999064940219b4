"""How far a model follows a trace, step by step."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dfst.traces.traces import Trace
from dfst.training.model import DFST, forward


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
    """
    scores, steps = forward(model, trace.seen), len(trace.seen)
    silent = (scores.symbols == 0).all(axis=1) | (scores.moves == 0).all(axis=1)
    best = [np.sort(head, axis=1)[:, -2:] for head in scores]
    tied = (best[0][:, 0] == best[0][:, 1]) | (best[1][:, 0] == best[1][:, 1])  # no argmax: the model has no opinion
    wrong = tied | (scores.symbols.argmax(axis=1) != trace.written) | (scores.moves.argmax(axis=1) != trace.moves)
    agreed = int(np.argmax(np.append(silent | wrong, True)))
    leads = [np.diff(two[:agreed], axis=1) for two in best]
    return Replay(agreed, steps, agreed < steps and bool(silent[agreed]), float(np.min(leads, initial=np.inf)))
