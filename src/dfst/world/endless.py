"""Finding out that a machine never halts, while it runs."""

from __future__ import annotations

from dfst.world.grid import Cell
from dfst.world.moves import HALTED, Move
from dfst.world.policy import Walk
from dfst.world.rollout import Outcome


def watch(walk: Walk, steps: int) -> int:
    """At most ``steps`` more steps, but no further than to where it is clear that it never halts; the period, or 0.

    That is so if it moves on over blanks for ever, or if state, cell and grid are what they were when this began.
    """
    if walk.outcome == Outcome.STEP_LIMIT and steps > 0 and _runs_away(walk):
        walk.outcome = Outcome.ENDLESS
    begin, start, blank = walk.steps, (walk.state, walk.cell), walk.policy.alphabet.blank_index
    before, changed = dict(walk.grid.cells()), set[Cell]()
    for _ in range(steps):
        if walk.outcome != Outcome.STEP_LIMIT:
            break
        here = walk.cell
        walk.advance(1)
        (changed.discard if walk.grid[here] == before.get(here, blank) else changed.add)(here)
        if walk.outcome == Outcome.STEP_LIMIT and not changed and (walk.state, walk.cell) == start:
            walk.outcome = Outcome.ENDLESS
            return walk.steps - begin
    return 0


def _runs_away(walk: Walk) -> bool:
    """Whether only blanks lie ahead, and no rule for blanks ever turns back."""
    if walk.area is not None:
        return False  # which it will leave
    machine, ways, state = walk.policy.as_table(), set[Move](), walk.state
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
