"""What the doctor finds: a cause, in plain words, and the change to try."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Cause = Literal[
    "wrong-answers",
    "unknown-answers",
    "does-not-halt",
    "contradiction",
    "memory-across-symbols",
    "unreachable-rule",
    "unseen-rule",
    "missing-transition",
    "loop-at-one-length",
    "hidden-dimension",
    "exploding",
    "learning-rate",
    "too-short",
    "stalled",
    "not-finished",
    "weak-merge",
    "undecided",
]


@dataclass(frozen=True)
class Finding:
    """One thing that keeps a task from being learned, or a machine from being proven.

    A ``problem`` by itself explains a failure; a ``warning`` may.
    """

    cause: Cause
    what: str
    do: str
    severity: Literal["problem", "warning"] = "problem"

    def __str__(self) -> str:
        return f"{self.severity}: {self.cause}: {self.what}. {self.do}"


def some(items: list[str], most: int = 4) -> str:
    """The first of many, for a sentence.

    >>> some(["a", "b", "c", "d", "e"], 2)
    'a, b and 3 more'
    """
    rest = len(items) - most
    return ", ".join(items[:most]) + (f" and {rest} more" if rest > 0 else "")
