"""How a recurrent policy goes on and acts, for the kernels of :mod:`dfst.extraction.swap_kernels`.

Strict floats: nothing is reordered, so a policy acts alike on every machine. An LSTM is told from a GRU by its state,
which is twice as long as its width.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba.extending import overload

from dfst.extraction.swap_kernels import act, advance, times
from dfst.jit import compiled


class Recurrent(NamedTuple):
    """The weights of a GRU or an LSTM as the kernels want them; ``gates`` is scratch."""

    symbol: np.ndarray
    recur: np.ndarray
    bias: np.ndarray
    out: np.ndarray
    out_bias: np.ndarray
    gates: np.ndarray


@compiled(inline="always")
def _sigmoid(x):
    return np.float32(0.5) * (np.float32(1) + math.tanh(np.float32(0.5) * x))


@overload(advance)
def _advance_recurrent(network, state, x, after):
    return _step if network.instance_class is Recurrent else None


@overload(act)
def _act_recurrent(network, state, x, after, scores):
    def recurrent(network, state, x, after, scores):
        advance(network, state, x, after)
        times(network.out, after[: network.out.shape[0]], scores)
        scores += network.out_bias

    return recurrent if network.instance_class is Recurrent else None


def _step(network, state, x, after):
    d, row, gates, bias = network.recur.shape[0], network.symbol[x], network.gates, network.bias
    times(network.recur, state[:d], gates)
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
