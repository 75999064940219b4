"""The drift monitor: how sure a float policy is of what it does, step by step and by kind of step."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dfst.shapes import Float, Int64
from dfst.world.rollout import Drift, RuleMargin
from dfst.world.table import Table

_BINS = 512


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
    def of(cls, teacher: Table) -> DriftRecord:
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

    def finish(self, teacher: Table, steps: int, error: tuple[float, float] | None = None) -> Drift:
        """The record of a rollout of ``steps`` steps, and the margins at the step where it left the teacher."""
        used = -(-steps // int(self.interval[0]))
        rules = []
        for entry in np.flatnonzero(self.counts).tolist():
            q, x = divmod(entry, len(teacher.alphabet) + 1)
            names = teacher.states[q], teacher.alphabet.symbols[x]
            rules.append(RuleMargin(*names, int(self.counts[entry]), float(self.least[entry])))
        rules.sort(key=lambda rule: rule.margin)
        margins, norms = self.margins[:used].copy(), self.norms[:used].copy()
        return Drift(steps, int(self.interval[0]), margins, norms, tuple(rules), error)
