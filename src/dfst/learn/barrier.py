"""Where the threads of one training block wait for each other.

A thread that waits gives its core away again and again (``sched_yield``) instead of holding it, so a computer that has
other work does that work. numba's own parallel loops hold the core, and a block of them can take twenty times as long
beside one busy process.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from dfst.jit import compiled
from dfst.shapes import Int64

_ARRIVED, _ROUND, _ABANDONED = 0, 8, 16
"""Places in a barrier's array, a cache line apart."""

_give_way = types.ExternalFunction("SwitchToThread" if sys.platform == "win32" else "sched_yield", types.int32())


def new_barrier() -> Int64[np.ndarray, 24]:
    """A barrier that nobody waits at."""
    return np.zeros(24, np.int64)


def _atomic_add(typing, array, place, value):
    """Atomically: array[place] += value; what stood there before."""

    def generate(context, builder, signature, args):
        data = cgutils.create_struct_proxy(signature.args[0])(context, builder, args[0]).data
        return builder.atomic_rmw("add", builder.gep(data, [args[1]]), args[2], "seq_cst")

    return types.int64(array, types.int64, types.int64), generate


def _atomic_read(typing, array, place):
    """Atomically: array[place]."""

    def generate(context, builder, signature, args):
        data = cgutils.create_struct_proxy(signature.args[0])(context, builder, args[0]).data
        return builder.load_atomic(builder.gep(data, [args[1]]), "seq_cst", 8, typ=ir.IntType(64))

    return types.int64(array, types.int64), generate


_add: Any = intrinsic(_atomic_add)
_read: Any = intrinsic(_atomic_read)


@compiled()
def meet(barrier, threads):
    """Wait until all ``threads`` are here; False if one of them will never come."""
    if threads == 1:
        return True
    turn = _read(barrier, _ROUND)
    if _add(barrier, _ARRIVED, 1) == threads - 1:
        _add(barrier, _ARRIVED, -threads)
        _add(barrier, _ROUND, 1)
        return True
    while _read(barrier, _ROUND) == turn:
        if _read(barrier, _ABANDONED):
            return False
        _give_way()
    return True


def abandon(barrier: Int64[np.ndarray, 24]) -> None:
    """Let everyone who waits go: a thread they wait for will not come."""
    barrier[_ABANDONED] = 1
