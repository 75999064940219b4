"""Two exact matches on one problem: the whole action sequence is the teacher's, and the answer is right."""

from __future__ import annotations

from typing import NamedTuple

from dfst.act.lockstep import Follower
from dfst.act.policy import Policy, let_loose
from dfst.act.rollout import LoosedModel, rollout
from dfst.learn.model import DFST
from dfst.teachers.task import Operands, Task
from dfst.world.machine import GridMachine
from dfst.world.outcome import Outcome, Run
from dfst.world.run import STEP_LIMIT, run

Agent = DFST | GridMachine
"""What can be let loose on the grid: a float model, or a machine as a table."""

_PATIENCE = 2
"""An agent that left its teacher may take this many times the teacher's steps before its answer is given up."""


class Attempt(NamedTuple):
    """One problem: did every action match the teacher's, was the answer right, how long was it, what went wrong."""

    same_actions: bool
    right_answer: bool
    steps: int
    problem: str | None


class Examiner:
    """``agent`` examined against ``expert``: its teacher for the actions, Python's integers for the answer.

    >>> import dfst
    >>> add2 = dfst.expert("add2")
    >>> Examiner(dfst.from_machine(add2.machine), add2)(("111", "1"))
    Attempt(same_actions=True, right_answer=True, steps=36, problem=None)
    """

    def __init__(self, agent: Agent | Policy, expert: Task) -> None:
        self.agent, self.expert = agent, expert
        self._follower = Follower(expert.machine, agent) if isinstance(agent, GridMachine) else None
        if isinstance(agent, DFST):
            LoosedModel(agent, expert.machine)  # refuses a model of another task, now and not in a worker

    def __call__(self, problem: Operands) -> Attempt:
        """Examine one problem."""
        if self._follower is not None:
            together = self._follower(*problem)
        elif isinstance(self.agent, DFST):
            together = rollout(self.agent, *problem, teacher=self.expert.machine, step_limit=STEP_LIMIT)
        else:
            assert isinstance(self.agent, Policy)
            limit = self.agent.step_limit
            together = let_loose(self.agent, self.expert.machine, *problem, step_limit=limit, following=True)
            if together.outcome == Outcome.STEP_LIMIT:  # a slow agent is given up early, and that is no success
                return Attempt(False, False, limit, f"given up after {limit} steps, all of them the teacher's")
        truth = self.expert.truth(*problem)
        if together.divergence is None:
            right = together.outcome == Outcome.HALTED and together.answer.text == truth
            what = None if right else f"{together.outcome.value} together with the teacher, and the answer is wrong"
            return Attempt(True, right, together.steps, what)
        patience = _PATIENCE * run(self.expert.machine, *problem, engine="skipping").steps + 1000
        alone = self._alone(problem, patience)
        return Attempt(False, alone == truth, together.steps, together.divergence.explain())

    def _alone(self, problem: Operands, step_limit: int) -> str | None:
        if isinstance(self.agent, GridMachine):
            result: Run = run(self.agent, *problem, step_limit=step_limit, engine="skipping")
            return result.answer.text
        if not isinstance(self.agent, DFST):
            limit = min(step_limit, self.agent.step_limit)
            return let_loose(self.agent, self.expert.machine, *problem, step_limit=limit).answer.text
        return rollout(self.agent, *problem, step_limit=step_limit).answer.text
