"""Where does an agent first act otherwise than its teacher?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dfst.act.lockstep import Follower, Lockstep
from dfst.act.rollout import Rollout, rollout
from dfst.errors import InputError
from dfst.learn.model import DFST
from dfst.prove.compare import compare
from dfst.study.agents import beside
from dfst.study.exact_match import Agent
from dfst.study.lengths import ladder
from dfst.study.test_sets import check_length, random_pairs, same_digit_pairs
from dfst.teachers.task import Task
from dfst.world.machine import GridMachine
from dfst.world.outcome import Outcome


def first_difference(
    agent: Agent,
    teacher: GridMachine,
    expert: Task | None = None,
    operands: tuple[str, ...] | None = None,
    to: int = 100,
    say: Callable[[str], None] = lambda text: None,
) -> dict[str, Any]:
    """The first difference on ``operands``; without them on the shortest problem that is found to show one.

    For a machine that search is a proof: it finds nothing only if there is nothing (or says that it is undecided). A
    float model is tested on the paper's test sets of growing length, up to ``to`` digits.

    >>> import dfst
    >>> machine = dfst.expert("add2").machine
    >>> first_difference(machine, machine)["explanation"]
    'exact: on every input of every length the learner acts like the teacher'
    """
    agent = beside(teacher, agent)
    if operands is not None:
        return _on(agent, teacher, operands)
    if isinstance(agent, GridMachine):
        verdict = compare(teacher, agent)
        if verdict.counterexample is not None:
            return _on(agent, teacher, verdict.counterexample.operands)
        return {"differs": False, "verdict": verdict.outcome.value, "explanation": verdict.explain()}
    if expert is None:
        do = "Give the operands of a problem to look at."
        raise InputError("problems can be made up only for the arithmetic teachers", do=do)
    check_length(to)
    for m in ladder(to):
        say(f"testing {m} digits")
        for problem in random_pairs(expert, m, seed=0) + same_digit_pairs(expert, m):
            found = _on(agent, teacher, problem)
            if found["differs"]:
                return found
    tested = f"no difference on the paper's test sets of up to {to} digits (tested, not proven)"
    return {"differs": False, "explanation": tested}


def _on(agent: Agent, teacher: GridMachine, operands: tuple[str, ...]) -> dict[str, Any]:
    result: Lockstep | Rollout
    if isinstance(agent, DFST):
        result = rollout(agent, *operands, teacher=teacher)
    else:
        result = Follower(teacher, agent)(*operands)
    on = f"on {' and '.join(operands)}"
    if result.divergence is None:
        same = f"{on} the two act alike for all {result.steps} steps"
        ended = "" if result.outcome == Outcome.HALTED else f" (then: {result.outcome.value})"
        return {"differs": False, "operands": list(operands), "steps": result.steps, "explanation": same + ended}
    seen = result.divergence
    return {
        "differs": True,
        "operands": list(operands),
        "step": seen.step,
        "cell": list(seen.cell),
        "teacher_state": seen.state,
        "seen": seen.seen,
        "expected": seen.expected,
        "done": seen.done,
        "explanation": f"{on}, {seen.explain()}",
    }
