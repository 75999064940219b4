"""A model led along traces: has it learned them, action by action, which a small loss does not say; and its states."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dfst.act.floats import PackedShape, aligned, pack
from dfst.shapes import Float, Int32
from dfst.traces.consistency import check_alphabet
from dfst.traces.traces import Traces
from dfst.training.model import DFST


@dataclass(frozen=True)
class Recall:
    """How many of the recorded actions a model takes when it is given the recorded symbols."""

    traces: int
    steps: int
    wrong_traces: int
    wrong_steps: int

    @property
    def learned(self) -> bool:
        """Whether every action of every trace is as recorded."""
        return self.wrong_steps == 0

    def explain(self) -> str:
        """In words."""
        steps = f"{self.steps:,} step{'s' * (self.steps != 1)}"
        traces = f"{self.traces:,} trace{'s' * (self.traces != 1)}"
        if self.learned:
            return f"all {steps} of its {traces} are as recorded"
        are = "is" if self.wrong_steps == 1 else "are"
        return f"{self.wrong_steps:,} of its {steps}, in {self.wrong_traces:,} of {traces}, {are} not as recorded"


def recall(model: DFST, traces: Traces) -> Recall:
    """Lead ``model`` along ``traces`` and count the actions that are not as recorded, in the floats of the rollouts.

    A step at which two symbols or two moves share the highest score is wrong: the model has no opinion. An unknown
    symbol is as recorded, whatever the model would write.
    """
    actions = actions_along(model, traces)
    wrong = np.flatnonzero(((actions[0] != traces.written) & ~traces.unknown) | (actions[1] != traces.moves))
    of = np.searchsorted(traces.offsets, wrong, "right")
    return Recall(len(traces), len(traces.seen), len(np.unique(of)), len(wrong))


def actions_along(model: DFST, traces: Traces) -> Int32[np.ndarray, "2 steps"]:
    """The symbol and the move that ``model`` would choose at each step when it is given the recorded symbols.

    -1 where two share the highest score or one is NaN, and behind a step on which a rounded model is stuck. What was
    recorded as written or moved has no influence.
    """
    from dfst.act.float_kernels import PLACES, lead

    check_alphabet(model, traces)
    actions = np.full((2, len(traces.seen)), -1, np.int32)
    if model.bits is not None:
        for begin, trace in zip(traces.offsets[:-1].tolist(), traces, strict=True):
            state = model.begin()
            for step, seen in enumerate(trace.seen.tolist(), begin):
                if (action := model.act(state, seen)) is None:
                    break
                state, actions[:, step] = action[0], action[1:]
        return actions
    packed = pack(model.weights)
    shape = PackedShape.of(packed, model.h0)
    buffer, state = aligned(2 * shape.stride, model.h0.dtype), np.zeros(PLACES, np.int64)
    lead(traces.seen, traces.offsets, packed.ravel(), shape, model.h0, buffer, state, actions)
    return actions


def hidden_along(model: DFST, traces: Traces) -> Float[np.ndarray, "steps d"]:
    """The hidden state of ``model``, led along ``traces``, before every step: scaled to length 1, in float64."""
    check_alphabet(model, traces)
    hidden = np.empty((len(traces.seen), model.hidden_dim))
    A = model.A.astype(np.float64)
    h, alive = np.tile(model.h0.astype(np.float64), (len(traces), 1)), np.arange(len(traces))
    for t in range(int(traces.lengths.max(initial=0))):
        alive = alive[traces.lengths[alive] > t]
        at = traces.offsets[alive] + t
        sizes = np.linalg.norm(h[alive], axis=1, keepdims=True)
        h[alive] /= np.where(sizes > 0, sizes, 1)
        hidden[at] = h[alive]
        h[alive] = np.einsum("nij,nj->ni", A[traces.seen[at]], h[alive])
    return hidden
