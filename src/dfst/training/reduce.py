"""What makes weights last: fewer hidden dimensions, and walks that repeat themselves.

Dimensions: a direction of the hidden state matters as much as the states that were reached go along it, and as much as
what was seen later shows it. Balancing makes the two the same; the least directions are then left out. This is the
classical reduction of linear systems (Moore 1981), with the Gramians of what was recorded instead of those of all
inputs.

Walks: whoever walks over a symbol stays in one state, so the simplest linear model of it has a direction that A[x]
leaves as it is: an eigenvalue 1. Training on short walks finds that only nearly, and what is off by a thousandth in one
step has grown or faded beyond use after some thousand. Eigenvalues that are nearly 1 are made 1. Only the weights are
looked at, so what is taken for a walk may be none.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Lock

import numpy as np
from threadpoolctl import threadpool_limits

from dfst.act.weights import Weights
from dfst.errors import InputError
from dfst.shapes import Float
from dfst.traces.consistency import check_alphabet
from dfst.traces.traces import Traces
from dfst.training.model import DFST
from dfst.training.size import check_size

_STEPS = 40_000
"""About so many steps of the traces are looked at, evenly spread over the set: each costs d³ operations."""

_TRACES = 20
"""But at least so many traces, if there are so many."""

_RANK = 1e-9
"""Relative to the largest, smaller values are rounding. Square roots of Gramians have half the digits of float64, so
that somewhat larger ones may be rounding, too: then a direction more is kept than matters."""


@dataclass(frozen=True, eq=False)
class Balance:
    """Coordinates in which every direction is reached as much as it is observed.

    ``values`` are the Hankel singular values, the largest first: how much each direction matters. ``basis`` has the
    directions as columns, ``dual`` the coordinates of a state along them as rows.
    """

    values: Float[np.ndarray, " r"]
    basis: Float[np.ndarray, "d r"]
    dual: Float[np.ndarray, "r d"]


def balance(model: DFST, traces: Traces) -> Balance:
    """How much each direction of the hidden state matters along ``traces``, in float64.

    A machine's one-hot weights have as many values as it has states that the traces visit and tell apart.

    >>> import dfst
    >>> add2 = dfst.task("add2")
    >>> balance(dfst.from_machine(add2.machine, hidden_dim=20), dfst.sample(add2)).values.shape
    (11,)
    """
    check_alphabet(model, traces)
    if not len(traces):
        raise InputError("there are no traces", do="Give at least one.")
    with one_thread():
        reached, observed = (root(gramian) for gramian in _gramians(model.astype(np.float64), traces))
        left, values, right = np.linalg.svd(observed.T @ reached)
        rank = int((values > _RANK * values[0]).sum())
        if not rank:
            do = "Train it on them first."
            raise InputError("no direction of its hidden state shows along the traces", where=model.name, do=do)
        scale = 1 / np.sqrt(values[:rank])
        return Balance(values[:rank], reached @ right[:rank].T * scale, (left[:, :rank] * scale).T @ observed.T)


def reduce(model: DFST, traces: Traces, hidden_dim: int) -> DFST:
    """``model`` with only the ``hidden_dim`` directions that matter most along ``traces``, or all that matter."""
    check_size(len(model.alphabet), hidden_dim)
    if hidden_dim > model.hidden_dim:
        do = f"Use 1 to {model.hidden_dim}, the dimensions it has."
        raise InputError(f"it cannot be reduced to {hidden_dim} dimensions", where="hidden_dim", do=do)
    found = balance(model, traces)
    basis, dual = found.basis[:, :hidden_dim], found.dual[:hidden_dim]
    wide, dtype = model.astype(np.float64), model.h0.dtype
    with one_thread():
        narrow = Weights(dual @ wide.A @ basis, wide.B @ basis, wide.C @ basis, dual @ wide.h0)
    return replace(model, weights=Weights(*map(np.ascontiguousarray, narrow.astype(dtype))))


def _gramians(model: DFST, traces: Traces) -> tuple[Float[np.ndarray, "d d"], Float[np.ndarray, "d d"]]:
    """Means over the steps: of h hᵀ, and of the quadratic form that is the sum of the squared scores from there on."""
    d, outputs = model.hidden_dim, np.concatenate([model.B, model.C], axis=1)
    scores = outputs.transpose(0, 2, 1) @ outputs
    stride = max(1, min(len(traces.seen) // _STEPS, len(traces) // _TRACES))
    reached, observed, steps = np.zeros((d, d)), np.zeros((d, d)), 0
    for i in range(0, len(traces), stride):
        seen = traces[i].seen.tolist()
        states, h = np.empty((len(seen), d)), model.h0
        for t, x in enumerate(seen):
            states[t], h = h, model.A[x] @ h
        reached += states.T @ states
        future = np.zeros((d, d))
        for x in reversed(seen):
            future = scores[x] + model.A[x].T @ future @ model.A[x]
            observed += future
        steps += len(seen)
    if not (np.isfinite(reached).all() and np.isfinite(observed).all()):
        do = "Train it until it follows them, with a lower learning rate or clipped gradients."
        raise InputError("its hidden state grows without bound along the traces", where="reduce", do=do)
    return reached / steps, observed / steps


def root(gramian: Float[np.ndarray, "d d"]) -> Float[np.ndarray, "d d"]:
    """L with L Lᵀ = ``gramian``."""
    values, vectors = np.linalg.eigh((gramian + gramian.T) / 2)
    return vectors * np.sqrt(np.maximum(values, 0))


_NEAR = 0.03
"""Eigenvalues so near to 1 are taken for those of a walk."""


def steady(model: DFST) -> DFST:
    """``model``, with every A[x] the identity, up to rounding, on the directions that it nearly leaves as they are."""
    with one_thread():
        steadied = np.stack([_steadied(A) for A in model.A.astype(np.float64)])
    A = np.ascontiguousarray(steadied.astype(model.A.dtype))
    return replace(model, weights=model.weights._replace(A=A))


def _steadied(A: Float[np.ndarray, "d d"]) -> Float[np.ndarray, "d d"]:
    values, vectors = np.linalg.eig(A)
    walks = vectors[:, np.abs(values - 1) < _NEAR]
    count = walks.shape[1]
    # A pair of complex vectors spans two real directions: their real and their imaginary part.
    basis = np.linalg.svd(np.concatenate([np.real(walks), np.imag(walks)], axis=1))[0][:, :count]
    return A + basis @ (np.eye(count) - basis.T @ A @ basis) @ basis.T


_TURN = Lock()
"""The limit is one for the whole process: of two training runs in it, the first to be done would lift the other's."""


@contextmanager
def one_thread() -> Iterator[None]:
    """Same weights, same bytes, however many cores there are (with OpenBLAS, MKL or BLIS; others cannot be told).

    The last bits of numpy's products and decompositions depend on how many threads there are.
    """
    with _TURN, threadpool_limits(1, user_api="blas"):
        yield
