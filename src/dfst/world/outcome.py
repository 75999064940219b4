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
    LEFT = "left the allowed area"
    DIVERGED = "diverged from the teacher"


@dataclass(frozen=True)
class Run:
    """A finished run: how it ended, after how many steps, in which state (``halt`` if halted) and cell, on what grid.

    ``pairs`` is None or, if asked for, the visited pairs in order: state number · K + symbol number, one per step.
    """

    machine: GridMachine
    outcome: Outcome
    steps: int
    state: str
    cell: Cell
    grid: Grid | Window
    pairs: UInt32[np.ndarray, " steps"] | None = field(default=None, repr=False)

    @property
    def answer(self) -> Answer:
        """What stands on the grid, read as the machine's layout says; no answer unless the machine halted."""
        if self.outcome != Outcome.HALTED:
            return Answer(None, False, self.grid)
        return self.machine.layout.read(self.grid)

    def explain(self) -> str:
        """The outcome in words."""
        seen = self.machine.alphabet.symbols[self.grid[self.cell]]
        match self.outcome:
            case Outcome.HALTED:
                return f"halted after {self.steps} steps"
            case Outcome.STUCK:
                return f"stuck after {self.steps} steps: no rule for ({self.state}, {seen}) at cell {self.cell}"
            case Outcome.STEP_LIMIT:
                return f"stopped at the step limit, after {self.steps} steps, in state {self.state} at cell {self.cell}"
            case Outcome.LEFT:
                return f"left the allowed area after {self.steps} steps, for cell {self.cell}, in state {self.state}"
            case Outcome.DIVERGED:
                raise AssertionError("a machine alone cannot diverge")

    def _repr_html_(self) -> str:
        return self.grid.html(f"{self.machine.name} {self.explain()}.", self.cell)
