"""The compiled part of the trie: linking it, folding it, and following it with a machine."""

from __future__ import annotations

import numpy as np

from dfst.jit import compiled


@compiled()
def link(depth, parent, end, height, tallest):
    """Parents, ends of sub-tries, heights and tallest children of a trie whose nodes stand in preorder."""
    path = np.zeros(depth.max() + 1, np.int32)
    for n in range(1, len(depth)):
        parent[n] = path[depth[n] - 1]
        path[depth[n]] = n
    for n in range(len(depth)):
        end[n] = n + 1
        tallest[n] = -1
    for n in range(len(depth) - 1, 0, -1):
        p = parent[n]
        end[p] = max(end[p], end[n])
        if height[n] + 1 >= height[p]:
            height[p] = height[n] + 1
            tallest[p] = n


@compiled()
def unfold(parent, end, edges):
    """The trie as lists of edges, one for every node but the root."""
    for n in range(len(parent)):
        edges.first[n] = n + 1 if end[n] > n + 1 else -1
        edges.following[n] = end[n] if n and end[n] < end[parent[n]] else -1
        edges.target[n] = n
        edges.best[n] = n


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
        else:
            edges.best[where] = old


@compiled()
def fold(a, b, steps, edges):
    """Make node b, the root of a tree, one with node a; how many recorded steps they share, or -1 if two clash.

    After a clash everything is as it was.
    """
    seen, written, move, height, _ = steps
    first, following, target, best = edges
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
                _undo(log, logged, edges)
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
def next_edge(roots, state, height, edges):
    """(state, edge) from a settled node to an unsettled one with the longest observed future; edge -1: none has one.

    ``roots`` are the settled nodes, ``state`` says which state a node is (-1: unsettled). Ties: the earlier state, then
    the earlier prefix.
    """
    first, following, target, best = edges
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
        if q < 0 or action[q, x] != written[n] * 8 + move[n]:
            return False
        used[q, x] = True
        path[depth[n]] = following[q, x]
    return True
