"""A training run frozen in time: the model, Adam's moments, how far it has come. The same for every engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np

from dfst.shapes import Float
from dfst.training.model import DFST


class Weights(NamedTuple):
    """Four arrays of a DFST's shapes: parameters, a gradient, or one of Adam's moments."""

    A: Float[np.ndarray, "K d d"]
    B: Float[np.ndarray, "K K d"]
    C: Float[np.ndarray, "K 5 d"]
    h0: Float[np.ndarray, " d"]

    @classmethod
    def of(cls, model: DFST) -> Weights:
        """A model's parameters."""
        return cls(model.A, model.B, model.C, model.h0)

    @classmethod
    def zeros(cls, model: DFST) -> Weights:
        """Zeros of the model's shapes."""
        return cls(*(np.zeros_like(array) for array in cls.of(model)))

    def model(self, like: DFST) -> DFST:
        """These weights as a model with the alphabet and name of ``like``."""
        return DFST(like.alphabet, *self, name=like.name, layout=like.layout)


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
        return cls(model, Weights.zeros(model), Weights.zeros(model))


class Block(NamedTuple):
    """What some iterations did: per iteration the batch's loss and the gradient's norm before clipping.

    ``stopped``: the last of them had a gradient that was not finite and the recipe said stop.
    """

    losses: Float[np.ndarray, " iterations"]
    norms: Float[np.ndarray, " iterations"]
    stopped: bool


@runtime_checkable
class Engine(Protocol):
    """What trains: made from a :class:`TrainState`, moved on by :meth:`advance`, read back by :meth:`state`."""

    @property
    def nonfinite(self) -> int:
        """How many gradients were not finite so far."""
        ...

    def advance(self, iterations: int) -> Block:
        """Train for so many iterations more (not beyond the recipe's end)."""
        ...

    def state(self) -> TrainState:
        """A copy of where the run stands."""
        ...

    def loss(self) -> float:
        """The loss of the present model on the whole data set, at full length."""
        ...
