"""How many of several runs succeeded, and how sure that makes one of their share."""

from __future__ import annotations

import math
from typing import NamedTuple

_95_PERCENT = 1.959963984540054
"""The two-sided 95 % point of the normal distribution."""


class Share(NamedTuple):
    """``successes`` of ``runs``, and Wilson's 95 % interval for their share."""

    successes: int
    runs: int

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's score interval: unlike the usual ± it says something when all runs succeed.

        >>> [round(bound, 2) for bound in Share(30, 30).interval]
        [0.89, 1.0]
        """
        n, z = self.runs, _95_PERCENT
        if n == 0:
            return 0.0, 1.0
        share = self.successes / n
        centre = (share + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        return max(0.0, centre - half), min(1.0, centre + half)

    def __str__(self) -> str:
        return f"{self.successes}/{self.runs}"
