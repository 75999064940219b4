"""How long may problems be? PLG and RLG as the paper defines them, on a ladder of lengths refined by bisection."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from dfst.errors import InputError
from dfst.explained import Explained
from dfst.study.exact_match import Attempt, Examiner
from dfst.study.journal import Journal
from dfst.study.test_sets import check_length, hard_pairs, random_pairs, same_digit_pairs
from dfst.teachers.program import ProgramTask
from dfst.teachers.sampling import Operands
from dfst.teachers.task import Task
from dfst.world.table import TooSlowError

FIRST_RUNGS = 10
RUNG_RATIO = 1.25
"""The ladder: 1, 2, ... 10, then each 1.25 times the one before; the last rung is the largest length asked for."""

Progress = Callable[[int, int, int], None]

PAPER_LENGTHS = {"add2": 3850, "add10": 2450, "mult2": 600, "mult10": 180}
"""As far as the paper could test, and its RLG = PLG."""


@dataclass(frozen=True, repr=False)
class Score(Explained):
    """How many of ``total`` problems had the teacher's action sequence, and how many the right answer."""

    total: int
    same_actions: int
    right_answers: int

    @property
    def perfect(self) -> bool:
        """Whether every action sequence was the teacher's."""
        return self.same_actions == self.total

    def explain(self) -> str:
        """In words."""
        answers = "" if self.right_answers == self.same_actions else f", {self.right_answers} right answers"
        return f"{self.same_actions} of {self.total} act as the teacher{answers}"


@dataclass(frozen=True)
class Rung:
    """One tested length: the paper's random pairs, all same-digit pairs (where tested), and what first went wrong."""

    m: int
    random: Score
    same_digit: Score | None
    first_failure: str | None


@dataclass(frozen=True, repr=False)
class Lengths(Explained):
    """The result: PLG, RLG (None if same-digit pairs were not asked for), every tested length, hard inputs.

    Each is found by a search of its own: up the ``ladder`` to the first length that fails, then by bisection
    between it and the last one that passed (0: none did). If it equals ``to``, the policy may well go further; ``to``
    is less than was asked for if the teacher is too slow for longer problems.
    """

    plg: int
    rlg: int | None
    to: int
    rungs: tuple[Rung, ...]
    hard: Score | None = None
    hard_failure: str | None = None
    seed: int = 0

    def explain(self) -> str:
        """PLG and RLG in one line, and what first went wrong in another."""
        reached = [("PLG", self.plg), ("RLG", self.rlg)]
        line = ", ".join(f"{name} {reached_text(m, self.to)}" for name, m in reached if m is not None)
        failure = next((rung.first_failure for rung in self.rungs if rung.first_failure), self.hard_failure)
        return line if failure is None else f"{line}\nfirst difference: {failure}."

    def table(self) -> str:
        """Every tested length, a line each."""
        lines = [
            f"{rung.m:,} digits: random {rung.random}"
            + (f"; same-digit {rung.same_digit}" if rung.same_digit is not None else "")
            for rung in self.rungs
        ]
        return "\n".join(lines + ([] if self.hard is None else [f"hard inputs: {self.hard}"]))


def reached_text(length: int, tested_to: int) -> str:
    """How far something gets, if it was tested up to ``tested_to``: who passes everything may well get further.

    >>> reached_text(16, 100), reached_text(100, 100)
    ('16', 'at least 100')
    """
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


def measure_lengths(
    policy: Any,
    task: Task | ProgramTask,
    *,
    to: int,
    rlg: bool = True,
    hard: bool = False,
    seed: int = 0,
    threads: int | None = None,
    journal: Journal | None = None,
    progress: Progress | None = None,
) -> Lengths:
    """Measure PLG (and RLG) of ``policy`` up to ``to`` digits, several problems at a time.

    ``hard`` adds hard problems at the largest length that passed. ``journal`` remembers every attempt, so that a
    stopped measurement goes on where it was. ``progress`` gets (length, done, total) as attempts end.

    >>> import dfst
    >>> add2 = dfst.task("add2")
    >>> result = measure_lengths(dfst.from_machine(add2.machine), add2, to=4)
    >>> result.plg, result.rlg, [rung.m for rung in result.rungs]
    (4, 4, [1, 2, 3, 4])
    """
    examiner = Examiner(policy, task)
    if not examiner.policy.compiled or task.machine is None:
        threads = 1  # it is Python, and may keep its state in itself
    return climb(Exam(examiner, threads, journal, progress), task, to, rlg=rlg, hard=hard, seed=seed)


def climb(
    exam: Exam, task: Task | ProgramTask, to: int, *, rlg: bool = True, hard: bool = False, seed: int = 0
) -> Lengths:
    """The lengths that pass ``exam``, whatever that asks."""
    check_length(to)
    random: dict[int, list[Attempt]] = {}
    same_digit: dict[int, list[Attempt]] = {}

    def passes_random(m: int) -> bool:
        if m not in random:
            random[m] = exam(m, "random", random_pairs(task, m, seed=seed))
        return _score(random[m]).perfect

    def passes_all(m: int) -> bool:
        if not passes_random(m):
            return False
        if m not in same_digit:
            same_digit[m] = exam(m, "same digit", same_digit_pairs(task, m))
        return _score(same_digit[m]).perfect

    robust, far = _climb(passes_all, to) if rlg else (None, to)
    plg, farther = _climb(passes_random, to)  # by itself: the same lengths whether or not an RLG is asked for
    to = min(far, farther)
    rungs = []
    for m in sorted(random):
        attempts = random[m] + same_digit.get(m, [])
        failure = next((attempt.problem for attempt in attempts if attempt.problem), None)
        rungs.append(Rung(m, _score(random[m]), _score(same_digit[m]) if m in same_digit else None, failure))
    reached = plg if robust is None else robust
    tried = exam(reached, "hard", hard_pairs(task, reached)) if hard and reached else None
    return Lengths(
        *(plg, robust, to, tuple(rungs)),
        hard=None if tried is None else _score(tried),
        hard_failure=next((attempt.problem for attempt in tried or [] if attempt.problem), None),
        seed=seed,
    )


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
        attempts = []
        with ThreadPoolExecutor(self.threads or os.cpu_count() or 1) as pool:
            try:
                for attempt in pool.map(lambda i: self._one(m, kind, i, problems[i]), range(len(problems))):
                    attempts.append(attempt)
                    if self.progress:
                        self.progress(m, len(attempts), len(problems))
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
        return attempts

    def _one(self, m: int, kind: str, number: int, problem: Operands) -> Attempt:
        journal, key = self.journal, (m, kind, number)
        match None if journal is None else journal.get(key):
            case [bool(), bool(), int(), str() | None] as known:
                assert journal is not None
                journal.taken.add(key)
                return Attempt(*known)
        attempt = self.examiner(problem)
        if journal is not None:
            journal.add(key, attempt)
        return attempt


def _score(attempts: Sequence[Attempt]) -> Score:
    return Score(len(attempts), sum(a.same_actions for a in attempts), sum(a.right_answer for a in attempts))
