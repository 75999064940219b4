"""How much work a search may cost: counted, so that it ends alike on any computer; in seconds only if asked."""

from __future__ import annotations

import math
import time

from dfst.errors import InputError


class OutOfEffort(Exception):
    """The limit was reached; the text says which one."""


class Effort:
    """Counts work, and ends it with :class:`OutOfEffort` at ``work`` units or after ``seconds`` (None: no limit)."""

    def __init__(self, work: float, seconds: float | None = None) -> None:
        check_seconds(seconds)
        self.work, self.seconds, self.spent, self.reached = work, seconds, 0, ""
        self._begun = time.perf_counter()

    @property
    def passed(self) -> float:
        """Seconds since the beginning."""
        return time.perf_counter() - self._begun

    @property
    def left(self) -> float | None:
        """Seconds that are left, at least half of one; None if there is no limit."""
        return None if self.seconds is None else max(0.5, self.seconds - self.passed)

    def over(self, units: int) -> bool:
        """Count ``units``, and whether that is too much: then ``reached`` says which limit was reached."""
        self.spent += units
        if self.spent > self.work:
            self.reached = f"the limit of {self.work} units of work was reached"
        elif self.seconds is not None and self.passed > self.seconds:
            self.reached = f"the limit of {self.seconds:g} seconds was reached"
        return bool(self.reached)

    def spend(self, units: int) -> None:
        """Count ``units``, and end the work if that is too much; called at least every few milliseconds of work."""
        if self.over(units):
            raise OutOfEffort(self.reached)


def check_seconds(seconds: float | None) -> None:
    """Refuse a limit that leaves no time."""
    if seconds is not None and not (seconds > 0 and math.isfinite(seconds)):
        raise InputError(f"seconds = {seconds}", do="Give a number of seconds above 0, or leave it out.")
