"""The fused CPU engine: a DFST in training, held in the padded form that the compiled kernels work on."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import numpy as np

from dfst.act.weights import Weights
from dfst.errors import InputError
from dfst.llvm import PAD
from dfst.manifest import cores_allowed
from dfst.traces.traces import Traces
from dfst.training.engine import Block, Engine, TrainState, largest_norm
from dfst.training.fused_arrays import (
    Adam,
    Ahead,
    Job,
    Own,
    Recorded,
    Rules,
    Sizes,
    Slots,
    Tensors,
    Transposed,
    abandon,
    new_barrier,
)
from dfst.training.fused_kernels import block, collect, follow, total_loss
from dfst.training.recipes import Recipe
from dfst.training.size import MOVES

_TRIAL = 0.02
"""Seconds a number of threads is tried for."""

_STINT = 1.0
"""Seconds the fastest is kept before the others are tried again: trials take a few per cent of the time."""

_SLOWER = 1.25
"""If a stint is so many times as slow as it used to be, something has changed: try all at once."""

_TRACES_PER_THREAD = 4
"""With fewer, the kernels cannot take four traces at a time."""


class FusedEngine(Engine):
    """Trains from ``state`` on ``traces`` by ``recipe``; batches come from the stream "batches" of ``seed``.

    ``threads`` share every batch; 0 means as many as are fastest at the moment. Results are the same, bit for bit, for
    any number of threads on the same machine. No work is done on padding: every trace counts for its own steps only.
    """

    def __init__(self, state: TrainState, traces: Traces, recipe: Recipe, *, seed: int, threads: int = 0) -> None:
        super().__init__(state, traces, recipe, seed=seed)
        model = state.model
        k, d, dtype = len(model.alphabet), model.hidden_dim, model.h0.dtype
        self._sizes = Sizes(k, d, _padded(d), k + MOVES, _padded(k + MOVES))
        seen, written, moves = (column.astype(np.int64) for column in (traces.seen, traces.written, traces.moves))
        steps = Recorded(seen, written, moves, traces.offsets)
        theta, mean, square = (self._flat(weights, dtype) for weights in (model.weights, state.mean, state.square))
        self._adam = Adam(theta, np.zeros_like(theta), mean, square)
        tensors, gradient = (Tensors(*map(np.ravel, self._views(flat))) for flat in (theta, self._adam.gradient))
        rules = Rules(recipe.clip, largest_norm(dtype), recipe.on_nonfinite == "skip")
        candidates = _candidates(threads, recipe.batch)
        self._pace, room = Pace(candidates), self._room(dtype, max(candidates))
        self._job = Job(self._sizes, steps, tensors, self._transposed(), gradient, self._adam, *room, rules)

    def advance(self, iterations: int) -> Block:
        """Train for ``iterations`` more, not beyond the recipe's end."""
        left = max(0, min(iterations, self._recipe.iterations - self.iteration))
        plan = self._schedule.plan(self.iteration, left)
        work = np.minimum(self._lengths[plan.chosen], plan.visible[:, None]).sum(axis=1)
        ahead, stopped, made = Ahead(*plan, *(np.zeros(left) for _ in range(3))), False, 0
        while made < left and not stopped:
            threads, count = self._pace.next(work[made:])
            now = slice(made, made + count)
            began, before = time.perf_counter(), self.iteration
            stopped = self._run(Ahead(*(column[now] for column in ahead)), threads)
            self._pace.took(threads, work=float(work[now].sum()), seconds=time.perf_counter() - began)
            made += self.iteration - before + stopped
        return Block(ahead.losses[:made], ahead.norms[:made], stopped)

    def _run(self, ahead: Ahead, threads: int) -> bool:
        """One block on so many threads, this one among them; whether it ended at a gradient that was not finite.

        The kernels count iterations themselves, so that the counts are right after an interrupt, too.
        """
        barrier = new_barrier()
        job = (self._job, ahead, self._counts, barrier)
        failed: list[BaseException] = []

        def work(c: int) -> None:
            try:
                block(*job, c, threads)
            except BaseException as error:  # or the others would wait for this thread for ever, deaf to Ctrl-C
                failed.append(error)
                abandon(barrier)

        others = [threading.Thread(target=work, args=(c,), daemon=True) for c in range(1, threads)]
        try:
            for other in others:
                other.start()
            stopped: bool = block(*job, 0, threads)
        except BaseException:
            abandon(barrier)
            raise
        for other in others:
            other.join()
        if failed:
            raise failed[0]
        return stopped

    def state(self) -> TrainState:
        """A copy of where the run stands."""
        model = replace(self._like, weights=self._weights(self._adam.theta), bits=None)
        mean, square = self._weights(self._adam.mean), self._weights(self._adam.square)
        return TrainState(model, mean, square, self.iteration, self.nonfinite)

    def gradient(self) -> tuple[float, Weights]:
        """The loss on all traces at full length, and its gradient."""
        count, total, summed = len(self._lengths), 0.0, np.zeros_like(self._adam.theta)
        size = self._recipe.batch
        for first in range(0, count, size):
            chosen = np.arange(first, min(first + size, count))
            follow(self._job, chosen, self._longest, 1.0 / count, 0, 1)
            collect(self._job, len(chosen), 0, 1)
            total += total_loss(self._job.slots, self._job.own.begin[0, -1])
            summed += self._adam.gradient
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

    def _transposed(self) -> Transposed:
        k, d, padded, heads, padded_heads = self._sizes
        A, F, _ = self._views(self._adam.theta)
        AT, FT = np.zeros((k, d, padded), A.dtype), np.zeros((k, d, padded_heads), A.dtype)
        AT[:, :, :d], FT[:, :, :heads] = A[:, :, :d].transpose(0, 2, 1), F[:, :, :d].transpose(0, 2, 1)
        return Transposed(AT.ravel(), FT.ravel())

    def _room(self, dtype: np.dtype, threads: int) -> tuple[Slots, Own]:
        k, _, padded, _, padded_heads = self._sizes
        traces, longest = self._recipe.batch, self._longest
        steps = traces * longest
        H, G, E = (np.zeros(size, dtype) for size in (steps * padded, (steps + traces) * padded, steps * padded_heads))
        previous, written, move = (np.zeros(steps, np.int64) for _ in range(3))
        at = np.zeros((traces, longest), np.int64)
        slots = Slots(H, G, E, np.zeros(steps), np.zeros(steps, dtype), previous, written, move, at)
        begin, low, high, filled = (np.zeros((threads, size), np.int64) for size in (k + 1, k, k, k))
        return slots, Own(begin, low, high, np.zeros((threads, k, traces, 2), np.int64), filled)


def _padded(n: int) -> int:
    return -(-n // PAD) * PAD


def _candidates(threads: int, batch: int) -> tuple[int, ...]:
    """The numbers of threads to choose from: the one that was asked for, or 1, 2, 4 … up to the cores there are."""
    if threads:
        return (min(check_threads(threads), batch),)
    most = min(cores_allowed(), max(batch // _TRACES_PER_THREAD, 1))
    return tuple(dict.fromkeys([*(2**i for i in range(most.bit_length())), most]))


def check_threads(asked: int) -> int:
    """``asked``, if this process may use so many cores."""
    if not 1 <= asked <= cores_allowed():
        raise InputError(f"{asked} threads cannot be used", where="threads", do=f"Use 1 to {cores_allowed()}.")
    return asked


class Pace:
    """Chooses among ``candidates``, numbers of threads, by the seconds that a unit of work took with each.

    A second thread helps a large model on a quiet computer, and harms when the other core is taken. Nobody knows
    beforehand, and it changes while a training run goes on; so it is tried, and tried again now and then. Weights do
    not depend on it.

    >>> pace, work = Pace((1, 2)), np.full(1000, 100.0)
    >>> for _ in range(3):
    ...     threads, count = pace.next(work)
    ...     pace.took(threads, work=100.0, seconds=0.02 if threads == 2 else 0.03)
    >>> pace.next(work)[0]
    2
    """

    def __init__(self, candidates: tuple[int, ...]) -> None:
        self.candidates, self._untried, self._left = candidates, list(candidates), _STINT
        self._cost: dict[int, float] = {}

    def next(self, work: np.ndarray) -> tuple[int, int]:
        """How many threads to use now, and for how many of the iterations ahead, each of which is so much ``work``."""
        if len(self.candidates) == 1:
            return self.candidates[0], len(work)
        if self._untried:
            threads, seconds = self._untried[0], _TRIAL
        else:
            threads, seconds = min(self._cost, key=self._cost.__getitem__), self._left
        if threads not in self._cost:
            return threads, 1
        enough = int(np.searchsorted(np.cumsum(work) * self._cost[threads], seconds))
        return threads, min(max(enough, 1), len(work))

    def took(self, threads: int, *, work: float, seconds: float) -> None:
        """What was done with so many threads since :meth:`next`."""
        before, now = self._cost.get(threads), seconds / work
        self._cost[threads] = now
        if threads in self._untried:
            self._untried.remove(threads)
            self._left = _STINT
            return
        self._left -= seconds
        if self._left <= 0 or (before is not None and now > _SLOWER * before):
            self._untried, self._left = [n for n in self.candidates if n != threads], _STINT
