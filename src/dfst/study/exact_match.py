"""Two exact matches on one problem: the whole action sequence is the teacher's, and the answer is right."""

from __future__ import annotations

from typing import NamedTuple

from dfst.act.lockstep import Follower
from dfst.act.loose import let_loose
from dfst.act.policy import OwnPolicy, Policy
from dfst.act.rollout import LoosedModel, rollout
from dfst.errors import shortened
from dfst.teachers.sampling import Operands
from dfst.teachers.task import Task
from dfst.training.model import DFST
from dfst.world.machine import GridMachine
from dfst.world.outcome import Outcome, Run
from dfst.world.run import run, run_to_end

ModelOrMachine = DFST | GridMachine
"""What comes with its world: a float model, or a machine as a table."""

_PATIENCE = 2
"""A policy that left its teacher may take this many times the teacher's steps before its answer is given up."""


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

    def __init__(self, policy: ModelOrMachine | OwnPolicy | Policy, task: Task) -> None:
        if not isinstance(policy, (DFST, GridMachine)):
            policy = OwnPolicy.of(policy, task.machine.alphabet, task.machine.layout)
        self.policy, self.task = policy, task
        self._follower = Follower(task.machine, policy) if isinstance(policy, GridMachine) else None
        if isinstance(policy, DFST):
            LoosedModel(policy, task.machine)  # refuses a model of another task, now and not in a worker

    def __call__(self, problem: Operands) -> Attempt:
        """Examine one problem, on which the teacher must halt or be stuck."""
        steps = run_to_end(self.task.machine, *problem, whose="teacher").steps
        if self._follower is not None:
            together = self._follower(*problem, step_limit=steps + 1)
        elif isinstance(self.policy, DFST):
            together = rollout(self.policy, *problem, teacher=self.task.machine, step_limit=steps + 1)
        else:
            assert isinstance(self.policy, OwnPolicy)
            limit = self.policy.step_limit
            together = let_loose(self.policy, self.task.machine, *problem, following=True)
            if together.outcome == Outcome.STEP_LIMIT:  # a slow policy is given up early, and that is no success
                return Attempt(False, False, limit, f"given up after {limit} steps, all of them the teacher's")
        truth = self.task.truth(*problem)
        if together.divergence is None:
            right = together.outcome == Outcome.HALTED and together.answer.text == truth
            what = None if right else f"{together.outcome.value} together with the teacher, and the answer is wrong"
            return Attempt(True, right, together.steps, what)
        alone = self._alone(problem, _PATIENCE * steps + 1000)
        what = f"on {' and '.join(map(shortened, problem))}, {together.divergence.explain()}"
        return Attempt(False, alone == truth, together.steps, what)

    def _alone(self, problem: Operands, step_limit: int) -> str | None:
        if isinstance(self.policy, GridMachine):
            result: Run = run(self.policy, *problem, step_limit=step_limit, engine="skipping")
            return result.answer.text
        if not isinstance(self.policy, DFST):
            limit = min(step_limit, self.policy.step_limit)
            return let_loose(self.policy, self.task.machine, *problem, step_limit=limit).answer.text
        return rollout(self.policy, *problem, step_limit=step_limit).answer.text
