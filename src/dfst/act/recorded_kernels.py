"""The closed loop of a DFST with every step kept: the very kernel of the rollouts, one step at a time."""

from __future__ import annotations

from dfst.act.float_kernels import AT, HALF, HALTED, RUNNING, _leader_of_few, _margin, roll
from dfst.jit import compiled
from dfst.learn.model import MOVES


@compiled(boundscheck=False, error_model="numpy")
def roll_recorded(
    cells, offset, weights, d, symbols, stride, buffer, state, steps, bits, seen, written, moves, margins
):
    """:func:`roll` without a teacher for at most ``steps`` steps; (steps done, why it stopped).

    What it sees, writes, where it moves, and the margins of both heads go into the last four arrays.
    """
    for done in range(steps):
        at = state[AT]
        seen[done] = cells[at]
        why = roll(cells, offset, weights, d, symbols, stride, buffer, state, 1, bits, None, None)
        if why != RUNNING and why != HALTED:
            return done, why
        scores = state[HALF] * stride + d
        written[done] = cells[at]
        moves[done] = _leader_of_few(buffer, scores + symbols, MOVES)
        margins[done, 0] = _margin(buffer, scores, symbols, written[done])
        margins[done, 1] = _margin(buffer, scores + symbols, MOVES, moves[done])
        if why == HALTED:
            return done + 1, why
    return steps, RUNNING
