"""Which of the problems that a learner gets wrong tell it most.

As long as some of the teacher's rules were never shown, those whose runs show most of them. After that, one for each of
the learner's faults, the most frequent fault first; of problems with the same fault, the one whose run shows most rules
that were never shown one after the other.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from dfst.prove.lockstep import Counterexample
from dfst.world.machine import GridMachine
from dfst.world.outcome import Outcome
from dfst.world.run import run

Problem = tuple[str, ...]

_WHILE_NEW, _LATER = 2, 8
"""Of so many traces so far, one more is asked for at once, while rules are new and later; at least one."""


def at_once(traces: int, new: bool = False) -> int:
    """How many problems to ask for after so many traces, if they show rules that are ``new`` or if not.

    >>> at_once(5), at_once(24), at_once(24, new=True)
    (1, 3, 12)
    """
    return max(1, traces // (_WHILE_NEW if new else _LATER))


def most_telling(
    teacher: GridMachine, wrong: Mapping[Problem, Counterexample], shown: Sequence[Problem], *, step_limit: int
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
    known = _Shown()
    for problem in shown:
        known.add(_rules_along(teacher, problem, step_limit))
    faults = {problem: (each.learner_state, each.seen, each.teacher_state) for problem, each in wrong.items()}
    often, met = Counter(faults.values()), Counter()
    chosen: list[Problem] = []
    new = any(map(known.new_rules, runs.values()))

    def tells(problem: Problem) -> tuple[int, ...]:
        rules, fault = runs[problem], faults[problem]
        return known.new_rules(rules), -met[fault], often[fault], known.new_pairs(rules)

    while runs and len(chosen) < at_once(len(shown), new):
        best = max(runs, key=tells)
        if new and not known.new_rules(runs[best]):
            break
        chosen.append(best)
        met[faults[best]] += 1
        known.add(runs.pop(best))
    return chosen


class _Shown:
    """The rules that some run has used, and those it has used one after the other."""

    def __init__(self) -> None:
        self.rules: set[int] = set()
        self.pairs: set[tuple[int, int]] = set()

    def add(self, rules: list[int]) -> None:
        self.rules.update(rules)
        self.pairs.update(pairwise(rules))

    def new_rules(self, rules: list[int]) -> int:
        return len(set(rules) - self.rules)

    def new_pairs(self, rules: list[int]) -> int:
        return len(set(pairwise(rules)) - self.pairs)


def _rules_along(teacher: GridMachine, problem: Problem, step_limit: int) -> list[int]:
    """The rules of the teacher's run on ``problem``, as numbers; none if it does not halt: it cannot be asked for."""
    found = run(teacher, *problem, step_limit=step_limit, record=True)
    return found.pairs.tolist() if found.outcome == Outcome.HALTED and found.pairs is not None else []
