"""Traces with mistakes in their records, to try what can be learned from them."""

from __future__ import annotations

from dataclasses import replace

from dfst.errors import InputError
from dfst.seeds import Stream
from dfst.traces.traces import Traces
from dfst.world.moves import Move


def corrupted(traces: Traces, share: float, *, seed: int = 42) -> Traces:
    """``traces`` with this share of their steps recorded wrongly: another symbol written, or another move.

    Only the records are wrong, not the run: what is seen later is what the policy really left on the grid.

    >>> import dfst
    >>> traces = dfst.sample("add2")
    >>> noisy = corrupted(traces, 0.01)
    >>> len(traces.seen), int(((noisy.written != traces.written) | (noisy.moves != traces.moves)).sum())
    (1114, 11)
    """
    check_share(share)
    stream, steps, symbols = Stream(seed, "noise"), len(traces.seen), len(traces.alphabet)
    chosen: set[int] = set()
    while len(chosen) < round(share * steps):
        chosen.add(stream.below(steps))
    written, moves = traces.written.copy(), traces.moves.copy()
    for at in sorted(chosen):
        if stream.below(2):
            written[at] = (int(written[at]) + 1 + stream.below(symbols - 1)) % symbols
        else:
            moves[at] = (int(moves[at]) + 1 + stream.below(len(Move) - 1)) % len(Move)
    return replace(traces, written=written, moves=moves)


def check_share(share: float) -> None:
    """Refuse what is no share of the steps."""
    if not 0 <= share < 1:
        what = f"a share of {share} of the steps cannot be recorded wrongly"
        raise InputError(what, do="Give a number from 0 to below 1, such as 0.01.")
