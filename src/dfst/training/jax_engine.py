"""The JAX engine: the same training on whatever device JAX finds.

The recurrence goes one step after the other, which is the least work; or, ``associative``, as
`jax.lax.associative_scan` over the matrices A[x_t], the paper's log-parallel training: about 2d times the work, in
logarithmic depth. The gradient of the hidden states is written by hand: it is the same recurrence, backwards.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from dfst.act.weights import Weights
from dfst.errors import InputError, MissingExtraError
from dfst.traces.traces import UNKNOWN, Traces
from dfst.training.engine import Block, Engine, TrainState, largest_norm
from dfst.training.recipes import Recipe
from dfst.training.size import MOVES

try:
    import jax
    import jax.numpy as jnp
    import optax
    from jax.sharding import Mesh, NamedSharding, PartitionSpec
except ImportError:
    raise MissingExtraError("The JAX engine", "jax") from None

_ITERATIONS_PER_CALL = 64
"""The compiled block's capacity; how many of them it makes is an argument, so that it is compiled once."""


def recurrence(A, x, mask, v, y, *, associative: bool, transposed: bool):
    """y_{t+1} = M_t y_t + v_t for one trace, where M_t is A[x_t] (or its transpose), the identity where masked out.

    ``x``, ``mask``: (T,), ``v``: (T, d), ``y``: (d,). Returns all of y_1 … y_T, (T, d).
    """

    def compose(first, second):
        (m1, v1), (m2, v2) = first, second
        return m2 @ m1, (m2 @ v1[..., None])[..., 0] + v2

    def one_step(y, part):
        x, mask, v = part
        y = jnp.where(mask, (A[x].T if transposed else A[x]) @ y, y) + v
        return y, y

    if not associative:
        return jax.lax.scan(one_step, y, (x, mask, v))[1]
    chosen = A[x].swapaxes(-1, -2) if transposed else A[x]
    matrices = jnp.where(mask[:, None, None], chosen, jnp.eye(len(y), dtype=y.dtype))
    m, shift = jax.lax.associative_scan(compose, (matrices, v))
    return m @ y + shift


@partial(jax.custom_vjp, nondiff_argnums=(4,))
def hidden_states(A, h0, x, mask, associative: bool):
    """h_0 … h_{T-1} of a batch of traces, (N, T, d); ``x`` and ``mask`` are (N, T)."""

    def one(x, mask):
        zeros = jnp.zeros((len(x) - 1, len(h0)), h0.dtype)
        following = recurrence(A, x[:-1], mask[:-1], zeros, h0, associative=associative, transposed=False)
        return jnp.concatenate([h0[None], following])

    return jax.vmap(one)(x, mask)


def _forward(A, h0, x, mask, associative):
    hidden = hidden_states(A, h0, x, mask, associative)
    return hidden, (A, x, mask, hidden)


def _backward(associative, saved, cotangent):
    """g_t = cotangent_t + A[x_t]ᵀ g_{t+1}; the gradient of A[k] sums g_{t+1} h_tᵀ over the steps that see k."""
    A, x, mask, hidden = saved

    def one(x, mask, cotangent):
        back, shown, earlier = x[:-1][::-1], mask[:-1][::-1], cotangent[:-1][::-1]
        rest = recurrence(A, back, shown, earlier, cotangent[-1], associative=associative, transposed=True)
        return jnp.concatenate([cotangent[-1:], rest])[::-1]

    g = jax.vmap(one)(x, mask, cotangent)
    used = (mask[:, 1:] & mask[:, :-1])[..., None]  # nothing follows the last step
    later, before = jnp.where(used, g[:, 1:], 0), jnp.where(used, hidden[:, :-1], 0)

    def of_symbol(k):
        return jnp.einsum("nti,ntj->ij", jnp.where((x[:, :-1] == k)[..., None], later, 0), before)

    dA = jax.lax.map(of_symbol, jnp.arange(len(A)))
    return dA, g[:, 0].sum(axis=0), None, None


hidden_states.defvjp(_forward, _backward)


def batch_loss(weights: Any, data, chosen, visible, associative: bool):
    """The mean over the ``chosen`` traces, cut at ``visible`` steps, of 1/(2T) · Σ_t (squared error of both heads).

    Where nobody knows what was written, the head of the symbols has no error.
    """
    A, B, C, h0 = weights
    seen, written, moves, lengths = (array[chosen] for array in data)
    mask = jnp.arange(seen.shape[1]) < jnp.minimum(lengths, visible)[:, None]
    hidden = hidden_states(A, h0, seen, mask, associative)
    scores = jnp.einsum("ntod,ntd->nto", jnp.concatenate([B, C], axis=1)[seen], hidden)
    k = B.shape[1]
    target = jnp.concatenate(
        [jax.nn.one_hot(written, k, dtype=h0.dtype), jax.nn.one_hot(moves, MOVES, dtype=h0.dtype)], -1
    )
    counts = mask[..., None] & ((written != UNKNOWN)[..., None] | (jnp.arange(k + MOVES) >= k))
    errors = jnp.where(counts, scores - target, 0)
    return jnp.mean((errors**2).sum(axis=(1, 2)) / (2 * mask.sum(axis=1)))


class JaxEngine(Engine):
    """Trains from ``state`` on ``traces`` by ``recipe``, with the batches the fused engine would draw.

    ``devices`` (all that JAX sees, by default) share every batch; its size must be a multiple of their number. Matrix
    products are taken at the highest precision, so that accelerators do not round to fewer bits without saying so.
    """

    def __init__(
        self,
        state: TrainState,
        traces: Traces,
        recipe: Recipe,
        *,
        seed: int,
        associative: bool = False,
        devices: list[Any] | None = None,
    ) -> None:
        super().__init__(state, traces, recipe, seed=seed)
        model, self._associative = state.model, associative
        if model.h0.dtype == np.float64 and not jax.config.read("jax_enable_x64"):
            raise InputError("JAX is set to 32 bits", where="JaxEngine", do="Set JAX_ENABLE_X64=1 to train in float64.")
        devices = jax.devices() if devices is None else devices
        if recipe.batch % len(devices):
            do = f"Use a multiple of {len(devices)}, the number of devices."
            raise InputError(f"a batch of {recipe.batch} cannot be shared evenly", where="batch", do=do)
        mesh = Mesh(np.array(devices), ("batch",))
        self._everywhere = NamedSharding(mesh, PartitionSpec())
        self._shared = NamedSharding(mesh, PartitionSpec(None, "batch"))
        self._data = tuple(self._put(array.astype(np.int32)) for array in traces.padded())
        self._weights, self._mean, self._square = (
            tuple(self._put(array) for array in weights) for weights in (model.weights, state.mean, state.square)
        )
        patient = recipe.on_nonfinite == "skip"
        self._block = jax.jit(partial(_block, associative=associative, clip=recipe.clip, patient=patient))

    def _put(self, array: np.ndarray) -> Any:
        return jax.device_put(array, self._everywhere)

    def advance(self, iterations: int) -> Block:
        """Train for ``iterations`` more, not beyond the recipe's end."""
        end = min(self.iteration + iterations, self._recipe.iterations)
        losses, norms, stopped = [], [], False
        while self.iteration < end and not stopped:
            count = min(end - self.iteration, _ITERATIONS_PER_CALL)
            plan = self._schedule.plan(self.iteration, _ITERATIONS_PER_CALL)
            chosen = jax.device_put(plan.chosen.astype(np.int32), self._shared)
            rates, visible = plan.rates.astype(self._like.h0.dtype), plan.visible.astype(np.int32)
            start = (self._weights, self._mean, self._square, np.int32(self.iteration), np.bool_(False))
            with jax.default_matmul_precision("highest"):
                end_state, *results = self._block(start, self._data, chosen, rates, visible, np.int32(count))
            self._weights, self._mean, self._square, iteration, stopped = end_state
            made = int(iteration) - self.iteration + bool(stopped)
            self._counts[0] = int(iteration)
            losses.append(np.asarray(results[0], np.float64)[:made])
            norms.append(np.asarray(results[1], np.float64)[:made])
        all_norms = np.concatenate(norms)
        self._counts[1] += (~np.isfinite(all_norms)).sum()
        return Block(np.concatenate(losses), all_norms, bool(stopped))

    def state(self) -> TrainState:
        """A copy of where the run stands."""
        weights, mean, square = (
            Weights(*(np.asarray(array) for array in group)) for group in (self._weights, self._mean, self._square)
        )
        return TrainState(replace(self._like, weights=weights, bits=None), mean, square, self.iteration, self.nonfinite)

    def gradient(self) -> tuple[float, Weights]:
        """The loss on all traces at full length, and its gradient."""
        count, size, total = len(self._lengths), self._recipe.batch, 0.0
        summed = self._like.weights.astype(np.float64).zeros()
        function = jax.jit(jax.value_and_grad(partial(batch_loss, associative=self._associative)))
        for first in range(0, count, size):
            chosen = np.arange(first, min(first + size, count), dtype=np.int32)
            with jax.default_matmul_precision("highest"):
                loss, gradient = function(self._weights, self._data, chosen, np.int32(self._longest))
            share = len(chosen) / count
            total += float(loss) * share
            summed = Weights(*(s + share * np.asarray(g, np.float64) for s, g in zip(summed, gradient, strict=True)))
        return total, summed.astype(self._like.h0.dtype)


def _norm(gradient):
    """The Euclidean norm over all arrays, without overflow on the way: float32 squares end at 1e38."""
    largest = jnp.max(jnp.stack([jnp.max(jnp.abs(g)) for g in gradient]))
    unit = jnp.where((largest > 0) & jnp.isfinite(largest), largest, 1)
    return unit * jnp.sqrt(sum(jnp.sum((g / unit) ** 2) for g in gradient))


def _block(state, data, chosen, rates, visible, count, *, associative, clip, patient):
    """``count`` iterations under one jit; after a gradient that is not finite nothing changes."""
    adam = optax.scale_by_adam(b1=0.9, b2=0.999, eps=1e-8)

    def step(carry):
        i, (weights, mean, square, iteration, _), losses, norms = carry
        loss, gradient = jax.value_and_grad(batch_loss)(weights, data, chosen[i], visible[i], associative)
        size = _norm(gradient)
        factor = jnp.where(size > clip, clip / size, 1).astype(size.dtype)
        norm = jnp.where(size * factor <= largest_norm(size.dtype), size, jnp.inf)
        scaled = jax.tree.map(lambda g: g * factor, gradient)
        moments: Any = optax.ScaleByAdamState(count=iteration, mu=mean, nu=square)
        updates, moments = adam.update(scaled, moments)
        moved = jax.tree.map(lambda w, u: w - rates[i] * u, weights, updates)
        finite = jnp.isfinite(norm)
        weights, mean, square = jax.tree.map(
            lambda new, old: jnp.where(finite, new, old), (moved, moments.mu, moments.nu), (weights, mean, square)
        )
        stopped = ~finite & (not patient)
        state = (weights, mean, square, iteration + ~stopped, stopped)
        return i + 1, state, losses.at[i].set(loss), norms.at[i].set(norm)

    def going(carry):
        i, state, *_ = carry
        return (i < count) & ~state[-1]

    nothing = jnp.zeros(len(rates), rates.dtype)
    _, state, losses, norms = jax.lax.while_loop(going, step, (0, state, nothing, nothing))
    return state, losses, norms
