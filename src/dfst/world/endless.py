"""Finding out that a machine never halts, while it runs."""

from __future__ import annotations

from dfst.world.grid import Cell
from dfst.world.moves import HALTED, Move
from dfst.world.policy import Walk
from dfst.world.rollout import Outcome


def watch(walk: Walk, steps: int) -> None:
    """At most ``steps`` more steps, but no further than to where it is clear that it never halts.

    That is so if it moves on over blanks for ever, or if state, cell and grid are what they were when this began.
    """
    if walk.outcome != Outcome.STEP_LIMIT or steps <= 0:
        return
    if _runs_away(walk):
        walk.outcome = Outcome.ENDLESS
        return
    begin, start, grid, blank = walk.steps, (walk.state, walk.cell), walk.grid, walk.policy.alphabet.blank_index
    before, changed = dict(grid.cells()), set[Cell]()

    def repeats(left: Cell, state: int, cell: Cell) -> bool:
        (changed.discard if grid[left] == before.get(left, blank) else changed.add)(left)
        return not changed and (state, cell) == start

    walk.advance(steps, repeats)
    walk.period = walk.steps - begin if walk.outcome == Outcome.ENDLESS else 0


def _runs_away(walk: Walk) -> bool:
    """Whether only blanks lie ahead, and no rule for blanks ever turns back."""
    if walk.area is not None:
        return False  # which it will leave
    machine, ways, state = walk.table, set[Move](), walk.state
    for _ in machine.states:  # after so many steps over blanks, a state has come again
        entry = machine.table[state][machine.alphabet.blank_index]
        if entry is None or entry[0] == HALTED:
            return False
        state = entry[0]
        ways.add(Move(entry[2]))
    if {Move.L, Move.R} <= ways or {Move.U, Move.D} <= ways:
        return False  # without both it comes to no cell twice
    (x, y), (columns, rows, _) = walk.cell, walk.grid.points()
    return not len(columns) or bool(
        (x > columns.max() and Move.L not in ways)
        or (x < columns.min() and Move.R not in ways)
        or (y > rows.max() and Move.D not in ways)
        or (y < rows.min() and Move.U not in ways)
    )
