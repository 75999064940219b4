"""The swap test for a policy of one's own: nothing is needed but to put a state back and to go on from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from dfst.act.own import OwnPolicy, PolicyRaisedError
from dfst.effort import Effort
from dfst.errors import InputError
from dfst.extraction.rewind import Rewind, as_numbers, lead
from dfst.extraction.swap import SwapTest, Witnesses
from dfst.extraction.trie import Trie, trie_of
from dfst.shapes import UInt8
from dfst.traces.traces import Trace, Traces
from dfst.world.grid import Area, Cell, Grid
from dfst.world.policy import Walk
from dfst.world.rollout import Outcome

_PATIENCE = 10
"""A policy that leaves a trace may take this many times the longest trace's steps on that problem."""


class OwnSwapTest(SwapTest):
    """The swap test in Python; growing, merging, regularising and rehearsing use it as they use a network's."""

    def __init__(self, rewind: Rewind, traces: Traces) -> None:
        self._rewind, self._policy = rewind, rewind.policy
        self.trie: Trie = trie_of(traces)
        self._kept: dict[int, Any] = {0: rewind.begin()}
        self._numbers: dict[int, np.ndarray | None] = {}

    def _after(self, node: int) -> Any:
        """What is kept of the state after a prefix; found from the longest shorter prefix that is known."""
        path, at = [], node
        while at not in self._kept:
            path.append(int(self.trie.steps.seen[at]))
            at = int(self.trie.parent[at])
        if path:
            self._kept[node] = self._rewind.after(self._kept[at], path[::-1])
        return self._kept[node]

    def one_way(self, of: Witnesses, futures: Witnesses) -> int | None:
        """Does the state ``of`` one state act as recorded along all ``futures`` of another? Steps compared, or None."""
        seen, written, move, _, tallest = self.trie.steps
        kept, total = self._after(int(self.trie.parent[of[0]])), 0
        for edge in futures:
            state, n = self._rewind.resume(kept), int(edge)
            while n >= 0:
                action = self._policy.attempt(state, int(seen[n]))
                if action is None or action[1] != written[n] or action[2] != move[n]:
                    return None
                state, total, n = action[0], total + 1, int(tallest[n])
        return total

    def nearest(self, mine: Witnesses, states: Sequence[Witnesses]) -> list[int]:
        """The numbers of ``states``, by how far they are from mine if they are made of numbers; else in order."""
        nodes = [int(self.trie.parent[each[0]]) for each in (mine, *states)]
        vectors = [self._vector(node) for node in nodes]
        own = vectors[0]
        if own is None or any(vector is None or vector.shape != own.shape for vector in vectors):
            return list(range(len(states)))
        return np.argsort([((vector - own) ** 2).sum() for vector in vectors[1:]], kind="stable").tolist()

    def _vector(self, node: int) -> np.ndarray | None:
        if node not in self._numbers:
            self._numbers[node] = as_numbers(self._rewind.resume(self._after(node)))
        return self._numbers[node]

    def run(self, tape: UInt8[np.ndarray, " length"], head: Cell, steps: int) -> Trace | None:
        """The policy's own rollout from ``head`` on, None if it has not halted after ``steps``, or raised an error."""
        area = Area(-steps, len(tape) + steps, -steps, steps)
        walk = Walk(self._policy, Grid(self._policy.world, tape), head, area=area, record=True)
        try:
            walk.advance(steps)
        except PolicyRaisedError:
            return None
        return walk.result().trace if walk.outcome == Outcome.HALTED else None


def own_traces(policy: OwnPolicy, traces: Traces, effort: Effort) -> tuple[Traces, int]:
    """``traces`` as far as the policy acts like that; elsewhere its own runs on the same problems, if they halt.

    So what is extracted is what the policy does, whatever was recorded. Also how many are its own runs. Where
    ``effort`` ends, so do the problems: a policy that has learned little may never halt.
    """
    found: list[Trace] = []
    problems: list[tuple[str, ...]] = []
    left, limit = 0, min(policy.step_limit, _PATIENCE * int(traces.lengths.max()))
    failure = ""
    for i, trace in enumerate(traces):
        if effort.over(0):
            break
        recorded = list(zip(trace.written.tolist(), trace.moves.tolist(), strict=True))
        problem = traces.problems[i] if traces.problems else None
        if lead(policy, policy.begin(), trace.seen.tolist())[1] != recorded:
            left += 1
            if problem is None:
                continue
            walk = Walk(policy, Grid(policy.world, policy.place(problem)), record=True)
            while walk.outcome == Outcome.STEP_LIMIT and walk.steps < limit and not effort.over(0):
                walk.advance(1)
            result = walk.result()
            if result.outcome != Outcome.HALTED or result.trace is None:
                effort.over(result.steps)
                failure = failure or f"on {' and '.join(problem)} it is {result.explain()}"
                continue
            trace = result.trace
        found.append(trace)
        problems += [problem] if problem is not None else []
    if not found:
        tried = f"problems tried before {effort.reached}" if effort.reached else f"{len(traces)} problems"
        what = f"it halts on none of the {tried}" + (f": {failure}" if failure else "")
        raise InputError(what, where=policy.name, do="Train it further, or look at one rollout with dfst.solve.")
    return Traces.of(traces.world, found, problems, traces.task), left
