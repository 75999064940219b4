"""A rollout that keeps every step: what the model sees, writes, where it moves, and how sure it is."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dfst.act.drift import DriftRecord
from dfst.act.rollout import LoosedModel, Rollout, layout_of
from dfst.shapes import Float
from dfst.traces.traces import Trace
from dfst.training.model import DFST
from dfst.world.grid import Window
from dfst.world.run import check_limits

_CHUNK = 2**16


class RecordedRollout(NamedTuple):
    """A finished rollout, its steps, and for each step the margins of the symbol and of the move.

    A margin is how far the winning score is ahead of the second, relative to the largest score in size: 1 for a one-hot
    model, 0 when the action is lost.
    """

    result: Rollout
    trace: Trace
    margins: Float[np.ndarray, "T 2"]


def recorded_rollout(model: DFST, *operands: str, step_limit: int = 10**7) -> RecordedRollout:
    """:func:`dfst.rollout` of ``model`` on ``operands``, bit by bit, with every step kept (about 19 bytes each).

    >>> import dfst
    >>> model = dfst.from_machine(dfst.task("add2").machine)
    >>> result, trace, margins = recorded_rollout(model, "1", "1")
    >>> result.answer.text, trace.seen.tolist()[:4], margins[0].tolist()
    ('10', [2, 1, 3, 1], [1.0, 1.0])
    """
    check_limits(step_limit, None)
    layout = layout_of(model)
    window, loosed = Window(model.alphabet, layout.place(model.alphabet, operands)), _RecordedModel(model)
    why, steps, cell = loosed.roll(window, layout.head, step_limit)
    result = Rollout(model, why, steps, cell, window, loosed.rescales, loosed.flushed)
    record, margins = np.concatenate(loosed.records, axis=1), np.concatenate(loosed.margins)
    return RecordedRollout(result, Trace(*record), margins)


class _RecordedModel(LoosedModel):
    """A model in the middle of acting that writes down what it does."""

    def __init__(self, model: DFST) -> None:
        super().__init__(model)
        self.records, self.margins = [np.empty((3, 0), np.uint8)], [np.empty((0, 2))]

    def _kernel(self, cells: np.ndarray, offset: np.ndarray, steps: int, record: DriftRecord | None) -> int:
        from dfst.act.float_kernels import roll_recorded

        steps = min(steps, _CHUNK)
        kept, margins = np.empty((3, steps), np.uint8), np.empty((steps, 2))
        done, why = roll_recorded(cells, offset, self._weights, self._shape, self._buffer, self._state, kept, margins)
        self.records.append(kept[:, :done])
        self.margins.append(margins[:done])
        return why
