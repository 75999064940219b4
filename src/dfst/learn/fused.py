"""The fused CPU engine: a DFST in training, held in the padded form that the compiled kernels work on."""

from __future__ import annotations

import numba
import numba.core.config
import numpy as np

from dfst.errors import InputError
from dfst.learn.fused_kernels import block_on_all_threads, block_on_one_thread, chunk_gradient
from dfst.learn.model import MOVES, check_alphabet
from dfst.learn.recipes import Recipe
from dfst.learn.schedule import Schedule, largest_norm
from dfst.learn.state import Block, TrainState, Weights
from dfst.learn.tiles import PAD
from dfst.traces.traces import Traces

_WORTH_A_THREAD = 1e7
"""Multiplications per iteration from which on a second thread pays: starting and joining threads costs some 10 μs."""


class FusedEngine:
    """Trains from ``state`` on ``traces`` by ``recipe``; batches come from the stream "batches" of ``seed``.

    ``threads`` split every batch; results are the same, bit for bit, for the same number of threads
    on the same machine. Work on padding is none: every trace counts for its own steps only.
    """

    def __init__(self, state: TrainState, traces: Traces, recipe: Recipe, *, seed: int, threads: int = 1) -> None:
        model = state.model
        check_alphabet(model, traces)
        k, d, dtype = len(model.alphabet), model.hidden_dim, model.h0.dtype
        self._sizes = (k, d, _padded(d), k + MOVES, _padded(k + MOVES))
        self._recipe, self._like, self.iteration, self.nonfinite = recipe, model, state.iteration, state.nonfinite
        steps = [column.astype(np.int64) for column in (traces.seen, traces.written, traces.moves)]
        self._data = (*steps, traces.offsets)
        self._longest = int(traces.lengths.max())
        self._schedule = Schedule(recipe, seed=seed, traces=len(traces), longest=self._longest)
        self.threads = min(check_threads(threads), recipe.batch)
        self._theta, self._mean, self._square = (
            self._flat(weights, dtype) for weights in (Weights.of(model), state.mean, state.square)
        )
        self._gradients = np.zeros((self.threads, len(self._theta)), dtype)
        self._transposed = self._transpose()
        self._parts = np.zeros(self.threads)
        self._works = self._scratch(dtype)

    def advance(self, iterations: int) -> Block:
        """Train for ``iterations`` more, not beyond the recipe's end."""
        recipe = self._recipe
        count = min(iterations, recipe.iterations - self.iteration)
        losses, norms = np.zeros(count), np.zeros(count)
        if self.threads > 1:
            numba.set_num_threads(self.threads)
        block = block_on_one_thread if self.threads == 1 else block_on_all_threads
        state = (self._theta, self._mean, self._square, self._gradients, self._transposed)
        plan = self._schedule.plan(self.iteration, count)
        rules = (recipe.clip, largest_norm(self._theta.dtype), recipe.on_nonfinite == "skip")
        scratch = (self._works, self._parts, self.iteration)
        done: int = block(*(*state, self._sizes, self._data, *scratch, *plan, *rules, losses, norms))
        self.iteration += done
        stopped = done < count
        made = done + stopped
        self.nonfinite += int((~np.isfinite(norms[:made])).sum())
        return Block(losses[:made], norms[:made], stopped)

    def state(self) -> TrainState:
        """A copy of where the run stands."""
        model = self._weights(self._theta).model(self._like)
        return TrainState(model, self._weights(self._mean), self._weights(self._square), self.iteration, self.nonfinite)

    def loss(self) -> float:
        """The loss of the present model on all traces at full length."""
        return self.gradient()[0]

    def gradient(self) -> tuple[float, Weights]:
        """The loss on all traces at full length, and its gradient."""
        k, d, padded, heads, _ = self._sizes
        a, f = k * d * padded, k * (d + heads) * padded
        count, total, summed, part = len(self._data[3]) - 1, 0.0, np.zeros_like(self._theta), self._gradients[0]
        work = tuple(array[0] for array in self._works)
        size = self._works[3].shape[1]
        for first in range(0, count, size):
            chosen = np.arange(first, min(first + size, count))
            total += chunk_gradient(
                *(self._theta[:a], self._transposed[0], self._theta[a:f], self._transposed[1], self._theta[f:]),
                *(self._sizes, *self._data, chosen, self._longest, 1.0 / count, work),
                *(part[:a], part[a:f], part[f:]),
            )
            summed += part
        return total, self._weights(summed)

    # The padded form

    def _views(self, flat: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        k, d, padded, heads, _ = self._sizes
        a, f = k * d * padded, k * (d + heads) * padded
        return flat[:a].reshape(k, d, padded), flat[a:f].reshape(k, heads, padded), flat[f:]

    def _flat(self, weights: Weights, dtype: np.dtype) -> np.ndarray:
        k, d, padded, heads, _ = self._sizes
        flat = np.zeros(k * (d + heads) * padded + padded, dtype)
        A, F, h0 = self._views(flat)
        A[:, :, :d], F[:, :k, :d], F[:, k:, :d], h0[:d] = weights
        return flat

    def _weights(self, flat: np.ndarray) -> Weights:
        k, d, _, _, _ = self._sizes
        A, F, h0 = self._views(flat)
        return Weights(A[:, :, :d].copy(), F[:, :k, :d].copy(), F[:, k:, :d].copy(), h0[:d].copy())

    def _transpose(self) -> tuple[np.ndarray, np.ndarray]:
        k, d, padded, heads, padded_heads = self._sizes
        A, F, _ = self._views(self._theta)
        AT, FT = np.zeros((k, d, padded), A.dtype), np.zeros((k, d, padded_heads), A.dtype)
        AT[:, :, :d], FT[:, :, :heads] = A[:, :, :d].transpose(0, 2, 1), F[:, :, :d].transpose(0, 2, 1)
        return AT.ravel(), FT.ravel()

    def _scratch(self, dtype: np.dtype) -> tuple[np.ndarray, ...]:
        """The arrays that :func:`chunk_gradient` works in, one row per thread."""
        k, _, padded, _, padded_heads = self._sizes
        traces = -(-self._recipe.batch // self.threads)
        steps = traces * self._longest

        def numbers(size: int) -> np.ndarray:
            return np.zeros((self.threads, size), dtype)

        def indices(*shape: int) -> np.ndarray:
            return np.zeros((self.threads, *shape), np.int64)

        return (
            *(numbers(steps * padded), numbers((steps + traces) * padded), numbers(steps * padded_heads)),
            *(indices(traces, self._longest), indices(steps), numbers(steps), indices(steps), indices(steps)),
            *(indices(k + 1), indices(k, traces), indices(k + 1)),
        )


def _padded(n: int) -> int:
    return -(-n // PAD) * PAD


def _available() -> int:
    return numba.core.config.NUMBA_NUM_THREADS  # pyright: ignore[reportAttributeAccessIssue]


def threads_that_pay(batch: int, digits: int, hidden_dim: int) -> int:
    """How many threads to use for traces of about 16 · digits² steps, the most a task of the paper has."""
    available = _available()
    return min(available, batch) if batch * 16 * digits**2 * hidden_dim**2 > _WORTH_A_THREAD else 1


def check_threads(asked: int) -> int:
    """``asked``, if this machine has so many."""
    if not 1 <= asked <= _available():
        raise InputError(f"{asked} threads cannot be used", where="threads", do=f"Use 1 to {_available()}.")
    return asked
