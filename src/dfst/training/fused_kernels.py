"""Fused training on the CPU: forward, adjoint, clipping and Adam for whole blocks of iterations, without Python.

Words used here. Every step of a batch's traces has a *slot*; slots are sorted by the symbol seen, then by trace, so
that all steps with the same symbol lie side by side and the heads and the gradients of A, B and C are one matrix
product per symbol. Only the recurrence itself goes through time, traces in step, grouped by symbol so that A[x] is read
once for up to four of them.

A batch may be shared by several threads. First each follows its own traces through time and back (:func:`follow`), then
each collects its own rows of the gradient over *all* slots (:func:`collect`), then each moves the parameters of its own
symbols (:func:`update`). Every number is a sum in one fixed order, whoever computes it: weights do not depend on the
number of threads.

Arrays are flat. Rows of d numbers are padded to D, rows of O = K + 5 scores to P; what is padded stays zero throughout.
F is B and C stacked: K matrices of O rows. Thread ``c`` is one of ``threads``. Records such as ``job`` are explained in
:mod:`dfst.training.fused_arrays`.
"""

from __future__ import annotations

import numpy as np

from dfst.jit import compiled
from dfst.llvm import product1, product2, product4
from dfst.traces.traces import UNKNOWN
from dfst.training.fused_arrays import meet

_FAST = {"reassoc", "contract", "arcp", "nsz"}
"""Sums may be reordered; infinities and NaN must not be assumed away, because they are looked for."""

_BLOCK = 48
"""Steps per block when gradients are collected: two blocks of rows fit into the first-level cache for d about 100."""


@compiled(inline="always")
def _length(steps, trace, visible):
    return min(steps.offsets[trace + 1] - steps.offsets[trace], visible)


@compiled(fastmath=_FAST)
def follow(job, chosen, visible, weight, c, threads):
    """Thread ``c``'s share of the ``chosen`` traces, cut at ``visible`` steps: through time, the heads, and back."""
    low, high = len(chosen) * c // threads, len(chosen) * (c + 1) // threads
    slots, D = job.slots, job.sizes.D
    _lay_out(job, chosen, visible, weight, c, low, high)
    for b in range(low, high):
        first = slots.at[b, 0]
        slots.H[first * D : (first + 1) * D] = job.tensors.h0
    _propagate(slots.H, job.transposed.A, job, chosen, visible, c, low, high, True)
    _heads(job, c)
    _propagate(slots.G, job.tensors.A, job, chosen, visible, c, low, high, False)


@compiled()
def _lay_out(job, chosen, visible, weight, c, low, high):
    """Give every step of the traces ``low`` to ``high`` its slot."""
    steps, slots, K, D = job.steps, job.slots, job.sizes.K, job.sizes.D
    begin, before, filled = job.own.begin[c], job.own.low[c], job.own.high[c]
    begin[:] = 0
    before[:] = 0
    for b in range(len(chosen)):  # all traces: where a symbol's slots begin depends on every one
        first = steps.offsets[chosen[b]]
        end = first + _length(steps, chosen[b], visible)
        for t in range(first, end):
            begin[steps.seen[t] + 1] += 1
        if b < low:
            for t in range(first, end):
                before[steps.seen[t]] += 1
    for x in range(K):
        begin[x + 1] += begin[x]
        before[x] += begin[x]
        filled[x] = before[x]
    for b in range(low, high):
        first, length = steps.offsets[chosen[b]], _length(steps, chosen[b], visible)
        w, last = weight / (2 * length), begin[K] + b  # the gradient of h0 is collected behind the last slot
        for t in range(length):
            x = steps.seen[first + t]
            s = filled[x]
            filled[x] += 1
            slots.at[b, t] = s
            slots.previous[s] = last
            last = s
            slots.scale[s] = w
            slots.written[s] = steps.written[first + t]
            slots.move[s] = steps.moves[first + t]
        slots.G[last * D : (last + 1) * D] = 0  # nothing follows the last step


@compiled(inline="always")
def _group(job, chosen, visible, low, high, t, forward, bucket, filled):
    """By symbol, into ``bucket``: where the rows of step t begin that another follows, and where that one begins."""
    steps, slots, D = job.steps, job.slots, job.sizes.D
    filled[:] = 0
    for b in range(low, high):
        first = steps.offsets[chosen[b]]
        if t + 1 < min(steps.offsets[chosen[b] + 1] - first, visible):
            x, s = steps.seen[first + t], slots.at[b, t]
            bucket[x, filled[x], 0] = s * D
            bucket[x, filled[x], 1] = (slots.at[b, t + 1] if forward else slots.previous[s]) * D
            filled[x] += 1


@compiled(inline="always")
def _propagate(rows, matrices, job, chosen, visible, c, low, high, forward):
    """Through time: h at t + 1 is A[x] h; or back: the gradient of h at t is what the heads say plus A[x]ᵀ times it."""
    d, D, bucket, filled = job.sizes.d, job.sizes.D, job.own.bucket[c], job.own.filled[c]
    longest = 0
    for b in range(low, high):
        longest = max(longest, _length(job.steps, chosen[b], visible))
    for i in range(longest - 1):
        _group(job, chosen, visible, low, high, i if forward else longest - 2 - i, forward, bucket, filled)
        for x in range(job.sizes.K):
            g, count, matrix, pairs = 0, filled[x], x * d * D, bucket[x]
            while count - g >= 4:
                at = (pairs[g, 0], pairs[g + 1, 0], pairs[g + 2, 0], pairs[g + 3, 0])
                to = (pairs[g, 1], pairs[g + 1, 1], pairs[g + 2, 1], pairs[g + 3, 1])
                product4(rows, at, 1, matrices, (matrix, D, d), rows, to, not forward)
                g += 4
            if count - g >= 2:
                at2, to2 = (pairs[g, 0], pairs[g + 1, 0]), (pairs[g, 1], pairs[g + 1, 1])
                product2(rows, at2, 1, matrices, (matrix, D, d), rows, to2, not forward)
                g += 2
            if count > g:
                product1(rows, (pairs[g, 0],), 1, matrices, (matrix, D, d), rows, (pairs[g, 1],), not forward)


@compiled(fastmath=_FAST)
def _heads(job, c):
    """Scores of the thread's slots, symbol by symbol, their errors, and what these say about h.

    No symbol is an error where nobody knows which was written.
    """
    K, d, D, O, P = job.sizes
    slots, F, FT = job.slots, job.tensors.F, job.transposed.F
    H, G, E, previous, scale = slots.H, slots.G, slots.E, slots.previous, slots.scale
    for x in range(K):
        low, high = job.own.low[c, x], job.own.high[c, x]
        for s in range(low, high - 3, 4):
            at = (s * D, (s + 1) * D, (s + 2) * D, (s + 3) * D)
            to = (s * P, (s + 1) * P, (s + 2) * P, (s + 3) * P)
            product4(H, at, 1, FT, (x * d * P, P, d), E, to, False)
        for s in range(high - (high - low) % 4, high):
            product1(H, (s * D,), 1, FT, (x * d * P, P, d), E, (s * P,), False)
        for s in range(low, high):
            if slots.written[s] == UNKNOWN:
                E[s * P : s * P + K] = 0
            else:
                E[s * P + slots.written[s]] -= 1
            E[s * P + K + slots.move[s]] -= 1
            total = E[s * P] * E[s * P]
            for o in range(1, O):
                total += E[s * P + o] * E[s * P + o]
            slots.loss[s] = total * scale[s]
            for o in range(O):
                E[s * P + o] *= 2 * scale[s]
        for s in range(low, high - 3, 4):
            at = (s * P, (s + 1) * P, (s + 2) * P, (s + 3) * P)
            to = (previous[s] * D, previous[s + 1] * D, previous[s + 2] * D, previous[s + 3] * D)
            product4(E, at, 1, F, (x * O * D, D, O), G, to, False)
        for s in range(high - (high - low) % 4, high):
            product1(E, (s * P,), 1, F, (x * O * D, D, O), G, (previous[s] * D,), False)


@compiled(fastmath=_FAST)
def collect(job, traces, c, threads):
    """Thread ``c``'s rows of the gradient, summed over all slots: one matrix product per symbol."""
    K, d, D, O, P = job.sizes
    slots, begin, h0 = job.slots, job.own.begin[c], job.gradient.h0
    for x in range(K):
        span = (begin[x], begin[x + 1])
        _outer(slots.G, D, slots.H, span, job.gradient.A, x * d * D, _share(d, c, threads), D)
        _outer(slots.E, P, slots.H, span, job.gradient.F, x * O * D, _share(O, c, threads), D)
    if c == 0:
        h0[:] = 0
        for b in range(traces):
            for i in range(d):
                h0[i] += slots.G[(begin[K] + b) * D + i]


@compiled(inline="always")
def _share(count, c, threads):
    """Thread ``c``'s rows of ``count``: by four, whatever the number of threads, so that the same products are made."""
    fours = (count + 3) // 4
    return 4 * (fours * c // threads), min(count, 4 * (fours * (c + 1) // threads))


@compiled(inline="always")
def _outer(left, width, H, slots, out, to, rows, D):
    """out[i] = Σ_s left[s][i] · H[s] over ``slots`` (first, end) for the ``rows`` i (first, end)."""
    (low, high), (first, last) = slots, rows
    out[to + first * D : to + last * D] = 0
    for s in range(low, high, _BLOCK):
        n, whole = min(_BLOCK, high - s), last - (last - first) % 4
        for i in range(first, whole, 4):
            at, row = s * width + i, to + i * D
            sums = (row, row + D, row + 2 * D, row + 3 * D)
            product4(left, (at, at + 1, at + 2, at + 3), width, H, (s * D, D, n), out, sums, True)
        for i in range(whole, last):
            product1(left, (s * width + i,), width, H, (s * D, D, n), out, (to + i * D,), True)


@compiled(fastmath=_FAST)
def total_loss(slots, count):
    """The loss of the first ``count`` slots."""
    total = 0.0
    for s in range(count):
        total += slots.loss[s]
    return total


@compiled(fastmath=_FAST)
def _norm(gradient):
    total = 0.0
    for g in gradient:
        total += np.float64(g) * g
    return np.sqrt(total)


@compiled(fastmath=_FAST)
def _adam(adam, low, high, step, rate, factor):
    """Adam's ``step``-th step (β 0.9 and 0.999, ε 1e-8) for the parameters from ``low`` to ``high``."""
    number = adam.theta.dtype.type
    one, b1, b2, eps = number(1), number(0.9), number(0.999), number(1e-8)
    first, second = number(1 / (1 - 0.9**step)), number(1 / (1 - 0.999**step))
    rate, factor = number(rate), number(factor)
    for i in range(low, high):
        g = adam.gradient[i] * factor
        m = b1 * adam.mean[i] + (one - b1) * g
        v = b2 * adam.square[i] + (one - b2) * g * g
        adam.mean[i], adam.square[i] = m, v
        adam.theta[i] -= rate * (m * first) / (np.sqrt(v * second) + eps)


@compiled()
def _transpose(matrix, out, rows, columns, D, P):
    """out[j, i] = matrix[i, j] for i < rows, j < columns, where rows of ``matrix`` have D numbers and of ``out`` P."""
    for i in range(rows):
        for j in range(columns):
            out[j * P + i] = matrix[i * D + j]


@compiled()
def update(job, step, rate, factor, c, threads):
    """Adam's ``step``-th step for thread ``c``'s share of the symbols, and the transposed copies of what it moved."""
    K, d, D, O, P = job.sizes
    adam, AT, FT, f = job.adam, job.transposed.A, job.transposed.F, K * d * D
    for x in range(K * c // threads, K * (c + 1) // threads):
        a, b = x * d * D, f + x * O * D
        _adam(adam, a, a + d * D, step, rate, factor)
        _adam(adam, b, b + O * D, step, rate, factor)
        _transpose(adam.theta[a : a + d * D], AT[a : a + d * D], d, d, D, D)
        _transpose(adam.theta[b : b + O * D], FT[x * d * P : (x + 1) * d * P], O, d, D, P)
    if c == 0:
        _adam(adam, f + K * O * D, len(adam.theta), step, rate, factor)


@compiled()
def block(job, ahead, counts, barrier, c, threads):
    """One iteration for every row of ``ahead``, as thread ``c`` of ``threads``; True if it was cut short.

    ``counts`` are the iterations made so far and the gradients that were not finite. After such a gradient nothing is
    changed; training goes on if the rules are patient.
    """
    batch, rules = ahead.chosen.shape[1], job.rules
    for i in range(len(ahead.rates)):
        follow(job, ahead.chosen[i], ahead.visible[i], 1.0 / batch, c, threads)
        if not meet(barrier, threads):
            return False
        collect(job, batch, c, threads)
        if not meet(barrier, threads):
            return False
        if c == 0:
            ahead.losses[i] = total_loss(job.slots, job.own.begin[c, job.sizes.K])
            norm = _norm(job.adam.gradient)
            ahead.factors[i] = rules.clip / norm if norm > rules.clip else 1.0
            ahead.norms[i] = norm if norm * ahead.factors[i] <= rules.largest else np.inf
            counts[1] += not np.isfinite(ahead.norms[i])
        if not meet(barrier, threads):
            return False
        finite = np.isfinite(ahead.norms[i])
        if not finite and not rules.patient:
            return True
        if finite:
            update(job, counts[0] + 1, ahead.rates[i], ahead.factors[i], c, threads)
        if not meet(barrier, threads):
            return False
        if c == 0:
            counts[0] += 1  # the others read it only after three more meetings
    return False
