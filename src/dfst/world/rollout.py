"""One rollout of a policy on the grid, as data: how it ended, where, and what was seen of it on the way."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

import numpy as np

from dfst.shapes import Float, UInt8, UInt32
from dfst.world.grid import Cell, Grid, Window
from dfst.world.layout import Answer


class Outcome(StrEnum):
    """How a rollout ended; DIVERGED only if it was made in step with a teacher."""

    HALTED = "halted"
    STUCK = "stuck"
    STEP_LIMIT = "step limit"
    ENDLESS = "never halts"
    LEFT = "left the allowed area"
    DIVERGED = "diverged from the teacher"


class Trace(NamedTuple):
    """One rollout as an observer sees it, T steps: the symbol seen, the symbol written, the move. Never the state.

    The paper defines both x_t and s_t as w_t(p_t); the written symbol is w_{t+1}(p_t), and that is meant here.
    """

    seen: UInt8[np.ndarray, " T"]
    written: UInt8[np.ndarray, " T"]
    moves: UInt8[np.ndarray, " T"]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Trace) and all(map(np.array_equal, self, other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = None  # pyright: ignore[reportAssignmentType]


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return np.array_equal(one, other, equal_nan=True)
    return bool(one == other)


@dataclass(frozen=True)
class Divergence:
    """The first step at which a policy does not do what its teacher does.

    ``expected`` is the teacher's (symbol, move), or None where it has no rule; ``done`` is the policy's, or None where
    it returns no action. ``state`` is the teacher's state, if that has a name.
    """

    step: int
    cell: Cell
    state: str
    seen: str
    expected: tuple[str, str] | None
    done: tuple[str, str] | None

    @property
    def unclaimed(self) -> bool:
        """Whether only the teacher is stuck: nothing is asked of the policy from there on."""
        return self.expected is None

    def explain(self, *, talk: bool = False) -> str:
        """In words; those of a conversation, if it is a ``talk``."""
        acts = [
            "has no rule" if act is None else f"answers {act[0]}" if talk else f"writes {act[0]} and moves {act[1]}"
            for act in (self.expected, self.done)
        ]
        where = f"at step {self.step}, on cell {self.cell}, seeing {self.seen}"
        where = f"at {self.seen} (number {self.step + 1})" if talk else where
        where += f" (teacher's state {self.state})" if self.state else ""
        return f"{where}, the teacher {acts[0]} and the policy {acts[1]}"


@dataclass(frozen=True)
class Drift:
    """How sure a float model is of what it does along one rollout.

    A margin is how far the score of the teacher's action is ahead of the best other score, relative to the largest
    score in size, the smaller of the two heads: 1 for a one-hot model, 0 where two scores tie, negative where the model
    does something else. ``least`` and ``last`` are about the steps at which the model did what the teacher does
    (infinite if there are none). ``error`` holds the margins of the teacher's symbol and of its move at the next step
    if the model left the teacher there: at least one of them is not positive. It is None if the model never left the
    teacher, and if the teacher has no rule there.
    """

    least: float
    last: float
    error: tuple[float, float] | None = None

    @property
    def margin(self) -> float:
        """The smallest of all, with the step at which the model left the teacher: then it is negative, or 0 at a tie.

        >>> import dfst
        >>> model, teacher = dfst.load("add2:raw"), dfst.task("add2").machine
        >>> for digits in (5, 40):
        ...     result = model.run("1" * digits, "1" * digits, beside=teacher, drift=True)
        ...     print(result.outcome.value, result.drift.margin > 0)
        halted True
        diverged from the teacher False
        """
        return min([self.least, *(self.error or ())])


@dataclass(frozen=True, eq=False)
class Rollout:
    """A finished rollout of ``policy``: how it ended, after how many steps, in which cell, on what grid.

    ``state`` is a machine's last state (``halt`` if it halted). One that never halts repeats itself after every
    ``period`` steps, or moves on over blanks (then that is 0). ``divergence`` is the first difference, if it was made
    in step with a teacher and there is one.

    If its steps were recorded, ``trace`` has them; for a machine ``pairs`` has its (state, symbol) at each of them, as
    state number · K + symbol number, and for a float model ``margins`` how far the winning symbol and the winning move
    were ahead of the second, relative to the largest score in size. ``drift`` is such a record in little room.
    """

    policy: Any
    outcome: Outcome
    steps: int
    cell: Cell
    grid: Grid | Window = field(repr=False)
    state: str = ""
    period: int = 0
    divergence: Divergence | None = None
    trace: Trace | None = field(default=None, repr=False)
    pairs: UInt32[np.ndarray, " T"] | None = field(default=None, repr=False)
    margins: Float[np.ndarray, "T 2"] | None = field(default=None, repr=False)
    drift: Drift | None = field(default=None, repr=False)

    def __eq__(self, other: object) -> bool:
        """Whether all fields are equal, arrays by what they hold."""
        return isinstance(other, Rollout) and all(map(_same, vars(self).values(), vars(other).values()))

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    @property
    def answer(self) -> Answer:
        """What stands on the grid, read as the policy's layout says; no answer unless it halted."""
        return self.grid.answer() if self.outcome == Outcome.HALTED else Answer(None, False, self.grid)

    def to_json(self) -> dict[str, Any]:
        """For a program: the answer, and how it ended."""
        answer, end = self.answer, {"steps": self.steps, "outcome": self.outcome.value}
        return {"answer": answer.text, "cells": answer.cells} | end | {"only_answer_left": answer.only_answer_left}

    def explain(self) -> str:
        """The outcome in words."""
        inputs, talk = self.steps - (self.outcome == Outcome.HALTED), self.policy.world.is_conversation
        if self.divergence is not None:
            return f"diverged from the teacher: {self.divergence.explain(talk=talk)}"
        after = f"after {inputs} input{'s' * (inputs != 1)}" if talk else f"after {self.steps} steps"
        seen = self.policy.alphabet.symbols[self.grid[self.cell]]
        where = f"{f'in state {self.state} ' * bool(self.state)}at {seen if talk else f'cell {self.cell}'}"
        why = f"no rule for ({self.state}, {seen})" if self.state else self.policy.silence
        endless = f"repeats itself every {self.period} steps" if self.period else "moves on over blanks for ever"
        return {
            Outcome.HALTED: f"halted {after}",
            Outcome.STUCK: f"stuck {after}, {where}: {why}",
            Outcome.STEP_LIMIT: f"stopped at the step limit, {after}, {where}",
            Outcome.ENDLESS: f"{endless}, seen {after}, {where}",
            Outcome.LEFT: f"left the allowed area {after}, {where}",
            Outcome.DIVERGED: f"diverged from the teacher {after}, {where}",
        }[self.outcome]

    def __str__(self) -> str:
        return f"{self.grid.text()}\n{self.explain()}"

    def _repr_html_(self) -> str:
        return self.grid.html(f"{self.policy.name} {self.explain()}.", self.cell)
