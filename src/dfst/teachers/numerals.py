"""Numbers as digit strings of any length in any radix: the independent truth, Python's own integers."""

from __future__ import annotations

import numpy as np

_DIRECT = 2000
"""Digits converted in one go; Python's guard against huge decimal conversions starts at 4300."""


def to_int(digits: str, radix: int) -> int:
    """The integer that ``digits`` writes in ``radix``; splitting in halves keeps a million digits affordable."""
    if len(digits) <= _DIRECT:
        return int(digits, radix)
    half = len(digits) // 2
    return to_int(digits[:-half], radix) * radix**half + to_int(digits[-half:], radix)


def to_digits(number: int, radix: int) -> str:
    """``number`` (not negative) written in ``radix``, without leading zeros."""
    length = _DIRECT
    while number >= radix**length:
        length *= 2
    return _padded(number, radix, length).lstrip("0") or "0"


def _padded(number: int, radix: int, length: int) -> str:
    if length <= _DIRECT:
        return np.base_repr(number, radix).lower().rjust(length, "0")
    high, low = divmod(number, radix ** (length // 2))
    return _padded(high, radix, length - length // 2) + _padded(low, radix, length // 2)
