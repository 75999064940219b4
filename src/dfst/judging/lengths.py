"""How long may problems be? PLG and RLG, on a ladder of lengths refined by bisection.

The paper's problems, but a stricter question: it asks for equal answers, dfst for equal actions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from dfst.explained import Explained
from dfst.judging.exact_match import Attempt, Exam, Examiner, Progress, Score
from dfst.judging.journal import Journal
from dfst.judging.test_sets import check_length, random_pairs, same_digit_pairs
from dfst.records import checked
from dfst.teachers.arithmetic import PAPER_LENGTHS
from dfst.teachers.program import ProgramTask
from dfst.teachers.sampling import Operands
from dfst.teachers.task import Task
from dfst.world.policy import Policy
from dfst.world.rollout import Outcome
from dfst.world.table import TooSlowError

FIRST_RUNGS = 10
RUNG_RATIO = 1.25
"""The ladder: 1, 2, ... 10, then each 1.25 times the one before; the last rung is the largest length asked for."""

_OWN_LENGTH, _OWN_STEPS = 200, 10**7
"""Where the paper names no length, agreement with its own machine is measured to so many symbols, as long as a random
problem takes at most so many steps: the steps of a task may double with every symbol."""


@dataclass(frozen=True)
class Rung:
    """One tested length: the paper's random pairs, all same-digit pairs (where tested), and what first went wrong."""

    m: int
    random: Score
    same_digit: Score | None
    first_failure: str | None


@dataclass(frozen=True, repr=False)
class Lengths(Explained):
    """The result: PLG, RLG (None if same-digit pairs were not asked for), and every tested length.

    Each is found by a search of its own: up the ``ladder`` to the first length that fails, then by bisection
    between it and the last one that passed (0: none did). If it equals ``to``, the policy may well go further; ``to``
    is less than was asked for if the teacher is too slow for longer problems.
    """

    plg: int
    rlg: int | None
    to: int
    rungs: tuple[Rung, ...]
    seed: int = 0

    @property
    def scope(self) -> str:
        """On how many problems the teacher is stuck, so that nothing is compared from there on; empty if on none."""
        scores = [score for rung in self.rungs for score in (rung.random, rung.same_digit) if score is not None]
        stuck, total = (sum(getattr(score, name) for score in scores) for name in ("until_stuck", "total"))
        return f"on {stuck:,} of {total:,} problems until the teacher is stuck" if stuck else ""

    def explain(self) -> str:
        """PLG and RLG in one line, and what first went wrong in another."""
        reached = [("PLG", self.plg), ("RLG", self.rlg)]
        line = ", ".join(f"{name} {reached_text(m, self.to)}" for name, m in reached if m is not None)
        line += f", {self.scope}" if self.scope else ""
        failure = next((rung.first_failure for rung in self.rungs if rung.first_failure), None)
        return line if failure is None else f"{line}\nfirst difference: {failure}."

    def table(self) -> str:
        """Every tested length, a line each."""
        return "\n".join(
            f"{rung.m:,} digits: random {rung.random}"
            + (f"; same-digit {rung.same_digit}" if rung.same_digit is not None else "")
            for rung in self.rungs
        )


def reached_text(length: int, tested_to: int) -> str:
    """How far something gets, if it was tested up to ``tested_to``: who passes everything may well get further."""
    return f"at least {length:,}" if length >= tested_to else f"{length:,}"


def ladder(to: int) -> Iterator[int]:
    """The lengths that are tested, unless one fails.

    >>> list(ladder(20))
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 18, 20]
    """
    m = 1
    while m < to:
        yield m
        m = m + 1 if m < FIRST_RUNGS else int(m * RUNG_RATIO)
    yield to


@checked
def measure_lengths(
    policy: Any,
    task: Task | ProgramTask,
    *,
    to: int,
    rlg: bool = True,
    seed: int = 0,
    threads: int | None = None,
    journal: Journal | None = None,
    progress: Progress | None = None,
) -> Lengths:
    """Measure PLG (and RLG) of ``policy`` up to ``to`` digits, several problems at a time.

    ``journal`` remembers every attempt, so that a stopped measurement goes on where it was. ``progress`` gets (length,
    done, total) as attempts end.

    >>> import dfst
    >>> add2 = dfst.task("add2")
    >>> result = measure_lengths(dfst.from_machine(add2.machine), add2, to=4)
    >>> result.plg, result.rlg, [rung.m for rung in result.rungs]
    (4, 4, [1, 2, 3, 4])
    """
    examiner = Examiner(policy, task)
    if not examiner.policy.compiled or task.machine is None:
        threads = 1  # it is Python, and may keep its state in itself
    return climb(Exam(examiner, threads, journal, progress), task, to, rlg=rlg, seed=seed)


def climb(exam: Exam, task: Task | ProgramTask, to: int, *, rlg: bool = True, seed: int = 0) -> Lengths:
    """The lengths that pass ``exam``, whatever that asks."""
    check_length(to)
    problems = {"random": lambda m: random_pairs(task, m, seed=seed), "same digit": lambda m: same_digit_pairs(task, m)}
    tried: dict[tuple[int, str], list[Attempt]] = {}

    def passes(m: int, kind: str) -> bool:
        if (m, kind) not in tried:
            tried[m, kind] = exam(m, kind, problems[kind](m))
        return Score.of(tried[m, kind]).perfect

    robust, far = _climb(lambda m: all(passes(m, kind) for kind in problems), to) if rlg else (None, to)
    plg, farther = _climb(lambda m: passes(m, "random"), to)  # the same lengths whether or not an RLG is asked for
    rungs = []
    for m in sorted({m for m, _ in tried}):
        random, same_digit = (tried.get((m, kind), []) for kind in problems)
        same = Score.of(same_digit) if same_digit else None
        failure = next((attempt.problem for attempt in random + same_digit if attempt.problem), None)
        rungs.append(Rung(m, Score.of(random), same, failure))
    return Lengths(plg, robust, min(far, farther), tuple(rungs), seed)


def _climb(passes: Callable[[int], bool], to: int) -> tuple[int, int]:
    """Up the ladder to the first length that fails, then bisection; the last that passes before a failure.

    And up to where that was looked at: to ``to``, unless the teacher itself is too slow for the next length.
    """
    good, bad = 0, None
    for m in ladder(to):
        try:
            if not passes(m):
                bad = m
                break
        except TooSlowError:
            if not good:
                raise
            return good, good
        good = m
    while bad is not None and bad - good > 1:
        middle = (good + bad) // 2
        if passes(middle):
            good = middle
        else:
            bad = middle
    return good, to


def self_agreement(
    model: Policy, own: Task, *, threads: int | None = None, progress: Callable[[], None] = lambda: None
) -> Lengths:
    """How long ``model`` does what the machine of ``own`` does, which was extracted from it; no teacher is asked.

    Whether they act alike until they halt is all that counts: what a model answers that has gone astray is not asked.
    ``progress`` is called as problems are solved.
    """
    machine, to = own.machine, own_length(own.name)
    if own.name not in PAPER_LENGTHS:
        to = max(1, _halts_to(own, to, _OWN_STEPS))

    def examine(problem: Operands) -> Attempt:
        limit = machine.limit_for(machine.place(problem), None)  # one that nobody has proven may never halt
        together = model.run(*problem, beside=machine, step_limit=limit)
        alike = together.outcome == Outcome.HALTED
        return Attempt(alike, alike, together.steps, None)

    return climb(Exam(examine, threads, progress=lambda *where: progress()), own, to)


def own_length(task: str) -> int:
    """How far agreement with its own machine is measured.

    >>> own_length("add2"), own_length("increment")
    (3850, 200)
    """
    return PAPER_LENGTHS.get(task, _OWN_LENGTH)


def _halts_to(task: Task, longest: int, steps: int) -> int:
    """The largest length, of those tested up to ``longest``, at which a random problem takes at most ``steps``.

    >>> import dfst
    >>> _halts_to(dfst.task("binary-to-unary"), 200, 10**4), _halts_to(dfst.task("double"), 200, 10**4)
    (7, 200)
    """

    def halts(length: int) -> bool:
        problem = random_pairs(task, length, seed=0)[0]
        return task.machine.run(*problem, step_limit=steps).outcome == Outcome.HALTED

    return max(takewhile(halts, ladder(longest)), default=0)
