"""A task: a teacher, what to learn it from, and what is right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from dfst.world.machine import GridMachine
from dfst.world.outcome import Outcome
from dfst.world.run import run

Operands = tuple[str, ...]


@dataclass(frozen=True)
class Sampling:
    """Problems to learn from: all short ones, those of one symbol, random ones; ``n`` in all.

    All problems whose operands have up to ``p`` symbols, all whose operands repeat one symbol ``q`` times, and random
    ones of up to ``q`` symbols that are not in the set yet.

    This is the paper's scheme for pairs of numbers, generalised. Its count of the random part,
    N - R²(Rᵖ-1)²/(R-1)² + R², slips: the same-digit pairs are to be subtracted as well, so that the set has N traces.
    "Numbers of up to q digits" are digit strings, leading zeros allowed (its own count of short pairs implies that),
    drawn uniformly from all of them, so that longer ones are more frequent.
    """

    p: int
    q: int
    n: int


@dataclass(frozen=True)
class Task:
    """A teacher (``machine``), how its problems are sampled, and the DFST that learns it.

    ``training`` are fields of the fast recipe that it needs otherwise. ``answers`` is an independent truth: right
    answers for some problems, from elsewhere than the teacher. ``text`` is the file it was read from, if there is one.
    """

    name: str
    machine: GridMachine
    hidden_dim: int
    sampling: Sampling
    training: Mapping[str, Any] = field(default_factory=dict)
    answers: Mapping[Operands, str] = field(default_factory=dict, repr=False)
    text: str = field(default="", repr=False)

    def truth(self, *operands: str) -> str | None:
        """The right answer: that of ``answers``, or of the teacher itself where nobody else has said anything."""
        self.machine.place(operands)
        if operands in self.answers:
            return self.answers[operands]
        return run(self.machine, *operands, engine="skipping").answer.text

    def wrong_answers(self) -> dict[Operands, str | None]:
        """The problems of ``answers`` on which the teacher says something else, and what it says."""
        wrong = {}
        for operands, right in self.answers.items():
            result = run(self.machine, *operands)
            text = result.answer.text if result.outcome == Outcome.HALTED else None
            if text != right:
                wrong[operands] = text
        return wrong
