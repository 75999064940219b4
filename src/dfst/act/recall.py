"""Has it learned its traces? Counted action by action, which a small loss does not say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dfst.act.rollout import Shape, aligned, pack
from dfst.shapes import Float, Int32
from dfst.traces.traces import Traces
from dfst.training.model import DFST, check_alphabet


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
        """In words.

        >>> Recall(20, 1114, 0, 0).explain()
        'all 1,114 steps of its 20 traces are as recorded'
        >>> Recall(20, 1114, 3, 12).explain()
        '12 of its 1,114 steps, in 3 of 20 traces, are not as recorded'
        """
        steps = f"{self.steps:,} step{'s' * (self.steps != 1)}"
        traces = f"{self.traces:,} trace{'s' * (self.traces != 1)}"
        if self.learned:
            return f"all {steps} of its {traces} are as recorded"
        are = "is" if self.wrong_steps == 1 else "are"
        return f"{self.wrong_steps:,} of its {steps}, in {self.wrong_traces:,} of {traces}, {are} not as recorded"


def recall(model: DFST, traces: Traces) -> Recall:
    """Lead ``model`` along ``traces`` and count the actions that are not as recorded, in the floats of the rollouts.

    A step at which two symbols or two moves share the highest score is wrong: the model has no opinion.

    >>> import dfst
    >>> add2 = dfst.task("add2")
    >>> recall(dfst.from_machine(add2.machine), dfst.sample(add2))
    Recall(traces=20, steps=1114, wrong_traces=0, wrong_steps=0)
    """
    symbols, moves = led_along(model, traces).actions
    wrong = np.flatnonzero((symbols != traces.written) | (moves != traces.moves))
    of = np.searchsorted(traces.offsets, wrong, "right")
    return Recall(len(traces), len(traces.seen), len(np.unique(of)), len(wrong))


class Led(NamedTuple):
    """What a model would do at each step: symbols and moves (-1: scores tie), and how far ahead of the recorded ones.

    0 ahead is the recorded action itself, 1 ahead an action beside which the recorded one has no score at all.
    """

    actions: Int32[np.ndarray, "2 steps"]
    ahead: Float[np.ndarray, "2 steps"]


def led_along(model: DFST, traces: Traces) -> Led:
    """What ``model`` does when it is given the recorded symbols; the recorded actions have no influence on it.

    >>> import dfst
    >>> add2 = dfst.task("add2")
    >>> traces = dfst.sample(add2)
    >>> led = led_along(dfst.from_machine(add2.machine), traces)
    >>> bool((led.actions[1] == traces.moves).all()), float(led.ahead.max())
    (True, 0.0)
    """
    from dfst.act.float_kernels import PLACES, lead

    check_alphabet(model, traces)
    packed, steps = pack(model), len(traces.seen)
    led = Led(np.empty((2, steps), np.int32), np.empty((2, steps), np.float32))
    shape = Shape.of(packed)
    buffer, state = aligned(2 * shape.stride, model.h0.dtype), np.zeros(PLACES, np.int64)
    given = (traces.seen, traces.written, traces.moves, traces.offsets)
    lead(given, packed.ravel(), shape, model.h0, buffer, state, *led)
    return led
