"""Training a network on traces: Adam along a cosine, cross-entropy of the symbol and the move."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import equinox as eqx
import jax
import jax.numpy as jnp
import optax
from experiments.networks.modules import Network

from dfst import Traces
from dfst.seeds import Stream

CLIP = 1.0
"""Gradients are clipped at this norm, as in our own fast recipe."""

_ITERATIONS_PER_CALL = 50
_TRACES_PER_CALL = 32


@dataclass(frozen=True)
class Fitted:
    """A trained network, the loss and whether every action is right on all traces at full length.

    ``wrong`` counts the actions that are not. ``seconds`` is processor time on all threads, without compiling.
    """

    network: Network = field(repr=False)
    loss: float
    wrong: int
    iterations: int
    seconds: float


def fit(
    network: Network, traces: Traces, *, learning_rate: float, iterations: int, batch: int = 32, seed: int = 0
) -> Fitted:
    """Train ``network`` on ``traces``, each step given all symbols seen up to it (teacher forcing).

    Every iteration draws ``batch`` traces, with replacement. The loss of a trace is the mean over its steps of the
    cross-entropies of symbol and move; the learning rate falls to zero along a cosine. A gradient that is not finite
    changes nothing.
    """
    draws = jax.random.key(Stream(seed, "baseline").word() % 2**63)
    schedule = optax.cosine_decay_schedule(learning_rate, iterations)
    steps = optax.chain(optax.clip_by_global_norm(CLIP), optax.adam(schedule))
    optimiser = optax.apply_if_finite(steps, iterations)
    data = tuple(jnp.asarray(array, jnp.int32) for array in traces.padded())
    weights, rest = eqx.partition(network, eqx.is_inexact_array)
    weights = jax.tree.map(jnp.copy, weights)  # the network that was given stays as it is: a block overwrites its own
    block = _block(rest, optimiser, batch, len(traces.alphabet))
    state = (weights, optimiser.init(weights))
    block = block.lower(state, data, draws, jnp.int32(0), jnp.int32(0)).compile()
    began = time.process_time()
    for done in range(0, iterations, _ITERATIONS_PER_CALL):
        count = min(_ITERATIONS_PER_CALL, iterations - done)
        state = jax.block_until_ready(block(state, data, draws, jnp.int32(done), jnp.int32(count)))
    seconds = time.process_time() - began
    learned = eqx.combine(state[0], rest)
    return Fitted(learned, *judged(learned, traces), iterations, seconds)


def judged(network: Network, traces: Traces) -> tuple[float, int]:
    """The loss on all traces at full length, and how many actions are wrong."""
    judge, total, wrong = eqx.filter_jit(_loss), 0.0, 0
    for first in range(0, len(traces), _TRACES_PER_CALL):
        chosen = range(first, min(first + _TRACES_PER_CALL, len(traces)))
        data = (jnp.asarray(array, jnp.int32) for array in traces.padded(chosen))
        loss, errors = judge(network, len(traces.alphabet), *data)
        total, wrong = total + float(loss) * len(chosen), wrong + int(errors)
    return total / len(traces), wrong


def _loss(network: Network, symbols: int, seen: Any, written: Any, moves: Any, lengths: Any) -> Any:
    given = jax.vmap(network.scores)(seen)
    cross = optax.softmax_cross_entropy_with_integer_labels
    errors = cross(given[..., :symbols], written) + cross(given[..., symbols:], moves)
    counts = jnp.arange(seen.shape[1]) < lengths[:, None]
    loss = jnp.mean(jnp.where(counts, errors, 0).sum(axis=1) / lengths)
    right = (given[..., :symbols].argmax(-1) == written) & (given[..., symbols:].argmax(-1) == moves)
    return loss, (counts & ~right).sum()


def _block(rest: Any, optimiser: Any, batch: int, symbols: int) -> Any:
    """A function that makes so many iterations under one jit, from a given one on."""

    def loss(weights: Any, *data: Any) -> Any:
        return _loss(eqx.combine(weights, rest), symbols, *data)

    def block(state: Any, data: Any, draws: Any, done: Any, count: Any) -> Any:
        def step(i: Any, state: Any) -> Any:
            weights, moments = state
            chosen = jax.random.randint(jax.random.fold_in(draws, done + i), (batch,), 0, len(data[0]))
            gradient, _ = jax.grad(loss, has_aux=True)(weights, *(array[chosen] for array in data))
            updates, moments = optimiser.update(gradient, moments, weights)
            return optax.apply_updates(weights, updates), moments

        return jax.lax.fori_loop(0, count, step, state)

    return jax.jit(block, donate_argnums=0)
