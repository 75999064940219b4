"""The compiled swap test of a DFST. Strict floats: nothing is reordered."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dfst.jit import compiled
from dfst.shapes import Float
from dfst.training.model import MOVES
from dfst.world.moves import Move

_STAY = int(Move.S)


class Weights(NamedTuple):
    """A DFST as the kernels want it: AT[x] is A[x] transposed, FT[x] is B[x] on top of C[x], transposed.

    So the inner loops run over consecutive numbers, and every component is summed in the order of h, however wide the
    vectors are.
    """

    AT: Float[np.ndarray, "K d d"]
    FT: Float[np.ndarray, "K d scores"]


@compiled()
def times(matrix, h, out):
    """Write h · matrix to ``out``, each component summed in the order of h; six terms a pass spare loads and stores."""
    out[:] = 0.0
    count, width = len(h), len(out)
    whole = count - count % 6
    for j in range(0, whole, 6):
        a, b, c, d, e, f = h[j], h[j + 1], h[j + 2], h[j + 3], h[j + 4], h[j + 5]
        for i in range(width):
            v = (out[i] + a * matrix[j, i]) + b * matrix[j + 1, i]
            v = (v + c * matrix[j + 2, i]) + d * matrix[j + 3, i]
            out[i] = (v + e * matrix[j + 4, i]) + f * matrix[j + 5, i]
    for j in range(whole, count):
        a = h[j]
        for i in range(width):
            out[i] += a * matrix[j, i]


@compiled()
def leader(scores):
    """The number of the highest score; -1 if another is as high, or if it is not finite: that is no opinion."""
    best = 0
    for i in range(1, len(scores)):
        if scores[i] > scores[best]:
            best = i
    for i in range(len(scores)):
        if i != best and not scores[i] < scores[best]:
            return -1
    return best if np.isfinite(scores[best]) else -1


@compiled()
def hidden(weights, start, node, parent, depth, seen, out):
    """The hidden state after the prefix ``node``."""
    steps = depth[node]
    symbols = np.empty(steps, np.uint8)
    for t in range(steps - 1, -1, -1):
        symbols[t] = seen[node]
        node = parent[node]
    state, after = start.copy(), np.empty_like(start)
    for t in range(steps):
        times(weights.AT[symbols[t]], state, after)
        state, after = after, state
    out[:] = state


@compiled()
def explains(weights, symbols, start, edges, steps):
    """Does the state ``start`` act as recorded along the longest future through each of ``edges``?

    The number of steps compared, or -1 if one action differs. All futures are followed at the same pace, as most tests
    end at a difference, and that is the soonest one.
    """
    seen, written, move, _, tallest = steps
    total, scores = 0, np.empty(symbols + MOVES, start.dtype)
    states, after = np.empty((len(edges), len(start)), start.dtype), np.empty_like(start)
    states[:] = start
    ahead, going = edges.copy(), len(edges)
    while going:
        going = 0
        for i in range(len(ahead)):
            n = ahead[i]
            if n < 0:
                continue
            times(weights.FT[seen[n]], states[i], scores)
            if leader(scores[:symbols]) != written[n] or leader(scores[symbols:]) != move[n]:
                return -1
            total += 1
            ahead[i] = tallest[n]
            if tallest[n] >= 0:
                times(weights.AT[seen[n]], states[i], after)
                states[i] = after
                going += 1
    return total


@compiled()
def walk(weights, symbols, start, cells, row, column, record):
    """The model's own run on the grid ``cells``, recorded (seen, written, move); the number of steps until it halts.

    -1 if it has not halted within the record, has no opinion, or leaves the cells.
    """
    scores, state, after = np.empty(symbols + MOVES, start.dtype), start.copy(), np.empty_like(start)
    for t in range(record.shape[1]):
        x = cells[row, column]
        times(weights.FT[x], state, scores)
        s, m = leader(scores[:symbols]), leader(scores[symbols:])
        if s < 0 or m < 0:
            return -1
        record[0, t], record[1, t], record[2, t] = x, s, m
        cells[row, column] = s
        if m == _STAY:
            return t + 1
        row += (m == 0) - (m == 1)
        column += (m == 3) - (m == 2)
        if not (0 <= row < cells.shape[0] and 0 <= column < cells.shape[1]):
            return -1
        times(weights.AT[x], state, after)
        state, after = after, state
    return -1
