"""How many threads to train with: what is fastest now is found by trying, and tried again now and then.

A second thread helps a large model on a quiet computer, and harms when the other core is taken. Nobody knows
beforehand, and it changes while a training run goes on. Weights do not depend on it, so nothing is lost by changing.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

_TRIAL = 0.02
"""Seconds a number of threads is tried for."""

_STINT = 1.0
"""Seconds the fastest is kept before the others are tried again: trials take a few per cent of the time."""

_SLOWER = 1.25
"""If a stint is so many times as slow as it used to be, something has changed: try all at once."""


@dataclass
class Pace:
    """Chooses among ``candidates``, numbers of threads, by the seconds that a unit of work took with each.

    >>> pace = Pace((1, 2))
    >>> for _ in range(3):
    ...     threads, seconds = pace.next()
    ...     pace.took(threads, work=100.0, seconds=0.02 if threads == 2 else 0.03)
    >>> pace.next()[0]
    2
    """

    candidates: tuple[int, ...]
    _cost: dict[int, float] = field(default_factory=dict)
    _untried: list[int] = field(default_factory=list)
    _left: float = _STINT

    def __post_init__(self) -> None:
        self._untried = list(self.candidates)

    def next(self) -> tuple[int, float]:
        """How many threads to use now, and for about how many seconds."""
        if len(self.candidates) == 1:
            return self.candidates[0], math.inf
        return (self._untried[0], _TRIAL) if self._untried else (self._fastest(), self._left)

    def expected(self, threads: int) -> float | None:
        """Seconds per unit of work with so many threads, as far as is known."""
        return self._cost.get(threads)

    def took(self, threads: int, *, work: float, seconds: float) -> None:
        """What was done with so many threads since :meth:`next`."""
        before, now = self._cost.get(threads), seconds / work
        self._cost[threads] = now
        if threads in self._untried:
            self._untried.remove(threads)
            self._left = _STINT
            return
        self._left -= seconds
        if self._left <= 0 or (before is not None and now > _SLOWER * before):
            self._untried, self._left = [n for n in self.candidates if n != threads], _STINT

    def _fastest(self) -> int:
        return min(self.candidates, key=lambda threads: self._cost[threads])
