"""The compiled part of extraction: linking the trie, folding it, and the swap test.

Strict floats: nothing is reordered. AT[x] is A[x] transposed and FT[x] is B[x] on top of C[x], transposed, so that the
inner loops run over consecutive numbers and every component is summed in the order of h, however wide the vectors are.
"""

from __future__ import annotations

import numpy as np

from dfst.jit import compiled
from dfst.world.moves import Move

_STAY = int(Move.S)


@compiled()
def link(depth, shared, last, parent, end, height, tallest, weight):
    """Parents, ends of sub-tries, heights, tallest children and trace counts of a trie whose nodes stand in preorder.

    Trace i (in order) shares ``shared[i]`` steps with the one before it; its own new nodes end with ``last[i]``.
    """
    path = np.zeros(depth.max() + 1, np.int32)
    node = 1
    for i in range(len(shared)):
        while node <= last[i]:
            parent[node] = path[depth[node] - 1]
            path[depth[node]] = node
            node += 1
        fresh = last[i] - (last[i - 1] if i else 0)
        weight[path[shared[i] + fresh]] += 1
    for n in range(len(depth)):
        end[n] = n + 1
        tallest[n] = -1
    for n in range(len(depth) - 1, 0, -1):
        p = parent[n]
        end[p] = max(end[p], end[n])
        weight[p] += weight[n]
        if height[n] + 1 >= height[p]:
            height[p] = height[n] + 1
            tallest[p] = n


@compiled()
def unfold(parent, end, first, following, target, best):
    """The trie as lists of edges, one for every node but the root; see :class:`dfst.extraction.fold.Fold`."""
    for n in range(len(parent)):
        first[n] = n + 1 if end[n] > n + 1 else -1
        following[n] = end[n] if n and end[n] < end[parent[n]] else -1
        target[n] = n
        best[n] = n


@compiled(inline="always")
def _note(log, at, which, where, old):
    log[at, 0], log[at, 1], log[at, 2] = which, where, old
    return at + 1


@compiled()
def _undo(log, logged, following, first, best):
    for i in range(logged - 1, -1, -1):
        which, where, old = log[i, 0], log[i, 1], log[i, 2]
        if which == 0:
            following[where] = old
        elif which == 1:
            first[where] = old
        else:
            best[where] = old


@compiled()
def fold(a, b, seen, written, move, height, first, following, target, best):
    """Make node b, the root of a tree, one with node a; how many recorded steps they share, or -1 if two clash.

    After a clash everything is as it was.
    """
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
            elif written[mine] != written[e] or move[mine] != move[e]:
                _undo(log, logged, following, first, best)
                return -1
            else:
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
def next_edge(roots, state, height, first, following, target, best):
    """(state, edge) from a settled node to an unsettled one with the longest observed future; edge -1: none has one.

    ``roots`` are the settled nodes, ``state`` says which state a node is (-1: unsettled). Ties: the earlier state, then
    the earlier prefix.
    """
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
def follows(following, action, start, depth, seen, written, move, path, used):
    """Whether a machine takes every step of the trie as recorded; ``path`` is scratch, as deep as the trie.

    ``following`` (negative: nowhere) and ``action`` (symbol · 8 + move, negative: undefined) are its tables; entries
    that are needed are marked in ``used``.
    """
    path[0] = start
    for n in range(1, len(depth)):
        q = path[depth[n] - 1]
        if q < 0 or action[q, seen[n]] != written[n] * 8 + move[n]:
            return False
        used[q, seen[n]] = True
        path[depth[n]] = following[q, seen[n]]
    return True


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


@compiled(inline="always")
def _acts(scores, K, s, m):
    """Whether symbol s and move m score higher than every other; a tie is no opinion."""
    for i in range(len(scores)):
        best = s if i < K else K + m
        if i != best and not scores[i] < scores[best]:
            return False
    return True


@compiled()
def hidden(AT, h0, node, parent, depth, seen, out):
    """The hidden state after the prefix ``node``."""
    steps = depth[node]
    symbols = np.empty(steps, np.uint8)
    for t in range(steps - 1, -1, -1):
        symbols[t] = seen[node]
        node = parent[node]
    h, after = h0.copy(), np.empty_like(h0)
    for t in range(steps):
        times(AT[symbols[t]], h, after)
        h, after = after, h
    out[:] = h


@compiled()
def explains(AT, FT, start, edges, seen, written, move, tallest):
    """Does the hidden state ``start`` act as recorded along the longest future through each of ``edges``?

    The number of steps compared, or -1 if one action differs.
    """
    K, total = AT.shape[0], 0
    scores, h, after = np.empty(FT.shape[2]), np.empty_like(start), np.empty_like(start)
    for edge in edges:
        h[:] = start
        n = edge
        while n >= 0:
            x = seen[n]
            times(FT[x], h, scores)
            if not _acts(scores, K, written[n], move[n]):
                return -1
            total += 1
            n = tallest[n]
            if n >= 0:
                times(AT[x], h, after)
                h, after = after, h
    return total


@compiled()
def walk(AT, FT, h0, cells, row, column, seen, written, move):
    """The model's own run on the grid ``cells``, recorded; the number of steps until it halts.

    -1 if it has not halted within the record, has no opinion, or leaves the cells.
    """
    K = AT.shape[0]
    h, after, scores = h0.copy(), np.empty_like(h0), np.empty(FT.shape[2])
    for t in range(len(seen)):
        x = cells[row, column]
        times(FT[x], h, scores)
        s, m = np.argmax(scores[:K]), np.argmax(scores[K:])
        if not _acts(scores, K, s, m):
            return -1
        seen[t], written[t], move[t] = x, s, m
        cells[row, column] = s
        if m == _STAY:
            return t + 1
        row += (m == 0) - (m == 1)
        column += (m == 3) - (m == 2)
        if not (0 <= row < cells.shape[0] and 0 <= column < cells.shape[1]):
            return -1
        times(AT[x], h, after)
        h, after = after, h
    return -1
