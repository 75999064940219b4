"""Training the networks on traces: Adam along a cosine, cross-entropy of the symbol and the move (extra ``jax``)."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from dfst.arena.neural_policies import HEAD, LAYERS, NOTHING, ROTARY_BASE, Architecture, Parameters
from dfst.errors import MissingExtraError
from dfst.seeds import Stream
from dfst.traces.consistency import check_traces
from dfst.traces.traces import Traces

try:
    import jax
    import jax.numpy as jnp
    import optax
except ImportError:
    raise MissingExtraError("training neural baselines", "jax") from None

CLIP = 1.0
"""Gradients are clipped at this norm, as in our own fast recipe."""

_ITERATIONS_PER_CALL = 50
_TRACES_PER_CALL = 32


@dataclass(frozen=True)
class Fitted:
    """A trained network: its weights, the loss and whether every action is right on all traces at full length.

    ``wrong`` counts the actions that are not. ``seconds`` is processor time on all threads, without compiling.
    """

    network: Architecture
    weights: dict[str, np.ndarray] = field(repr=False)
    loss: float
    wrong: int
    iterations: int
    seconds: float


def fit(
    network: Architecture, traces: Traces, *, learning_rate: float, iterations: int, batch: int = 32, seed: int = 0
) -> Fitted:
    """Train a fresh ``network`` on ``traces``, each step given all symbols seen up to it (teacher forcing).

    Every iteration draws ``batch`` traces, with replacement. The loss of a trace is the mean over its steps of the
    cross-entropies of symbol and move; the learning rate falls to zero along a cosine. A gradient that is not finite
    changes nothing.
    """
    check_traces(traces)
    key = jax.random.key(Stream(seed, "baseline").word() % 2**63)
    first, draws = jax.random.split(key)
    weights = initial(network, first)
    optimiser = optax.apply_if_finite(
        optax.chain(
            optax.clip_by_global_norm(CLIP), optax.adam(optax.cosine_decay_schedule(learning_rate, iterations))
        ),
        iterations,
    )
    data = tuple(jnp.asarray(array, jnp.int32) for array in traces.padded())
    block = jax.jit(partial(_block, network=network, optimiser=optimiser, batch=batch), donate_argnums=0)
    state = (weights, optimiser.init(weights))
    block = block.lower(state, data, draws, jnp.int32(0), jnp.int32(0)).compile()
    began = time.process_time()
    for done in range(0, iterations, _ITERATIONS_PER_CALL):
        count = min(_ITERATIONS_PER_CALL, iterations - done)
        state = jax.block_until_ready(block(state, data, draws, jnp.int32(done), jnp.int32(count)))
    seconds = time.process_time() - began
    loss, wrong = _judged(state[0], traces, network)
    learned = {name: np.asarray(array, np.float32) for name, array in state[0].items()}
    return Fitted(network, learned, loss, wrong, iterations, seconds)


def initial(network: Architecture, key: Any) -> Parameters:
    """Weights to begin with: normal numbers that keep the size of what they are multiplied with.

    Gains are one, biases zero; an LSTM remembers at first (its forget gates get one more), as is usual.
    """
    weights: Parameters = {}
    d = network.width
    for name, shape in network.shapes().items():
        key, mine = jax.random.split(key)
        if name.startswith("norm"):
            weights[name] = jnp.ones(shape)
        elif "bias" in name:
            weights[name] = jnp.zeros(shape)
        elif name in ("symbol", "start"):  # a row is chosen, not a sum made
            weights[name] = jax.random.normal(mine, shape) * (1.0 if network.kind == "transformer" else d**-0.5)
        else:
            weights[name] = jax.random.normal(mine, shape) * shape[0] ** -0.5
    if network.kind == "lstm":
        weights["symbol"] = weights["symbol"].at[:, d : 2 * d].add(1.0)
    return weights


def scores(network: Architecture, weights: Parameters, seen) -> jax.Array:
    """The scores of all symbols and moves at every step of N traces, (N, T, K + 5); ``seen`` is (N, T)."""
    after = _attend(network, weights, seen) if network.kind == "transformer" else _recur(network, weights, seen)
    return after @ weights["out"] + weights["out_bias"]


def _recur(network: Architecture, w: Parameters, seen) -> jax.Array:
    d = network.width

    def gru(h, row):
        gates = h @ w["recur"]
        reset, update = jnp.split(jax.nn.sigmoid(row[:, : 2 * d] + gates[:, : 2 * d]), 2, axis=1)
        candidate = jnp.tanh(row[:, 2 * d :] + reset * (gates[:, 2 * d :] + w["bias"]))
        h = (1 - update) * candidate + update * h
        return h, h

    def lstm(state, row):
        h, cell = state
        enter, forget, fresh, leave = jnp.split(row + h @ w["recur"], 4, axis=1)
        cell = jax.nn.sigmoid(forget) * cell + jax.nn.sigmoid(enter) * jnp.tanh(fresh)
        h = jax.nn.sigmoid(leave) * jnp.tanh(cell)
        return (h, cell), h

    rows = _rows(w["symbol"], seen.T)
    start = jnp.broadcast_to(w["start"], (len(seen), len(w["start"])))
    if network.kind == "gru":
        _, hidden = jax.lax.scan(gru, start, rows)
    else:
        _, hidden = jax.lax.scan(lstm, (start[:, :d], start[:, d:]), rows)
    return hidden.swapaxes(0, 1)


def _rows(table, chosen):
    """The rows of a table, as a product: its gradient is one too, and much faster than adding up rows one by one."""
    return jax.nn.one_hot(chosen, len(table)) @ table


def _attend(network: Architecture, w: Parameters, seen) -> jax.Array:
    first = jnp.broadcast_to(w["start"], (len(seen), 1, network.width))
    x = jnp.concatenate([first, _rows(w["symbol"], seen)], axis=1)
    length = x.shape[1]
    causal = jnp.tril(jnp.ones((length, length), bool))
    for i in range(LAYERS):
        qkv = (_normed(x, w[f"norm_attend{i}"]) @ w[f"qkv{i}"]).reshape(*x.shape[:2], 3, -1, HEAD)
        query, key, value = (qkv[:, :, j].swapaxes(1, 2) for j in range(3))  # (N, heads, T, HEAD)
        if network.rotary:
            query, key = _turned(query), _turned(key)
        weight = jnp.where(causal, query @ key.swapaxes(-1, -2) * HEAD**-0.5, -jnp.inf)
        mixed = (jax.nn.softmax(weight) @ value).swapaxes(1, 2).reshape(x.shape)
        x = x + mixed @ w[f"attend{i}"]
        x = x + jax.nn.gelu(_normed(x, w[f"norm_think{i}"]) @ w[f"up{i}"], approximate=True) @ w[f"down{i}"]
    return _normed(x[:, 1:], w["norm"])


def _normed(x, gain):
    return x * jax.lax.rsqrt((x * x).mean(axis=-1, keepdims=True) + NOTHING) * gain


def _turned(vectors):
    angle = jnp.arange(vectors.shape[-2])[:, None] * ROTARY_BASE ** (-jnp.arange(HEAD // 2) * 2.0 / HEAD)
    cos, sin = jnp.cos(angle), jnp.sin(angle)
    a, b = vectors[..., : HEAD // 2], vectors[..., HEAD // 2 :]
    return jnp.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


def _loss(weights: Parameters, network: Architecture, seen, written, moves, lengths):
    given, symbols = scores(network, weights, seen), network.symbols
    cross = optax.softmax_cross_entropy_with_integer_labels
    errors = cross(given[..., :symbols], written) + cross(given[..., symbols:], moves)
    counts = jnp.arange(seen.shape[1]) < lengths[:, None]
    loss = jnp.mean(jnp.where(counts, errors, 0).sum(axis=1) / lengths)
    right = (given[..., :symbols].argmax(-1) == written) & (given[..., symbols:].argmax(-1) == moves)
    return loss, (counts & ~right).sum()


def _block(state, data, draws, done, count, *, network: Architecture, optimiser: Any, batch: int):
    """``count`` iterations under one jit, from iteration ``done`` on."""

    def step(i, state):
        weights, moments = state
        chosen = jax.random.randint(jax.random.fold_in(draws, done + i), (batch,), 0, len(data[0]))
        gradient, _ = jax.grad(_loss, has_aux=True)(weights, network, *(array[chosen] for array in data))
        updates, moments = optimiser.update(gradient, moments, weights)
        return optax.apply_updates(weights, updates), moments

    return jax.lax.fori_loop(0, count, step, state)


def _judged(weights: Parameters, traces: Traces, network: Architecture) -> tuple[float, int]:
    """The loss on all traces at full length, and how many actions are wrong."""
    judge, total, wrong = jax.jit(partial(_loss, network=network)), 0.0, 0
    for first in range(0, len(traces), _TRACES_PER_CALL):
        chosen = range(first, min(first + _TRACES_PER_CALL, len(traces)))
        args = {name: jnp.asarray(array, jnp.int32) for name, array in traces.padded(chosen)._asdict().items()}
        loss, errors = judge(weights, **args)
        total, wrong = total + float(loss) * len(chosen), wrong + int(errors)
    return total / len(traces), wrong
