"""Teacher and learner side by side: where they part on one problem, and which states act alike on any grid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dfst.world.conversation import answers_one_by_one
from dfst.world.grid import Cell
from dfst.world.machine import HALTED, GridMachine
from dfst.world.moves import OFFSETS, Move

Entry = tuple[int, int, int] | None
"""(next state, written symbol, move), or None where there is no rule."""

Pair = tuple[int, int]
"""A state of the teacher and one of the learner."""


@dataclass(frozen=True)
class Counterexample:
    """A problem on which the learner goes wrong, confirmed by running both.

    Up to ``step`` they did the same; then on ``cell``, seeing ``seen``, they did what ``teacher_does`` and
    ``learner_does`` say (in the states named). In a ``conversation`` the steps are inputs, and what is done an answer.
    """

    operands: tuple[str, ...]
    step: int
    cell: Cell
    seen: str
    teacher_state: str
    learner_state: str
    teacher_does: str
    learner_does: str
    conversation: bool = False

    def __str__(self) -> str:
        if self.conversation:
            where = f"on the inputs {' '.join(self.operands)}, at {self.seen} (number {self.step + 1})"
        else:
            problem = " and ".join(self.operands) or "the only input"
            where = f"on {problem}, at step {self.step} on cell {self.cell} seeing {self.seen}"
        teacher = f"the teacher ({self.teacher_state}) {self.teacher_does}"
        return f"{where}: {teacher}, the learner ({self.learner_state}) {self.learner_does}"


def unclaimed(theirs: Entry, ours: Entry) -> bool:
    """Whether the teacher has no rule and the learner has one: then nothing is asked of the learner."""
    return theirs is None and ours is not None


def alike(theirs: Entry, ours: Entry) -> bool:
    """Whether two entries are the same action: same symbol, same move (so they halt together), or both no rule."""
    return theirs is ours if theirs is None or ours is None else theirs[1:] == ours[1:]


def first_difference(
    teacher: GridMachine, learner: GridMachine, operands: Sequence[str], *, step_limit: int
) -> Counterexample | None:
    """Where the two first act differently on ``operands``; None if they do not within ``step_limit`` steps.

    Where the teacher has no rule, nothing is asked of the learner.
    """
    symbols, blank = teacher.alphabet.symbols, teacher.alphabet.blank_index
    grid = {(x, 0): symbol for x, symbol in enumerate(teacher.place(operands).tolist())}
    q, s, cell = teacher.start, learner.start, teacher.layout.head
    theirs_table, ours_table = teacher.table, learner.table
    talks = answers_one_by_one(teacher)
    for step in range(step_limit):
        seen = grid.get(cell, blank)
        theirs, ours = theirs_table[q][seen], ours_table[s][seen]
        if not alike(theirs, ours) and not unclaimed(theirs, ours):
            does = (described(theirs, symbols, talks), described(ours, symbols, talks))
            they = (teacher.states[q], learner.states[s], *does, talks)
            return Counterexample(tuple(operands), step, cell, symbols[seen], *they)
        if theirs is None or ours is None or theirs[0] == HALTED:
            return None
        q, grid[cell], move = theirs
        s, (dx, dy) = ours[0], OFFSETS[move]
        cell = (cell[0] + dx, cell[1] + dy)
    return None


def described(entry: Entry, symbols: Sequence[str], talks: bool) -> str:
    """An action in words; of who ``talks``, the answer."""
    if entry is None:
        return "has no answer" if talks else "is stuck"
    _, written, move = entry
    if talks and move == Move.R:
        return f"answers {symbols[written]}"
    return f"writes {symbols[written]} and {'halts' if move == Move.S else f'goes {Move(move).name}'}"


def alike_everywhere(teacher: GridMachine, learner: GridMachine, start: Pair) -> frozenset[Pair]:
    """Of the pair ``start`` and those it leads to, the ones that act alike for ever, whatever the symbols they see."""
    before: dict[Pair, set[Pair]] = {}
    apart: list[Pair] = []
    todo, seen = [start], {start}
    while todo:
        pair = todo.pop()
        entries = list(zip(teacher.table[pair[0]], learner.table[pair[1]], strict=True))
        if not all(alike(theirs, ours) for theirs, ours in entries):
            apart.append(pair)
            continue
        for after in {(theirs[0], ours[0]) for theirs, ours in entries if theirs and ours and theirs[0] >= 0}:
            before.setdefault(after, set()).add(pair)
            if after not in seen:
                seen.add(after)
                todo.append(after)
    gone = set(apart)
    while apart:  # whatever leads to a pair that can part can part itself
        for pair in before.get(apart.pop(), set()) - gone:
            gone.add(pair)
            apart.append(pair)
    return frozenset(seen - gone)
