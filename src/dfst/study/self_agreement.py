"""How long does a model last? As long as it does what the machine extracted from it does; no teacher is asked."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import NamedTuple

from dfst.study.exact_match import Attempt
from dfst.study.lengths import PAPER_LENGTHS, Exam, climb, ladder
from dfst.study.test_sets import random_pairs
from dfst.teachers.sampling import Operands
from dfst.teachers.task import Task
from dfst.training.model import DFST
from dfst.world.rollout import Outcome

_OWN_LENGTH, _OWN_STEPS = 200, 10**7
"""Where the paper names no length, agreement is measured to so many symbols, as long as a random problem takes at most
so many steps: the steps of a task may double with every symbol."""


class SelfAgreement(NamedTuple):
    """Up to what length a model does what its own machine does.

    ``length`` is measured as an RLG is, on random problems and on those of one symbol, ``random`` as a PLG, on random
    ones; ``to`` is as far as they were measured.
    """

    length: int
    random: int
    to: int


def self_agreement(
    model: DFST, own: Task, *, threads: int | None = None, progress: Callable[[], None] = lambda: None
) -> SelfAgreement:
    """How long ``model`` does what the machine of ``own`` does, which was extracted from it; both act side by side.

    ``progress`` is called as problems are solved.

    >>> import dfst
    >>> increment = dfst.task("increment")
    >>> self_agreement(dfst.from_machine(increment.machine), increment)
    SelfAgreement(length=200, random=200, to=200)
    """
    to = own_length(own.name)
    if own.name not in PAPER_LENGTHS:
        to = max(1, _halts_to(own, to, _OWN_STEPS))

    def examine(problem: Operands) -> Attempt:
        """Only whether they act alike until they halt: what a model answers that has gone astray is not asked."""
        limit = own.machine.limit_for(own.machine.place(problem), None)  # an unproven machine may never halt
        together = model.run(*problem, beside=own.machine, step_limit=limit)
        alike = together.outcome == Outcome.HALTED
        return Attempt(alike, alike, together.steps, None)

    found = climb(Exam(examine, threads, progress=lambda *where: progress()), own, to)
    return SelfAgreement(found.rlg or 0, found.plg, to)


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
