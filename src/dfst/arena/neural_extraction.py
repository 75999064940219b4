"""From a trained recurrent network to a finite machine: the extraction of :mod:`dfst.prove`, fed with another model."""

from __future__ import annotations

from collections.abc import Callable

from dfst.arena.neural_policies import RecurrentPolicy
from dfst.extraction.pipeline import extract_with
from dfst.extraction.swap import SwapTest
from dfst.traces.traces import Traces
from dfst.world.layout import Layout
from dfst.world.machine import GridMachine


class PolicySwapTest(SwapTest):
    """The swap test for a GRU or an LSTM: its state instead of h, its step instead of h' = A[x]h, in float32.

    Growing, merging, regularising and rehearsing ask nothing else of a model, so they are used as they are.

    >>> import dfst, numpy as np
    >>> from dfst.arena.neural_policies import Architecture
    >>> traces, net = dfst.sample(dfst.task("add2")), Architecture("gru", 4, 3)
    >>> zeros = {name: np.zeros(shape, np.float32) for name, shape in net.shapes().items()}
    >>> PolicySwapTest(RecurrentPolicy(net, zeros), traces).one_way([2], [2])  # it has learned nothing yet
    """

    def __init__(self, policy: RecurrentPolicy, traces: Traces) -> None:
        self._use(policy.weights, policy.begin(), traces)


def extract_policy(
    policy: RecurrentPolicy, traces: Traces, layout: Layout, *, progress: Callable[[str], None] | None = None
) -> GridMachine:
    """The machine that ``policy`` has learned from ``traces``, by the three phases and rehearsals of ``dfst.extract``.

    It is the machine with the fewest rehearsals left open. Only the policy, the traces and the layout are used.
    """
    name = f"{traces.task or 'traces'} by {policy.network.kind}"
    return extract_with(lambda given: PolicySwapTest(policy, given), traces, layout, name, progress=progress).machine
