"""The steps of a machine, one by one in plain Python: what recordings, pages and drift are held against."""

from collections.abc import Iterator
from typing import NamedTuple

from dfst.world.grid import Cell, Grid
from dfst.world.moves import OFFSETS, Move


class Configuration(NamedTuple):
    """One step about to happen: at ``step``, in ``state`` on ``cell`` seeing ``seen``, the machine writes and moves."""

    step: int
    state: str
    cell: Cell
    seen: str
    written: str
    move: Move


def configurations(machine, *operands) -> Iterator[Configuration]:
    """All steps until the machine halts or is stuck."""
    grid, symbols = Grid(machine.alphabet, machine.place(operands)), machine.alphabet.symbols
    cell, state, step = machine.layout.head, machine.start, 0
    while state >= 0 and (entry := machine.table[state][seen := grid[cell]]) is not None:
        after, written, move = entry
        yield Configuration(step, machine.states[state], cell, symbols[seen], symbols[written], Move(move))
        grid[cell] = written
        cell, state, step = (cell[0] + OFFSETS[move][0], cell[1] + OFFSETS[move][1]), after, step + 1
