"""A task whose teacher is a Python program: it can be watched and tested, but no machine of it is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np

from dfst.errors import InputError, in_your_code, shown
from dfst.records import checked
from dfst.seeds import Stream
from dfst.teachers.sampling import Operands, Sampling, problem_count, same_symbol_count
from dfst.teachers.sampling import problems as sampled
from dfst.traces.observe import STEPS, Program, observe, watch, world_of
from dfst.traces.traces import Traces
from dfst.world.alphabet import Alphabet
from dfst.world.layout import Layout
from dfst.world.policy import Replay
from dfst.world.rollout import Outcome, Rollout, Trace
from dfst.world.worlds import World

Truth = Callable[..., str]

PROGRAM = "program in Python, as a teacher"

_FEW, _MOST = 30, 100
"""Without a sampling: as many short problems as stay below the first, and at most the second in all."""


@dataclass(frozen=True)
class ProgramTask:
    """A program (``program`` gets a :class:`dfst.Head`), how its problems are sampled, and what is right.

    ``answer`` is an independent truth: a Python function from the operands to the right answer, or None.
    """

    name: str
    program: Program = field(repr=False)
    world: World = field(repr=False)
    sampling: Sampling
    answer: Truth | None = field(default=None, repr=False)
    step_limit: int = field(default=STEPS, repr=False)

    machine: ClassVar[None] = None  # what a task has that can be proven against

    def __call__(self, head: Any) -> Any:
        """The program itself."""
        return self.program(head)

    @property
    def alphabet(self) -> Alphabet:
        """The symbols."""
        return self.world.alphabet

    @property
    def layout(self) -> Layout:
        """How problems stand on the grid."""
        return self.world.known

    def record(self, problems: Iterable[Sequence[str] | str], *, step_limit: int | None = None) -> Traces:
        """The traces of the program on ``problems``."""
        limit = self.step_limit if step_limit is None else step_limit
        return observe(self.program, problems, symbols=self.world, step_limit=limit)

    def sample(self, sampling: Sampling | None = None, *, seed: int = 42) -> Traces:
        """The traces of the program on the problems of ``sampling`` (its own by default), for ever the same."""
        return self.record(sampled(self.world, sampling or self.sampling, seed=seed))

    def show(self, *operands: str) -> Rollout:
        """What the program does about one problem; who did it can only do it again."""
        head = watch(self.program, operands, self.world, self.step_limit)
        trace = Trace(*np.array(head.steps, np.uint8).T.copy())
        again = Replay(self.name, self.world, trace).with_origin(self.name, PROGRAM)
        return Rollout(again, Outcome.HALTED, len(head.steps), head.cell, head.grid, trace=trace)

    def truth(self, *operands: str) -> str | None:
        """The right answer: that of ``answer``, or else what the program itself leaves on the grid."""
        if self.answer is None:
            return self.show(*operands).answer.text
        self.world.place(operands)
        try:
            right = self.answer(*operands)
        except BaseException as error:
            what = f"answer raised {in_your_code(error)} on {' and '.join(operands)}"
            raise InputError(what, where=self.name, do="Correct that function.") from error
        if not isinstance(right, str):
            what = f"answer says {shown(right)} on {' and '.join(operands)}, which is no text"
            raise InputError(what, where=self.name, do="Return the answer as it stands on the grid, a text.")
        return right

    def wrong_answers(self, number: int = 100, longest: int = 12, *, seed: int = 0) -> dict[Operands, str | None]:
        """Of so many random problems, those on which the program says something else than ``answer``, and what."""
        stream, wrong = Stream(seed, "answers"), {}
        for _ in range(number if self.answer is not None else 0):
            problem = tuple(operand.random(stream, 1 + stream.below(longest)) for operand in self.world.operands)
            said = self.show(*problem).answer.text
            if said != self.truth(*problem):
                wrong[problem] = said
        return wrong


@checked
def teacher(
    *,
    symbols: str | Sequence[str],
    problems: str | Sequence[str],
    between: str = "",
    answer: Truth | None = None,
    answer_row: int = 0,
    leading: str | None = None,
    sampling: Sampling | None = None,
    step_limit: int = STEPS,
) -> Callable[[Program], ProgramTask]:
    """Make a task of a Python function that gets a :class:`dfst.Head`.

    ``symbols`` are all that may stand on the grid (the blank is ``_``), ``problems`` those that problems are made of. A
    problem is one word of them; with ``between`` it is two words, with that symbol between them. ``answer`` is a
    function from the operands to the right answer, which is read on ``answer_row``, without any ``leading`` symbols.

    >>> @teacher(symbols="01", problems="01", answer=lambda word: word.translate({48: "1", 49: "0"}))
    ... def flip(head):
    ...     while head.see() != "_":
    ...         head.do("1" if head.see() == "0" else "0", "R")
    >>> flip.sample(), flip.truth("110"), flip.wrong_answers()
    (<Traces: 100 traces of flip, 645 steps>, '001', {})
    """
    if not problems:
        raise InputError("problems are made of no symbols", do='Say of which, such as problems="01".')
    gap = "" if all(len(symbol) == 1 for symbol in symbols) else " "
    word = gap.join(problems)
    world = world_of([(word, word) if between else (word,)], symbols, between)
    layout = replace(world.known, answer_row=answer_row, leading=leading)
    if mistake := next(replace(world, layout=layout).problems(), None):
        raise InputError(mistake.what, do=mistake.do)
    world = replace(world, layout=layout)

    def task_of(program: Program) -> ProgramTask:
        if not callable(program):
            raise InputError(f"{shown(program)} is not a function", do="Write @dfst.teacher(...) above one.")
        name = getattr(program, "__name__", "program")
        task = ProgramTask(name, program, world, Sampling(1, 1, 1), answer, step_limit)
        return ProgramTask(name, program, world, sampling or _sampling(task), answer, step_limit)

    return task_of


def _sampling(task: ProgramTask) -> Sampling:
    """All short problems as long as they are few, and random ones that are three symbols longer."""
    p = max((p for p in range(1, 12) if problem_count(task.world, p) <= _FEW), default=1)
    q = p + 3
    least = problem_count(task.world, p) + same_symbol_count(task.world)
    return Sampling(p, q, min(problem_count(task.world, q), max(2 * least, _MOST)))
