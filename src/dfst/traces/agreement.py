"""Whether traces can be those of one deterministic policy: what sees the same acts the same."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from dfst.errors import InputError, quoted
from dfst.shapes import Int64
from dfst.traces.traces import Traces
from dfst.world.moves import MOVE_NAMES

NOISY = "Or let dfst learn --noisy correct them."
"""What to do about traces that contradict themselves or each other."""


def by_what_they_see(traces: Traces) -> tuple[list[int], Int64[np.ndarray, " N"]]:
    """The traces in the order of what they see, and how many steps each sees alike with the one before it.

    >>> import dfst
    >>> by_what_they_see(dfst.record("add2", [("1", "1"), ("0", "1"), ("1", "10")]))
    ([1, 2, 0], array([ 0,  1, 10]))
    """
    order = sorted(range(len(traces)), key=lambda i: traces[i].seen.tobytes())
    return order, np.array([0, *(_shared(traces, i, j) for i, j in pairwise(order))], np.int64)


def _shared(traces: Traces, i: int, j: int) -> int:
    a, b = traces[i].seen, traces[j].seen
    steps = min(len(a), len(b))
    differs = a[:steps] != b[:steps]
    return int(differs.argmax()) if differs.any() else steps


def check_agreement(traces: Traces) -> None:
    """Refuse two traces that see the same and act differently: no deterministic policy leaves both."""
    for first, second, at in disagreements(traces):
        seen = quoted(traces.alphabet.symbols[traces[first].seen[at]])
        what = f"traces {first} and {second} see the same but act differently: at step {at}, seeing {seen}, "
        what += f"{action(traces, first, at)} in one and {action(traces, second, at)} in the other"
        raise InputError(what, do=f"Record them again from one deterministic policy. {NOISY}")


def disagreements(traces: Traces) -> Iterator[tuple[int, int, int]]:
    """Pairs of traces that see the same and act differently, and the step; none only if no two traces do.

    >>> import dfst
    >>> traces = dfst.record("add2", [("1", "1"), ("1", "1")])
    >>> traces.moves[0] = dfst.Move.L
    >>> list(disagreements(traces))
    [(0, 1, 0)]
    """
    order, shared = by_what_they_see(traces)
    for (before, after), steps in zip(pairwise(order), shared[1:].tolist(), strict=True):
        first, second = sorted((before, after))
        a, b = traces[first], traces[second]
        differs = (a.written[:steps] != b.written[:steps]) | (a.moves[:steps] != b.moves[:steps])
        if differs.any():
            yield first, second, int(differs.argmax())


def action(traces: Traces, trace: int, step: int) -> str:
    """What a step of a trace does, in words.

    >>> import dfst
    >>> action(dfst.record("add2", [("1", "1")]), 0, 0)
    "'0' and R"
    """
    written, move = traces[trace].written[step], traces[trace].moves[step]
    return f"{quoted(traces.alphabet.symbols[written])} and {MOVE_NAMES[move]}"
