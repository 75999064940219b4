"""The differentiable finite-state transducer: a record of weights, one step, forward along traces, the loss."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dfst.act.floats import FloatRunner, run_floats
from dfst.act.growing import run_growing
from dfst.act.rounding import Rounding, check_bits
from dfst.act.weights import Weights
from dfst.errors import InputError
from dfst.files import write_atomically
from dfst.seeds import Stream
from dfst.shapes import Float, UInt8
from dfst.traces.consistency import check_alphabet
from dfst.traces.traces import UNKNOWN, Trace, Traces
from dfst.training.size import MOVES, check_size, parameter_count
from dfst.world.alphabet import Alphabet
from dfst.world.machine import UNDEFINED, GridMachine
from dfst.world.policy import Action, Policy, Setup
from dfst.world.rollout import Rollout
from dfst.world.table import Table
from dfst.world.worlds import World


@dataclass(frozen=True, eq=False)
class DFST(Policy):
    """A transducer over K symbols with hidden dimension d: h' = A[x] h, symbol = argmax B[x] h, move = argmax C[x] h.

    Every engine works on this record. ``name`` is the task it belongs to, or empty; the layout of its ``world`` says
    how that task's problems stand on the grid (None: nobody knows, as for a model trained on bare traces). With
    ``bits`` it acts with its hidden state rounded to so many bits (see :mod:`dfst.act.rounding`), exactly.
    """

    world: World
    weights: Weights
    name: str = ""
    bits: int | None = None

    compiled = True

    def __post_init__(self) -> None:
        if self.bits is not None:
            check_bits(self.bits)
        object.__setattr__(self, "weights", self.weights.frozen())
        k, d = len(self.alphabet), len(self.h0)
        wanted = {"A": (k, d, d), "B": (k, k, d), "C": (k, MOVES, d), "h0": (d,)}
        for name, shape in wanted.items():
            array = getattr(self.weights, name)
            if array.shape != shape or d < 1:
                what = f"{name} has shape {array.shape}, not {shape}"
                raise InputError(what, where="DFST", do=f"K = {k} symbols, d = {d} hidden dimensions.")
            if not np.isfinite(array).all():
                raise InputError(f"{name} holds a number that is not finite", where="DFST", do="Train it again.")
            if array.dtype != self.h0.dtype or array.dtype not in (np.float32, np.float64):
                raise InputError(f"{name} is {array.dtype}", where="DFST", do="Use float32 or float64 throughout.")

    @property
    def A(self) -> Float[np.ndarray, "K d d"]:
        """The transitions of the hidden state, by symbol."""
        return self.weights.A

    @property
    def B(self) -> Float[np.ndarray, "K K d"]:
        """The scores of symbols, by symbol seen."""
        return self.weights.B

    @property
    def C(self) -> Float[np.ndarray, "K 5 d"]:
        """The scores of moves, by symbol seen."""
        return self.weights.C

    @property
    def h0(self) -> Float[np.ndarray, " d"]:
        """The first hidden state."""
        return self.weights.h0

    @property
    def silence(self) -> str:
        """Why it returns no action, where it does not."""
        if self.bits is not None:
            return "two scores tie for the highest, or the hidden state cannot be rounded"
        return "two symbols or moves tie for the highest score, or it is not finite"

    @cached_property
    def rounding(self) -> Rounding:
        """The arithmetic of the steps of a rounded network; those that were made are remembered."""
        return Rounding(self.weights, self.bits)

    @property
    def hidden_dim(self) -> int:
        """The number of hidden dimensions, d."""
        return len(self.h0)

    @property
    def parameters(self) -> int:
        """The number of trainable numbers."""
        return parameter_count(len(self.alphabet), self.hidden_dim)

    def reordered(self, alphabet: Alphabet) -> DFST:
        """The same model with its symbols in the order of ``alphabet``."""
        old = [self.alphabet.index[symbol] for symbol in alphabet.symbols]
        A, B, C, h0 = self.weights
        weights = Weights(A[old], B[old][:, old], C[old], h0)
        return replace(self, world=replace(self.world, alphabet=alphabet), weights=weights)

    def describe(self) -> str:
        """What it is, in a few words."""
        return f"float model, {self.hidden_dim} hidden dimensions, {self.h0.dtype}{self._rounded()}"

    def _rounded(self) -> str:
        return "" if self.bits is None else f", hidden state rounded to {self.bits} bit{'s' * (self.bits != 1)}"

    def begin(self) -> Any:
        """The hidden state h0, ready to act; of a rounded network whole numbers."""
        return FloatRunner(self.weights) if self.bits is None else self.rounding.start

    def act(self, state: Any, symbol: int) -> Action | None:
        """What it does about ``symbol``; ``state`` is changed, unless it is rounded."""
        return state.act(symbol) if self.bits is None else self.rounding.step(state, symbol)

    def rollout(self, setup: Setup, *, drift: bool = False) -> Rollout:
        """As :meth:`dfst.Policy.run`, compiled; ``drift`` also keeps margins, in step with a machine.

        >>> import dfst
        >>> model = dfst.from_machine(dfst.task("add10").machine)
        >>> result = model.run("999", "1")
        >>> result.outcome.value, result.steps, result.answer.text
        ('halted', 36, '1000')
        """
        teacher = setup.beside if isinstance(setup.beside, Table) else None
        if drift and self.bits is not None:
            raise InputError("a rounded network does not drift", where=self.name, do="Measure the model as trained.")
        if drift and teacher is None:
            raise InputError("drift is measured against a teacher", do="Give the teacher to follow.")
        if setup.beside is not None and (teacher is None or setup.record):
            return super().rollout(setup)
        if self.bits is not None:
            return run_growing(self, self.rounding.tables, setup, teacher)
        return run_floats(self, self.weights, setup, teacher, drift=drift)

    def save(self, path: str | Path) -> None:
        """Write a .safetensors file, atomically; the same model always gives the same bytes."""
        from dfst.training.weights import model_bytes

        write_atomically(path, model_bytes(self))

    def astype(self, dtype: type[np.floating]) -> DFST:
        """The same model in float32 or float64."""
        return replace(self, weights=self.weights.astype(dtype))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, DFST)
            and (self.world, self.name) == (other.world, other.name)
            and (self.bits, self.h0.dtype) == (other.bits, other.h0.dtype)
            and all(map(np.array_equal, self.weights, other.weights))
        )

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __repr__(self) -> str:
        rounded = self._rounded().replace("hidden state ", "")
        return f"DFST({self.name!r}, K={len(self.alphabet)}, d={self.hidden_dim}, {self.h0.dtype}{rounded})"


def rounded(model: DFST, bits: Any) -> DFST:
    """``model`` with its hidden state rounded to ``bits`` bits after every step; its weights stay as they are."""
    check_bits(bits)
    return replace(model, bits=bits)


def identity_model(world: World, hidden_dim: int, *, seed: int = 42, name: str = "") -> DFST:
    """The paper's initial model, in float32: A[x] the identity, B and C zero, h0 uniform in (0, 1) and normalised.

    >>> import dfst
    >>> model = identity_model(dfst.task("add2").machine.world, 12, seed=42)
    >>> model, model.parameters, round(float(np.linalg.norm(model.h0)), 6)
    (DFST('', K=4, d=12, float32), 1020, 1.0)
    """
    if not isinstance(world, World):
        do = f"Write identity_model(x.world, {hidden_dim}), where x are traces, a machine or a model."
        raise InputError(f"{type(world).__name__} is not a World", where="identity_model", do=do)
    check_size(len(world.alphabet), hidden_dim)
    k, stream = len(world.alphabet), Stream(seed, "init")
    h0 = np.array([stream.uniform() or 2.0**-54 for _ in range(hidden_dim)])  # the interval is open: never 0
    A = np.tile(np.eye(hidden_dim, dtype=np.float32), (k, 1, 1))
    B, C = np.zeros((k, k, hidden_dim), np.float32), np.zeros((k, MOVES, hidden_dim), np.float32)
    return DFST(world, Weights(A, B, C, (h0 / np.sqrt((h0 * h0).sum())).astype(np.float32)), name)


class Prediction(NamedTuple):
    """What the model says along a trace: a score for every symbol and for every move, per step."""

    symbols: Float[np.ndarray, "T K"]
    moves: Float[np.ndarray, "T 5"]


def step(
    model: DFST, h: Float[np.ndarray, " d"], seen: int
) -> tuple[Float[np.ndarray, " d"], Float[np.ndarray, " K"], Float[np.ndarray, " 5"]]:
    """One step: (the next hidden state, the scores of the symbols to write, the scores of the moves).

    >>> import dfst
    >>> model = dfst.from_machine(dfst.task("add2").machine)
    >>> h, symbols, moves = step(model, model.h0, seen=2)  # on the blank: write 0, move right
    >>> int(symbols.argmax()), dfst.Move(moves.argmax()).name
    (0, 'R')
    """
    return model.A[seen] @ h, model.B[seen] @ h, model.C[seen] @ h


def forward(model: DFST, seen: UInt8[np.ndarray, " T"]) -> Prediction:
    """The scores along a trace whose symbols are given (teacher-forced), in the model's own precision.

    >>> import dfst
    >>> add2 = dfst.task("add2")
    >>> trace = dfst.record(add2.machine, [("11", "1")])[0]
    >>> prediction = forward(dfst.from_machine(add2.machine), trace.seen)
    >>> bool((prediction.moves.argmax(1) == trace.moves).all())
    True
    """
    dtype = model.h0.dtype
    symbols, moves = np.empty((len(seen), len(model.alphabet)), dtype), np.empty((len(seen), MOVES), dtype)
    A, B, C, h = list(model.A), list(model.B), list(model.C), model.h0
    for t, x in enumerate(seen.tolist()):  # step, written out: half a million calls would cost as much as the work
        symbols[t], moves[t], h = B[x] @ h, C[x] @ h, A[x] @ h
    return Prediction(symbols, moves)


def loss(model: DFST, traces: Traces) -> float:
    """The mean over the traces of 1/(2T) · Σ_t (‖symbol scores - one-hot symbol‖² + ‖move scores - one-hot move‖²).

    T is the number of steps. (The paper's sum runs from 0 to T and divides by T; there are T terms.) Squared errors are
    summed over components, averaged over time, then over traces; the sums are taken in float64.

    >>> import dfst
    >>> add2 = dfst.task("add2")
    >>> traces = dfst.sample(add2)
    >>> loss(dfst.from_machine(add2.machine), traces), loss(identity_model(traces.world, 12), traces)
    (0.0, 1.0)
    """
    check_alphabet(model, traces)
    if not len(traces):
        raise InputError("there are no traces", do="Give at least one.")
    return float(np.mean([_trace_loss(model, trace) for trace in traces]))


def _trace_loss(model: DFST, trace: Trace) -> float:
    prediction, steps = forward(model, trace.seen), np.arange(len(trace.seen))
    symbols, moves = prediction.symbols.astype(np.float64), prediction.moves.astype(np.float64)
    known = trace.written != UNKNOWN
    symbols[~known] = 0
    symbols[steps[known], trace.written[known]] -= 1
    moves[steps, trace.moves] -= 1
    return float((symbols**2).sum() + (moves**2).sum()) / (2 * len(steps))


def from_machine(machine: GridMachine, hidden_dim: int | None = None) -> DFST:
    """The one-hot DFST of ``machine``, in float32; ``hidden_dim`` may be larger than the number of states.

    Any machine is a DFST (the paper's Theorem 1): A[x][q', q] = 1 where (q, x) goes on in q'; B[x][s, q] = C[x][m, q]
    = 1 where it writes s and moves m. So h is always exactly one-hot and never drifts. Nothing is set for an undefined
    pair: there every score is 0, which means stuck.
    """
    states, k = len(machine.states), len(machine.alphabet)
    d = states if hidden_dim is None else hidden_dim
    check_size(k, d)
    if d < states:
        do = f"Use a hidden dimension of {states} or more."
        raise InputError(f"{states} states do not fit into {d} dimensions", where=machine.name, do=do)
    A, B = np.zeros((k, d, d), np.float32), np.zeros((k, k, d), np.float32)
    C, h0 = np.zeros((k, MOVES, d), np.float32), np.zeros(d, np.float32)
    q, x = np.nonzero(machine.next_state != UNDEFINED)
    B[x, machine.written[q, x], q] = 1
    C[x, machine.move[q, x], q] = 1
    q, x = np.nonzero(machine.next_state >= 0)
    A[x, machine.next_state[q, x], q] = 1
    h0[machine.start] = 1
    return DFST(machine.world, Weights(A, B, C, h0), machine.name)
