"""Where the threads of one training block wait for each other.

A thread that waits gives its core away again and again (``sched_yield``) instead of holding it, so a computer that has
other work does that work. numba's own parallel loops hold the core, and a block of them can take twenty times as long
beside one busy process.
"""

from __future__ import annotations

import sys

import numpy as np
from numba import types

from dfst.jit import compiled
from dfst.llvm import atomic_add, atomic_read
from dfst.shapes import Int64

_ARRIVED, _ROUND, _ABANDONED = 0, 8, 16
"""Places in a barrier's array, a cache line apart."""

_give_way = types.ExternalFunction("SwitchToThread" if sys.platform == "win32" else "sched_yield", types.int32())


def new_barrier() -> Int64[np.ndarray, 24]:
    """A barrier that nobody waits at."""
    return np.zeros(24, np.int64)


@compiled()
def meet(barrier, threads):
    """Wait until all ``threads`` are here; False if one of them will never come."""
    if threads == 1:
        return True
    turn = atomic_read(barrier, _ROUND)
    if atomic_add(barrier, _ARRIVED, 1) == threads - 1:
        atomic_add(barrier, _ARRIVED, -threads)
        atomic_add(barrier, _ROUND, 1)
        return True
    while atomic_read(barrier, _ROUND) == turn:
        if atomic_read(barrier, _ABANDONED):
            return False
        _give_way()
    return True


def abandon(barrier: Int64[np.ndarray, 24]) -> None:
    """Let everyone who waits go: a thread they wait for will not come."""
    barrier[_ABANDONED] = 1
