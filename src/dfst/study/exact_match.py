"""Two exact matches on one problem: the whole action sequence is the teacher's, and the answer is right."""

from __future__ import annotations

from typing import Any, NamedTuple

from dfst.act.own import in_world
from dfst.errors import shortened
from dfst.teachers.program import ProgramTask
from dfst.teachers.sampling import Operands
from dfst.teachers.task import Task
from dfst.world.rollout import Outcome

_PATIENCE, _LEEWAY = 2, 1000
"""A policy that left its teacher may take so many times the teacher's steps, and so many more, before its answer is
given up."""


class Attempt(NamedTuple):
    """One problem: did every action match the teacher's, was the answer right, how long was it, what went wrong."""

    same_actions: bool
    right_answer: bool
    steps: int
    problem: str | None


class Examiner:
    """``policy`` examined against ``task``: its teacher for the actions, Python's integers for the answer.

    >>> import dfst
    >>> add2 = dfst.task("add2")
    >>> Examiner(dfst.from_machine(add2.machine), add2)(("111", "1"))
    Attempt(same_actions=True, right_answer=True, steps=36, problem=None)
    """

    def __init__(self, policy: Any, task: Task | ProgramTask) -> None:
        world = task.setting
        # a policy of another world is refused now, and not in a worker
        self.policy, self.task = in_world(policy, world.alphabet, world.layout).led_by(world), task

    def __call__(self, problem: Operands) -> Attempt:
        """Examine one problem, on which the teacher must halt or be stuck."""
        shown, own = self.task.show(*problem), self.policy.step_limit
        limit = shown.steps + 1 if own is None else min(own, shown.steps + 1)
        together = self.policy.run(*problem, beside=shown.policy, step_limit=limit)
        if together.outcome == Outcome.STEP_LIMIT:  # a slow policy is given up early, and that is no success
            return Attempt(False, False, limit, f"given up after {limit} steps, all of them the teacher's")
        truth = self.task.truth(*problem)
        if together.divergence is None:
            right = together.outcome == Outcome.HALTED and together.answer.text == truth
            what = None if right else f"{together.outcome.value} together with the teacher, and the answer is wrong"
            return Attempt(True, right, together.steps, what)
        limit = _PATIENCE * shown.steps + _LEEWAY
        alone = self.policy.run(*problem, step_limit=limit if own is None else min(own, limit))
        what = f"on {' and '.join(map(shortened, problem))}, {together.divergence.explain()}"
        return Attempt(False, alone.answer.text == truth, together.steps, what)
