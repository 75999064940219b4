"""Networks people would try first, as policies: a GRU, an LSTM, a small causal transformer. Nothing here needs JAX.

A policy reads the symbol under it and predicts the symbol to write and the move. This file says which weights each
network has and steps it on the grid, in float32; :mod:`dfst.arena.neural_training` trains it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np

from dfst.act.policy import Action
from dfst.errors import InputError
from dfst.training.model import MOVES

Kind = Literal["gru", "lstm", "transformer"]

KINDS: tuple[Kind, ...] = get_args(Kind)

Parameters = dict[str, Any]
"""Weights by name; NumPy arrays here, JAX arrays while they are trained."""

LAYERS = 2
HEAD = 8
"""A transformer has two layers, and heads of eight numbers: it is as wide as a multiple of eight."""

ROTARY_BASE = 10_000.0

NOTHING = 1e-6
"""Added under the root of a norm, so that nothing is divided by zero."""


@dataclass(frozen=True)
class Architecture:
    """Which network: its kind, the number K of symbols, its width, and whether a transformer rotates its queries.

    A symbol is one of K, so a network's first matrix is a table with a row for each, and needs no bias beside it. All
    three learn where to begin, as a DFST does: h0, or for a transformer a first token.

    >>> Architecture("gru", 4, 15).parameters, Architecture("transformer", 4, 8).parameters
    (1029, 1697)
    """

    kind: Kind
    symbols: int
    width: int
    rotary: bool = False

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise InputError(f"there is no network {self.kind!r}", do=f"Networks are {', '.join(KINDS)}.")
        if self.width < 1 or (self.kind == "transformer" and self.width % HEAD):
            do = f"Use a positive number, for a transformer a multiple of {HEAD}."
            raise InputError(f"a {self.kind} cannot be {self.width} wide", do=do)

    def shapes(self) -> dict[str, tuple[int, ...]]:
        """The shape of every weight, by name."""
        d, symbols, scores = self.width, self.symbols, self.symbols + MOVES
        out = {"out": (d, scores), "out_bias": (scores,)}
        if self.kind == "gru":
            return {"symbol": (symbols, 3 * d), "recur": (d, 3 * d), "bias": (d,), "start": (d,)} | out
        if self.kind == "lstm":
            return {"symbol": (symbols, 4 * d), "recur": (d, 4 * d), "start": (2 * d,)} | out
        layers: dict[str, tuple[int, ...]] = {}
        for i in range(LAYERS):
            layers |= {f"norm_attend{i}": (d,), f"qkv{i}": (d, 3 * d), f"attend{i}": (d, d)}
            layers |= {f"norm_think{i}": (d,), f"up{i}": (d, 4 * d), f"down{i}": (4 * d, d)}
        return {"symbol": (symbols, d), "start": (d,)} | layers | {"norm": (d,)} | out

    @property
    def parameters(self) -> int:
        """How many numbers are learned."""
        return sum(int(np.prod(shape)) for shape in self.shapes().values())


def matched(kind: Kind, symbols: int, parameters: int) -> Architecture:
    """The network whose number of parameters is nearest to ``parameters``; a transformer has at least as many.

    >>> matched("lstm", 4, 1020)
    Architecture(kind='lstm', symbols=4, width=13, rotary=False)
    """
    if kind == "transformer":
        width = HEAD
        while Architecture(kind, symbols, width).parameters < parameters:
            width += HEAD
        return Architecture(kind, symbols, width)
    width = 1
    while Architecture(kind, symbols, width + 1).parameters <= parameters:
        width += 1
    near = (Architecture(kind, symbols, each) for each in (width, width + 1))
    return min(near, key=lambda one: abs(one.parameters - parameters))


class RecurrentPolicy:
    """A GRU or an LSTM let loose; its state is h, for an LSTM h and c in one vector. The step is compiled.

    >>> net = Architecture("gru", 4, 3)
    >>> weights = {name: np.zeros(shape, np.float32) for name, shape in net.shapes().items()}
    >>> weights["out_bias"][[2, 4]] = 1
    >>> policy = RecurrentPolicy(net, weights)
    >>> policy.act(policy.begin(), 1)
    (array([0., 0., 0.], dtype=float32), 2, 0)
    """

    step_limit = 20_000_000
    """A few minutes."""

    def __init__(self, network: Architecture, weights: Parameters) -> None:
        from dfst.arena.policy_kernels import Recurrent

        if network.kind not in ("gru", "lstm"):
            raise InputError(f"a {network.kind} has no state of fixed size", do="Use TransformerPolicy.")
        self.network = network
        w = checked(network, weights)
        bias = w.get("bias", np.zeros(0, np.float32))
        gates = np.empty(w["recur"].shape[1], np.float32)
        self.weights = Recurrent(w["symbol"], w["recur"], bias, w["out"], w["out_bias"], gates)
        self._start = w["start"]

    def begin(self) -> np.ndarray:
        """The state before the first symbol."""
        return self._start.copy()

    def act(self, state: np.ndarray, symbol: int) -> Action | None:
        """One step on the grid; None if no symbol or no move has the highest score alone, as for a DFST."""
        from dfst.extraction.swap_kernels import decide

        after = np.empty_like(state)
        written, move = decide(self.weights, self.network.symbols, state, symbol, after)
        return None if min(written, move) < 0 else (after, written, move)


class TransformerPolicy:
    """A transformer let loose: its state is everything it has seen, as keys and values that grow with every step.

    A state is changed by acting: it is good for one step only.
    """

    step_limit = 20_000
    """Each step takes longer than the one before: the whole run takes some seconds."""

    def __init__(self, network: Architecture, weights: Parameters) -> None:
        if network.kind != "transformer":
            raise InputError(f"a {network.kind} keeps no keys and values", do="Use RecurrentPolicy.")
        self.network, self._w = network, checked(network, weights)
        self._heads = network.width // HEAD
        self._rates = ROTARY_BASE ** (-np.arange(HEAD // 2) * 2.0 / HEAD)

    def begin(self) -> _Memory:
        """A memory of the first token alone."""
        memory = _Memory(self._heads)
        self._read(memory, self._w["start"])
        return memory

    def act(self, state: _Memory, symbol: int) -> tuple[_Memory, int, int] | None:
        """One step on the grid; None if no symbol or no move has the highest score alone, as for a DFST."""
        from dfst.extraction.swap_kernels import leader

        x = self._read(state, self._w["symbol"][symbol])
        scores = _normed(x, self._w["norm"]) @ self._w["out"] + self._w["out_bias"]
        written, move = leader(scores[: self.network.symbols]), leader(scores[self.network.symbols :])
        return None if min(written, move) < 0 else (state, written, move)

    def _read(self, memory: _Memory, x: np.ndarray) -> np.ndarray:
        """Take in one token; what the last layer makes of it."""
        w, position = self._w, memory.length
        memory.make_room()
        for i in range(LAYERS):
            qkv = (_normed(x, w[f"norm_attend{i}"]) @ w[f"qkv{i}"]).reshape(3, self._heads, HEAD)
            query, key = self._turned(qkv[0], position), self._turned(qkv[1], position)
            memory.keys[i, :, position], memory.values[i, :, position] = key, qkv[2]
            keys, values = memory.keys[i, :, : position + 1], memory.values[i, :, : position + 1]
            weight = np.einsum("htk,hk->ht", keys, query) / np.float32(np.sqrt(HEAD))
            weight = np.exp(weight - weight.max(axis=1, keepdims=True))
            weight /= weight.sum(axis=1, keepdims=True)
            x = x + np.einsum("ht,htk->hk", weight, values).ravel() @ w[f"attend{i}"]
            x = x + _gelu(_normed(x, w[f"norm_think{i}"]) @ w[f"up{i}"]) @ w[f"down{i}"]
        memory.length += 1
        return x

    def _turned(self, vectors: np.ndarray, position: int) -> np.ndarray:
        if not self.network.rotary:
            return vectors
        angle = position * self._rates
        cos, sin = np.cos(angle).astype(np.float32), np.sin(angle).astype(np.float32)
        a, b = vectors[..., : HEAD // 2], vectors[..., HEAD // 2 :]
        return np.concatenate([a * cos - b * sin, a * sin + b * cos], axis=-1)


class _Memory:
    """Keys and values of all tokens so far; room for more is made by doubling."""

    def __init__(self, heads: int) -> None:
        self.length = 0
        self.keys, self.values = (np.empty((LAYERS, heads, 64, HEAD), np.float32) for _ in range(2))

    def make_room(self) -> None:
        if self.length == self.keys.shape[2]:
            self.keys, self.values = (np.concatenate([old, old], axis=2) for old in (self.keys, self.values))


def policy_of(network: Architecture, weights: Parameters) -> RecurrentPolicy | TransformerPolicy:
    """The network as a policy for the grid."""
    return (TransformerPolicy if network.kind == "transformer" else RecurrentPolicy)(network, weights)


def checked(network: Architecture, weights: Parameters) -> dict[str, np.ndarray]:
    """The weights as float32; refuses those of another network."""
    shapes = network.shapes()
    if {name: np.shape(array) for name, array in weights.items()} != shapes:
        what = f"these are not the weights of a {network.kind} of width {network.width}"
        raise InputError(what, do=f"It has {', '.join(shapes)}.")
    return {name: np.ascontiguousarray(array, np.float32) for name, array in weights.items()}


def _normed(x: np.ndarray, gain: np.ndarray) -> np.ndarray:
    return x / np.sqrt((x * x).mean() + np.float32(NOTHING)) * gain


def _gelu(x: np.ndarray) -> np.ndarray:
    return np.float32(0.5) * x * (1 + np.tanh(np.float32(np.sqrt(2 / np.pi)) * (x + np.float32(0.044715) * x**3)))
