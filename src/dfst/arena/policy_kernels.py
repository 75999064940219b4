"""The compiled part of recurrent policies: one step, and the walks along a trie that extraction needs.

Strict floats: nothing is reordered, so a policy acts alike on every machine. An LSTM is told from a GRU by its state,
which is twice as long as its width.
"""

from __future__ import annotations

import math

import numpy as np

from dfst.extraction.swap_kernels import times
from dfst.jit import compiled
from dfst.world.moves import Move

_STAY = int(Move.S)


@compiled(inline="always")
def _sigmoid(x):
    return np.float32(0.5) * (np.float32(1) + math.tanh(np.float32(0.5) * x))


@compiled()
def advance(symbol, recur, bias, state, x, gates, after):
    """The state after seeing x; ``gates`` is scratch, as wide as ``recur``."""
    d = recur.shape[0]
    row = symbol[x]
    times(recur, state[:d], gates)
    if len(state) == d:  # reset, update, candidate
        for i in range(d):
            reset = _sigmoid(gates[i] + row[i])
            update = _sigmoid(gates[d + i] + row[d + i])
            candidate = math.tanh(row[2 * d + i] + reset * (gates[2 * d + i] + bias[i]))
            after[i] = (np.float32(1) - update) * candidate + update * state[i]
    else:  # in, forget, cell, out
        for i in range(d):
            enter = _sigmoid(gates[i] + row[i])
            forget = _sigmoid(gates[d + i] + row[d + i])
            fresh = math.tanh(gates[2 * d + i] + row[2 * d + i])
            leave = _sigmoid(gates[3 * d + i] + row[3 * d + i])
            cell = forget * state[d + i] + enter * fresh
            after[d + i] = cell
            after[i] = leave * math.tanh(cell)


@compiled()
def _choose(out, out_bias, state, scores):
    """(symbol, move) with the highest scores after a step; (-1, -1) if a score is not a number."""
    symbols = len(scores) - 5
    times(out, state[: out.shape[0]], scores)
    for i in range(len(scores)):
        scores[i] += out_bias[i]
        if not np.isfinite(scores[i]):
            return -1, -1
    written, move = 0, 0
    for i in range(1, symbols):
        if scores[i] > scores[written]:
            written = i
    for i in range(1, 5):
        if scores[symbols + i] > scores[symbols + move]:
            move = i
    return written, move


@compiled()
def act(symbol, recur, bias, out, out_bias, state, x, after):
    """One step: the state after it is written to ``after``; the symbol and the move, or (-1, -1)."""
    advance(symbol, recur, bias, state, x, np.empty(recur.shape[1], np.float32), after)
    return _choose(out, out_bias, after, np.empty(len(out_bias), np.float32))


@compiled()
def explains(symbol, recur, bias, out, out_bias, start, edges, seen, written, move, tallest):
    """As :func:`dfst.extraction.swap_kernels.explains`: the steps compared along the longest futures, or -1."""
    gates, scores = np.empty(recur.shape[1], np.float32), np.empty(len(out_bias), np.float32)
    state, after, total = np.empty_like(start), np.empty_like(start), 0
    for edge in edges:
        state[:] = start
        n = edge
        while n >= 0:
            advance(symbol, recur, bias, state, seen[n], gates, after)
            s, m = _choose(out, out_bias, after, scores)
            if s != written[n] or m != move[n]:
                return -1
            state, after = after, state
            total += 1
            n = tallest[n]
    return total


@compiled()
def hidden(symbol, recur, bias, start, symbols, state):
    """Write the state after a row of symbols to ``state``."""
    gates, before = np.empty(recur.shape[1], np.float32), start.copy()
    state[:] = start
    for x in symbols:
        before[:] = state
        advance(symbol, recur, bias, before, x, gates, state)


@compiled()
def walk(symbol, recur, bias, out, out_bias, start, cells, row, column, seen, written, move):
    """As :func:`dfst.extraction.swap_kernels.walk`: the policy's own run, recorded; its steps, -1 if endless."""
    gates, scores = np.empty(recur.shape[1], np.float32), np.empty(len(out_bias), np.float32)
    state, after = start.copy(), np.empty_like(start)
    for t in range(len(seen)):
        x = cells[row, column]
        advance(symbol, recur, bias, state, x, gates, after)
        s, m = _choose(out, out_bias, after, scores)
        if s < 0:
            return -1
        seen[t], written[t], move[t] = x, s, m
        cells[row, column] = s
        if m == _STAY:
            return t + 1
        row += (m == 0) - (m == 1)
        column += (m == 3) - (m == 2)
        if not (0 <= row < cells.shape[0] and 0 <= column < cells.shape[1]):
            return -1
        state, after = after, state
    return -1
