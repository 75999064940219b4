"""The rival: training a DFST in JAX as one would write it on a first afternoon.

`lax.scan` over the steps, `vmap` over the batch, `jax.grad` through both, optax's Adam with cosine decay, one jit per
iteration. Nothing of the package's own engines is used.
"""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import optax


def make_step(batch, model, iterations: int, learning_rate: float):
    """(initial state, step): ``step(state, indices)`` makes one iteration on the traces at ``indices``."""
    seen, written, moves = (jnp.asarray(array, jnp.int32) for array in batch[:3])
    lengths = jnp.asarray(batch.lengths, jnp.int32)
    k = len(model.alphabet)
    optimiser = optax.adam(optax.cosine_decay_schedule(learning_rate, iterations))

    def trace_loss(weights, seen, written, moves, length):
        def advance(h, now):
            x, s, m, t = now
            error = jnp.sum((weights["B"][x] @ h - jax.nn.one_hot(s, k)) ** 2)
            error += jnp.sum((weights["C"][x] @ h - jax.nn.one_hot(m, 5)) ** 2)
            return weights["A"][x] @ h, jnp.where(t < length, error, 0)

        steps = jnp.arange(seen.shape[0])
        return jax.lax.scan(advance, weights["h0"], (seen, written, moves, steps))[1].sum() / (2 * length)

    def batch_loss(weights, chosen):
        losses = jax.vmap(trace_loss, (None, 0, 0, 0, 0))
        return losses(weights, seen[chosen], written[chosen], moves[chosen], lengths[chosen]).mean()

    @jax.jit
    def step(state, chosen):
        weights, moments = state
        loss, gradient = jax.value_and_grad(batch_loss)(weights, chosen)
        updates, moments = optimiser.update(gradient, moments)
        return (optax.apply_updates(weights, updates), moments), loss

    weights = {name: jnp.asarray(np.asarray(getattr(model, name))) for name in ("A", "B", "C", "h0")}
    return (weights, optimiser.init(weights)), step
