"""What the fused kernels work on: their arrays by name (they say what a slot is), and where their threads meet."""

from __future__ import annotations

import sys
from typing import NamedTuple

import numpy as np
from numba import types

from dfst.jit import compiled
from dfst.llvm import atomic_add, atomic_read

_ARRIVED, _ROUND, _ABANDONED = 0, 8, 16
"""Places in a barrier's array, a cache line apart."""

_give_way = types.ExternalFunction("SwitchToThread" if sys.platform == "win32" else "sched_yield", types.int32())


class Sizes(NamedTuple):
    """K symbols, d dimensions padded to D, O = K + 5 scores padded to P."""

    K: int
    d: int
    D: int
    O: int
    P: int


class Recorded(NamedTuple):
    """All traces end to end; trace i is the steps from offsets[i] to offsets[i + 1]."""

    seen: np.ndarray
    written: np.ndarray
    moves: np.ndarray
    offsets: np.ndarray


class Tensors(NamedTuple):
    """Flat views of parameters or of their gradient: A, F and h0."""

    A: np.ndarray
    F: np.ndarray
    h0: np.ndarray


class Transposed(NamedTuple):
    """Every A[x] and F[x] transposed, flat."""

    A: np.ndarray
    F: np.ndarray


class Adam(NamedTuple):
    """All parameters end to end, the gradient, and its running means."""

    theta: np.ndarray
    gradient: np.ndarray
    mean: np.ndarray
    square: np.ndarray


class Slots(NamedTuple):
    """One row or number per slot; behind the last slot of H's gradient G, one row per trace for the gradient of h0."""

    H: np.ndarray
    G: np.ndarray
    E: np.ndarray
    loss: np.ndarray
    scale: np.ndarray
    previous: np.ndarray
    written: np.ndarray
    move: np.ndarray
    at: np.ndarray
    """at[b, t] is the slot of step t of trace b of the batch."""


class Own(NamedTuple):
    """What every thread keeps for itself, a row each."""

    begin: np.ndarray
    """begin[c, x]: the first slot of symbol x; begin[c, K]: the number of slots. The same in every row."""
    low: np.ndarray
    high: np.ndarray
    """Thread c follows the slots low[c, x] to high[c, x] of symbol x."""
    bucket: np.ndarray
    filled: np.ndarray
    """bucket[c, x]: filled[c, x] pairs of rows, of those that see symbol x at one time and of those they lead to."""


class Rules(NamedTuple):
    """When a gradient is clipped, when it counts as not finite, and whether training goes on then."""

    clip: float
    largest: float
    patient: bool


class Job(NamedTuple):
    """A training: what it learns from, what it learns, and room to work in."""

    sizes: Sizes
    steps: Recorded
    tensors: Tensors
    transposed: Transposed
    gradient: Tensors
    adam: Adam
    slots: Slots
    own: Own
    rules: Rules


class Ahead(NamedTuple):
    """Some iterations: what each is given, and room for what it comes to."""

    chosen: np.ndarray
    rates: np.ndarray
    visible: np.ndarray
    losses: np.ndarray
    norms: np.ndarray
    factors: np.ndarray


def new_barrier() -> np.ndarray:
    """Where the threads of one training block wait for each other.

    A thread that waits gives its core away again and again (``sched_yield``) instead of holding it, so a computer that
    has other work does that work. numba's own parallel loops hold the core, and a block of them can take twenty times
    as long beside one busy process.
    """
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


def abandon(barrier: np.ndarray) -> None:
    """Let everyone who waits go: a thread they wait for will not come."""
    barrier[_ABANDONED] = 1
