"""Does a learner act like its teacher on every input of every length? Proof, refutation, or an honest "undecided"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from dfst.effort import Effort, OutOfEffort
from dfst.prove.abstraction import Precision
from dfst.prove.certificate import closed_set
from dfst.prove.closure import Closure, Disagreement, EdgeOfRows, Kind, close, description, groups, left_open
from dfst.prove.counterexample import among_small_problems, confirmed
from dfst.prove.lockstep import Counterexample, Pair, alike_everywhere
from dfst.prove.pursuit import Pursuer, Pursuit
from dfst.prove.refinement import difference, one_state_changed, ready_made, refinements
from dfst.prove.verdict import Conclusion, Verdict
from dfst.records import checked
from dfst.world.conversation import answers_one_by_one
from dfst.world.machine import GridMachine
from dfst.world.worlds import check_same_world, in_order_of

MAX_ROWS = 64
"""A machine that goes beyond so many rows is not followed."""

WORK, WORK_PER_RULE = 2_000_000, 5_000
"""Configurations closed and real steps made, all in all, before giving up: minutes, more for a larger teacher."""

SMALL = 25_000
"""Abstract configurations of an attempt, before another kind of attempt is made."""

READY, ADJUSTING = 10_000, 20_000
"""Abstract configurations of an attempt with a ready-made precision, and of a round in which one is adjusted."""

NEAR = (0, 1, 2)
"""How much is known near the head in those attempts."""

_CHOICES, _EDITS, _LAST_EDITS = 2_000, 1_500, 100_000
"""Real steps of a pursuit: choosing inputs, changing them in the first round, changing them before giving up."""

_CUTS = 2
"""How often the abstraction is refined although there were too many configurations already."""

_FEW, _TIMES = 2_000, 4
"""Configurations, or times as many as before, up to which all refinements are tried first."""

_PATIENCE = 4
"""Rounds of refining before another kind of precision is tried; what is refined is smaller where it works."""

_WEAKER = 3
"""How often it is refined only to exclude that the teacher gets stuck where the learner does not."""

_PURSUED = 8
"""Disagreements that are pursued before the abstraction is refined for all of them together."""

Say = Callable[[str], None]


@checked
def compare(
    teacher: GridMachine,
    learner: GridMachine,
    *,
    limit: int = 200_000,
    seconds: float | None = None,
    rounds: int = 60,
    progress: Say | None = None,
) -> Verdict:
    """Compare ``learner`` with ``teacher``, within so many abstract configurations, seconds and refinements.

    Without ``seconds`` the work is counted, more for a larger teacher, and the verdict is the same on any computer.
    ``progress`` gets sentences for people. Machines of different alphabets, layouts or start cells cannot be compared
    (:class:`dfst.errors.InputError`).

    >>> from dfst import task
    >>> teacher = task("mult2").machine
    >>> verdict = compare(teacher, teacher)
    >>> verdict.exact, verdict.size, verdict.teacher_never_stuck
    (True, 1551, False)
    """
    check_same_world(learner := in_order_of(teacher.world, learner), teacher)
    effort = Effort(WORK + WORK_PER_RULE * sum(1 for _ in teacher.rules()), seconds)
    return _Comparison(teacher, learner, limit, rounds, effort, progress or (lambda text: None)).verdict()


class _Comparison:
    """One comparison: attempts, each of them rounds of closing, pursuing what disagrees, and refining."""

    def __init__(
        self, teacher: GridMachine, learner: GridMachine, limit: int, rounds: int, effort: Effort, say: Say
    ) -> None:
        self.teacher, self.learner, self.say = teacher, learner, say
        self.most, self.rounds, self.effort = limit, rounds, effort
        self.limit = min(limit, SMALL)
        row = teacher.layout.head[1]
        self.coarse = self.precision = Precision(min(0, row), max(0, row))
        self.alike: frozenset[Pair] = frozenset()
        self.tried: list[str] = []
        self.round = self.size = 0
        self.partial = answers_one_by_one(teacher)  # else as soon as the teacher is seen to get stuck alone
        self.reason = "nothing is left to try"
        self.open: tuple[Closure, list[Disagreement]] | None = None
        self.weaker: list[Closure] = []  # closures that show all but being stuck together

    def verdict(self) -> Verdict:
        """The verdict of the first attempt that comes to one."""
        try:
            verdict = self._attempts()
        except OutOfEffort as reached:
            verdict = self._undecided(str(reached)) if not self.weaker else self._proven(self.weaker[0])
        facts = {"seconds": self.effort.passed, "rounds": self.round, "tried": tuple(self.tried)}
        return replace(verdict, **facts, machines=(self.teacher, self.learner))

    def _attempts(self) -> Verdict:
        """With the whole grid in mind; without it where states are alike on any grid; and with more configurations.

        What an attempt forgets only makes it cheaper: whatever is closed in the end is a proof.
        """
        if (verdict := self._attempt(ready=True)) is not None:
            return verdict
        self.alike = alike_everywhere(self.teacher, self.learner, (self.teacher.start, self.learner.start))
        if self.alike:
            self.tried.append("forget the grid where states are alike on any grid")
            if (verdict := self._attempt()) is not None:
                return verdict
            self.alike = frozenset()
        if self.most > self.limit:
            self.limit = self.most
            self.tried.append(f"allow {self.most} configurations")
            if (verdict := self._attempt()) is not None:
                return verdict
        found = None if self.open is None else self._pursued(*self.open, _LAST_EDITS)[0]
        return self._undecided(self.reason) if found is None else self._refuted(found)

    def _attempt(self, *, ready: bool = False) -> Verdict | None:
        """Rounds that begin with the coarsest precision, after a few also ``ready`` made ones; None if all fail."""
        begun, last, cuts, self.weaker = self.round, self.round + self.rounds, 0, []
        self.precision = self.coarse
        closure = self._closure()
        if closure is None:
            self.reason = f"the head goes beyond {MAX_ROWS} rows"
            return None if self._small is None else self._refuted(self._small)
        base = self.precision
        while True:
            self.size = len(closure)
            self.say(f"comparing: {self._seen(closure)}; refined {self.round} times")
            hard = [d for d in closure.disagreements if d.kind != Kind.TEACHER_STUCK]
            if not closure.cut and not closure.disagreements:
                return self._proven(closure)
            chased = hard or closure.disagreements
            if self.open is None or (hard and not closure.cut):
                self.open = closure, chased
            found, pursuits = self._pursued(closure, chased, _EDITS * 2 ** min(self.round, 4))
            if found is not None:
                return self._refuted(found)
            if self.partial and not closure.partial:
                closure = self._closed(self.precision, self.limit)
                continue
            self.weaker += [] if hard or closure.cut else [closure]
            cuts += closure.cut
            stop = self.round >= last or cuts > _CUTS or len(self.weaker) > _WEAKER
            patient = self.round < begun + _PATIENCE and not closure.cut
            finer = None if stop or (ready and not patient) else self._refined(closure, pursuits, coarsely=not ready)
            if finer is None and ready:
                ready = False
                if (closed := self._another_kind(base)) is not None:
                    return self._proven(closed)
                finer = None if stop else self._refined(closure, pursuits, coarsely=True)
            if finer is None:
                if not self.weaker:
                    return None
                found, _ = self._pursued(closure, chased, _LAST_EDITS // 10)
                return self._proven(self.weaker[0]) if found is None else self._refuted(found)
            self._refine(finer)
            closure = finer

    def _refine(self, finer: Closure) -> None:
        self.round += 1
        self.tried.append(difference(self.precision, finer.shapes.precision, self.teacher))
        self.precision = finer.shapes.precision

    def _another_kind(self, base: Precision) -> Closure | None:
        """A closure without a disagreement that does not rest on what the rounds so far have found."""
        kept = self.precision
        for near in NEAR:
            self.precision = base
            if (closed := self._ready(near) or self._adjusted(near)) is not None:
                self._refine(closed)
                return closed
        self.precision = kept
        return None

    def _ready(self, near: int) -> Closure | None:
        """The first closure without a disagreement under one of the precisions that need no pursuit to be found."""
        for precision in ready_made(replace(self.precision, near=near), len(self.teacher.states)):
            closure = self._within(precision, min(self.limit, READY), agreeing=True)
            if closure is not None and not closure.cut and not closure.disagreements:
                return closure
        return None

    def _adjusted(self, near: int) -> Closure | None:
        """A closure without a disagreement, by changing what is remembered in one state at a time while that helps."""
        everywhere = frozenset(range(len(self.teacher.states)))
        best = self._within(replace(self.precision, near=near, wide=everywhere), min(self.limit, READY))
        while best is not None and (best.cut or best.disagreements):
            if 2 * len(everywhere) * len(best) > ADJUSTING:
                return None
            limit = min(self.limit, READY, _FEW + len(best))
            tried = [self._within(finer, limit) for finer in one_state_changed(best.shapes.precision)]
            better = min((found for found in tried if found is not None), key=left_open, default=best)
            best = better if left_open(better) < left_open(best) else None
        return best

    def _refined(self, closure: Closure, pursuits: list[Pursuit], *, coarsely: bool) -> Closure | None:
        """The closure under a finer precision: the one that leaves least open, or the most promising if none helps.

        Of many (``coarsely``), larger ones are looked at only if none helps that is not much larger than ``closure``.
        """
        before = left_open(closure)[1]
        waiting = refinements(self.precision, pursuits, len(self.teacher.states) if coarsely else None)
        found: dict[Precision, Closure] = {}
        first = max(_FEW, _TIMES * len(closure)) if coarsely else self.limit
        for limit in dict.fromkeys((min(self.limit, first), self.limit)):
            for finer in waiting:
                after = self._within(finer, limit)
                if after is None:
                    continue
                found[finer] = after
                if left_open(after)[:2] == (False, 0):
                    limit = len(after)  # what is larger cannot be better
            helping = [after for after in found.values() if left_open(after)[:2] < (False, before)]
            if helping:
                return min(helping, key=left_open)
            waiting = [finer for finer, after in found.items() if after.cut]
        return next(iter(found.values()), None)

    def _within(self, precision: Precision, limit: int, *, agreeing: bool = False) -> Closure | None:
        """The closure if the head stays in the rows; another precision may think that it leaves them."""
        if said := difference(self.precision, precision, self.teacher):
            self.say(f"comparing: {said}")
        try:
            return self._closed(precision, limit, agreeing=agreeing)
        except EdgeOfRows:
            return None

    def _pursued(
        self, closure: Closure, disagreements: list[Disagreement], edits: int
    ) -> tuple[Counterexample | None, list[Pursuit]]:
        """A counterexample, or what came of pursuing each of the disagreements."""
        found, pursuits = self._small, []
        for targets in groups(closure, disagreements)[:_PURSUED]:
            if found is None:
                pursuer = Pursuer(self.teacher, self.learner, closure, targets, self.effort)
                pursuits.append(pursuer.pursue(steps=_CHOICES, edits=edits))
                found = confirmed(self.teacher, self.learner, pursuits[-1].operands)
                self.partial |= found is None and pursuits[-1].operands is not None
        return found, pursuits

    def _closure(self) -> Closure | None:
        """The closure on as many rows as it takes, or None if these are too many."""
        more = 1
        while self.precision.high - self.precision.low < MAX_ROWS:
            try:
                return self._closed(self.precision, self.limit)
            except EdgeOfRows as edge:
                low, high = self.precision.low - more * (not edge.up), self.precision.high + more * edge.up
                self.precision = replace(self.precision, low=low, high=high)
                more *= 2
        return None

    def _closed(self, precision: Precision, limit: int, *, agreeing: bool = False) -> Closure:
        options = {"alike": self.alike, "effort": self.effort, "agreeing": agreeing, "partial": self.partial}
        return close(self.teacher, self.learner, precision, limit=limit, **options)

    @cached_property
    def _small(self) -> Counterexample | None:
        """A counterexample among small problems, which are quicker to try than anything else."""
        return among_small_problems(self.teacher, self.learner, self.effort)

    def _proven(self, closure: Closure) -> Verdict:
        proof = closed_set(closure)
        conclusion = Conclusion.UNTIL_STUCK if proof.apart else Conclusion.EXACT
        return Verdict(conclusion, len(proof), 0.0, self.round, not proof.stuck, proof)

    def _refuted(self, found: Counterexample) -> Verdict:
        return Verdict(Conclusion.REFUTED, self.size, 0.0, self.round, False, counterexample=found)

    def _undecided(self, reason: str) -> Verdict:
        """Undecided, with what is open: of the last attempt that was finished, if there was one."""
        what = ""
        if self.open is not None:
            closure, chased = self.open
            what = description(closure, chased[0], self.teacher, self.learner) if chased else self._seen(closure)
        return Verdict(Conclusion.UNDECIDED, self.size, 0.0, self.round, False, open=what, reason=reason)

    @staticmethod
    def _seen(closure: Closure) -> str:
        more = "more than " * closure.cut
        return f"{more}{len(closure) - closure.cut} abstract configurations"
