"""The compiled closed loop of a DFST on a dense window, in strict floats.

The order of every operation is fixed, so that all machines make the same run: score or hidden component i is
((0 + W[0, i] h[0]) + W[1, i] h[1]) + ..., each product and each sum rounded to the model's own precision.

For each symbol x the weights are one matrix of d rows, row j being column j of A[x], B[x] and C[x] one after the other,
padded with zeros to a whole number of vectors; so one pass gives the next hidden state and both heads.
"""

from __future__ import annotations

import math

import numpy as np

from dfst.act.lanes import equal_to, lanes_of, largest_of, size_of, trailing_zeros
from dfst.jit import compiled
from dfst.learn.model import MOVES
from dfst.learn.tiles import VECTOR_BYTES, make_tile
from dfst.world.machine import UNDEFINED
from dfst.world.moves import Move

RUNNING, HALTED, STUCK, DIVERGED, EDGE, FULL = range(6)
"""Why the kernel returned: the chunk is done, an outcome, the window must grow, the drift record must be thinned."""

PLACES = 9
AT, HALF, SCALE, RESCALED, FLUSHED, TEACHER, SYMBOL, MOVE, STEPS = range(PLACES)
"""Places in the state vector: position, which half of the buffer holds h, h's exponent, counts, and the last action."""

RESCALE_BEYOND = 16
"""h is rescaled when its largest component leaves 2^-16 .. 2^16."""

FLUSH_BELOW = 100
"""A component below 2^-100 of the largest is set to zero (it would soon be denormal) ..."""

FLUSH_EVERY = 64
"""... whenever h is rescaled, and every so many steps."""

_SILENT = np.int64(-(2**63))
_STAY = int(Move.S)
_FEW = 8

_one, _two, _three, _four = (make_tile(1, v, strict=True) for v in (1, 2, 3, 4))
_five, _six, _seven, _eight = (make_tile(1, v, strict=True) for v in (5, 6, 7, 8))


@compiled(inline="always")
def _product(h, at, rows, first, stride, count, out, to):
    """out[to + i] = Σ_u h[at + u] · rows[first + u·stride + i] for i < stride, in the order of u."""
    lanes = VECTOR_BYTES // h.itemsize
    left = stride // lanes
    while left > 8:  # what is left for the end must not be so narrow that it waits for its own sums
        taken = 8 if left >= 12 else 5
        if taken == 8:
            _eight(h, (at,), 1, rows, first, stride, count, out, (to,), False)
        else:
            _five(h, (at,), 1, rows, first, stride, count, out, (to,), False)
        left -= taken
        first += taken * lanes
        to += taken * lanes
    if left == 2:
        _two(h, (at,), 1, rows, first, stride, count, out, (to,), False)
    elif left == 3:
        _three(h, (at,), 1, rows, first, stride, count, out, (to,), False)
    elif left == 4:
        _four(h, (at,), 1, rows, first, stride, count, out, (to,), False)
    elif left == 1:
        _one(h, (at,), 1, rows, first, stride, count, out, (to,), False)
    elif left == 5:
        _five(h, (at,), 1, rows, first, stride, count, out, (to,), False)
    elif left == 6:
        _six(h, (at,), 1, rows, first, stride, count, out, (to,), False)
    elif left == 7:
        _seven(h, (at,), 1, rows, first, stride, count, out, (to,), False)
    else:
        _eight(h, (at,), 1, rows, first, stride, count, out, (to,), False)


@compiled(inline="always")
def _leader_of_few(scores, first, count):
    """:func:`_leader` of few scores: its branches can be guessed, so that the next step begins before it is done."""
    leader, best, tied = 0, scores[first], False
    for i in range(1, count):
        score = scores[first + i]
        if score > best:
            leader, best, tied = i, score, False
        elif score == best:
            tied = True
    return np.int64(-1) if tied or not -np.inf < best < np.inf else np.int64(leader)


@compiled(inline="always")
def _leader(scores, start, head, infinity):
    """The lane of the largest score, counted from ``start``; -1 if two are largest, or if it is not finite."""
    first, last, low, high = head
    if first == last:
        best = largest_of(scores, start + first, low, high, 0)
        mask = equal_to(scores, start + first, low, high, best)
        if mask & (mask - 1) or best >= infinity or best < -infinity:
            return np.int64(-1)
        return first + trailing_zeros(mask)
    lanes = VECTOR_BYTES // scores.itemsize
    best = _SILENT
    for at in range(first, last + 1, lanes):
        best = max(best, largest_of(scores, start + at, low if at == first else 0, high if at == last else lanes, 0))
    index = np.int64(-1)
    for at in range(first, last + 1, lanes):
        mask = equal_to(scores, start + at, low if at == first else 0, high if at == last else lanes, best)
        if mask:
            if index >= 0 or mask & (mask - 1):
                return np.int64(-1)
            index = at + trailing_zeros(mask)
    return np.int64(-1) if best >= infinity or best < -infinity else index


@compiled(inline="always")
def _margin(scores, first, count, leader):
    """How far the largest score is ahead of the second, relative to the largest in size."""
    second, size = -np.inf, 0.0
    for i in range(first, first + count):
        size = max(size, abs(scores[i]))
        if i != first + leader:
            second = max(second, scores[i])
    return (scores[first + leader] - second) / size


@compiled()
def _rescale(h, at, d, state):
    """Scale h by a power of two so that its largest component is in [1, 2), and flush."""
    largest = 0.0
    for i in range(at, at + d):
        largest = max(largest, abs(h[i]))
    if not 0 < largest < np.inf:
        return  # all zero, or not finite: the next scores say so
    exponent = math.frexp(largest)[1] - 1
    factor, least = 2.0 ** (-exponent), largest * 2.0**-FLUSH_BELOW
    for i in range(at, at + d):
        if h[i] != 0 and abs(h[i]) < least:
            h[i] = 0
            state[FLUSHED] += 1
        else:
            h[i] = h[i] * factor
    state[SCALE] += exponent
    state[RESCALED] += exponent != 0


@compiled(boundscheck=False, error_model="numpy")
def roll(cells, offset, weights, d, symbols, stride, buffer, state, steps, bits, teacher, drift):
    """Let the model act for at most ``steps`` steps; returns why it stopped.

    ``buffer`` holds two halves of ``stride`` numbers: the hidden state, then the scores of the last step. ``bits`` are
    the integers of 2^-16, 2^16 and infinity. ``teacher`` is None or (following, written, move) as bordered tables,
    followed in lock-step; ``drift`` is None or (least margin by teacher's entry, its count, bins, bin width, norms).
    """
    lanes = VECTOR_BYTES // buffer.itemsize
    position, half, why = np.uint64(state[AT]), state[HALF], RUNNING
    total, taught = state[STEPS], state[TEACHER]
    end, least, most, infinity = total + steps, bits[0], bits[1], bits[2]
    symbol_head = lanes_of(d, symbols, lanes)
    _, last_hidden, _, tail = lanes_of(0, d, lanes)
    last_move, jump = np.int64(_STAY), np.int64(0)
    while total < end:
        seen = np.int64(cells[position])
        if seen == symbols:
            why = EDGE
            break
        now, then = half * stride, (1 - half) * stride
        _product(buffer, now, weights, seen * d * stride, stride, d, buffer, then)
        if symbols <= _FEW:
            symbol = _leader_of_few(buffer, then + d, symbols)
        else:
            symbol = _leader(buffer, then, symbol_head, infinity) - d
        move = _leader_of_few(buffer, then + d + symbols, MOVES)
        if symbol < 0 or move < 0:
            why = STUCK
            break
        if teacher is not None:
            entry = taught + seen
            if teacher[0][entry] == UNDEFINED or teacher[1][entry] != symbol or teacher[2][entry] != move:
                state[SYMBOL], state[MOVE] = symbol, move
                why = DIVERGED
                break
            if drift is not None:
                interval = total // drift[3][0]
                if interval >= len(drift[2]):
                    why = FULL
                    break
                if total % drift[3][0] == 0:
                    squares = 0.0
                    for i in range(now, now + d):
                        squares += np.float64(buffer[i]) * np.float64(buffer[i])
                    drift[4][interval] = 0.5 * np.log2(squares) + state[SCALE]
                lead = _margin(buffer, then + d, symbols, symbol)
                lead = min(lead, _margin(buffer, then + d + symbols, MOVES, move))
                drift[0][entry] = min(drift[0][entry], lead)
                drift[1][entry] += 1
                drift[2][interval] = min(drift[2][interval], lead)
            taught = np.int64(teacher[0][entry])
        cells[position] = symbol
        if move != last_move:  # a branch, not an index: the processor guesses it and reads the next cell at once
            last_move, jump = move, offset[move]
        position = np.uint64(np.int64(position) + jump)
        total += 1
        half = 1 - half
        if move == _STAY:
            why = HALTED
            break
        size = size_of(buffer, then + last_hidden, 0, tail, 0)
        for at in range(0, last_hidden, lanes):
            size = max(size, size_of(buffer, then + at, 0, lanes, 0))
        if size < least or size > most or total & (FLUSH_EVERY - 1) == 0:
            _rescale(buffer, then, d, state)
    state[AT], state[HALF], state[STEPS], state[TEACHER] = position, half, total, taught
    return why
