"""The compiled closed loop of a DFST on a dense window, in strict floats.

The order of every operation is fixed, so that all machines make the same run: score or hidden component i is
((0 + W[0, i] h[0]) + W[1, i] h[1]) + ..., each product and each sum rounded to the model's own precision. Processors
differ in the sign of NaN alone, which decides nothing: where any score is NaN, none is the highest.

For each symbol x the weights are one matrix of d rows, row j being column j of A[x], B[x] and C[x] one after the other,
padded with zeros to a whole number of vectors; so one pass gives the next hidden state and both heads.
"""

from __future__ import annotations

import math

import numpy as np

from dfst.jit import compiled
from dfst.llvm import VECTOR_BYTES, equal_to, largest_of, make_product, size_of, trailing_zeros
from dfst.world.moves import UNDEFINED, Move

RUNNING, HALTED, STUCK, DIVERGED, EDGE = range(5)
"""Why the kernel returned: the chunk is done, an outcome, or the window must grow."""

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
_STAY, MOVES = int(Move.S), len(Move)
_FEW = 8

_product = make_product(1, 8, strict=True)


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


@compiled()
def _any_nan(scores, first, count):
    """Whether a score is NaN; asked only of a ``wild`` shape, as it takes time and :func:`_leader` cannot tell."""
    return np.isnan(scores[first : first + count]).any()


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


@compiled(inline="always")
def _lanes_of(first, count, lanes):
    """Where ``count`` numbers from ``first`` on lie: (first vector, last vector, first lane, end lane in the last)."""
    last = first + count - 1
    return first // lanes * lanes, last // lanes * lanes, first % lanes, last % lanes + 1


@compiled(boundscheck=False, error_model="numpy")
def roll(cells, offset, weights, shape, buffer, state, steps, teacher, drift):
    """Let the model act for at most ``steps`` steps; returns why it stopped.

    ``buffer`` holds two halves of ``stride`` numbers: the hidden state, then the scores of the last step. ``teacher``
    is None or (following, written, move) as bordered tables, followed in lock-step; ``drift`` is None or has the least
    and the last margin of what was done.
    """
    lanes = VECTOR_BYTES // buffer.itemsize
    d, symbols, stride, least, most, infinity, wild = shape
    position, half, why = np.uint64(state[AT]), state[HALF], RUNNING
    total, taught = state[STEPS], state[TEACHER]
    end = total + steps
    head = _lanes_of(d, symbols, lanes)
    _, last_hidden, _, tail = _lanes_of(0, d, lanes)
    last_move, jump = np.int64(_STAY), np.int64(0)
    while total < end:
        seen = np.int64(cells[position])
        if seen == symbols:
            why = EDGE
            break
        now, then = half * stride, (1 - half) * stride
        _product(buffer, (now,), 1, weights, (seen * d * stride, stride, d), buffer, (then,), False)
        if symbols <= _FEW:
            symbol = _leader_of_few(buffer, then + d, symbols)
        else:
            symbol = _leader(buffer, then, head, infinity) - d
        move = _leader_of_few(buffer, then + d + symbols, MOVES)
        if symbol < 0 or move < 0 or (wild and _any_nan(buffer, then + d, symbols + MOVES)):
            why = STUCK
            break
        if teacher is not None:
            entry = taught + seen
            if teacher[0][entry] == UNDEFINED or teacher[1][entry] != symbol or teacher[2][entry] != move:
                state[SYMBOL], state[MOVE] = symbol, move
                why = DIVERGED
                break
            if drift is not None:
                lead = _margin(buffer, then + d, symbols, symbol)
                drift[1] = min(lead, _margin(buffer, then + d + symbols, MOVES, move))
                drift[0] = min(drift[0], drift[1])
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


@compiled(boundscheck=False, error_model="numpy")
def roll_recorded(cells, offset, weights, shape, buffer, state, record, margins):
    """:func:`roll` without a teacher, until ``record`` is full; (steps done, why it stopped).

    What it sees, writes and where it moves goes into ``record``, the margins of both heads into ``margins``.
    """
    symbols = shape.symbols
    for done in range(len(margins)):
        at = state[AT]
        record[0, done] = cells[at]
        why = roll(cells, offset, weights, shape, buffer, state, 1, None, None)
        if why != RUNNING and why != HALTED:
            return done, why
        scores = state[HALF] * shape.stride + shape.d
        symbol, move = cells[at], _leader_of_few(buffer, scores + symbols, MOVES)
        record[1, done], record[2, done] = symbol, move
        margins[done, 0] = _margin(buffer, scores, symbols, symbol)
        margins[done, 1] = _margin(buffer, scores + symbols, MOVES, move)
        if why == HALTED:
            return done + 1, why
    return len(margins), RUNNING


@compiled(boundscheck=False, error_model="numpy")
def lead(seen, offsets, weights, shape, start, buffer, state, actions):
    """Into ``actions``, for each step of each trace: the symbol and the move of the highest score, -1 if scores tie."""
    d, symbols, stride, least, most, infinity, wild = shape
    lanes = VECTOR_BYTES // buffer.itemsize
    head = _lanes_of(d, symbols, lanes)
    _, last_hidden, _, tail = _lanes_of(0, d, lanes)
    for trace in range(len(offsets) - 1):
        buffer[:d] = start
        now, then = 0, stride
        for t in range(offsets[trace], offsets[trace + 1]):
            _product(buffer, (now,), 1, weights, (seen[t] * d * stride, stride, d), buffer, (then,), False)
            if symbols <= _FEW:
                symbol = _leader_of_few(buffer, then + d, symbols)
            else:
                symbol = max(_leader(buffer, then, head, infinity) - d, -1)
            actions[0, t], actions[1, t] = symbol, _leader_of_few(buffer, then + d + symbols, MOVES)
            if wild and _any_nan(buffer, then + d, symbols + MOVES):
                actions[:, t] = -1
            size = size_of(buffer, then + last_hidden, 0, tail, 0)
            for at in range(0, last_hidden, lanes):
                size = max(size, size_of(buffer, then + at, 0, lanes, 0))
            if size < least or size > most or (t + 1 - offsets[trace]) & (FLUSH_EVERY - 1) == 0:
                _rescale(buffer, then, d, state)
            now, then = then, now
