"""The drift monitor: how sure a float policy is of what it does, step by step and by kind of step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dfst.shapes import Float, Int64
from dfst.world.machine import GridMachine

_BINS = 512


class Kind(NamedTuple):
    """One rule of the teacher: how often it was followed, and the policy's smallest margin there."""

    state: str
    seen: str
    steps: int
    margin: float


@dataclass(frozen=True, eq=False)
class Drift:
    """What the monitor saw along one rollout of ``steps`` steps.

    A margin is how far the score of the teacher's action is ahead of the best other score, relative to the largest
    score in size, the smaller of the two heads: 1 for a one-hot model, 0 where two scores tie, negative where the model
    does something else. ``margins[i]`` is the smallest in the i-th interval of ``interval`` steps; ``norms[i]`` is log2
    of the hidden state's norm at its beginning. ``kinds`` is by rule of the teacher, the weakest first. These are about
    the ``steps`` at which the model did what the teacher does. ``error`` holds the margins of the teacher's symbol and
    of its move at the next step if the model left the teacher there: at least one of them is not positive. It is None
    if the model never left the teacher, and if the teacher has no rule there.
    """

    steps: int
    interval: int
    margins: Float[np.ndarray, " intervals"]
    norms: Float[np.ndarray, " intervals"]
    kinds: tuple[Kind, ...]
    error: tuple[float, float] | None = None

    @property
    def margin(self) -> float:
        """The smallest of all, with the step at which the model left the teacher: then it is negative, or 0 at a tie.

        >>> import dfst
        >>> teacher = dfst.task("add2").machine
        >>> from dfst.shipped import shipped_model
        >>> model = dfst.load_model(shipped_model("add2").raw)
        >>> for digits in (5, 40):
        ...     result = dfst.rollout(model, "1" * digits, "1" * digits, teacher=teacher, drift=True)
        ...     print(result.outcome.value, result.drift.margin > 0)
        halted True
        diverged from the teacher False
        """
        return min(float(self.margins.min(initial=np.inf)), *(self.error or ()), np.inf)


def signed_margin(scores: Float[np.ndarray, " n"], wanted: int) -> float:
    """How far the score of ``wanted`` is ahead of the best other one, relative to the largest in size; often negative.

    -inf if a score is not a number or infinite: then nothing can be said in favour of ``wanted``.

    >>> signed_margin(np.array([0.25, 1.0, 0.5]), 1), signed_margin(np.array([0.25, 1.0, 0.5]), 2)
    (0.5, -0.5)
    """
    if not np.isfinite(scores).all():
        return -np.inf
    size = float(np.abs(scores).max())
    return float(scores[wanted] - np.delete(scores, wanted).max()) / size if size else 0.0


class DriftRecord(NamedTuple):
    """The monitor's notebook, of constant size: when it is full, neighbouring intervals become one.

    ``least`` and ``counts`` are by entry of the teacher's bordered tables, ``margins`` and ``norms`` by interval.
    """

    least: Float[np.ndarray, " entries"]
    counts: Int64[np.ndarray, " entries"]
    margins: Float[np.ndarray, " intervals"]
    norms: Float[np.ndarray, " intervals"]
    interval: Int64[np.ndarray, 1]

    @classmethod
    def of(cls, teacher: GridMachine) -> DriftRecord:
        """An empty one."""
        entries = len(teacher.states) * (len(teacher.alphabet) + 1)
        by_entry = np.full(entries, np.inf), np.zeros(entries, np.int64)
        return cls(*by_entry, np.full(_BINS, np.inf), np.full(_BINS, np.nan), np.ones(1, np.int64))

    def thin(self) -> None:
        """Make room: two intervals become one."""
        half = _BINS // 2
        self.margins[:half] = self.margins.reshape(half, 2).min(axis=1)
        self.norms[:half] = self.norms[::2]
        self.margins[half:], self.norms[half:] = np.inf, np.nan
        self.interval[0] *= 2

    def finish(self, teacher: GridMachine, steps: int, error: tuple[float, float] | None = None) -> Drift:
        """The record of a rollout of ``steps`` steps, and the margins at the step where it left the teacher."""
        used = -(-steps // int(self.interval[0]))
        kinds = []
        for entry in np.flatnonzero(self.counts).tolist():
            q, x = divmod(entry, len(teacher.alphabet) + 1)
            names = teacher.states[q], teacher.alphabet.symbols[x]
            kinds.append(Kind(*names, int(self.counts[entry]), float(self.least[entry])))
        kinds.sort(key=lambda kind: kind.margin)
        margins, norms = self.margins[:used].copy(), self.norms[:used].copy()
        return Drift(steps, int(self.interval[0]), margins, norms, tuple(kinds), error)
