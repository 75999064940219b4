"""What learning came to, as a record: a verdict in its scope, or what there is to say without one."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dfst.explained import Explained
from dfst.judging.certification import Certification
from dfst.judging.tested import Tested
from dfst.traces.coverage import outside
from dfst.traces.logs import only_conversations
from dfst.traces.traces import Traces
from dfst.until_proven.held_out import HeldOut, some
from dfst.until_proven.looking import Look, count
from dfst.until_proven.merging import NETWORK
from dfst.world.worlds import in_order_of


@dataclass(frozen=True, repr=False)
class Learned(Explained):
    """What learning came to: the folder, what it took, every look, and the certification if there is one.

    ``traces`` are those it learned from: recorded, corrected or asked for. ``corrected`` counts the steps that were
    recorded wrongly and ``dropped`` the traces that could not be corrected (``noisy``); ``rounds`` counts the rounds of
    questions (since it was resumed), and ``learner`` says who learned, a network or state merging (of a log, or with
    ``ask``). ``why`` says what is missing if it is not proven, ``merged`` what state merging made of a log.
    ``tested`` is what a machine learned from a Python program does beside it. ``held_out`` says how many conversations
    of a log without a reference it answers that it did not learn from, ``against`` names those that it learned from
    and answers otherwise, and ``doubt`` says why corrections of a log (``noisy``) look like choices of the system.
    ``teacher_sha256`` is the hash of the teacher it was compared with, as ``dfst check`` prints it; ``states`` are
    those of a machine that nothing was compared with.
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
    merged: str = ""
    tested: Tested | None = None
    teacher_sha256: str | None = None
    held_out: HeldOut | None = None
    states: int | None = None
    against: tuple[str, ...] = ()
    doubt: str = ""

    @property
    def failed(self) -> bool:
        """Whether something was refuted, or not learned; that there is nothing to compare with is no failure."""
        if self.certification is not None:
            return not self.proven
        return self.states is None or bool(self.against) or (self.tested is not None and not self.tested.passed)

    @property
    def exact(self) -> bool:
        """Proven equal to the teacher on every input, and the certificate was checked."""
        return self.certification is not None and self.certification.exact

    @property
    def proven(self) -> bool:
        """Proven in the verdict's scope, and the certificate was checked."""
        return self.certification is not None and self.certification.proven

    @property
    def outside(self) -> int:
        """Recorded steps for which the teacher it was compared with has no rule, and those after them."""
        if self.certification is None or self.certification.verdict.machines is None:
            return 0
        teacher = self.certification.verdict.machines[0]
        return outside(teacher, in_order_of(teacher.world, self.traces))

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
        log = f"\n{self.doubt}" if self.doubt else ""
        if self.against:
            which = f"{count(len(self.traces), 'conversation')} that it learned from"
            which += ", as corrected," * (self.corrected is not None)
            log += f"\nit answers {len(self.against):,} of {which} otherwise: {some(self.against)}"
        if beyond := self.outside:
            log += f"\n{beyond:,} of {count(len(self.traces.seen), 'recorded step')} lie outside the reference, which"
            log += " has no rule there: they are compared with nothing."
        merged = f"\n{self.merged}" if self.merged and not self.proven else ""
        if self.certification is None:
            held_out = "" if self.held_out is None else f"\n{self.held_out.explain()}"
            held_out += "; their records may be wrong, too" if held_out and self.corrected is not None else ""
            return f"{self.path}: not proven: {self.why} ({took}){held_out}{log}{merged}"
        said = f"{self.certification.verdict.conclusion.value} {took}\n{self.certification.explain()}"
        return f"{self.path}: {said}{log}{merged}"

    def to_json(self) -> dict[str, Any]:
        """What it took and what came of it, for a program."""
        return {
            "run": str(self.path),
            "seed": self.seed,
            **self._judged(),
            "iterations": self.iterations,
            "seconds": round(self.seconds, 1),
            "states": self.states if self.certification is None else self.certification.facts["states"],
            "traces": len(self.traces),
            "steps": len(self.traces.seen),
            **({} if self.corrected is None else {"corrected": self.corrected, "dropped": self.dropped}),
            **({} if self.rounds is None else {"rounds": self.rounds}),
            **({} if self.rounds is None and not self.merged else {"learner": self.learner}),
            **({} if not self.merged else {"merged": self.merged}),
            **({} if self.held_out is None else {"held_out": asdict(self.held_out)}),
            **({} if self.tested is None else {"tested": self.tested.to_json()}),
            **({"against": list(self.against)} if only_conversations(self.traces) else {}),
            **({"doubt": self.doubt} if self.doubt else {}),
            "why": self.why,
        }

    def _judged(self) -> dict[str, Any]:
        """The verdict, with its scope; without one, what there is to say of it."""
        verdict = None if self.certification is None else self.certification.verdict
        return {
            "verdict": "" if verdict is None else verdict.conclusion.value,
            "exact": self.exact,
            "scope": "" if verdict is None else verdict.scope,
            "teacher_never_stuck": verdict is not None and verdict.teacher_never_stuck,
            "teacher_sha256": self.teacher_sha256,
            "steps_outside_reference": self.outside,
        }
