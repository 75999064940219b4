"""Letting a machine run on the grid: step by step, or to an outcome that is data."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from dfst.errors import InputError, shortened
from dfst.shapes import UInt8
from dfst.world.grid import Area, Cell, Grid, Window
from dfst.world.machine import HALT, HALTED, GridMachine
from dfst.world.moves import OFFSETS, Move
from dfst.world.outcome import Outcome, Run

_PATIENCE = 10**8
"""The default step limit for a short input: a second or two."""

_REFERENCE_STEPS, _WATCHED_FROM = 20_000, 10_000
"""Engine "auto" starts with the reference and goes over to the compiled runner after so many steps, because importing
numba takes as long; the second half of them is watched for repetitions."""

_WATCHED_AGAIN, _MOST_WATCHED = 10**6, 100_000
"""A compiled run is watched from here on for a while, if no more cells than these are filled."""

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
    step_limit: int | None = None,
    engine: Engine = "auto",
    record: bool = False,
    reach: int | None = None,
) -> Run:
    """Run ``machine`` on ``operands`` until it halts, is stuck, leaves the allowed area, or reaches ``step_limit``.

    Without ``step_limit`` that is the ``patience`` that the input deserves. A run that repeats itself, or moves on
    over blanks for ever, is ended earlier, after ten thousand steps or more, as one that never halts; not every run
    that never halts is found out.

    ``engine`` is "reference" (plain Python, sparse grid), "compiled" (numba, dense window), "skipping" (compiled, and
    whole walks in one state at once) or "auto"; all make the same run, to the last step and cell, if it ends. The
    reference looks for no repetition, and the others look for it at different steps. ``record`` keeps the visited
    pairs. ``reach`` is how many cells beyond the input the machine may go; without it, as far as a window of 2^30
    cells.

    >>> from dfst import task
    >>> result = run(task("add10").machine, "999", "1")
    >>> result.outcome.value, result.answer.text, result.answer.cells
    ('halted', '1000', '1000')
    """
    check_limits(step_limit, reach)
    if engine not in get_args(Engine):
        raise InputError(f"there is no engine called {engine!r}", do=f"Engines are {', '.join(get_args(Engine))}.")
    tape = machine.place(operands)
    limit = patience(len(tape)) if step_limit is None else step_limit
    area = None if reach is None else Area.around(len(tape), reach)
    walk = _Walk(machine, tape, record, area)
    if engine == "reference":
        walk.advance(limit)
    elif engine == "auto":
        walk.advance(min(limit, _WATCHED_FROM))
        walk.watch(min(limit, _REFERENCE_STEPS) - walk.steps)
    if engine == "reference" or walk.outcome != Outcome.STEP_LIMIT or walk.steps == limit:
        return walk.result()
    return _compiled(walk, tape, limit, skip=engine != "compiled" and not record)


def _compiled(walk: _Walk, tape: UInt8[np.ndarray, " length"], limit: int, *, skip: bool) -> Run:
    """The rest of the run, compiled, and watched for a while after _WATCHED_AGAIN steps."""
    from dfst.world.compiled import finish

    machine, area = walk.machine, walk.area
    # long runs begin on the tape, so that the window is made once and not from a sparse grid
    window = Window(machine.alphabet, tape, area) if not walk.steps else Window.of(walk.grid, area)
    first = min(limit, _WATCHED_AGAIN)
    result = finish(machine, window, first, walk.visited, walk.state, walk.cell, walk.steps, skip=skip)
    if result.outcome != Outcome.STEP_LIMIT or result.steps == limit:
        return result
    if window.count() <= _MOST_WATCHED:
        watched = _Walk(machine, tape, area=area)
        watched.go_on_from(result)
        watched.watch(_REFERENCE_STEPS - _WATCHED_FROM)
        if watched.outcome == Outcome.ENDLESS:
            return replace(result, outcome=Outcome.ENDLESS, period=watched.period)
    state = machine.states.index(result.state)
    return finish(machine, window, limit, result.pairs, state, result.cell, result.steps, skip=skip)


class TooSlowError(InputError):
    """A run takes more steps than anybody waits for; whether it ever halts is not known."""


def run_to_end(machine: GridMachine, *operands: str, whose: str = "machine") -> Run:
    """A run that halts or is stuck; one of which that is not known, or that never halts, is refused.

    >>> from dfst import task
    >>> run_to_end(task("add10").machine, "999", "1").steps
    36
    """
    result = run(machine, *operands, engine="skipping")
    if result.outcome in (Outcome.HALTED, Outcome.STUCK):
        return result
    problem = " ".join(map(shortened, operands))
    if result.outcome == Outcome.STEP_LIMIT:
        what = f"on {problem} the {whose} did not halt within {result.steps:,} steps"
        raise TooSlowError(
            what, where=machine.name, do="Does it ever halt? If it only takes long, use shorter problems."
        )
    what = f"on {problem} the {whose} does not halt: {result.explain()}"
    raise InputError(what, where=machine.name, do="Change its rules, or use problems on which it halts.")


def patience(length: int, least: int = _PATIENCE) -> int:
    """The default step limit for an input of ``length`` symbols: ``least``, and the cube of its length.

    A step limit is what ends a run that never halts, so a person should be able to wait for it; no task that comes with
    dfst takes more than a cubic number of steps, except those whose answer grows exponentially.

    >>> patience(5), patience(1000)
    (100000125, 1100000000)
    """
    return least + length**3


def check_limits(step_limit: int | None, reach: int | None) -> None:
    """Refuse negative limits."""
    if step_limit is not None and step_limit < 0:
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
        self.steps = self.period = 0
        self.outcome = Outcome.STEP_LIMIT  # until it is seen to end otherwise

    def go_on_from(self, so_far: Run) -> None:
        """Take over a run from where it is; nothing is recorded."""
        self.grid = Grid(self.machine.alphabet)
        for cell, symbol in so_far.grid.cells():
            self.grid[cell] = symbol
        self.state, self.cell, self.steps = self.machine.states.index(so_far.state), so_far.cell, so_far.steps

    def result(self) -> Run:
        """The run as it ended."""
        state = HALT if self.state == HALTED else self.machine.states[self.state]
        pairs = None if self.visited is None else np.array(self.visited, np.uint32)
        return Run(self.machine, self.outcome, self.steps, state, self.cell, self.grid, pairs, self.period)

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

    def watch(self, steps: int) -> None:
        """At most ``steps`` more steps, but no further than to where it is clear that it never halts.

        That is so if it moves on over blanks for ever, or if state, cell and grid are what they were when this began.
        """
        if self.outcome == Outcome.STEP_LIMIT and steps > 0 and self._runs_away():
            self.outcome = Outcome.ENDLESS
        begin, start, blank = self.steps, (self.state, self.cell), self.machine.alphabet.blank_index
        before, changed = dict(self.grid.cells()), set[Cell]()
        for _ in range(steps):
            if self.outcome != Outcome.STEP_LIMIT:
                return
            here = self.cell
            self.advance(1)
            (changed.discard if self.grid[here] == before.get(here, blank) else changed.add)(here)
            if self.outcome == Outcome.STEP_LIMIT and not changed and (self.state, self.cell) == start:
                self.outcome, self.period = Outcome.ENDLESS, self.steps - begin

    def _runs_away(self) -> bool:
        """Whether only blanks lie ahead, and no rule for blanks ever turns back."""
        if self.area is not None:
            return False  # which it will leave
        ways, state = set[Move](), self.state
        for _ in self.machine.states:  # after so many steps over blanks, a state has come again
            entry = self.machine.table[state][self.machine.alphabet.blank_index]
            if entry is None or entry[0] == HALTED:
                return False
            state = entry[0]
            ways.add(Move(entry[2]))
        if {Move.L, Move.R} <= ways or {Move.U, Move.D} <= ways:
            return False  # without both it comes to no cell twice
        (x, y), (columns, rows, _) = self.cell, self.grid.points()
        return not len(columns) or bool(
            (x > columns.max() and Move.L not in ways)
            or (x < columns.min() and Move.R not in ways)
            or (y > rows.max() and Move.D not in ways)
            or (y < rows.min() and Move.U not in ways)
        )
