"""The five moves of a machine, and how its table writes what is no state."""

from __future__ import annotations

from enum import IntEnum


class Move(IntEnum):
    """A motion token: up, down, left, right, or stay. y grows upwards, x to the right.

    Stay has one meaning only: the machine halts. No machine of ours stays and goes on (see :class:`dfst.GridMachine`).
    """

    U = 0
    D = 1
    L = 2
    R = 3
    S = 4


OFFSETS = ((0, 1), (0, -1), (-1, 0), (1, 0), (0, 0))
"""(dx, dy) of each move."""

MOVE_NAMES = "".join(move.name for move in Move)

HALT = "halt"
"""The name of the halting state in rules and files; it has no rules of its own and is not counted as a state."""

HALTED, UNDEFINED, BORDER = -1, -2, -3
"""What a table's ``next_state`` holds for the halting state and for a pair without a rule; and a window's edge."""
