"""The four arrays of a network, as one record from the file to the kernel."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from dfst.shapes import Float, frozen


class Weights(NamedTuple):
    """h' = A[x] h, scores of symbols B[x] h, scores of moves C[x] h, first h0; also a gradient, or one of its moments.

    K is the number of symbols, d that of the hidden dimensions.
    """

    A: Float[np.ndarray, "K d d"]
    B: Float[np.ndarray, "K K d"]
    C: Float[np.ndarray, "K 5 d"]
    h0: Float[np.ndarray, " d"]

    def frozen(self) -> Weights:
        """Views of the same numbers that raise where somebody changes them."""
        return Weights(*map(frozen, self))

    def zeros(self) -> Weights:
        """Zeros of the same shapes."""
        return Weights(*map(np.zeros_like, self))

    def astype(self, dtype: type[np.floating] | np.dtype) -> Weights:
        """The same numbers in float32 or float64."""
        return Weights(*(array.astype(dtype) for array in self))
