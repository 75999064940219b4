"""Letting a machine run on the grid: step by step, or to an outcome that is data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from dfst.errors import InputError
from dfst.shapes import UInt8
from dfst.world.grid import Area, Cell, Grid, Window
from dfst.world.machine import HALT, HALTED, GridMachine
from dfst.world.moves import OFFSETS, Move
from dfst.world.outcome import Outcome, Run

STEP_LIMIT = 10**12
"""The default step limit: a quarter of an hour to an hour and a half, depending on how much can be skipped."""

_REFERENCE_STEPS = 20_000
"""Engine "auto" starts with the reference and goes over to the compiled runner here: importing numba takes as long."""

Engine = Literal["auto", "reference", "compiled", "skipping"]


@dataclass(frozen=True)
class Configuration:
    """One step about to happen: at ``step``, in ``state`` on ``cell`` seeing ``seen``, the machine writes and moves."""

    step: int
    state: str
    cell: Cell
    seen: str
    written: str
    move: Move


def configurations(machine: GridMachine, *operands: str) -> Iterator[Configuration]:
    """The run as a generator, one frozen configuration per step; it ends when the machine halts or is stuck.

    >>> from dfst import task
    >>> for c in configurations(task("add2").machine, "1", "1"):
    ...     print(c.step, c.state, c.cell, c.seen, "->", c.written, c.move.name)
    ...     if c.step == 2: break
    0 enter (-1, 0) _ -> 0 R
    1 enter (0, 0) 1 -> 1 R
    2 enter (1, 0) + -> + L
    """
    walk, symbols = _Walk(machine, machine.place(operands)), machine.alphabet.symbols
    while walk.outcome == Outcome.STEP_LIMIT:
        step, state, cell, seen = walk.steps, walk.state, walk.cell, walk.grid[walk.cell]
        entry = machine.table[state][seen]
        if entry is not None:
            yield Configuration(step, machine.states[state], cell, symbols[seen], symbols[entry[1]], Move(entry[2]))
        walk.advance(1)


def run(
    machine: GridMachine,
    *operands: str,
    step_limit: int = STEP_LIMIT,
    engine: Engine = "auto",
    record: bool = False,
    reach: int | None = None,
) -> Run:
    """Run ``machine`` on ``operands`` until it halts, is stuck, leaves the allowed area, or reaches ``step_limit``.

    ``engine`` is "reference" (plain Python, sparse grid), "compiled" (numba, dense window), "skipping" (compiled, and
    whole walks in one state at once) or "auto"; all make the same run to the last step and cell. ``record`` keeps the
    visited pairs. ``reach`` is how many cells beyond the input the machine may go; without it, as far as a window of
    2^30 cells.

    >>> from dfst import task
    >>> result = run(task("add10").machine, "999", "1")
    >>> result.outcome.value, result.answer.text, result.answer.cells
    ('halted', '1000', '1000')
    """
    check_limits(step_limit, reach)
    if engine not in get_args(Engine):
        raise InputError(f"there is no engine called {engine!r}", do=f"Engines are {', '.join(get_args(Engine))}.")
    tape = machine.place(operands)
    area = None if reach is None else Area.around(len(tape), reach)
    walk = _Walk(machine, tape, record, area)
    walk.advance({"reference": step_limit, "auto": min(step_limit, _REFERENCE_STEPS)}.get(engine, 0))
    if engine != "reference" and walk.outcome == Outcome.STEP_LIMIT:
        from dfst.world.compiled import finish

        # long runs begin on the tape, so that the window is made once and not from a sparse grid
        window = Window(machine.alphabet, tape, area) if not walk.steps else Window.of(walk.grid, area)
        skip = engine != "compiled" and not record
        return finish(machine, window, step_limit, walk.visited, walk.state, walk.cell, walk.steps, skip=skip)
    state = HALT if walk.state == HALTED else machine.states[walk.state]
    pairs = None if walk.visited is None else np.array(walk.visited, np.uint32)
    return Run(machine, walk.outcome, walk.steps, state, walk.cell, walk.grid, pairs)


def check_limits(step_limit: int, reach: int | None) -> None:
    """Refuse negative limits."""
    if step_limit < 0:
        raise InputError(f"a step limit of {step_limit} is negative", do="Give 0 or more.")
    if reach is not None and reach < 0:
        raise InputError(f"a reach of {reach} cells is negative", do="Give 0 or more.")


class _Walk:
    """The reference runner: a machine part-way through a run."""

    def __init__(
        self,
        machine: GridMachine,
        tape: UInt8[np.ndarray, " length"],
        record: bool = False,
        area: Area | None = None,
    ) -> None:
        self.machine, self.area = machine, area
        self.grid = Grid(machine.alphabet, tape)
        self.state, self.cell = machine.start, machine.layout.head
        self.visited: list[int] | None = [] if record else None
        self.steps = 0
        self.outcome = Outcome.STEP_LIMIT  # until it is seen to end otherwise

    def advance(self, steps: int) -> None:
        """At most ``steps`` more steps."""
        grid, table, visited, symbols = self.grid, self.machine.table, self.visited, len(self.machine.alphabet)
        state, cell, area = self.state, self.cell, self.area
        for _ in range(steps):
            if area is not None and cell not in area:
                self.outcome = Outcome.LEFT
                break
            seen = grid[cell]
            entry = table[state][seen]
            if entry is None:
                self.outcome = Outcome.STUCK
                break
            if visited is not None:
                visited.append(state * symbols + seen)
            state, written, move = entry
            grid[cell] = written
            dx, dy = OFFSETS[move]
            cell = (cell[0] + dx, cell[1] + dy)
            self.steps += 1
            if state == HALTED:
                self.outcome = Outcome.HALTED
                break
        self.state, self.cell = state, cell
