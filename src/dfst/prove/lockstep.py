"""Teacher and learner side by side on one concrete problem: where do they part?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dfst.world.grid import Cell
from dfst.world.machine import HALTED, GridMachine
from dfst.world.moves import OFFSETS, Move

Entry = tuple[int, int, int] | None
"""(next state, written symbol, move), or None where there is no rule."""


@dataclass(frozen=True)
class Counterexample:
    """A problem on which the learner goes wrong, confirmed by running both.

    Up to ``step`` they did the same; then on ``cell``, seeing ``seen``, they did what ``teacher_does`` and
    ``learner_does`` say (in the states named).
    """

    operands: tuple[str, ...]
    step: int
    cell: Cell
    seen: str
    teacher_state: str
    learner_state: str
    teacher_does: str
    learner_does: str

    def __str__(self) -> str:
        return (
            f"on {' and '.join(self.operands) or 'the only input'}, at step {self.step} on cell {self.cell} seeing "
            f"{self.seen}: the teacher ({self.teacher_state}) {self.teacher_does}, the learner ({self.learner_state}) "
            f"{self.learner_does}"
        )


def alike(theirs: Entry, ours: Entry) -> bool:
    """Whether two entries are the same action: same symbol, same move (so they halt together), or both no rule."""
    return theirs is ours if theirs is None or ours is None else theirs[1:] == ours[1:]


def first_difference(
    teacher: GridMachine, learner: GridMachine, operands: Sequence[str], *, step_limit: int
) -> Counterexample | None:
    """Where the two first act differently on ``operands``; None if they do not within ``step_limit`` steps.

    >>> from dfst import task, GridMachine
    >>> teacher = task("add2").machine
    >>> rules = [rule for rule in teacher.rules() if (rule.state, rule.seen) != ("back", "_")]
    >>> learner = GridMachine.from_rules(rules, alphabet=teacher.alphabet, layout=teacher.layout, start="enter")
    >>> print(first_difference(teacher, learner, ["1", "1"], step_limit=1000))
    on 1 and 1, at step 17 on cell (-1, 1) seeing _: the teacher (back) writes _ and goes R, the learner (back) is stuck
    """
    symbols, blank = teacher.alphabet.symbols, teacher.alphabet.blank_index
    grid = {(x, 0): symbol for x, symbol in enumerate(teacher.place(operands).tolist())}
    q, s, cell = teacher.start, learner.start, teacher.layout.head
    theirs_table, ours_table = teacher.table, learner.table
    for step in range(step_limit):
        seen = grid.get(cell, blank)
        theirs, ours = theirs_table[q][seen], ours_table[s][seen]
        if not alike(theirs, ours):
            return Counterexample(
                tuple(operands),
                step,
                cell,
                symbols[seen],
                teacher.states[q],
                learner.states[s],
                described(theirs, symbols),
                described(ours, symbols),
            )
        if theirs is None or ours is None or theirs[0] == HALTED:
            return None
        q, grid[cell], move = theirs
        s, (dx, dy) = ours[0], OFFSETS[move]
        cell = (cell[0] + dx, cell[1] + dy)
    return None


def described(entry: Entry, symbols: Sequence[str]) -> str:
    """An action in words."""
    if entry is None:
        return "is stuck"
    _, written, move = entry
    return f"writes {symbols[written]} and {'halts' if move == Move.S else f'goes {Move(move).name}'}"
