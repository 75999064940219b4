"""Where do a policy and its teacher first differ?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

from dfst.explained import Explained
from dfst.judging.lengths import ladder
from dfst.judging.test_sets import check_length, random_pairs, same_digit_pairs
from dfst.prove.compare import compare
from dfst.prove.reference import check_reference
from dfst.teachers.task import Task
from dfst.world.machine import GridMachine
from dfst.world.policy import Policy
from dfst.world.rollout import Divergence, Outcome


@dataclass(frozen=True, repr=False)
class Difference(Explained):
    """The first difference that was found, or that none was.

    ``operands`` is the problem that shows it, ``at`` the step and what each of the two did. Where the teacher is stuck,
    nothing is compared. ``verdict`` is the prover's if the search was a proof; empty if problems were only tested.
    ``layout`` says whose layout it acted on, if that was not its own.
    """

    explanation: str
    operands: tuple[str, ...] | None = None
    at: Divergence | None = None
    verdict: str = ""
    layout: str = ""

    @property
    def found(self) -> bool:
        """Whether there is a difference."""
        return self.at is not None

    def explain(self) -> str:
        """In words."""
        return f"{self.explanation}." + f"\nlayout: {self.layout}." * bool(self.layout)

    def to_json(self) -> dict[str, Any]:
        """The same facts for a program."""
        facts: dict[str, Any] = {"differs": self.found, "explanation": self.explanation}
        if self.operands is not None:
            facts["operands"] = list(self.operands)
        if self.at is not None:
            at = asdict(self.at)
            facts |= at | {"cell": list(self.at.cell), "teacher_state": at.pop("state")}
        return facts | {key: value for key in ("verdict", "layout") if (value := getattr(self, key))}


def find_difference(
    policy: Policy,
    task: Task,
    operands: tuple[str, ...] | None = None,
    *,
    to: int = 100,
    say: Callable[[str], None] = lambda text: None,
) -> Difference:
    """The first difference on ``operands``; without them on the shortest problem that is found to show one.

    For a machine that search is a proof: it finds nothing only if there is nothing (or says that it is undecided). A
    float model, or a policy of one's own, is tested on the paper's test sets of growing length, up to ``to`` digits.
    """
    teacher = task.machine
    check_reference(teacher)
    if operands is not None:
        return _on(policy, teacher, operands)
    if isinstance(policy, GridMachine):
        verdict = compare(teacher, policy)
        if verdict.counterexample is not None:
            return _on(policy, teacher, verdict.counterexample.operands)
        return Difference(verdict.explain(), verdict=verdict.conclusion.value)
    check_length(to)
    tried = stuck = 0
    for m in ladder(to):
        say(f"testing {m} digits")
        for problem in random_pairs(task, m, seed=0) + same_digit_pairs(task, m):
            tried += 1
            stuck += teacher.run_to_end(*problem, whose="teacher").outcome == Outcome.STUCK
            found = _on(policy, teacher, problem)
            if found.found:
                return found
    where = f"; on {stuck:,} of {tried:,} problems the teacher is stuck, and nothing is compared from there on"
    same = f"no difference on the paper's test sets of up to {to} digits (tested, not proven)"
    return Difference(same + where * bool(stuck))


def _on(policy: Policy, teacher: GridMachine, operands: tuple[str, ...]) -> Difference:
    result = policy.run(*operands, beside=teacher)
    on = f"on {' and '.join(operands)}"
    if result.divergence is None or result.divergence.unclaimed:
        same = f"{on} the two act alike for all {result.steps} steps"
        ended = "" if result.outcome == Outcome.HALTED else f" (then: {result.outcome.value})"
        ended = ended if result.divergence is None else "; there the teacher is stuck, and nothing is compared"
        return Difference(same + ended, operands)
    return Difference(
        f"{on}, {result.divergence.explain(talk=teacher.world.is_conversation)}", operands, result.divergence
    )
