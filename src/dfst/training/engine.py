"""What every engine shares: a training run frozen in time, and what changes from iteration to iteration."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dfst.act.weights import Weights
from dfst.seeds import Stream
from dfst.shapes import Float, Int64
from dfst.traces.consistency import check_alphabet
from dfst.traces.traces import Traces
from dfst.training.model import DFST
from dfst.training.recipes import Recipe


@dataclass(frozen=True, eq=False)
class TrainState:
    """After ``iteration`` steps: the model, Adam's running means, and how many gradients were not finite so far."""

    model: DFST
    mean: Weights
    square: Weights
    iteration: int = 0
    nonfinite: int = 0

    @classmethod
    def start(cls, model: DFST) -> TrainState:
        """Before the first step."""
        return cls(model, model.weights.zeros(), model.weights.zeros())


class Block(NamedTuple):
    """What some iterations did: per iteration the batch's loss and the gradient's norm before clipping.

    ``stopped``: the last of them had a gradient that was not finite and the recipe said stop.
    """

    losses: Float[np.ndarray, " iterations"]
    norms: Float[np.ndarray, " iterations"]
    stopped: bool


class Engine(ABC):
    """What trains: made from a :class:`TrainState`, moved on by :meth:`advance`, read back by :meth:`state`."""

    def __init__(self, state: TrainState, traces: Traces, recipe: Recipe, *, seed: int) -> None:
        check_alphabet(state.model, traces)
        self._like, self._recipe, self._lengths = state.model, recipe, np.asarray(traces.lengths)
        self._longest = int(self._lengths.max())
        self._schedule = Schedule(recipe, seed=seed, traces=len(traces), longest=self._longest)
        self._counts = np.array([state.iteration, state.nonfinite])

    @property
    def iteration(self) -> int:
        """How many iterations were made."""
        return int(self._counts[0])

    @property
    def nonfinite(self) -> int:
        """How many gradients were not finite so far."""
        return int(self._counts[1])

    @abstractmethod
    def advance(self, iterations: int) -> Block:
        """Train for so many iterations more (not beyond the recipe's end)."""

    @abstractmethod
    def state(self) -> TrainState:
        """A copy of where the run stands."""

    @abstractmethod
    def gradient(self) -> tuple[float, Weights]:
        """The loss of the present model on the whole data set, at full length, and its gradient."""

    def loss(self) -> float:
        """The loss of the present model on the whole data set, at full length."""
        return self.gradient()[0]


class Plan(NamedTuple):
    """Some iterations ahead: which traces, at what learning rate, how many steps of each are visible."""

    chosen: Int64[np.ndarray, "iterations batch"]
    rates: Float[np.ndarray, " iterations"]
    visible: Int64[np.ndarray, " iterations"]


class Schedule:
    """The plan of a whole run; every part of it depends on the iteration's number only.

    So a resumed run sees what an uninterrupted one would have seen, however its iterations were cut into blocks.

    >>> from dfst import recipe
    >>> schedule = Schedule(recipe("fast", "mult10").changed(batch=4), seed=42, traces=100, longest=420)
    >>> plan = schedule.plan(3000, 2)
    >>> plan.chosen.tolist(), plan.visible.tolist()
    ([[14, 77, 77, 64], [38, 85, 3, 73]], [39, 39])
    """

    def __init__(self, recipe: Recipe, *, seed: int, traces: int, longest: int) -> None:
        self.recipe, self.traces, self.longest = recipe, traces, longest
        self._key = np.uint64(Stream(seed, "batches").word())

    def plan(self, first: int, count: int) -> Plan:
        """Iterations ``first`` to ``first + count - 1``."""
        recipe, numbers = self.recipe, np.arange(first, first + count)
        words = splitmix64(self._key, (numbers[:, None] << 20) + np.arange(recipe.batch))
        chosen = (words >> np.uint64(32)) * np.uint64(self.traces) >> np.uint64(32)
        return Plan(chosen.astype(np.int64), learning_rate(numbers, recipe), self._visible(numbers))

    def _visible(self, numbers: np.ndarray) -> Int64[np.ndarray, " iterations"]:
        """Grows geometrically from the recipe's first_visible to the longest trace, then stays."""
        recipe = self.recipe
        growing = max(recipe.growth * recipe.iterations, 1)
        begin = min(recipe.first_visible, self.longest)
        grown = (begin * (self.longest / begin) ** np.minimum(numbers / growing, 1)).astype(np.int64)
        return np.where(numbers < recipe.growth * recipe.iterations, grown, self.longest)


def learning_rate(numbers: np.ndarray, recipe: Recipe) -> Float[np.ndarray, " iterations"]:
    """Cosine decay from the recipe's learning rate to zero, no warm-up."""
    return recipe.learning_rate * 0.5 * (1 + np.cos(np.pi * numbers / recipe.iterations))


def largest_norm(dtype: np.dtype) -> float:
    """A gradient beyond this counts as not finite: its square overflows, and would freeze Adam's second moment."""
    return float(np.sqrt(np.finfo(dtype).max))


def splitmix64(key: np.uint64, counters: np.ndarray) -> np.ndarray:
    """One random 64-bit word per counter (Steele, Lea and Flood's generator, entered at any place)."""
    with np.errstate(over="ignore"):
        z = key + counters.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return z ^ (z >> np.uint64(31))
