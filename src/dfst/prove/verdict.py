"""What is known after comparing a learner with its teacher: proof, refutation, or an honest "undecided"."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from dfst.errors import InputError
from dfst.explained import Explained
from dfst.prove import checker
from dfst.prove.certificate import Certificate, ClosedSet, certificate
from dfst.prove.lockstep import Counterexample
from dfst.world.machine import GridMachine


class Conclusion(StrEnum):
    """The verdict as a word; UNTIL_STUCK is as well proven as EXACT, of less."""

    EXACT = "exact"
    UNTIL_STUCK = "exact until the teacher is stuck"
    REFUTED = "refuted"
    UNDECIDED = "undecided"


@dataclass(frozen=True, repr=False)
class Verdict(Explained):
    """Whether the learner acts like the teacher.

    ``exact``: on every input of every length it writes and moves the same, halts together and is stuck where the
    teacher is stuck; ``proof`` is the closed set that shows it. Exact until the teacher is stuck: the same, but where
    the teacher has no rule the learner may have one, and nothing is claimed from there on. ``refuted``:
    ``counterexample`` is a problem on which the teacher acts and the learner does not act like it, confirmed by running
    both. ``undecided``: ``reason`` says why the search ended, ``open`` describes an abstract configuration that could
    neither be excluded nor be made real.

    ``size`` is the number of abstract configurations, of a proof the number of its members (``len(proof)``); ``rounds``
    is how often the abstraction was refined, ``tried`` says how; ``teacher_never_stuck`` whether the closure shows that
    the teacher never meets a pair without a rule. ``machines`` are the teacher and the learner.
    """

    conclusion: Conclusion
    size: int
    seconds: float
    rounds: int
    teacher_never_stuck: bool
    proof: ClosedSet | None = None
    counterexample: Counterexample | None = None
    open: str = ""
    tried: tuple[str, ...] = ()
    reason: str = ""
    machines: tuple[GridMachine, GridMachine] | None = None

    @property
    def exact(self) -> bool:
        """Proven equal to the teacher on every input, stuck where the teacher is stuck."""
        return self.conclusion == Conclusion.EXACT

    @property
    def proven(self) -> bool:
        """Proven in the verdict's ``scope``: exact, or exact until the teacher is stuck."""
        return self.proof is not None

    @property
    def scope(self) -> str:
        """Where a proof holds, as its certificate says it; empty if there is none."""
        return "" if self.proof is None else checker.CLAIM[self.proof.apart]

    @property
    def refuted(self) -> bool:
        """Shown to differ from the teacher."""
        return self.conclusion == Conclusion.REFUTED

    def certificate(self, hashes: Mapping[str, str] | None = None) -> Certificate:
        """The proof as a certificate, ready to be saved; ``hashes`` name what it was made from.

        >>> import dfst
        >>> verdict = dfst.compare("add2", "add2:machine")
        >>> verdict.certificate()
        <Certificate: a machine of 15 states acts like its teacher 'add2' (5440 members)>
        """
        if self.proof is None or self.machines is None:
            do = "A certificate needs a proof; train longer, or give more traces."
            raise InputError(f"the verdict is {self.conclusion.value}", do=do)
        return Certificate(certificate(*self.machines, self.proof, hashes))

    def explain(self) -> str:
        """The verdict as a sentence."""
        if self.proven:
            until = self.scope.removeprefix(checker.CLAIM[False])
            until += "," * bool(until)
            return f"{self.conclusion.value}: on every input of every length{until} the learner acts like the teacher"
        if self.refuted:
            return f"refuted: {self.counterexample}"
        said = [self.reason] if self.reason else []
        said += [f"neither excluded nor made real: {self.open}"] if self.open else []
        return f"undecided: {'; '.join(said)}"
