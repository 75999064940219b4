"""What is known after comparing two machines."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dfst.prove.closed_set import ClosedSet
from dfst.prove.lockstep import Counterexample
from dfst.world.html import html_table


class Outcome(StrEnum):
    """What is known after comparing."""

    EXACT = "exact"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Verdict:
    """Whether the learner acts like the teacher.

    ``exact``: on every input of every length it writes and moves the same and halts together; ``proof`` is the closed
    set that shows it. If ``proof.apart``, it is shown only up to where the teacher might get stuck. ``refuted``:
    ``counterexample`` is a problem on which it does not, confirmed by running both. ``undecided``: ``reason`` says why
    the search ended, ``open`` describes an abstract configuration that could neither be excluded nor be made real.

    ``size`` is the number of abstract configurations, ``rounds`` how often the abstraction was refined, ``tried`` says
    how; ``teacher_never_stuck`` whether the closure shows that the teacher never meets a pair without a rule.
    """

    outcome: Outcome
    size: int
    seconds: float
    rounds: int
    teacher_never_stuck: bool
    proof: ClosedSet | None = None
    counterexample: Counterexample | None = None
    open: str = ""
    tried: tuple[str, ...] = ()
    reason: str = ""

    def _repr_html_(self) -> str:
        header = ["abstract configurations", "times refined", "seconds"]
        facts = [str(self.size), str(self.rounds), f"{self.seconds:.2f}"]
        return html_table([facts], header=header, title=f"{self.explain()}.")

    def explain(self) -> str:
        """The verdict as a sentence."""
        match self.outcome:
            case Outcome.EXACT:
                scope = ", up to where the teacher might get stuck" if self.proof and self.proof.apart else ""
                return f"exact: on every input of every length the learner acts like the teacher{scope}"
            case Outcome.REFUTED:
                return f"refuted: {self.counterexample}"
            case Outcome.UNDECIDED:
                said = [self.reason] if self.reason else []
                said += [f"neither excluded nor made real: {self.open}"] if self.open else []
                return f"undecided: {'; '.join(said)}"
