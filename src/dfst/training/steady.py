"""Long walks: eigenvalues that are nearly 1 are made 1.

Whoever walks over a symbol stays in one state, so the simplest linear model of it has a direction that A[x] leaves as
it is: an eigenvalue 1. Training on short walks finds that only nearly, and what is off by a thousandth in one step has
grown or faded beyond use after some thousand. Only the weights are looked at, so what is taken for a walk may be none.
"""

from __future__ import annotations

from dataclasses import replace
from numbers import Real

import numpy as np

from dfst.errors import InputError
from dfst.shapes import Float
from dfst.training.model import DFST
from dfst.training.one_thread import one_thread

NEAR = 0.03
"""Eigenvalues so near to 1 are taken for those of a walk."""


def steady(model: DFST, near: float = NEAR) -> DFST:
    """``model``, with every A[x] the identity, up to rounding, on the directions that it nearly leaves as they are.

    >>> import dfst
    >>> tired = dfst.from_machine(dfst.task("add2").machine)
    >>> tired = replace(tired, A=(0.99 * tired.A).astype(np.float32))
    >>> bool(np.allclose(steady(tired).A[0].diagonal().max(), 1)), float(tired.A[0].max())
    (True, 0.9900000095367432)
    """
    if not (isinstance(near, Real) and 0 < near < 1):
        what = f"{near!r} is not a number between 0 and 1"
        raise InputError(what, where="near", do=f"Use a small one, such as {NEAR}.")
    with one_thread():
        steadied = np.stack([_steadied(A, near) for A in model.A.astype(np.float64)])
    return replace(model, A=np.ascontiguousarray(steadied.astype(model.A.dtype)))


def _steadied(A: Float[np.ndarray, "d d"], near: float) -> Float[np.ndarray, "d d"]:
    values, vectors = np.linalg.eig(A)
    walks = vectors[:, np.abs(values - 1) < near]
    count = walks.shape[1]
    # A pair of complex vectors spans two real directions: their real and their imaginary part.
    basis = np.linalg.svd(np.concatenate([np.real(walks), np.imag(walks)], axis=1))[0][:, :count]
    return A + basis @ (np.eye(count) - basis.T @ A @ basis) @ basis.T
