"""Fused training on the CPU: forward, adjoint, clipping and Adam for whole blocks of iterations, without Python.

Words used here. A *chunk* is the part of the batch that one thread works on. Every step of a chunk's traces has a
*slot*; slots are sorted by the symbol seen, so that all steps with the same symbol lie side by side and the heads and
the gradients of A, B and C are one matrix product per symbol. Only the recurrence itself goes through time, all traces
of a chunk in step, grouped by symbol so that A[x] is read once for up to four of them.

Arrays are flat. Rows of d numbers are padded to D, rows of O = K + 5 scores to P; what is padded stays zero throughout.
F is B and C stacked: K matrices of O rows.
"""

from __future__ import annotations

from types import FunctionType

import numpy as np
from numba import prange

from dfst.jit import compiled
from dfst.learn.tiles import product1, product2, product4

_FAST = {"reassoc", "contract", "arcp", "nsz"}
"""Sums may be reordered; infinities and NaN must not be assumed away, because they are looked for."""

_BLOCK = 48
"""Steps per block when gradients are collected: two blocks of rows fit into the first-level cache for d about 100."""


@compiled(fastmath=_FAST)
def chunk_gradient(A, AT, F, FT, h0, sizes, seen, written, moves, offsets, chosen, visible, weight, work, dA, dF, dh):
    """The loss of the ``chosen`` traces, cut at ``visible`` steps, and its gradient, written to dA, dF and dh.

    ``weight`` is 1 / batch size; ``sizes`` is (K, d, D, O, P); ``work`` the chunk's scratch arrays (:func:`scratch`).
    """
    K, d, D, O, P = sizes
    H, G, E, slot, previous, scale, symbol_written, move_made, begin, bucket, filled = work
    traces = len(chosen)
    longest, steps = 0, 0
    begin[:] = 0
    for b in range(traces):
        first = offsets[chosen[b]]
        length = min(offsets[chosen[b] + 1] - first, visible)
        longest = max(longest, length)
        steps += length
        for t in range(length):
            begin[seen[first + t] + 1] += 1
    for x in range(K):
        begin[x + 1] += begin[x]
        filled[x] = begin[x]
    for b in range(traces):
        first = offsets[chosen[b]]
        length = min(offsets[chosen[b] + 1] - first, visible)
        before = steps + b  # the gradient of h0 is collected behind the last slot
        w = weight / (2 * length)
        for t in range(length):
            x = seen[first + t]
            s = filled[x]
            filled[x] += 1
            slot[b, t] = s
            previous[s] = before
            before = s
            scale[s] = w
            symbol_written[s] = written[first + t]
            move_made[s] = moves[first + t]
        G[before * D : (before + 1) * D] = 0  # nothing follows the last step
        H[slot[b, 0] * D : (slot[b, 0] + 1) * D] = h0

    # forward through time: h at t + 1 is A[x] h
    for t in range(longest - 1):
        filled[:] = 0
        for b in range(traces):
            first = offsets[chosen[b]]
            if t + 1 < min(offsets[chosen[b] + 1] - first, visible):
                x = seen[first + t]
                bucket[x, filled[x]] = b
                filled[x] += 1
        for x in range(K):
            g, count, matrix = 0, filled[x], x * d * D
            while g < count:
                b0 = bucket[x, g]
                at0, to0 = slot[b0, t] * D, slot[b0, t + 1] * D
                if count - g == 1:
                    product1(H, at0, 1, AT, matrix, D, d, H, to0, False, D)
                    break
                b1 = bucket[x, g + 1]
                at1, to1 = slot[b1, t] * D, slot[b1, t + 1] * D
                if count - g < 4:
                    product2(H, (at0, at1), 1, AT, matrix, D, d, H, (to0, to1), False, D)
                    g += 2
                    continue
                b2, b3 = bucket[x, g + 2], bucket[x, g + 3]
                at = (at0, at1, slot[b2, t] * D, slot[b3, t] * D)
                to = (to0, to1, slot[b2, t + 1] * D, slot[b3, t + 1] * D)
                product4(H, at, 1, AT, matrix, D, d, H, to, False, D)
                g += 4

    # the heads, symbol by symbol: scores, errors, and what they say about h
    loss = 0.0
    for x in range(K):
        low, high = begin[x], begin[x + 1]
        for s in range(low, high - 3, 4):
            at = (s * D, (s + 1) * D, (s + 2) * D, (s + 3) * D)
            to = (s * P, (s + 1) * P, (s + 2) * P, (s + 3) * P)
            product4(H, at, 1, FT, x * d * P, P, d, E, to, False, P)
        for s in range(high - (high - low) % 4, high):
            product1(H, s * D, 1, FT, x * d * P, P, d, E, s * P, False, P)
        for s in range(low, high):
            E[s * P + symbol_written[s]] -= 1
            E[s * P + K + move_made[s]] -= 1
            total = E[s * P] * E[s * P]
            for o in range(1, O):
                total += E[s * P + o] * E[s * P + o]
            loss += total * scale[s]
            for o in range(O):
                E[s * P + o] *= 2 * scale[s]
        for s in range(low, high - 3, 4):
            at = (s * P, (s + 1) * P, (s + 2) * P, (s + 3) * P)
            to = (previous[s] * D, previous[s + 1] * D, previous[s + 2] * D, previous[s + 3] * D)
            product4(E, at, 1, F, x * O * D, D, O, G, to, False, D)
        for s in range(high - (high - low) % 4, high):
            product1(E, s * P, 1, F, x * O * D, D, O, G, previous[s] * D, False, D)

    # backward through time: G at slot(t) is the gradient of h at t + 1
    for t in range(longest - 2, -1, -1):
        filled[:] = 0
        for b in range(traces):
            first = offsets[chosen[b]]
            if t + 1 < min(offsets[chosen[b] + 1] - first, visible):
                x = seen[first + t]
                bucket[x, filled[x]] = slot[b, t]
                filled[x] += 1
        for x in range(K):
            g, count, matrix = 0, filled[x], x * d * D
            while g < count:
                s0 = bucket[x, g]
                if count - g == 1:
                    product1(G, s0 * D, 1, A, matrix, D, d, G, previous[s0] * D, True, D)
                    break
                s1 = bucket[x, g + 1]
                if count - g < 4:
                    to2 = (previous[s0] * D, previous[s1] * D)
                    product2(G, (s0 * D, s1 * D), 1, A, matrix, D, d, G, to2, True, D)
                    g += 2
                    continue
                s2, s3 = bucket[x, g + 2], bucket[x, g + 3]
                to = (previous[s0] * D, previous[s1] * D, previous[s2] * D, previous[s3] * D)
                product4(G, (s0 * D, s1 * D, s2 * D, s3 * D), 1, A, matrix, D, d, G, to, True, D)
                g += 4

    # gradients: one matrix product per symbol
    dA[:] = 0
    dF[:] = 0
    for x in range(K):
        for s in range(begin[x], begin[x + 1], _BLOCK):
            n = min(_BLOCK, begin[x + 1] - s)
            outer(G, s * D, D, d, H, s * D, D, n, dA, x * d * D)
            outer(E, s * P, P, O, H, s * D, D, n, dF, x * O * D)
    dh[:] = 0
    for b in range(traces):
        for i in range(d):
            dh[i] += G[(steps + b) * D + i]
    return loss


@compiled(inline="always")
def outer(left, first_left, stride_left, rows, right, first_right, D, n, out, first_out):
    """out[i] += Σ_s left[s][i] · right[s] for i < rows, s < n: rows of ``out`` and ``right`` have D numbers."""
    i = 0
    while i + 4 <= rows:
        at, to = first_left + i, first_out + i * D
        product4(left, (at, at + 1, at + 2, at + 3), stride_left, right, first_right, D, n, out,
                 (to, to + D, to + 2 * D, to + 3 * D), True, D)  # fmt: skip
        i += 4
    while i < rows:
        product1(left, first_left + i, stride_left, right, first_right, D, n, out, first_out + i * D, True, D)
        i += 1


@compiled(fastmath=_FAST)
def adam(parameters, gradient, mean, square, low, high, rate, correction1, correction2, factor):
    """One Adam step (β 0.9 and 0.999, ε 1e-8) for the parameters from ``low`` to ``high``."""
    one = parameters.dtype.type(1)
    b1, b2 = parameters.dtype.type(0.9), parameters.dtype.type(0.999)
    eps, rate = parameters.dtype.type(1e-8), parameters.dtype.type(rate)
    c1, c2, factor = (
        parameters.dtype.type(correction1),
        parameters.dtype.type(correction2),
        parameters.dtype.type(factor),
    )
    for i in range(low, high):
        g = gradient[i] * factor
        m = b1 * mean[i] + (one - b1) * g
        v = b2 * square[i] + (one - b2) * g * g
        mean[i], square[i] = m, v
        parameters[i] -= rate * (m * c1) / (np.sqrt(v * c2) + eps)


@compiled()
def transpose(matrix, out, rows, columns, D, P):
    """out[j, i] = matrix[i, j] for i < rows, j < columns, where rows of ``matrix`` have D numbers and of ``out`` P."""
    for i in range(rows):
        for j in range(columns):
            out[j * P + i] = matrix[i * D + j]


def _block(
    theta, mean, square, gradients, transposed, sizes, data, works, parts,
    done, chosen, rates, visible, clip, largest, patient, losses, norms,
):  # fmt: skip
    """One iteration for every row of ``chosen``; returns how many were made, fewer only if one was not finite.

    ``theta`` is A, F and h0 end to end, ``mean`` and ``square`` Adam's moments, ``gradients`` has a row per thread;
    ``done`` iterations were made before. After a gradient that is not finite nothing is changed; if ``patient``, the
    run goes on.
    """
    K, d, D, O, P = sizes
    seen, written, moves, offsets = data
    H, G, E, slot, previous, scale, symbol_written, move_made, begin, bucket, filled = works
    AT, FT = transposed
    threads, a, f = len(gradients), K * d * D, K * (d + O) * D
    count, batch = chosen.shape
    for it in range(count):
        for c in prange(threads):
            work = (
                H[c], G[c], E[c], slot[c], previous[c], scale[c], symbol_written[c], move_made[c],
                begin[c], bucket[c], filled[c],
            )  # fmt: skip
            parts[c] = chunk_gradient(
                theta[:a], AT, theta[a:f], FT, theta[f:], sizes, seen, written, moves, offsets,
                chosen[it, batch * c // threads : batch * (c + 1) // threads], visible[it], 1.0 / batch, work,
                gradients[c, :a], gradients[c, a:f], gradients[c, f:],
            )  # fmt: skip
        losses[it] = parts.sum()
        for c in prange(threads):
            low, high = len(theta) * c // threads, len(theta) * (c + 1) // threads
            parts[c] = gather(gradients, low, high)
        norm = np.sqrt(parts.sum())
        factor = clip / norm if norm > clip else 1.0
        norms[it] = norm if norm * factor <= largest else np.inf
        if not np.isfinite(norms[it]):
            if not patient:
                return it
            continue
        first, second = 1 / (1 - 0.9 ** (done + it + 1)), 1 / (1 - 0.999 ** (done + it + 1))
        for c in prange(threads):
            low, high = len(theta) * c // threads, len(theta) * (c + 1) // threads
            adam(theta, gradients[0], mean, square, low, high, rates[it], first, second, factor)
        for x in prange(K):
            transpose(theta[x * d * D : (x + 1) * d * D], AT[x * d * D : (x + 1) * d * D], d, d, D, D)
            transpose(theta[a + x * O * D : a + (x + 1) * O * D], FT[x * d * P : (x + 1) * d * P], O, d, D, P)
    return count


@compiled(fastmath=_FAST)
def gather(gradients, low, high):
    """Add all threads' gradients into the first, from ``low`` to ``high``; the sum of squares of the result."""
    total = 0.0
    for i in range(low, high):
        g = gradients[0, i]
        for c in range(1, len(gradients)):
            g += gradients[c, i]
        gradients[0, i] = g
        total += np.float64(g) * g
    return total


def _named(name):
    """``_block`` under another name: numba keeps compiled code on disk by name, and it is compiled twice."""
    function = FunctionType(_block.__code__.replace(co_name=name), globals(), name)
    function.__qualname__ = name
    return function


block_on_one_thread = compiled()(_named("block_on_one_thread"))
block_on_all_threads = compiled(parallel=True)(_named("block_on_all_threads"))
