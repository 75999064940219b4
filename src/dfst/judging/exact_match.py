"""Two exact matches on one problem: the whole action sequence is the teacher's, and the answer is right."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, NamedTuple

from dfst.act.own import in_world
from dfst.errors import InputError, shortened
from dfst.explained import Explained
from dfst.judging.journal import Journal
from dfst.prove.reference import check_reference
from dfst.teachers.program import ProgramTask
from dfst.teachers.sampling import Operands
from dfst.teachers.task import Task
from dfst.world.rollout import Outcome

Progress = Callable[[int, int, int], None]
"""It gets (length, done, total) as attempts end."""

_PATIENCE, _LEEWAY = 2, 1000
"""A policy that left its teacher may take so many times the teacher's steps, and so many more, before its answer is
given up."""


class Attempt(NamedTuple):
    """One problem: did every action match the teacher's, was the answer right, how long was it, what went wrong."""

    same_actions: bool
    right_answer: bool
    steps: int
    problem: str | None

    @property
    def until_stuck(self) -> bool:
        """Whether the teacher is stuck, so that nothing is compared from there on."""
        return self.same_actions and not self.right_answer and self.problem is None


class Examiner:
    """``policy`` examined against ``task``: its teacher for the actions, Python's integers for the answer.

    >>> import dfst
    >>> add2 = dfst.task("add2")
    >>> Examiner(dfst.from_machine(add2.machine), add2)(("111", "1"))
    Attempt(same_actions=True, right_answer=True, steps=36, problem=None)
    """

    def __init__(self, policy: Any, task: Task | ProgramTask) -> None:
        if task.machine is not None:
            check_reference(task.machine)
        world = task.world
        # a policy of another world is refused now, and not in a worker
        self.policy, self.task = in_world(policy, world).led_by(task.machine or task), task

    def __call__(self, problem: Operands) -> Attempt:
        """Examine one problem, on which the teacher must halt or be stuck."""
        shown, own = self.task.show(*problem), self.policy.step_limit
        limit = shown.steps + 1 if own is None else min(own, shown.steps + 1)
        together = self.policy.run(*problem, beside=shown.policy, step_limit=limit)
        if together.outcome == Outcome.STEP_LIMIT:  # a slow policy is given up early, and that is no success
            return Attempt(False, False, limit, f"given up after {limit} steps, all of them the teacher's")
        truth = self.task.truth(*problem)
        if together.divergence is None and together.outcome != Outcome.STUCK:
            right = together.outcome == Outcome.HALTED and together.answer.text == truth
            what = None if right else f"{together.outcome.value} together with the teacher, and the answer is wrong"
            return Attempt(True, right, together.steps, what)
        limit = _PATIENCE * shown.steps + _LEEWAY
        alone = self.policy.run(*problem, step_limit=limit if own is None else min(own, limit))
        right = truth is not None and alone.answer.text == truth
        if together.divergence is None or together.divergence.unclaimed:  # nothing is asked where the teacher is stuck
            return Attempt(True, right, together.steps, None)
        differs = together.divergence.explain(talk=self.policy.world.is_conversation)
        return Attempt(False, right, together.steps, f"on {' and '.join(map(shortened, problem))}, {differs}")


@dataclass(frozen=True, repr=False)
class Score(Explained):
    """How many of ``total`` problems had the teacher's action sequence, and how many the right answer.

    On ``until_stuck`` of those with its actions the teacher is stuck: nothing is compared from there on.
    """

    total: int
    same_actions: int
    right_answers: int
    until_stuck: int = 0

    @classmethod
    def of(cls, attempts: Sequence[Attempt]) -> Score:
        """What came of ``attempts``."""
        columns = ([getattr(a, name) for a in attempts] for name in ("same_actions", "right_answer", "until_stuck"))
        return cls(len(attempts), *map(sum, columns))

    @property
    def perfect(self) -> bool:
        """Whether every action sequence was the teacher's."""
        return self.same_actions == self.total

    def explain(self) -> str:
        """In words."""
        answers = "" if self.right_answers == self.same_actions else f", {self.right_answers} right answers"
        stuck = f", {self.until_stuck} until the teacher is stuck" if self.until_stuck else ""
        return f"{self.same_actions} of {self.total} act as the teacher{answers}{stuck}"


@dataclass(frozen=True)
class Exam:
    """Examining a list of problems, several at a time (the rollouts do not hold Python's lock)."""

    examiner: Callable[[Operands], Attempt]
    threads: int | None = None
    journal: Journal | None = None
    progress: Progress | None = None

    def __post_init__(self) -> None:
        if self.threads is not None and self.threads < 1:
            raise InputError(f"{self.threads} threads cannot be used", where="threads", do="Use 1 or more.")

    def __call__(self, m: int, kind: str, problems: Sequence[Operands]) -> list[Attempt]:
        """What came of ``problems`` of length ``m``."""
        attempts = [self._one(m, kind, 0, problems[0])] if problems else []  # if it fails, the others are not begun
        with ThreadPoolExecutor(self.threads or os.cpu_count() or 1) as pool:
            try:
                for attempt in pool.map(lambda i: self._one(m, kind, i, problems[i]), range(1, len(problems))):
                    attempts.append(attempt)
                    if self.progress:
                        self.progress(m, len(attempts), len(problems))
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        return attempts

    def _one(self, m: int, kind: str, number: int, problem: Operands) -> Attempt:
        if self.journal is None:
            return self.examiner(problem)
        key = (m, kind, number)
        if (known := self.journal.get(key)) is not None:
            return Attempt(*known)
        attempt = self.examiner(problem)
        self.journal.add(key, attempt)
        return attempt
