"""All prefixes of all traces as one tree: what was seen and done, what followed; and the tree folded to a machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dfst.errors import InputError
from dfst.extraction.kernels import fold, link, next_edge
from dfst.shapes import Int32, UInt8
from dfst.traces.consistency import by_what_they_see, check_agreement, with_what_others_know
from dfst.traces.traces import Traces
from dfst.world.moves import Move


class Steps(NamedTuple):
    """What the kernels need of M nodes: the step before each, and the longest future behind it.

    Node n > 0 is reached by seeing ``seen[n]``, whereupon ``written[n]`` is written (it may be UNKNOWN) and ``move[n]``
    made; at the root these mean nothing. ``height`` is the length of the longest observed future behind a node, which
    goes on with the node ``tallest`` (-1: no future).
    """

    seen: UInt8[np.ndarray, " M"]
    written: UInt8[np.ndarray, " M"]
    move: UInt8[np.ndarray, " M"]
    height: Int32[np.ndarray, " M"]
    tallest: Int32[np.ndarray, " M"]


@dataclass(frozen=True, eq=False)
class Trie:
    """The tree of trace prefixes, M nodes in preorder: the nodes below n are n + 1 … ``end[n]`` - 1.

    A node is a prefix: everything a policy has seen so far. Node n > 0 is reached from ``parent[n]`` by a step.
    ``depth`` is the number of steps before a node; one of the traces through it is ``trace``.

    >>> import dfst
    >>> trie = trie_of(dfst.sample(dfst.task("add2")))
    >>> len(trie), int(trie.steps.height[0]), trie.children(0)
    (994, 78, {2: 1})
    """

    parent: Int32[np.ndarray, " M"]
    end: Int32[np.ndarray, " M"]
    depth: Int32[np.ndarray, " M"]
    trace: Int32[np.ndarray, " M"]
    steps: Steps

    def __len__(self) -> int:
        return len(self.parent)

    def children(self, node: int) -> dict[int, int]:
        """Symbol seen to the node that follows."""
        found, child = {}, node + 1
        while child < self.end[node]:
            found[int(self.steps.seen[child])] = child
            child = int(self.end[child])
        return found


def trie_of(traces: Traces) -> Trie:
    """The trie of ``traces``; refuses traces that no deterministic policy can have left."""
    if not len(traces):
        raise InputError("there are no traces", do="Give at least one.")
    check_agreement(traces)
    traces = with_what_others_know(traces)
    offsets, lengths = traces.offsets, traces.lengths
    order, shared = by_what_they_see(traces)
    fresh = lengths[order] - shared
    size = 1 + int(fresh.sum())
    step = np.arange(size - 1) - np.repeat(np.cumsum(fresh) - fresh, fresh) + np.repeat(shared, fresh)
    at = np.repeat(offsets[:-1][order], fresh) + step
    seen, written, move = (np.zeros(size, np.uint8) for _ in range(3))
    seen[1:], written[1:], move[1:] = traces.seen[at], traces.written[at], traces.moves[at]
    depth, trace = np.zeros(size, np.int32), np.full(size, order[0], np.int32)
    depth[1:], trace[1:] = step + 1, np.repeat(order, fresh)
    parent, height, tallest = (np.full(size, value, np.int32) for value in (0, 0, -1))
    end = np.arange(1, size + 1, dtype=np.int32)
    link(depth, parent, end, height, tallest)
    return Trie(parent, end, depth, trace, Steps(seen, written, move, height, tallest))


@dataclass(frozen=True)
class Step:
    """What is known of one (state, symbol): the action, where it leads (a state, or None if that is not known).

    ``witness`` is the trie node behind the observed step with the longest future, which has ``height`` more steps.
    """

    written: int
    move: int
    target: int | None
    witness: int
    height: int

    @property
    def action(self) -> tuple[int, int]:
        """(symbol, move)."""
        return self.written, self.move

    @property
    def halts(self) -> bool:
        """Whether the policy stops there."""
        return self.move == Move.S


Table = list[dict[int, Step]]
"""For every state, symbol seen to step."""


def witnesses(row: dict[int, Step]) -> list[int]:
    """The witnesses of a state in a table, longest future first (see :data:`dfst.extraction.swap.Witnesses`)."""
    return [step.witness for step in sorted(row.values(), key=lambda step: (-step.height, step.witness))]


class Edges(NamedTuple):
    """Lists of edges, each named after the trie node it once led to; -1 ends a list."""

    first: Int32[np.ndarray, " M"]
    """The first edge that leaves a node."""
    following: Int32[np.ndarray, " M"]
    """The next edge that leaves the same node."""
    target: Int32[np.ndarray, " M"]
    """The node that an edge leads to."""
    best: Int32[np.ndarray, " M"]
    """Of all steps that an edge stands for, the trie node behind the one with the longest future."""
    written: UInt8[np.ndarray, " M"]
    """What is written there; UNKNOWN if none of these steps shows it."""


class Fold:
    """A trie in which nodes have been made one; settled nodes, its ``roots``, are states, in the order of opening.

    Folding two nodes folds, recursively, whatever follows both under the same symbol; every success removes a node, so
    that all folds together cost no more than the trie's size.
    """

    def __init__(self, trie: Trie) -> None:
        self.trie, end, nodes = trie, trie.end, np.arange(len(trie), dtype=np.int32)
        first, following = np.where(end > nodes + 1, nodes + 1, -1), np.where(end < end[trie.parent], end, -1)
        self._edges = Edges(first, following, nodes.copy(), nodes.copy(), trie.steps.written.copy())
        self._state = np.full(len(trie), -1, np.int32)
        self.roots: list[int] = []
        self.open(0)

    def __len__(self) -> int:
        return len(self.roots)

    def open(self, node: int) -> None:
        """Make ``node`` a state of its own."""
        self._state[node] = len(self.roots)
        self.roots.append(node)

    def tallest(self) -> tuple[int, int] | None:
        """(state, edge) to settle next, whose observed future is the longest; None when nothing is left to settle."""
        roots = np.asarray(self.roots, np.int32)
        state, edge = next_edge(roots, self._state, self.trie.steps.height, self._edges)
        return None if edge < 0 else (int(state), int(edge))

    def target(self, edge: int) -> int:
        """The node that an edge leads to."""
        return int(self._edges.target[edge])

    def edges(self, node: int) -> Iterator[int]:
        """The edges that leave ``node``."""
        edge = int(self._edges.first[node])
        while edge >= 0:
            yield edge
            edge = int(self._edges.following[edge])

    def witnesses(self, node: int) -> list[int]:
        """The witnesses of a node, longest future first (see :data:`dfst.extraction.swap.Witnesses`)."""
        height = self.trie.steps.height
        return sorted((int(self._edges.best[edge]) for edge in self.edges(node)), key=lambda w: (-height[w], w))

    def join(self, state: int, edge: int) -> int | None:
        """Let ``edge`` lead to ``state``: the number of recorded steps shared, None (and no change) if two clash."""
        target, node = self._edges.target, self.target(edge)
        target[edge] = self.roots[state]  # first of all: what follows may lead through this very edge
        shared = fold(self.roots[state], node, self.trie.steps, self._edges)
        if shared < 0:
            target[edge] = node
        return None if shared < 0 else int(shared)

    def table(self) -> Table:
        """What is known now."""
        steps = self.trie.steps
        table: Table = []
        for root in self.roots:
            row = {}
            for e in sorted(self.edges(root), key=lambda e: steps.seen[e]):
                state = int(self._state[self._edges.target[e]])
                target = state if state >= 0 else None
                best = int(self._edges.best[e])
                action = int(self._edges.written[e]), int(steps.move[e])
                row[int(steps.seen[e])] = Step(*action, target, best, int(steps.height[best]))
            table.append(row)
        return table
