"""The arithmetic of a network whose hidden state is rounded: small integers after every step, no drift, exactly.

With top = 2^bits, the next hidden state is the vector n = A[x] h scaled and rounded to whole numbers from -top to top:
h_i = floor(top · n_i / max|n| + 1/2). What counts is the exact value, so all machines agree. It is undefined where n is
zero or some h_i would be a tie, as an action is where two scores tie for the highest: there the network is stuck.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from dfst.act.weights import Weights
from dfst.errors import InputError
from dfst.shapes import Int64
from dfst.world.moves import Move

MOST_BITS = 16
Vector = tuple[int, ...]
"""A rounded hidden state."""

_TINY = 1e-290
"""Of what is smaller, a float64 may have lost a part."""


class RoundedSteps(NamedTuple):
    """What n vectors do about a symbol: rounded vectors after it (of zeros: none), symbols, moves (-1: a tie)."""

    after: Int64[np.ndarray, "n d"]
    symbols: Int64[np.ndarray, " n"]
    moves: Int64[np.ndarray, " n"]


def check_bits(bits: Any) -> None:
    """Refuse what is no number of bits to round to."""
    if isinstance(bits, bool) or not isinstance(bits, int) or not 1 <= bits <= MOST_BITS:
        raise InputError(f"bits = {bits!r}", where="rounded", do=f"Give a whole number from 1 to {MOST_BITS}.")


class Rounding:
    """The steps of a network with these ``weights``, rounded to ``bits`` bits.

    Products are taken in float64, many vectors at once; where a bound on their error does not exclude another outcome,
    the row is computed again in whole numbers.

    >>> import dfst
    >>> model = dfst.from_machine(dfst.task("increment").machine)
    >>> rounding = Rounding(model.weights, 3)
    >>> rounding.start, rounding.step(rounding.start, 0)
    ((8, 0), ((8, 0), 0, 3))
    """

    def __init__(self, weights: Weights, bits: Any) -> None:
        check_bits(bits)
        self.top, self.bits, self.weights = 1 << bits, bits, weights
        symbols, d = weights.A.shape[:2]
        self._parts = slice(0, d), slice(d, d + symbols), slice(d + symbols, d + symbols + len(Move))
        rows = np.concatenate([weights.A, weights.B, weights.C], axis=1).astype(np.float64)
        self._rows, self._sizes = rows, np.abs(rows)
        self._error = d * 2.0**-53 / (1 - d * 2.0**-53)  # of a sum of d products in any order, relative to its terms
        self.tables: dict[Any, Any] = {}  # of rollouts, by the teacher beside it
        self._known: dict[tuple[Vector, int], tuple[Vector | None, int, int] | None] = {}

    @cached_property
    def start(self) -> Vector | None:
        """The rounded h0; None if there is none."""
        return self._rounded(whole_numbers(self.weights.h0).tolist())

    @cached_property
    def _whole(self) -> tuple[Any, Any, Any]:
        return tuple(whole_numbers(tensor) for tensor in self.weights[:3])

    def step(self, vector: Vector | None, symbol: int) -> tuple[Vector | None, int, int] | None:
        """What it does about ``symbol``: (vector or None, symbol, move); None if scores tie, or there is no vector."""
        if vector is None:
            return None
        if (key := (vector, symbol)) not in self._known:
            after, (written,), (move,) = self.steps(np.array([vector]), symbol)
            following = tuple(after[0].tolist()) if after.any() else None
            self._known[key] = None if min(written, move) < 0 else (following, int(written), int(move))
        return self._known[key]

    @np.errstate(over="ignore", invalid="ignore")
    def steps(self, vectors: Int64[np.ndarray, "n d"], symbol: int) -> RoundedSteps:
        """What each of ``vectors`` does about ``symbol``."""
        h = vectors.astype(np.float64)
        scores, sizes = h @ self._rows[symbol].T, np.abs(h) @ self._sizes[symbol].T
        doubtful, chosen = ~((sizes == 0) | (sizes > _TINY) & np.isfinite(sizes)).all(axis=1), []
        for part in self._parts[1:]:
            ordered = np.sort(scores[:, part], axis=1)
            doubtful |= ordered[:, -1] - ordered[:, -2] <= 4 * self._error * sizes[:, part].max(axis=1)
            chosen.append(scores[:, part].argmax(axis=1))
        numbers, error = scores[:, self._parts[0]], 4 * self._error * sizes[:, self._parts[0]].max(axis=1)
        largest = np.abs(numbers).max(axis=1)
        doubtful |= largest <= error
        scaled = self.top * (numbers / np.where(largest > 0, largest, 1)[:, None]) + 0.5
        after = np.floor(scaled)
        nearest = np.minimum(scaled - after, after + 1 - scaled).min(axis=1)
        doubtful |= nearest * largest <= 4 * self.top * error
        found = RoundedSteps(after.astype(np.int64), *chosen)
        for row in np.flatnonzero(doubtful):
            exact, found.symbols[row], found.moves[row] = self._exactly(vectors[row].tolist(), symbol)
            found.after[row] = 0 if exact is None else exact
        return found

    def _exactly(self, vector: list[int], symbol: int) -> tuple[Vector | None, int, int]:
        numbers, symbols, moves = ((tensor[symbol] @ np.array(vector, object)).tolist() for tensor in self._whole)
        return self._rounded(numbers), _leader(symbols), _leader(moves)

    def _rounded(self, numbers: list[int]) -> Vector | None:
        largest = max(map(abs, numbers))
        if not largest or any((2 * self.top * n + largest) % (2 * largest) == 0 for n in numbers):
            return None
        return tuple((2 * self.top * n + largest) // (2 * largest) for n in numbers)


def whole_numbers(tensor: np.ndarray) -> Any:
    """``tensor`` times a power of two, exactly, as Python's integers; the factor changes no outcome.

    >>> whole_numbers(np.array([0.5, -3.0, 0.0])).tolist()
    [1, -6, 0]
    """
    ratios = [value.as_integer_ratio() for value in tensor.ravel().tolist()]
    scale = max(denominator for _, denominator in ratios)
    whole = np.empty(len(ratios), object)
    whole[:] = [numerator * (scale // denominator) for numerator, denominator in ratios]
    return whole.reshape(tensor.shape)


def _leader(scores: list[int]) -> int:
    best = max(scores)
    return scores.index(best) if scores.count(best) == 1 else -1
