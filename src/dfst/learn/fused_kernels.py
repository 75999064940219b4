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
F is B and C stacked: K matrices of O rows.
"""

from __future__ import annotations

import numpy as np

from dfst.jit import compiled
from dfst.learn.barrier import meet
from dfst.learn.tiles import product1, product2, product4

_FAST = {"reassoc", "contract", "arcp", "nsz"}
"""Sums may be reordered; infinities and NaN must not be assumed away, because they are looked for."""

_BLOCK = 48
"""Steps per block when gradients are collected: two blocks of rows fit into the first-level cache for d about 100."""


@compiled(fastmath=_FAST)
def follow(tensors, transposed, sizes, steps, chosen, visible, weight, slots, own, c, threads):
    """Thread ``c``'s share of the ``chosen`` traces, cut at ``visible`` steps: through time, the heads, and back."""
    low, high = len(chosen) * c // threads, len(chosen) * (c + 1) // threads
    A, F, h0 = tensors
    AT, FT = transposed
    _lay_out(steps, chosen, visible, weight, sizes, slots, own, c, low, high)
    D = sizes.D
    for b in range(low, high):
        first = slots.at[b, 0]
        slots.H[first * D : (first + 1) * D] = h0
    _propagate(slots.H, AT, sizes, steps, chosen, visible, slots, own, c, low, high, True)
    _heads(F, FT, sizes, slots, own, c)
    _propagate(slots.G, A, sizes, steps, chosen, visible, slots, own, c, low, high, False)


@compiled()
def _lay_out(steps, chosen, visible, weight, sizes, slots, own, c, low, high):
    """Give every step of the traces ``low`` to ``high`` its slot."""
    K, D = sizes.K, sizes.D
    begin, before, filled = own.begin[c], own.low[c], own.high[c]
    begin[:] = 0
    before[:] = 0
    for b in range(len(chosen)):  # all traces: where a symbol's slots begin depends on every one
        first = steps.offsets[chosen[b]]
        end = first + min(steps.offsets[chosen[b] + 1] - first, visible)
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
        first = steps.offsets[chosen[b]]
        length = min(steps.offsets[chosen[b] + 1] - first, visible)
        last = begin[K] + b  # the gradient of h0 is collected behind the last slot
        w = weight / (2 * length)
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
def _propagate(rows, matrices, sizes, steps, chosen, visible, slots, own, c, low, high, forward):
    """Through time: h at t + 1 is A[x] h; or back: the gradient of h at t is what the heads say plus A[x]ᵀ times it."""
    K, d, D = sizes.K, sizes.d, sizes.D
    bucket, filled, at, previous = own.bucket[c], own.filled[c], slots.at, slots.previous
    longest = 0
    for b in range(low, high):
        longest = max(longest, min(steps.offsets[chosen[b] + 1] - steps.offsets[chosen[b]], visible))
    for i in range(longest - 1):
        t = i if forward else longest - 2 - i
        filled[:] = 0
        for b in range(low, high):
            first = steps.offsets[chosen[b]]
            if t + 1 < min(steps.offsets[chosen[b] + 1] - first, visible):
                x = steps.seen[first + t]
                s = at[b, t]
                bucket[x, filled[x], 0] = s * D
                bucket[x, filled[x], 1] = (at[b, t + 1] if forward else previous[s]) * D
                filled[x] += 1
        for x in range(K):
            g, count, matrix, pairs = 0, filled[x], x * d * D, bucket[x]
            while count - g >= 4:
                source = (pairs[g, 0], pairs[g + 1, 0], pairs[g + 2, 0], pairs[g + 3, 0])
                to = (pairs[g, 1], pairs[g + 1, 1], pairs[g + 2, 1], pairs[g + 3, 1])
                product4(rows, source, 1, matrices, matrix, D, d, rows, to, not forward, D)
                g += 4
            if count - g >= 2:
                source2, to2 = (pairs[g, 0], pairs[g + 1, 0]), (pairs[g, 1], pairs[g + 1, 1])
                product2(rows, source2, 1, matrices, matrix, D, d, rows, to2, not forward, D)
                g += 2
            if count > g:
                product1(rows, pairs[g, 0], 1, matrices, matrix, D, d, rows, pairs[g, 1], not forward, D)


@compiled(fastmath=_FAST)
def _heads(F, FT, sizes, slots, own, c):
    """Scores of the thread's slots, symbol by symbol, their errors, and what these say about h."""
    K, d, D, O, P = sizes
    H, G, E, previous, scale = slots.H, slots.G, slots.E, slots.previous, slots.scale
    for x in range(K):
        low, high = own.low[c, x], own.high[c, x]
        for s in range(low, high - 3, 4):
            at = (s * D, (s + 1) * D, (s + 2) * D, (s + 3) * D)
            to = (s * P, (s + 1) * P, (s + 2) * P, (s + 3) * P)
            product4(H, at, 1, FT, x * d * P, P, d, E, to, False, P)
        for s in range(high - (high - low) % 4, high):
            product1(H, s * D, 1, FT, x * d * P, P, d, E, s * P, False, P)
        for s in range(low, high):
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
            product4(E, at, 1, F, x * O * D, D, O, G, to, False, D)
        for s in range(high - (high - low) % 4, high):
            product1(E, s * P, 1, F, x * O * D, D, O, G, previous[s] * D, False, D)


@compiled(fastmath=_FAST)
def collect(gradient, sizes, slots, own, traces, c, threads):
    """Thread ``c``'s rows of the gradient, summed over all slots: one matrix product per symbol."""
    K, d, D, O, P = sizes
    dA, dF, dh = gradient
    begin = own.begin[c]
    for x in range(K):
        _outer(slots.G, D, d, slots.H, D, begin[x], begin[x + 1], dA, x * d * D, c, threads)
        _outer(slots.E, P, O, slots.H, D, begin[x], begin[x + 1], dF, x * O * D, c, threads)
    if c == 0:
        dh[:] = 0
        for b in range(traces):
            for i in range(d):
                dh[i] += slots.G[(begin[K] + b) * D + i]


@compiled(inline="always")
def _outer(left, width, rows, right, D, low, high, out, first_out, c, threads):
    """out[i] = Σ_s left[s][i] · right[s] for slots ``low`` to ``high`` and thread ``c``'s share of i < rows.

    Rows go by four, whatever the number of threads: so the same products are made for each of them.
    """
    fours = (rows + 3) // 4
    share, share_end = 4 * (fours * c // threads), min(rows, 4 * (fours * (c + 1) // threads))
    out[first_out + share * D : first_out + share_end * D] = 0
    for s in range(low, high, _BLOCK):
        n, i = min(_BLOCK, high - s), share
        while i + 4 <= share_end:
            at, to = s * width + i, first_out + i * D
            product4(left, (at, at + 1, at + 2, at + 3), width, right, s * D, D, n, out,
                     (to, to + D, to + 2 * D, to + 3 * D), True, D)  # fmt: skip
            i += 4
        while i < share_end:
            product1(left, s * width + i, width, right, s * D, D, n, out, first_out + i * D, True, D)
            i += 1


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
def _adam(adam, low, high, rate, first, second, factor):
    """One Adam step (β 0.9 and 0.999, ε 1e-8) for the parameters from ``low`` to ``high``."""
    number = adam.theta.dtype.type
    one, b1, b2, eps = number(1), number(0.9), number(0.999), number(1e-8)
    rate, first, second, factor = number(rate), number(first), number(second), number(factor)
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
def update(adam, transposed, sizes, step, rate, factor, c, threads):
    """Adam's ``step``-th step for thread ``c``'s share of the symbols, and the transposed copies of what it moved."""
    K, d, D, O, P = sizes
    AT, FT = transposed
    first, second = 1 / (1 - 0.9**step), 1 / (1 - 0.999**step)
    f = K * d * D
    for x in range(K * c // threads, K * (c + 1) // threads):
        a, b = x * d * D, f + x * O * D
        _adam(adam, a, a + d * D, rate, first, second, factor)
        _adam(adam, b, b + O * D, rate, first, second, factor)
        _transpose(adam.theta[a : a + d * D], AT[a : a + d * D], d, d, D, D)
        _transpose(adam.theta[b : b + O * D], FT[x * d * P : (x + 1) * d * P], O, d, D, P)
    if c == 0:
        _adam(adam, f + K * O * D, len(adam.theta), rate, first, second, factor)


@compiled()
def block(tensors, transposed, gradient, adam, sizes, steps, slots, own, rules, ahead, counts, barrier, c, threads):
    """One iteration for every row of ``ahead``, as thread ``c`` of ``threads``; True if it was cut short.

    ``counts`` are the iterations made so far and the gradients that were not finite. After such a gradient nothing is
    changed; training goes on if the rules are patient.
    """
    batch = ahead.chosen.shape[1]
    for i in range(len(ahead.rates)):
        chosen, visible = ahead.chosen[i], ahead.visible[i]
        follow(tensors, transposed, sizes, steps, chosen, visible, 1.0 / batch, slots, own, c, threads)
        if not meet(barrier, threads):
            return False
        collect(gradient, sizes, slots, own, batch, c, threads)
        if not meet(barrier, threads):
            return False
        if c == 0:
            ahead.losses[i] = total_loss(slots, own.begin[c, sizes.K])
            norm = _norm(adam.gradient)
            ahead.factors[i] = rules.clip / norm if norm > rules.clip else 1.0
            ahead.norms[i] = norm if norm * ahead.factors[i] <= rules.largest else np.inf
            counts[1] += not np.isfinite(ahead.norms[i])
        if not meet(barrier, threads):
            return False
        finite = np.isfinite(ahead.norms[i])
        if not finite and not rules.patient:
            return True
        if finite:
            update(adam, transposed, sizes, counts[0] + 1, ahead.rates[i], ahead.factors[i], c, threads)
        if not meet(barrier, threads):
            return False
        if c == 0:
            counts[0] += 1  # the others read it only after three more meetings
    return False
