"""How a run ended, as data."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from dfst.shapes import UInt32
from dfst.world.grid import Cell, Grid, Window
from dfst.world.layout import Answer
from dfst.world.machine import GridMachine


class Outcome(StrEnum):
    """How a run ended; DIVERGED only if a teacher was followed."""

    HALTED = "halted"
    STUCK = "stuck"
    STEP_LIMIT = "step limit"
    ENDLESS = "never halts"
    LEFT = "left the allowed area"
    DIVERGED = "diverged from the teacher"


def explained(outcome: Outcome, steps: int, where: str, *, stuck: str, endless: str = "") -> str:
    """How a run ended, in words: after how many steps, ``where``, and why if it is ``stuck`` or ``endless``."""
    after = f"after {steps} steps"
    return {
        Outcome.HALTED: f"halted {after}",
        Outcome.STUCK: f"stuck {after}, {where}: {stuck}",
        Outcome.STEP_LIMIT: f"stopped at the step limit, {after}, {where}",
        Outcome.ENDLESS: f"{endless}, seen {after}, {where}",
        Outcome.LEFT: f"left the allowed area {after}, {where}",
        Outcome.DIVERGED: f"diverged from the teacher {after}, {where}",
    }[outcome]


@dataclass(frozen=True)
class Run:
    """A finished run: how it ended, after how many steps, in which state (``halt`` if halted) and cell, on what grid.

    ``pairs`` is None or, if asked for, the visited pairs in order: state number · K + symbol number, one per step. A
    run that never halts repeats itself after every ``period`` steps, or moves on over blanks (then that is 0).
    """

    machine: GridMachine
    outcome: Outcome
    steps: int
    state: str
    cell: Cell
    grid: Grid | Window
    pairs: UInt32[np.ndarray, " steps"] | None = field(default=None, repr=False)
    period: int = 0

    @property
    def answer(self) -> Answer:
        """What stands on the grid, read as the machine's layout says; no answer unless the machine halted."""
        if self.outcome != Outcome.HALTED:
            return Answer(None, False, self.grid)
        return self.machine.layout.read(self.grid)

    def explain(self) -> str:
        """The outcome in words."""
        seen = self.machine.alphabet.symbols[self.grid[self.cell]]
        where = f"in state {self.state} at cell {self.cell}"
        endless = f"repeats itself every {self.period} steps" if self.period else "moves on over blanks for ever"
        return explained(self.outcome, self.steps, where, stuck=f"no rule for ({self.state}, {seen})", endless=endless)

    def __str__(self) -> str:
        return f"{self.grid.text()}\n{self.explain()}"

    def _repr_html_(self) -> str:
        return self.grid.html(f"{self.machine.name} {self.explain()}.", self.cell)
