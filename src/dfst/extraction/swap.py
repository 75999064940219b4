"""The swap test: two prefixes are one state if the hidden state of each predicts what was observed after the other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dfst.extraction.kernels import Stacked, explains, hidden, walk
from dfst.extraction.trie import Trie, trie_of
from dfst.shapes import Float, UInt8
from dfst.traces.consistency import check_alphabet
from dfst.traces.traces import Trace, Traces
from dfst.training.model import DFST
from dfst.world.grid import Cell

Witnesses = Sequence[int]
"""For every symbol seen in a state, the trie node behind the member's step that has the longest observed future."""


class SwapTest:
    """A model (its hidden states in float64) and the trie of what was observed.

    A state takes part with its witnesses: the longest observed future through each symbol that was ever seen in it, and
    the hidden state before the longest of all. So there is no number of representatives or futures to choose.

    >>> import dfst
    >>> add2 = dfst.task("add2")
    >>> test = SwapTest(dfst.from_machine(add2.machine), dfst.sample(add2))
    >>> test.one_way([2], [2]), test.one_way([6], [2])  # from the same state; from another
    (71, None)
    """

    def __init__(self, model: DFST, traces: Traces) -> None:
        check_alphabet(model, traces)
        # weights stay in their own precision (half the memory to read), hidden states and sums are float64
        AT = np.ascontiguousarray(model.A.transpose(0, 2, 1))
        FT = np.ascontiguousarray(np.concatenate([model.B, model.C], axis=1).transpose(0, 2, 1))
        self._weights, self._start = Stacked(AT, FT), model.h0.astype(np.float64)
        self._symbols, self._blank = len(traces.alphabet), traces.alphabet.blank_index
        self.trie: Trie = trie_of(traces)
        self._known: dict[int, Float[np.ndarray, " d"]] = {}

    def hidden(self, node: int) -> Float[np.ndarray, " d"]:
        """The hidden state after a prefix."""
        if node not in self._known:
            trie = self.trie
            self._known[node] = hidden(self._weights, self._start, node, trie.parent, trie.depth, trie.steps.seen)
        return self._known[node]

    def one_way(self, of: Witnesses, futures: Witnesses) -> int | None:
        """Does the hidden state ``of`` one state act as recorded along all ``futures`` of another?

        The number of steps that were compared and agree, or None.
        """
        edges = np.asarray(futures, np.int32)
        steps = explains(self._weights, self._symbols, self.before(of), edges, self.trie.steps)
        return None if steps < 0 else int(steps)

    def would_write(self, node: int, among: np.ndarray) -> int:
        """Which of the symbols ``among`` the model would write at the step that leads to ``node``: its best guess."""
        scores = self.hidden(int(self.trie.parent[node])) @ self._weights.FT[self.trie.steps.seen[node]][:, among]
        return int(among[scores.argmax()])

    def before(self, witnesses: Witnesses) -> Float[np.ndarray, " d"]:
        """The hidden state that stands for a state: the one with the longest observed future."""
        return self.hidden(int(self.trie.parent[witnesses[0]]))

    def two_way(self, a: Witnesses, b: Witnesses) -> int | None:
        """Both :meth:`one_way` tests; the number of steps of the two together, or None."""
        there = self.one_way(a, b)
        back = None if there is None else self.one_way(b, a)
        return None if there is None or back is None else there + back

    def nearest(self, mine: Witnesses, states: Sequence[Witnesses]) -> list[int]:
        """The numbers of ``states``, by how far their hidden states are from mine."""
        hidden = np.stack([self.before(theirs) for theirs in states])
        return np.argsort(((hidden - self.before(mine)) ** 2).sum(axis=1), kind="stable").tolist()

    def run(self, tape: UInt8[np.ndarray, " length"], head: Cell, steps: int) -> Trace | None:
        """The model's own run from ``head`` on, None if it has not halted after ``steps``."""
        cells = np.full((2 * steps + 1, 2 * steps + len(tape) + 1), self._blank, np.uint8)
        cells[steps, steps : steps + len(tape)] = tape
        record = np.empty((3, steps), np.uint8)
        done = walk(self._weights, self._symbols, self._start, cells, steps + head[1], steps + head[0], record)
        return None if done < 0 else Trace(*record[:, :done].copy())
