"""One root seed, named streams: random numbers whose bits never change between versions of Python or NumPy."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


class Stream:
    """A stream of 64-bit words, SHA-256 of ``"seed/name/counter"`` read as little-endian integers.

    Library generators promise their raw bits at best, not what ``choice`` or ``integers`` make of them; a data set
    that must be the same in ten years needs every step from bits to draws written down. Streams of different names
    are independent, so drawing more data never changes the initial weights.

    >>> stream = Stream(42, "data")
    >>> [stream.below(10) for _ in range(8)]
    [4, 8, 6, 8, 7, 2, 3, 5]
    """

    def __init__(self, seed: int, name: str) -> None:
        self._prefix, self._counter = f"{seed}/{name}/", 0
        self._words: list[int] = []

    def word(self) -> int:
        """The next 64-bit word."""
        if not self._words:
            digest = hashlib.sha256(f"{self._prefix}{self._counter}".encode()).digest()
            self._counter += 1
            self._words = [int.from_bytes(digest[i : i + 8], "little") for i in (24, 16, 8, 0)]
        return self._words.pop()

    def below(self, bound: int) -> int:
        """A uniform integer in 0..bound-1, unbiased: words beyond the last full multiple of ``bound`` are dropped."""
        size = max(1, -(-(bound - 1).bit_length() // 64))
        span = 2 ** (64 * size)
        limit = span - span % bound
        while True:
            value = 0
            for _ in range(size):
                value = value << 64 | self.word()
            if value < limit:
                return value % bound

    def choice(self, options: Sequence[T]) -> T:
        """One of ``options``, uniformly."""
        return options[self.below(len(options))]

    def uniform(self) -> float:
        """A float in [0, 1) with 53 random bits."""
        return (self.word() >> 11) * 2.0**-53
