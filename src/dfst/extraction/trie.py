"""All prefixes of all traces as one tree: what was seen, what was done about it, and what followed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from dfst.errors import InputError
from dfst.shapes import Int32, UInt8
from dfst.traces.consistency import by_what_they_see, check_agreement
from dfst.traces.traces import Traces


class Steps(NamedTuple):
    """The step before each node, and the longest future behind it, as the kernels want them; see :class:`Trie`."""

    seen: UInt8[np.ndarray, " M"]
    written: UInt8[np.ndarray, " M"]
    move: UInt8[np.ndarray, " M"]
    height: Int32[np.ndarray, " M"]
    tallest: Int32[np.ndarray, " M"]


@dataclass(frozen=True, eq=False)
class Trie:
    """The tree of trace prefixes, M nodes in preorder: the nodes below n are n + 1 … ``end[n]`` - 1.

    A node is a prefix: everything a policy has seen so far. Node n > 0 is reached from ``parent[n]`` by seeing
    ``seen[n]``, whereupon ``written[n]`` is written and ``move[n]`` made; at the root these mean nothing. ``depth`` is
    the number of steps before a node, ``height`` that of the longest observed future behind it, which goes on with the
    node ``tallest`` (-1: no future). One of the traces through it is ``trace``.

    >>> import dfst
    >>> trie = trie_of(dfst.sample(dfst.task("add2")))
    >>> len(trie), int(trie.height[0]), trie.children(0)
    (994, 78, {2: 1})
    """

    parent: Int32[np.ndarray, " M"]
    end: Int32[np.ndarray, " M"]
    seen: UInt8[np.ndarray, " M"]
    written: UInt8[np.ndarray, " M"]
    move: UInt8[np.ndarray, " M"]
    depth: Int32[np.ndarray, " M"]
    height: Int32[np.ndarray, " M"]
    tallest: Int32[np.ndarray, " M"]
    trace: Int32[np.ndarray, " M"]

    def __len__(self) -> int:
        return len(self.parent)

    @cached_property
    def steps(self) -> Steps:
        """What the kernels need of it."""
        return Steps(self.seen, self.written, self.move, self.height, self.tallest)

    def children(self, node: int) -> dict[int, int]:
        """Symbol seen to the node that follows."""
        found, child = {}, node + 1
        while child < self.end[node]:
            found[int(self.seen[child])] = child
            child = int(self.end[child])
        return found


def trie_of(traces: Traces) -> Trie:
    """The trie of ``traces``; refuses traces that no deterministic policy can have left."""
    from dfst.extraction.trie_kernels import link

    if not len(traces):
        raise InputError("there are no traces", do="Give at least one.")
    check_agreement(traces)
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
    parent, end, height, tallest = (np.zeros(size, np.int32) for _ in range(4))
    link(depth, parent, end, height, tallest)
    return Trie(parent, end, seen, written, move, depth, height, tallest, trace)
