"""Does a learner act like its teacher on every input of every length? Proof, refutation, or an honest "undecided"."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from enum import StrEnum

from dfst.prove.abstraction import Precision
from dfst.prove.bisimulation import Pair, alike_everywhere
from dfst.prove.closed_set import ClosedSet, closed_set
from dfst.prove.closure import Closure, Disagreement, EdgeOfRows, Kind, close, description
from dfst.prove.lockstep import Counterexample, first_difference
from dfst.prove.partial_input import PartialInput
from dfst.prove.problems import telling_problems
from dfst.prove.pursuit import Pursuer, Pursuit
from dfst.prove.refinement import difference, refinements
from dfst.world.html import html_table
from dfst.world.machine import GridMachine
from dfst.world.same import check_same_world

MAX_ROWS = 64
"""A machine that goes beyond so many rows is not followed."""

_STEPS_EACH = 3_000
_STEPS_TO_CONFIRM = 10**7
_CHOICES, _EDITS, _LAST_EDITS = 2_000, 1_500, 100_000
"""Real steps of a pursuit: choosing inputs, changing them in the first round, changing them before giving up."""

_CUTS = 3
"""How often the abstraction is refined although there were too many configurations already."""

_WEAKER = 3
"""How often it is refined only to exclude that the teacher gets stuck where the learner does not."""

_PURSUED = 8
"""Disagreements that are pursued before the abstraction is refined for all of them together."""


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
    ``counterexample`` is a problem on which it does not, confirmed by running both. ``undecided``: ``open`` describes
    an abstract configuration that could neither be excluded nor be made real.

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
                return f"undecided: neither excluded nor made real: {self.open}"


def compare(
    teacher: GridMachine, learner: GridMachine, *, limit: int = 200_000, seconds: float = 300.0, rounds: int = 60
) -> Verdict:
    """Compare ``learner`` with ``teacher``, within so many abstract configurations, seconds and refinements.

    The verdict is the same every time unless the seconds run out. Machines of different alphabets, layouts or start
    cells cannot be compared (:class:`dfst.InputError`).

    >>> from dfst import expert
    >>> teacher = expert("mult2").machine
    >>> verdict = compare(teacher, teacher)
    >>> verdict.outcome.value, verdict.size, verdict.teacher_never_stuck
    ('exact', 1551, False)
    """
    check_same_world(learner, teacher)
    return _Comparison(teacher, learner, limit, seconds, rounds).verdict()


class _Comparison:
    """One comparison: rounds of closing, pursuing what disagrees, and refining."""

    def __init__(self, teacher: GridMachine, learner: GridMachine, limit: int, seconds: float, rounds: int) -> None:
        self.teacher, self.learner = teacher, learner
        self.limit, self.rounds = limit, rounds
        self.begun = time.perf_counter()
        self.deadline = self.begun + seconds
        row = teacher.layout.head[1]
        self.coarse = self.precision = Precision(min(0, row), max(0, row))
        self.alike: frozenset[Pair] = frozenset()
        self.tried: list[str] = []
        self.round = self.size = 0
        self.told = False

    def verdict(self) -> Verdict:
        """First with the whole grid in mind; if that leads nowhere, without it where states are alike on any grid."""
        verdict = self._rounds()
        if verdict.outcome == Outcome.UNDECIDED:
            self.alike = alike_everywhere(self.teacher, self.learner, [(self.teacher.start, self.learner.start)])
            if self.alike:
                self.precision = self.coarse
                self.tried.append("forget the grid where states are alike on any grid")
                second = self._rounds()
                verdict = verdict if second.outcome == Outcome.UNDECIDED else second
        return replace(verdict, seconds=time.perf_counter() - self.begun, rounds=self.round, tried=tuple(self.tried))

    def _rounds(self) -> Verdict:
        last, cuts, weaker = self.round + self.rounds, 0, []  # weaker: closures that show all but being stuck together
        closure = self._closure()
        if closure is None:
            return self._refuted_or(self._told(), f"the head goes beyond {MAX_ROWS} rows")
        while True:
            self.size = len(closure)
            if not closure.disagreements and not closure.cut:
                return self._exact(closure)
            hard = [d for d in closure.disagreements if d.kind != Kind.TEACHER_STUCK]
            chased = hard or closure.disagreements
            found, pursuits = self._pursued(closure, chased, _EDITS * 2 ** min(self.round, 4))
            cuts += closure.cut
            weaker += [] if hard or closure.cut else [closure]
            stop = self.round >= last or self._late() or cuts > _CUTS or len(weaker) > _WEAKER or not chased
            finer = None if stop or found is not None else self._refined(closure, pursuits)
            if found is None and finer is None:
                found, _ = self._pursued(closure, chased, _LAST_EDITS)
                if found is None and weaker:
                    return self._exact(weaker[0])
            if found is not None or finer is None:
                what = f"more than {self.limit} abstract configurations"
                what = description(closure, hard[0], self.teacher, self.learner) if hard else what
                return self._refuted_or(found, what)
            self.round += 1
            self.tried.append(difference(self.precision, finer.shapes.precision, self.teacher))
            self.precision, closure = finer.shapes.precision, finer

    def _refined(self, closure: Closure, pursuits: list[Pursuit]) -> Closure | None:
        """The closure under a finer precision: the one that leaves least open, or the most promising if none helps."""
        before = len(_groups(closure, closure.disagreements))
        found: list[tuple[tuple[bool, int, int], Closure]] = []
        for finer in refinements(self.precision, pursuits):
            if not found or not self._late():
                after = close(self.teacher, self.learner, finer, limit=self.limit, alike=self.alike)
                found.append(((after.cut, len(_groups(after, after.disagreements)), len(after)), after))
        helping = [item for item in found if item[0][:2] < (False, before)]
        return min(helping or found[:1], key=lambda item: item[0])[1] if found else None

    def _late(self) -> bool:
        return time.perf_counter() > self.deadline

    def _pursued(
        self, closure: Closure, disagreements: list[Disagreement], edits: int
    ) -> tuple[Counterexample | None, list[Pursuit]]:
        """A counterexample, or what came of pursuing each of the disagreements."""
        found, pursuits = self._told(), []
        for targets in _groups(closure, disagreements)[:_PURSUED]:
            if found is None and not self._late():
                pursuer = Pursuer(self.teacher, self.learner, closure, targets)
                pursuits.append(pursuer.pursue(steps=_CHOICES, edits=edits))
                found = self._confirmed(pursuits[-1].operands)
        return found, pursuits

    def _closure(self) -> Closure | None:
        """The closure on as many rows as it takes, or None if these are too many."""
        more = 1
        while self.precision.high - self.precision.low < MAX_ROWS:
            try:
                return close(self.teacher, self.learner, self.precision, limit=self.limit, alike=self.alike)
            except EdgeOfRows as edge:
                low, high = self.precision.low - more * (not edge.up), self.precision.high + more * edge.up
                self.precision = replace(self.precision, low=low, high=high)
                more *= 2
        return None

    def _told(self) -> Counterexample | None:
        """A counterexample among small problems, which are quicker to try than anything else; once is enough."""
        if not self.told:
            self.told = True
            for problem in telling_problems(self.teacher.alphabet, self.teacher.layout):
                if (found := first_difference(self.teacher, self.learner, problem, step_limit=_STEPS_EACH)) is not None:
                    return self._shrunk(found)
        return None

    def _confirmed(self, operands: tuple[str, ...] | None) -> Counterexample | None:
        """The counterexample that a pursuit found, by running both machines again from the start."""
        if operands is None:
            return None
        found = first_difference(self.teacher, self.learner, operands, step_limit=_STEPS_TO_CONFIRM)
        assert found is not None, "the pursuit ran both machines on these operands and saw them part"
        return self._shrunk(found)

    def _shrunk(self, found: Counterexample) -> Counterexample:
        """A counterexample from which no symbol can be left out."""
        inputs = PartialInput(self.teacher.alphabet, self.teacher.layout)
        again = True
        while again:
            again = False
            word = tuple(self.teacher.place(found.operands).tolist())
            for shorter in inputs.shortened(word):
                operands = inputs.operands(dict(enumerate(shorter)))
                smaller = first_difference(self.teacher, self.learner, operands, step_limit=found.step + 1)
                if smaller is not None:
                    found, again = smaller, True
                    break
        return found

    def _exact(self, closure: Closure) -> Verdict:
        proof = closed_set(closure, self.teacher.layout.head[1])
        return Verdict(Outcome.EXACT, len(closure), 0.0, self.round, not proof.stuck, proof)

    def _refuted_or(self, found: Counterexample | None, what: str) -> Verdict:
        """Refuted by ``found``, or else undecided, ``what`` being open."""
        if found is None:
            return Verdict(Outcome.UNDECIDED, self.size, 0.0, self.round, False, open=what)
        return Verdict(Outcome.REFUTED, self.size, 0.0, self.round, False, counterexample=found)


def _groups(closure: Closure, disagreements: list[Disagreement]) -> list[list[tuple[int, int]]]:
    """The disagreements of the same states and symbol together, those found first in front."""
    groups: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
    for at, symbol, _ in disagreements:
        configuration = closure.configurations[at]
        groups.setdefault((configuration.teacher, configuration.learner, symbol), []).append((at, symbol))
    return list(groups.values())
