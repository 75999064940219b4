"""Who works on the trials of a sweep, as its driver sees them: threads of this process, or workers on a cluster."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, runtime_checkable

from dfst.sweep.rows import Row
from dfst.sweep.trial import Trial

LOOK = 0.5
"""Seconds between two looks at the work."""

FAREWELL = 15.0
"""Seconds to save what is under way."""


@dataclass(eq=False)
class Job:
    """A trial under way: where, since when, and what is known of its progress."""

    trial: Trial
    place: str
    began: float = field(default_factory=time.monotonic)
    status: dict[str, Any] = field(default_factory=dict)


class End(NamedTuple):
    """How an attempt at a trial ended: with its row, or with a status and the reason; ``again``: try once more."""

    job: Job
    row: Row | None
    status: str = ""
    problem: str = ""
    again: bool = False


@runtime_checkable
class Crew(Protocol):
    """Works on trials, several at a time; ``jobs`` are those under way."""

    jobs: list[Job]

    def ready(self, waiting: int) -> int:
        """How many trials could begin now; ``waiting`` would like to."""
        ...

    def begin(self, trial: Trial, attempt: str) -> Job:
        """Begin a trial."""
        ...

    def look(self) -> list[End]:
        """Wait a little; what has ended, and what was ended because it was over a limit."""
        ...

    def stop(self) -> None:
        """Let everybody save what there is."""
        ...


def over_time(limit: float) -> tuple[str, str]:
    """The status and the reason of a trial that took longer than it may."""
    return "time limit", f"it took more than {limit:g} seconds"
