"""From a trained recurrent network to a finite machine: the extraction of :mod:`dfst.prove`, fed with another model."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dfst.arena.neural_policies import RecurrentPolicy
from dfst.extraction.pipeline import extract_with
from dfst.extraction.swap import SwapTest, Witnesses
from dfst.extraction.trie import trie_of
from dfst.traces.traces import Trace, Traces
from dfst.world.layout import Layout
from dfst.world.machine import GridMachine


class PolicySwapTest(SwapTest):
    """The swap test for a GRU or an LSTM: its state instead of h, its step instead of h' = A[x]h, in float32.

    Growing, merging, regularising and rehearsing ask nothing else of a model, so they are used as they are.
    """

    def __init__(self, policy: RecurrentPolicy, traces: Traces) -> None:
        self.trie = trie_of(traces)
        self._policy = policy
        self._known: dict[int, np.ndarray] = {}

    def hidden(self, node: int) -> Any:
        """The state after a prefix."""
        from dfst.arena.policy_kernels import hidden

        if node not in self._known:
            start = self._policy.begin()
            out = np.empty_like(start)
            hidden(*self._policy.kernel_weights[:3], start, self.trie.seen[self.trie.path(node)], out)
            self._known[node] = out
        return self._known[node]

    def one_way(self, of: Witnesses, futures: Witnesses) -> int | None:
        """Does the state ``of`` one prefix act as recorded along all ``futures`` of another? Steps compared, or None.

        >>> import dfst
        >>> from dfst.arena.neural_policies import Architecture
        >>> traces, net = dfst.sample(dfst.expert("add2")), Architecture("gru", 4, 3)
        >>> zeros = {name: np.zeros(shape, np.float32) for name, shape in net.shapes().items()}
        >>> PolicySwapTest(RecurrentPolicy(net, zeros), traces).one_way([2], [2])  # it has learned nothing yet
        """
        from dfst.arena.policy_kernels import explains

        trie, edges = self.trie, np.asarray(futures, np.int32)
        columns = (edges, trie.seen, trie.written, trie.move, trie.tallest)
        steps = explains(*self._policy.kernel_weights, self.before(of), *columns)
        return None if steps < 0 else int(steps)

    def run(self, cells: np.ndarray, row: int, column: int, steps: int) -> Trace | None:
        """The policy's own run on a grid, None if it has not halted after ``steps``; ``cells`` is changed."""
        from dfst.arena.policy_kernels import walk

        record = np.empty((3, steps), np.uint8)
        done = walk(*self._policy.kernel_weights, self._policy.begin(), cells, row, column, *record)
        return None if done < 0 else Trace(*record[:, :done].copy())


def extract_policy(
    policy: RecurrentPolicy, traces: Traces, layout: Layout, *, progress: Callable[[str], None] | None = None
) -> GridMachine:
    """The machine that ``policy`` has learned from ``traces``, by the three phases and rehearsals of ``dfst.extract``.

    It is the machine with the fewest rehearsals left open. Only the policy, the traces and the layout are used.
    """
    name = f"{traces.task or 'traces'} by {policy.network.kind}"
    return extract_with(lambda given: PolicySwapTest(policy, given), traces, layout, name, progress=progress).machine
