"""The trie, folded step by step into a machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dfst.extraction.trie import Trie
from dfst.shapes import Int32
from dfst.world.moves import Move


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


class Fold:
    """A trie in which nodes have been made one; settled nodes are states, in the order in which they were opened.

    Folding two nodes folds, recursively, whatever follows both
    under the same symbol; every success removes a node, so that all folds together cost no more than the trie's size.
    """

    def __init__(self, trie: Trie) -> None:
        from dfst.extraction.trie_kernels import unfold

        size = len(trie)
        self.trie = trie
        self._edges = Edges(*(np.empty(size, np.int32) for _ in range(4)))
        unfold(trie.parent, trie.end, self._edges)
        self._state = np.full(size, -1, np.int32)
        self._roots: list[int] = []
        self.open(0)

    def __len__(self) -> int:
        return len(self._roots)

    def open(self, node: int) -> int:
        """Make ``node`` a state of its own."""
        self._state[node] = len(self._roots)
        self._roots.append(node)
        return len(self._roots) - 1

    def tallest(self) -> tuple[int, int] | None:
        """(state, edge) to settle next, whose observed future is the longest; None when nothing is left to settle."""
        from dfst.extraction.trie_kernels import next_edge

        roots = np.asarray(self._roots, np.int32)
        state, edge = next_edge(roots, self._state, self.trie.height, self._edges)
        return None if edge < 0 else (int(state), int(edge))

    def target(self, edge: int) -> int:
        """The node that an edge leads to."""
        return int(self._edges.target[edge])

    def root(self, state: int) -> int:
        """The node that is ``state``."""
        return self._roots[state]

    def edges(self, node: int) -> Iterator[int]:
        """The edges that leave ``node``."""
        edge = int(self._edges.first[node])
        while edge >= 0:
            yield edge
            edge = int(self._edges.following[edge])

    def witnesses(self, node: int) -> list[int]:
        """The witnesses of a node, longest future first (see :data:`dfst.extraction.swap.Witnesses`)."""
        height = self.trie.height
        return sorted((int(self._edges.best[edge]) for edge in self.edges(node)), key=lambda w: (-height[w], w))

    def join(self, state: int, edge: int) -> int | None:
        """Let ``edge`` lead to ``state``: the number of recorded steps shared, None (and no change) if two clash."""
        from dfst.extraction.trie_kernels import fold

        target, node = self._edges.target, self.target(edge)
        target[edge] = self._roots[state]  # first of all: what follows may lead through this very edge
        shared = fold(self._roots[state], node, self.trie.steps, self._edges)
        if shared < 0:
            target[edge] = node
        return None if shared < 0 else int(shared)

    def table(self) -> Table:
        """What is known now."""
        trie = self.trie
        table: Table = []
        for root in self._roots:
            row = {}
            for e in sorted(self.edges(root), key=lambda e: trie.seen[e]):
                state = int(self._state[self._edges.target[e]])
                target = state if state >= 0 else None
                best = int(self._edges.best[e])
                action = int(trie.written[e]), int(trie.move[e])
                row[int(trie.seen[e])] = Step(*action, target, best, int(trie.height[best]))
            table.append(row)
        return table
