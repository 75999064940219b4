"""The drift monitor: how sure a float agent is of what it does, step by step and by kind of step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dfst.shapes import Float
from dfst.world.machine import GridMachine

_BINS = 512


class Kind(NamedTuple):
    """One rule of the teacher: how often it was followed, and the agent's smallest margin there."""

    state: str
    seen: str
    steps: int
    margin: float


@dataclass(frozen=True, eq=False)
class Drift:
    """What the monitor saw along one rollout of ``steps`` steps.

    A margin is how far the winning score is ahead of the second, relative to the largest score in size, the smaller of
    the two heads: 1 for a one-hot model, 0 when the action is lost. ``margins[i]`` is the smallest in the i-th interval
    of ``interval`` steps; ``norms[i]`` is log2 of the hidden state's norm at its beginning. ``kinds`` is by rule of the
    teacher, the weakest first.
    """

    steps: int
    interval: int
    margins: Float[np.ndarray, " intervals"]
    norms: Float[np.ndarray, " intervals"]
    kinds: tuple[Kind, ...]

    @property
    def margin(self) -> float:
        """The smallest of all."""
        return float(self.margins.min(initial=np.inf))


class DriftRecord:
    """The monitor's notebook, of constant size: when it is full, neighbouring intervals become one."""

    def __init__(self, teacher: GridMachine) -> None:
        self.teacher = teacher
        entries = len(teacher.states) * (len(teacher.alphabet) + 1)
        self.least, self.counts = np.full(entries, np.inf), np.zeros(entries, np.int64)
        self.margins, self.norms = np.full(_BINS, np.inf), np.full(_BINS, np.nan)
        self.interval = np.ones(1, np.int64)

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """What the kernel writes into."""
        return self.least, self.counts, self.margins, self.interval, self.norms

    def thin(self) -> None:
        """Make room: two intervals become one."""
        half = _BINS // 2
        self.margins[:half] = self.margins.reshape(half, 2).min(axis=1)
        self.norms[:half] = self.norms[::2]
        self.margins[half:], self.norms[half:] = np.inf, np.nan
        self.interval *= 2

    def finish(self, steps: int) -> Drift:
        """The record of a rollout of ``steps`` steps."""
        used = -(-steps // int(self.interval[0]))
        columns = len(self.teacher.alphabet) + 1
        kinds = [
            Kind(
                self.teacher.states[entry // columns],
                self.teacher.alphabet.symbols[entry % columns],
                int(self.counts[entry]),
                float(self.least[entry]),
            )
            for entry in np.flatnonzero(self.counts).tolist()
        ]
        kinds.sort(key=lambda kind: kind.margin)
        return Drift(steps, int(self.interval[0]), self.margins[:used].copy(), self.norms[:used].copy(), tuple(kinds))
