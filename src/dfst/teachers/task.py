"""A task: a teacher, what to learn it from, and what is right."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from dfst.errors import MachineError, Mistake
from dfst.teachers.numerals import to_digits, to_int
from dfst.teachers.sampling import Operands, Sampling, problems
from dfst.traces.record import record
from dfst.traces.traces import Traces
from dfst.world.conversation import answerable
from dfst.world.machine import GridMachine
from dfst.world.rollout import Outcome, Rollout
from dfst.world.worlds import World

_SHOWN = 10
"""Wrong answers that are shown; a machine that is wrong on one problem is often wrong on all."""

_STEPS = 10**6
"""How far a machine that gives no answer is run again to say why."""


@dataclass(frozen=True)
class Task:
    """A teacher (``machine``), how its problems are sampled, and the DFST that learns it.

    ``recipes`` are the numbers of a recipe that it needs otherwise, by the recipe's name. ``length`` is as far as the
    paper could test it. ``answers`` is an independent truth: right answers for some problems, from elsewhere than the
    teacher. ``text`` is the file it was read from, if there is one.
    """

    name: str
    machine: GridMachine
    hidden_dim: int
    sampling: Sampling
    recipes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, repr=False)
    answers: Mapping[Operands, str] = field(default_factory=dict, repr=False)
    text: str = field(default="", repr=False)
    length: int | None = None

    @property
    def world(self) -> World:
        """The teacher's."""
        return self.machine.world

    def truth(self, *operands: str) -> str | None:
        """The right answer: that of ``answers``, or of the teacher itself where nobody else has said anything."""
        self.machine.place(operands)
        if operands in self.answers:
            return self.answers[operands]
        return self.show(*operands).answer.text

    def show(self, *operands: str) -> Rollout:
        """What the teacher does about one problem, to its end."""
        return self.machine.run_to_end(*operands, whose="teacher")

    def record(self, problems: Iterable[Operands], *, step_limit: int | None = None) -> Traces:
        """The traces of the teacher on ``problems``."""
        return record(self.machine, problems, step_limit=step_limit)

    def sample(
        self,
        sampling: Sampling | None = None,
        *,
        seed: int = 42,
        progress: Callable[[int, int], None] | None = None,
    ) -> Traces:
        """The traces of the teacher on the problems of ``sampling`` (the task's own by default), for ever the same.

        >>> import dfst
        >>> traces = dfst.task("add10").sample(dfst.Sampling(p=1, q=2, n=210), seed=7)
        >>> len(traces), traces.problems[0], traces.problems[100], traces.problems[-1]
        (210, ('0', '0'), ('00', '00'), ('19', '03'))
        """
        given = answerable(self.machine, problems(self.world, sampling or self.sampling, seed=seed))
        return record(self.machine, given, progress=progress)

    def wrong_answers(self) -> dict[Operands, str | None]:
        """The problems of ``answers`` on which the teacher says something else, and what it says.

        Where it does not halt it says nothing; a teacher that was waited for in vain is asked no further.
        """
        wrong = {}
        for operands, right in self.answers.items():
            result = self.machine.run(*operands)
            text = result.answer.text if result.outcome == Outcome.HALTED else None
            if text != right:
                wrong[operands] = text
            if result.outcome == Outcome.STEP_LIMIT:
                break
        return wrong

    def check_answers(self, where: str = "") -> None:
        """Refuse a teacher that does not give the right ``answers``; ``where`` they are."""
        wrong, do = self.wrong_answers(), "Change the rules, or the answers."
        mistakes = []
        for operands, said in list(wrong.items())[:_SHOWN]:
            says = f"it says {said}"
            if said is None:
                ended = self.machine.run(*operands, step_limit=_STEPS)
                why = ended.explain() if ended.outcome != Outcome.HALTED else "its row holds something else"
                says = f"it gives no answer ({why})"
            mistakes.append(Mistake(f"on {' '.join(operands)} {says}, not {self.answers[operands]}", do))
        if len(wrong) > _SHOWN:
            mistakes.append(Mistake(f"{len(wrong) - _SHOWN} more answers are wrong", do))
        if mistakes:
            raise MachineError(mistakes, where=where)


@dataclass(frozen=True, kw_only=True)
class ArithmeticTask(Task):
    """A teacher of ``operation`` in ``radix``.

    A teacher defines only pairs (state, symbol) that some problem really reaches, so that "reachable" simply means
    "defined". ``hidden_dim`` is the dimension of the DFST that learns it, as in the paper; the teacher itself may have
    fewer states.

    >>> from dfst import task
    >>> teacher = task("mult2")
    >>> teacher.machine, teacher.truth("110", "11")
    (GridMachine('mult2', 27 states, 4 symbols, 61 rules), '10010')
    """

    radix: int
    operation: Callable[[int, int], int] = field(repr=False)

    def truth(self, *operands: str) -> str:
        """The right answer by Python's integers, without leading zeros; refuses what the machine refuses."""
        self.machine.place(operands)
        alphabet = self.machine.alphabet
        x, y = (to_int(alphabet.decode(alphabet.encode(digits)), self.radix) for digits in operands)
        return to_digits(self.operation(x, y), self.radix)
