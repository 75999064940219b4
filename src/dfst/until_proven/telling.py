"""Which problems tell a learner most: first those whose runs show a rule of the teacher that was never shown.

A learner can hardly know a rule that it was never shown, so no time is spent on learning before that. After that, of
the problems that a learner gets wrong, one for each of its faults, the most frequent fault first; of problems with the
same fault, the one whose run shows most rules that were never shown one after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from dfst.prove.lockstep import Counterexample
from dfst.world.machine import GridMachine
from dfst.world.rollout import Outcome

Problem = tuple[str, ...]

_EIGHTH = 8
"""Of so many traces so far, one more is asked for at once; at least one."""


def at_once(traces: int) -> int:
    """How many problems to ask for after so many traces.

    >>> at_once(5), at_once(24)
    (1, 3)
    """
    return max(1, traces // _EIGHTH)


def with_new_rules(
    teacher: GridMachine,
    problems: Sequence[Problem],
    shown: Sequence[Problem],
    *,
    step_limit: int,
) -> list[Problem]:
    """As few of the ``problems`` as a greedy choice finds, to show every rule that they can and ``shown`` did not.

    >>> from dfst import task
    >>> teacher = task("add2").machine
    >>> with_new_rules(teacher, [("0", "0"), ("10", "1"), ("101", "1100")], [("0", "0")], step_limit=1000)
    [('101', '1100')]
    """
    runs = {problem: set(rules) for problem in problems if (rules := _rules_along(teacher, problem, step_limit))}
    known = {rule for problem in shown for rule in _rules_along(teacher, problem, step_limit)}
    chosen: list[Problem] = []

    def tells(problem: Problem) -> int:
        return len(runs[problem] - known)

    while runs and not runs[best := max(runs, key=tells)] <= known:
        chosen.append(best)
        known |= runs.pop(best)
    return chosen


def most_telling(
    teacher: GridMachine,
    wrong: Mapping[Problem, Counterexample],
    shown: Sequence[Problem],
    *,
    step_limit: int,
) -> list[Problem]:
    """Some of the problems ``wrong``, each with the learner's fault; it has learned from the runs on ``shown``.

    >>> from dfst import GridMachine, task
    >>> from dfst.prove.lockstep import first_difference
    >>> teacher = task("add2").machine
    >>> rules = [rule for rule in teacher.rules() if rule.seen != "1"]
    >>> learner = GridMachine.from_rules(rules, alphabet=teacher.alphabet, layout=teacher.layout, start="enter")
    >>> problems = [("0", "1"), ("1", "11")]
    >>> wrong = {each: first_difference(teacher, learner, each, step_limit=1000) for each in problems}
    >>> most_telling(teacher, wrong, [("0", "0")], step_limit=1000)
    [('1', '11')]
    """
    runs = {problem: rules for problem in wrong if (rules := _rules_along(teacher, problem, step_limit))}
    known = {pair for problem in shown for pair in pairwise(_rules_along(teacher, problem, step_limit))}
    faults = {problem: (each.learner_state, each.seen, each.teacher_state) for problem, each in wrong.items()}
    often, met = Counter(faults.values()), Counter()
    chosen: list[Problem] = []

    def tells(problem: Problem) -> tuple[int, ...]:
        return -met[faults[problem]], often[faults[problem]], len(set(pairwise(runs[problem])) - known)

    while runs and len(chosen) < at_once(len(shown)):
        chosen.append(max(runs, key=tells))
        met[faults[chosen[-1]]] += 1
        known |= set(pairwise(runs.pop(chosen[-1])))
    return chosen


def _rules_along(teacher: GridMachine, problem: Problem, step_limit: int) -> list[int]:
    """The rules of the teacher's run on ``problem``, as numbers; none if it does not halt: it cannot be asked for."""
    found = teacher.run(*problem, step_limit=step_limit, record=True)
    return found.pairs.tolist() if found.outcome == Outcome.HALTED and found.pairs is not None else []
