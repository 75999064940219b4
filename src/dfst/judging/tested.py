"""A policy tested against a program, of which no machine is known: "tested, not proven"."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dfst.errors import InputError, printable
from dfst.explained import Explained
from dfst.extraction.pipeline import Extraction, extract
from dfst.judging.certification import make_room, write_machine
from dfst.judging.exact_match import Exam, Examiner, Score
from dfst.judging.test_sets import check_length
from dfst.names import learner_in, machine_of, traces_of
from dfst.own import with_layout
from dfst.records import checked
from dfst.seeds import Stream
from dfst.teachers.program import ProgramTask
from dfst.traces.traces import Traces
from dfst.world.machine import GridMachine
from dfst.world.policy import Policy

PROBLEMS = 1000
"""How many problems are tried, if nothing else is asked."""

_TIMES = 4
"""They are up to this many times as long as those that the program was watched on."""


@dataclass(frozen=True, repr=False)
class Tested(Explained):
    """On how many problems the machine that was extracted from a policy does what a program does.

    ``number`` random problems of operands of up to ``longest`` symbols were tried: on ``same_actions`` of them every
    step was the program's, on ``right_answers`` the answer was right. ``failure`` is the first difference, in words.
    """

    program: str
    machine: GridMachine = field(repr=False)
    extraction: Extraction | None = field(repr=False)
    number: int
    longest: int
    same_actions: int
    right_answers: int
    failure: str = ""
    seed: int = 0

    @property
    def passed(self) -> bool:
        """Whether every step and every answer was right."""
        return self.same_actions == self.right_answers == self.number

    @property
    def exact(self) -> bool:
        """Never: of a program no machine is known, so that nothing can be proven."""
        return False

    proven = exact

    def explain(self) -> str:
        """In words."""
        subject = "the machine" if self.extraction is None else "the extracted machine"
        tried = f"{self.number} random problems of up to {self.longest} symbols"
        lines = [f"{subject} ({len(self.machine.states)} states), tested, not proven:"]
        if self.passed:
            lines.append(f"it does what the program {self.program} does, and answers right, on all of {tried}.")
        else:
            same = f"it does what the program {self.program} does on {self.same_actions} of {tried}"
            lines.append(f"{same}, and answers right on {self.right_answers}; {self.failure}.")
        return "\n".join(map(printable, lines))

    def to_json(self) -> dict[str, Any]:
        """The same facts for a program."""
        names = ("program", "number", "longest", "same_actions", "right_answers", "failure", "seed", "passed")
        return {name: getattr(self, name) for name in names} | {"states": len(self.machine.states)}


@checked
def try_out(
    policy: Policy,
    task: ProgramTask,
    *,
    traces: Traces | None = None,
    number: int = PROBLEMS,
    to: int | None = None,
    seed: int = 0,
    seconds: float | None = None,
    out: Path | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> Tested:
    """Extract the machine that ``policy`` has learned, and try it and the program of ``task`` on random problems.

    They have up to ``to`` symbols, by default four times as many as the longest the program is watched on. The machine
    is written to the folder ``out``, if there is one, in the place of any older verdict.
    """
    if number < 1:
        raise InputError(f"{number} problems cannot be tried", where="number", do="Use 1 or more.")
    longest = _TIMES * task.sampling.q if to is None else to
    check_length(longest)
    if out is not None:
        make_room(out, policy)
    extraction = None
    if not isinstance(policy, GridMachine):
        known = traces is not None or policy.origin.folder is not None
        data = with_layout(policy, traces_of(policy, traces) if known else task.sample())
        extraction = extract(learner_in(policy), data, seconds=seconds, progress=say)
    machine = machine_of(policy) if extraction is None else extraction.machine
    if out is not None:
        write_machine(out, machine)
    stream, operands, problems = Stream(seed, "tested"), task.world.operands, []
    for _ in range(number):
        lengths = [1 + stream.below(longest) if each.many else 1 for each in operands]
        words = ([stream.choice(each.symbols) for _ in range(n)] for each, n in zip(operands, lengths, strict=True))
        problems.append(tuple(each.word(word) for each, word in zip(operands, words, strict=True)))
    exam = Exam(Examiner(machine, task), 1, progress=lambda _, done, total: say(f"tried {done} of {total} problems"))
    attempts = exam(longest, "random", problems)
    score, failure = Score.of(attempts), next((attempt.problem for attempt in attempts if attempt.problem), "")
    return Tested(
        task.name, machine, extraction, number, longest, score.same_actions, score.right_answers, failure, seed
    )
