"""What learning comes to: every look at it on the way, and the certificate at its end if there is one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dfst.explained import Explained
from dfst.extraction.pipeline import Extraction
from dfst.judging.certification import Certification
from dfst.judging.tested import Tested
from dfst.prove.verdict import Verdict
from dfst.traces.traces import Traces
from dfst.training.model import DFST

NETWORK, MERGING = "network", "state merging"
"""Who learned."""


@dataclass(frozen=True)
class Snapshot:
    """A model after so many iterations; and, if that is known already, its extraction and the prover's verdict."""

    iterations: int
    model: DFST
    extraction: Extraction | None = None
    verdict: Verdict | None = None


@dataclass(frozen=True)
class Look:
    """What was seen of one snapshot: wrong steps, the states of its machine, and what became of it."""

    iteration: int
    wrong_steps: int
    states: int | None = None
    verdict: str = ""

    def line(self) -> str:
        """For a log."""
        if self.states is None:
            return f"iteration {self.iteration:,}: {count(self.wrong_steps, 'step')} not yet as recorded"
        return f"iteration {self.iteration:,}: {count(self.states, 'state')}, {self.verdict}"


@dataclass(frozen=True, repr=False)
class Learned(Explained):
    """What learning came to: the folder, what it took, every look, and the certification if there is one.

    ``traces`` are those it learned from: recorded, corrected or asked for. ``corrected`` counts the steps that were
    recorded wrongly and ``dropped`` the traces that could not be corrected (``noisy``); ``rounds`` counts the rounds of
    questions (since it was resumed), and ``learner`` says who learned, a network or state merging (``ask``). ``why``
    says what is missing if it is not proven. ``tested`` is what a machine learned from a Python program does beside it.
    ``teacher_sha256`` is the hash of the teacher it was compared with, as ``dfst check`` prints it.
    """

    path: Path
    seed: int
    iterations: int
    seconds: float
    looks: tuple[Look, ...]
    certification: Certification | None
    traces: Traces
    why: str = ""
    corrected: int | None = None
    dropped: int = 0
    rounds: int | None = None
    learner: str = NETWORK
    tested: Tested | None = None
    teacher_sha256: str | None = None

    @property
    def exact(self) -> bool:
        """Proven equal to the teacher, and the certificate was checked."""
        return self.certification is not None and self.certification.exact

    def explain(self) -> str:
        """In words."""
        took = f"after {count(self.iterations, 'iteration')}, {self.seconds:.1f} s"
        if self.learner != NETWORK:
            took = f"by {self.learner}, {self.seconds:.1f} s"
        if self.rounds is not None:
            data = f"{count(len(self.traces), 'trace')} with {count(len(self.traces.seen), 'step')}"
            took += f", from {data} in {count(self.rounds, 'round')}"
        if self.corrected is not None:
            took += f", with {count(self.corrected, 'step')} corrected"
            took += f" and {count(self.dropped, 'trace')} left out" * (self.dropped > 0)
        if self.tested is not None:
            return f"{self.path}: {self.tested.explain()}\n({took})"
        if self.certification is None:
            return f"{self.path}: not proven: {self.why} ({took})"
        return f"{self.path}: {self.certification.verdict.conclusion.value} {took}\n{self.certification.explain()}"

    def to_json(self) -> dict[str, Any]:
        """What it took and what came of it, for a program."""
        return {
            "run": str(self.path),
            "seed": self.seed,
            "exact": self.exact,
            "teacher_sha256": self.teacher_sha256,
            "iterations": self.iterations,
            "seconds": round(self.seconds, 1),
            "states": None if self.certification is None else self.certification.facts["states"],
            "traces": len(self.traces),
            "steps": len(self.traces.seen),
            **({} if self.corrected is None else {"corrected": self.corrected, "dropped": self.dropped}),
            **({} if self.rounds is None else {"rounds": self.rounds, "learner": self.learner}),
            **({} if self.tested is None else {"tested": self.tested.to_json()}),
            "why": self.why,
        }


def count(number: int, what: str) -> str:
    """So many of something.

    >>> count(1, "state"), count(1200, "step")
    ('1 state', '1,200 steps')
    """
    return f"{number:,} {what}{'s' * (number != 1)}"
