"""Networks people would try first, as Equinox modules.

A network reads the symbol under the head and scores every symbol to write and every move. ``scores`` does so along a
whole trace, for training; all but the transformer also have ``begin`` and ``step``, for acting. Each learns where to
begin, as a DFST does.
"""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left
from typing import Any, Literal, get_args

import equinox as eqx
import jax
import jax.numpy as jnp
from equinox import nn

import dfst

MOVES = len(dfst.Move)

Kind = Literal["gru", "lstm", "deltanet", "ssm", "transformer"]

KINDS: tuple[Kind, ...] = get_args(Kind)

LAYERS = 2
"""Blocks of a deltanet, an ssm or a transformer."""

HEAD = 8
"""Numbers in a transformer's head: it is as wide as a multiple of eight."""


class Network(eqx.Module):
    """Whatever scores symbols and moves along a trace: (T,) symbols seen, (T, K + 5) scores."""

    @abstractmethod
    def scores(self, seen: Any) -> jax.Array:
        """The scores at every step, given all symbols seen up to it."""

    @property
    def parameters(self) -> int:
        """How many numbers are learned."""
        return sum(leaf.size for leaf in jax.tree.leaves(self) if hasattr(leaf, "size"))


class Recurrent(Network):
    """A network with a state of fixed size."""

    @abstractmethod
    def begin(self) -> Any:
        """The state before the first symbol."""

    @abstractmethod
    def step(self, state: Any, symbol: Any) -> tuple[Any, jax.Array]:
        """The state after ``symbol``, and the scores."""

    def scores(self, seen: Any) -> jax.Array:
        # not self.step itself, which JAX would hash with all its arrays
        return jax.lax.scan(lambda state, symbol: self.step(state, symbol), self.begin(), seen)[1]


class Gated(Recurrent):
    """Equinox's GRU or LSTM; its input has a 1 for the symbol seen."""

    cell: nn.GRUCell | nn.LSTMCell
    start: Any
    readout: nn.Linear
    symbols: int = eqx.field(static=True)

    def __init__(self, kind: Kind, symbols: int, width: int, key: Any) -> None:
        cell, start, out = jax.random.split(key, 3)
        self.symbols, self.readout = symbols, nn.Linear(width, symbols + MOVES, key=out)
        vectors = jax.random.normal(start, (2, width)) * width**-0.5
        if kind == "gru":
            self.cell, self.start = nn.GRUCell(symbols, width, key=cell), vectors[0]
        else:
            made, remember = nn.LSTMCell(symbols, width, key=cell), jnp.repeat(jnp.array([0.0, 1, 0, 0]), width)
            # at first its forget gates forget little, as usual
            self.cell = eqx.tree_at(lambda one: one.bias, made, replace_fn=lambda bias: bias + remember)
            self.start = tuple(vectors)

    def begin(self) -> Any:
        return self.start

    def step(self, state: Any, symbol: Any) -> tuple[Any, jax.Array]:
        state = self.cell(jax.nn.one_hot(symbol, self.symbols), state)
        return state, self.readout(state[0] if isinstance(state, tuple) else state)


class Delta(eqx.Module):
    """The delta rule: a matrix forgets what it held for a key and keeps the new value.

    S' = S + b (v - S k) kᵀ with 0 < b < 2, so that a state can also be turned round; out comes S' q.
    """

    project: nn.Linear
    strength: nn.Linear
    out: nn.Linear
    start: Any

    def __init__(self, width: int, key: Any) -> None:
        project, strength, out, start = jax.random.split(key, 4)
        self.project = nn.Linear(width, 3 * width, use_bias=False, key=project)
        self.strength = nn.Linear(width, 1, key=strength)
        self.out = nn.Linear(width, width, use_bias=False, key=out)
        self.start = jax.random.normal(start, (width, width)) * width**-0.5

    def step(self, state: Any, x: Any) -> tuple[Any, jax.Array]:
        query, key, value = jnp.split(self.project(x), 3)
        key = key * jax.lax.rsqrt((key * key).sum() + 1e-6)
        strength = 2 * jax.nn.sigmoid(self.strength(x))
        state = state + jnp.outer(strength * (value - state @ key), key)
        return state, self.out(state @ query)


class Diagonal(eqx.Module):
    """A selective state space model: h' = a(x) h + b(x), number by number, with -1 < a < 1."""

    keep: nn.Linear
    enter: nn.Linear
    out: nn.Linear
    start: Any

    def __init__(self, width: int, key: Any) -> None:
        keep, enter, out, start = jax.random.split(key, 4)
        made = nn.Linear(width, width, key=keep)
        self.keep = eqx.tree_at(lambda one: one.bias, made, replace_fn=lambda bias: bias + 2.0)  # at first it remembers
        self.enter = nn.Linear(width, width, key=enter)
        self.out = nn.Linear(width, width, use_bias=False, key=out)
        self.start = jax.random.normal(start, (width,)) * width**-0.5

    def step(self, state: Any, x: Any) -> tuple[Any, jax.Array]:
        state = jnp.tanh(self.keep(x)) * state + self.enter(x)
        return state, self.out(state)


class Attention(eqx.Module):
    """Equinox's attention to all that was seen, with rotary positions or none."""

    attend: nn.MultiheadAttention
    rotary: nn.RotaryPositionalEmbedding | None

    def __init__(self, width: int, rotary: bool, key: Any) -> None:
        self.attend = nn.MultiheadAttention(width // HEAD, width, key=key)
        self.rotary = nn.RotaryPositionalEmbedding(HEAD) if rotary else None

    def __call__(self, xs: Any) -> jax.Array:
        """What every step attends to, of those up to it."""
        turn = None if self.rotary is None else jax.vmap(self.rotary, in_axes=1, out_axes=1)
        heads = None if turn is None else lambda query, key, value: (turn(query), turn(key), value)
        causal = jnp.tri(len(xs), dtype=bool)
        return self.attend(xs, xs, xs, mask=causal, process_heads=heads)


class Block(eqx.Module):
    """A mixer over time and an MLP, each behind a norm and beside what it reads."""

    before: nn.RMSNorm
    mixer: Any
    between: nn.RMSNorm
    think: nn.MLP

    def __init__(self, mixer: Any, width: int, widening: int, key: Any) -> None:
        self.mixer, self.think = mixer, nn.MLP(width, width, widening * width, 1, jax.nn.gelu, key=key)
        self.before, self.between = nn.RMSNorm(width), nn.RMSNorm(width)

    def thought(self, x: Any) -> jax.Array:
        return x + self.think(self.between(x))


class _Ends(eqx.Module):
    """What stands around the blocks."""

    embed: nn.Embedding
    norm: nn.RMSNorm
    readout: nn.Linear

    def __init__(self, symbols: int, width: int, key: Any) -> None:
        embed, out = jax.random.split(key)
        self.embed, self.norm = nn.Embedding(symbols, width, key=embed), nn.RMSNorm(width)
        self.readout = nn.Linear(width, symbols + MOVES, key=out)

    def read(self, x: Any) -> jax.Array:
        return self.readout(self.norm(x))


class Stack(Recurrent):
    """Blocks whose mixers have a state: a deltanet or an ssm."""

    ends: _Ends
    blocks: tuple[Block, ...]

    def __init__(self, kind: Kind, symbols: int, width: int, key: Any) -> None:
        ends, *keys = jax.random.split(key, 1 + 2 * LAYERS)
        mixer = Delta if kind == "deltanet" else Diagonal
        self.ends = _Ends(symbols, width, ends)
        made = zip(keys[::2], keys[1::2], strict=True)
        self.blocks = tuple(Block(mixer(width, mine), width, 2, think) for mine, think in made)

    def begin(self) -> Any:
        return tuple(block.mixer.start for block in self.blocks)

    def step(self, state: Any, symbol: Any) -> tuple[Any, jax.Array]:
        x, after = self.ends.embed(symbol), []
        for block, mine in zip(self.blocks, state, strict=True):
            mine, mixed = block.mixer.step(mine, block.before(x))
            x = block.thought(x + mixed)
            after.append(mine)
        return tuple(after), self.ends.read(x)


class Transformer(Network):
    """Blocks with attention; there is no state but everything seen so far."""

    ends: _Ends
    blocks: tuple[Block, ...]
    start: Any

    def __init__(self, symbols: int, width: int, rotary: bool, key: Any) -> None:
        ends, start, *keys = jax.random.split(key, 2 + 2 * LAYERS)
        self.ends, self.start = _Ends(symbols, width, ends), jax.random.normal(start, (1, width))
        made = zip(keys[::2], keys[1::2], strict=True)
        self.blocks = tuple(Block(Attention(width, rotary, mine), width, 4, think) for mine, think in made)

    def scores(self, seen: Any) -> jax.Array:
        """All steps at once; the learned first vector stands before them."""
        xs = jnp.concatenate([self.start, jax.vmap(self.ends.embed)(seen)])
        for block in self.blocks:
            xs = jax.vmap(block.thought)(xs + block.mixer(jax.vmap(block.before)(xs)))
        return jax.vmap(self.ends.read)(xs[1:])


def network(kind: Kind, symbols: int, width: int, *, rotary: bool = False, seed: int = 0) -> Network:
    """A fresh network for so many ``symbols``; the width of a transformer is a multiple of HEAD."""
    key = jax.random.key(seed)
    if kind == "transformer":
        return Transformer(symbols, width, rotary, key)
    return (Gated if kind in ("gru", "lstm") else Stack)(kind, symbols, width, key)


def matched(kind: Kind, symbols: int, parameters: int) -> int:
    """The width with which a network has nearest to so many ``parameters``; a transformer has at least as many."""

    def size(width: int) -> int:
        return eqx.filter_eval_shape(network, kind, symbols, width).parameters

    step = HEAD if kind == "transformer" else 1
    enough = step * (1 + bisect_left(range(1, 512), parameters, key=lambda one: size(one * step)))
    if kind == "transformer" or enough == 1:
        return enough
    return min(enough - 1, enough, key=lambda one: abs(size(one) - parameters))
