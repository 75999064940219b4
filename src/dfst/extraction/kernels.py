"""The compiled part: linking, folding and following the trie, and the swap test of a DFST.

Strict floats: nothing is reordered. A tie for the highest score is no opinion (:func:`leader`), as in a rollout.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dfst.jit import compiled
from dfst.traces.traces import UNKNOWN
from dfst.training.size import MOVES
from dfst.world.moves import Move

_STAY = int(Move.S)


class Stacked(NamedTuple):
    """A DFST as the kernels want it: AT[x] is A[x] transposed, FT[x] is B[x] on top of C[x], transposed.

    So the inner loops run over consecutive numbers, and every component is summed in the order of h, however wide the
    vectors are.
    """

    AT: np.ndarray
    FT: np.ndarray


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
def hidden(weights, start, node, parent, depth, seen):
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
    return state


@compiled()
def explains(weights, symbols, start, edges, steps):
    """Does the state ``start`` act as recorded along the longest future through each of ``edges``?

    The number of steps compared, or -1 if one action differs; what is not known does not. All futures are followed at
    the same pace, as most tests end at a difference, and that is the soonest one.
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
            known = written[n] != UNKNOWN
            if (known and leader(scores[:symbols]) != written[n]) or leader(scores[symbols:]) != move[n]:
                return -1
            total += known
            ahead[i] = tallest[n]
            if tallest[n] >= 0:
                times(weights.AT[seen[n]], states[i], after)
                states[i] = after
                going += 1
    return total


@compiled()
def walk(weights, symbols, start, cells, row, column, record):
    """The model's own run on the grid ``cells``, recorded (seen, written, move); the number of steps until it halts.

    -1 if it has not halted within the record, has no opinion, or leaves the cells. This is not the arithmetic of
    ``DFST.run``, which keeps h in the model's own precision and rescales it: a rehearsal is evidence about the states
    that the swap test compares, and those are h in float64, not scaled, because h is compared by distance as well.
    """
    scores, state, after = np.empty(symbols + MOVES, start.dtype), start.copy(), np.empty_like(start)
    for t in range(record.shape[1]):
        if not (0 <= row < cells.shape[0] and 0 <= column < cells.shape[1]):
            return -1
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
        times(weights.AT[x], state, after)
        state, after = after, state
    return -1


@compiled()
def link(depth, parent, end, height, tallest):
    """Parents, ends of sub-tries, heights and tallest children of a trie in preorder, from those of single nodes."""
    path = np.zeros(depth.max() + 1, np.int32)
    for n in range(1, len(depth)):
        parent[n] = path[depth[n] - 1]
        path[depth[n]] = n
    for n in range(len(depth) - 1, 0, -1):
        p = parent[n]
        end[p] = max(end[p], end[n])
        if height[n] + 1 >= height[p]:
            height[p] = height[n] + 1
            tallest[p] = n


@compiled(inline="always")
def _note(log, at, which, where, old):
    log[at, 0], log[at, 1], log[at, 2] = which, where, old
    return at + 1


@compiled()
def _undo(log, logged, edges):
    for i in range(logged - 1, -1, -1):
        which, where, old = log[i, 0], log[i, 1], log[i, 2]
        if which == 0:
            edges.following[where] = old
        elif which == 1:
            edges.first[where] = old
        elif which == 3:
            edges.written[where] = UNKNOWN
        else:
            edges.best[where] = old


@compiled()
def fold(a, b, steps, edges):
    """Make node b, the root of a tree, one with node a; how many recorded steps they share, or -1 if two clash.

    After a clash everything is as it was. What is not known clashes with nothing, and becomes known.
    """
    seen, _, move, height, _ = steps
    first, following, target, best, written = edges
    pairs = np.empty((64, 2), np.int32)
    pairs[0, 0], pairs[0, 1] = a, b
    waiting, shared, logged = 1, 0, 0
    log = np.empty((64, 3), np.int32)  # which array, where, the old value
    while waiting:
        waiting -= 1
        a, b = pairs[waiting, 0], pairs[waiting, 1]
        e = first[b]
        while e >= 0:
            after = following[e]
            mine = first[a]
            while mine >= 0 and seen[mine] != seen[e]:
                mine = following[mine]
            if logged + 2 > len(log):
                log = np.concatenate((log, np.empty_like(log)))
            if mine < 0:
                logged = _note(log, logged, 0, e, after)
                logged = _note(log, logged, 1, a, first[a])
                following[e], first[a] = first[a], e
            elif move[mine] != move[e] or (
                written[mine] != written[e] and written[mine] != UNKNOWN and written[e] != UNKNOWN
            ):
                _undo(log, logged, edges)
                return -1
            else:
                if written[mine] == UNKNOWN and written[e] != UNKNOWN:
                    logged = _note(log, logged, 3, mine, 0)
                    written[mine] = written[e]
                elif written[e] != UNKNOWN:
                    shared += 1
                logged = _note(log, logged, 2, mine, best[mine])
                h, other = height[best[mine]], height[best[e]]
                if other > h or (other == h and best[e] < best[mine]):
                    best[mine] = best[e]
                if waiting + 1 > len(pairs):
                    pairs = np.concatenate((pairs, np.empty_like(pairs)))
                pairs[waiting, 0], pairs[waiting, 1] = target[mine], target[e]
                waiting += 1
            e = after
    return shared


@compiled()
def next_edge(roots, state, height, edges):
    """(state, edge) from a settled node to an unsettled one with the longest observed future; edge -1: none has one.

    ``roots`` are the settled nodes, ``state`` says which state a node is (-1: unsettled). Ties: the earlier state, then
    the earlier prefix.
    """
    first, following, target, best, _ = edges
    found, tall, source = -1, 0, -1
    for q in range(len(roots)):
        e = first[roots[q]]
        leader = -1
        while e >= 0:
            if state[target[e]] < 0:
                h = height[best[e]]
                if h > tall or (h == tall and leader >= 0 and best[e] < best[leader]):
                    found, tall, leader, source = e, h, e, q
            e = following[e]
    return source, found


@compiled()
def follows(following, action, start, depth, steps, path, used):
    """Whether a machine takes every step of the trie as recorded; ``path`` is scratch, as deep as the trie.

    ``following`` (negative: nowhere) and ``action`` (symbol · 8 + move, negative: undefined) are its tables; entries
    that are needed are marked in ``used``.
    """
    seen, written, move, _, _ = steps
    path[0] = start
    for n in range(1, len(depth)):
        q, x = path[depth[n] - 1], seen[n]
        if q < 0 or action[q, x] < 0 or action[q, x] % 8 != move[n]:
            return False
        if written[n] != UNKNOWN and action[q, x] // 8 != written[n]:
            return False
        used[q, x] = True
        path[depth[n]] = following[q, x]
    return True
