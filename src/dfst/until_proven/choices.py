"""Corrections of a log that look like choices of the system: then they hide a part of it, instead of mistakes."""

from __future__ import annotations

from collections import Counter
from math import exp

import numpy as np

from dfst.errors import quoted
from dfst.traces.consistency import named
from dfst.traces.coverage import followed
from dfst.traces.traces import Traces
from dfst.world.machine import GridMachine
from dfst.world.moves import Move

_SHARE = 20
"""More than one correction in so many records is no longer noise."""

_SEVERAL, _RARE = 3, 1e-4
"""So many equal wrong answers in one situation are a choice, if noise makes so many in a smaller share of logs."""

_DO = "this looks like choice, not noise: put what decides the answer into the input, or give both answers one name"


def looks_like_choice(noisy: Traces, now: Traces, machine: GridMachine) -> str:
    """Why the corrections that made ``now`` of the log ``noisy`` look like choices, and what to do; empty if not.

    ``machine`` explains the log: its states are the situations. Noise would be spread over all records and outputs.
    """
    states, _ = followed(machine, now)
    at = np.flatnonzero((states >= 0) & ~noisy.unknown & ~now.unknown & (noisy.moves == Move.R))
    changed = at[noisy.written[at] != now.written[at]]
    if not len(changed):
        return ""
    if len(changed) * _SHARE > len(at):
        return f"{len(changed):,} of {len(at):,} records, more than a twentieth, are taken for mistakes; {_DO}"
    visits = Counter(zip(states[at].tolist(), noisy.seen[at].tolist(), strict=True))
    columns = (states, noisy.seen, noisy.written, now.written)
    repeated = Counter(zip(*(column[changed].tolist() for column in columns), strict=True))
    others = len(np.unique(noisy.written[at])) - 1
    for (state, seen, was, right), times in repeated.most_common():
        often = visits[state, seen]
        mean = often * len(changed) / len(at) / max(others, 1)
        if times >= _SEVERAL and _at_least(times, mean) * len(visits) * others < _RARE:
            names = [quoted(named(noisy, symbol)) for symbol in (seen, was, right)]
            what = "in one situation {} is answered {}, not {},".format(*names)
            return f"{what} {times:,} of {often:,} times; {_DO}"
    return ""


def _at_least(times: int, mean: float) -> float:
    """How probable it is that something rare, which happens ``mean`` times on average, happens so many times."""
    term, below = exp(-mean), 0.0
    for i in range(times):
        below += term
        term *= mean / (i + 1)
    return 1 - below
