"""A DFST led along recorded traces, in the strict floats of the rollouts: the same products in the same order."""

from __future__ import annotations

from dfst.act.float_kernels import (
    _FEW,
    FLUSH_EVERY,
    RESCALE_BEYOND,
    VECTOR_BYTES,
    _leader,
    _leader_of_few,
    _product,
    _rescale,
)
from dfst.act.lanes import lanes_of
from dfst.jit import compiled
from dfst.learn.model import MOVES


@compiled(boundscheck=False, error_model="numpy")
def count_wrong(steps, offsets, weights, d, symbols, stride, start, buffer, state, infinity, wrong):
    """Into ``wrong``, for each trace: the steps whose action is not the recorded one, or for which scores tie.

    ``steps`` are the columns seen, written and moves of all traces; the rest is as in :func:`roll`.
    """
    seen, written, moves = steps
    head = lanes_of(d, symbols, VECTOR_BYTES // buffer.itemsize)
    least, most = 2.0**-RESCALE_BEYOND, 2.0**RESCALE_BEYOND
    for trace in range(len(offsets) - 1):
        buffer[:d] = start
        half, count = 0, 0
        for t in range(offsets[trace], offsets[trace + 1]):
            now, then = half * stride, (1 - half) * stride
            _product(buffer, now, weights, seen[t] * d * stride, stride, d, buffer, then)
            if symbols <= _FEW:
                symbol = _leader_of_few(buffer, then + d, symbols)
            else:
                symbol = _leader(buffer, then, head, infinity) - d
            if symbol != written[t] or _leader_of_few(buffer, then + d + symbols, MOVES) != moves[t]:
                count += 1
            half = 1 - half
            size = 0.0
            for i in range(then, then + d):
                size = max(size, abs(buffer[i]))
            if size < least or size > most or (t + 1 - offsets[trace]) & (FLUSH_EVERY - 1) == 0:
                _rescale(buffer, then, d, state)
        wrong[trace] = count
