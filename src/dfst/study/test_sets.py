"""The problems agents are tested on: the paper's test sets, and inputs made to be hard."""

from __future__ import annotations

from itertools import product

from dfst.errors import InputError
from dfst.experts.expert import Expert, Operands
from dfst.seeds import Stream

RANDOM_PAIRS = 5
"""Of each kind, as in the paper."""

CHAINS = 64
"""Carry chains of every length are tested up to this many digits; of longer problems this many, evenly spread."""

_DIGITS_AT_ONCE = 12


def random_pairs(expert: Expert, m: int, *, seed: int) -> list[Operands]:
    """The paper's random test set: 5 pairs of numbers of exactly m digits, then 5 of at most m digits.

    "Exactly m digits" means that the first is not zero (unless m = 1); "at most m" draws the length uniformly from 1 to
    m, then all digits uniformly, so that short numbers and leading zeros occur.

    >>> import dfst
    >>> random_pairs(dfst.expert("add10"), 3, seed=0)[:2]
    [('991', '795'), ('476', '615')]
    """
    check_length(m)
    stream = Stream(seed, f"evaluation/{m}")
    exact = [(_number(expert, stream, m, True), _number(expert, stream, m, True)) for _ in range(RANDOM_PAIRS)]
    lengths = [(stream.below(m) + 1, stream.below(m) + 1) for _ in range(RANDOM_PAIRS)]
    return exact + [(_number(expert, stream, x, False), _number(expert, stream, y, False)) for x, y in lengths]


def same_digit_pairs(expert: Expert, m: int) -> list[Operands]:
    """All R² pairs of m-digit numbers whose digits are all the same: what the paper found hardest.

    >>> import dfst
    >>> same_digit_pairs(dfst.expert("add2"), 3)
    [('000', '000'), ('000', '111'), ('111', '000'), ('111', '111')]
    """
    check_length(m)
    same = [digit * m for digit in _digits(expert)]
    return list(product(same, same))


def hard_pairs(expert: Expert, m: int) -> list[Operands]:
    """Problems of up to m digits that break agents which are right on random ones.

    All highest digits plus one (both ways); alternating digits; carry chains of every length, ending in the middle and
    at the front; a single digit that is not zero, at either end and in the middle; very unequal lengths.

    >>> import dfst
    >>> hard_pairs(dfst.expert("add10"), 4)[:3]
    [('9999', '1'), ('1', '9999'), ('9999', '0001')]
    """
    check_length(m)
    digits = _digits(expert)
    zero, one, last = digits[0], digits[1], digits[-1]
    highest, lowest = last * m, zero * (m - 1) + one
    pairs = [(highest, one), (one, highest), (highest, lowest), (lowest, highest)]
    alternating = [(x * m)[:m] for x in (zero + last, last + zero, one + zero)]
    pairs += list(product(alternating, alternating))
    chains = range(1, m + 1) if m <= CHAINS else [1 + i * (m - 1) // (CHAINS - 1) for i in range(CHAINS)]
    for length in chains:
        chain = last * length
        pairs += [
            (zero * (m - length) + chain, lowest),
            ((one + chain)[-m:], one),
            (chain + zero * (m - length), chain),
        ]
    singles = [zero * i + last + zero * (m - 1 - i) for i in sorted({0, m // 2, m - 1})]
    pairs += list(product(singles, singles))
    for short in sorted({1, (m + 1) // 2}):
        pairs += [(highest, last * short), (last * short, highest), (zero * m, last * short), (last * short, zero * m)]
    return list(dict.fromkeys(pairs))


def check_length(m: int) -> None:
    """Refuse lengths below 1."""
    if m < 1:
        raise InputError(f"there are no numbers of {m} digits", do="Give 1 or more.")


def _digits(expert: Expert) -> tuple[str, ...]:
    return expert.machine.alphabet.classes["digit"]


def _number(expert: Expert, stream: Stream, length: int, no_leading_zero: bool) -> str:
    digits = _digits(expert)
    radix, text = len(digits), ""
    pieces = []
    if no_leading_zero and length > 1:
        pieces.append(digits[1 + stream.below(radix - 1)])
        length -= 1
    while length:
        count = min(length, _DIGITS_AT_ONCE)
        rank, text = stream.below(radix**count), ""
        for _ in range(count):
            rank, digit = divmod(rank, radix)
            text += digits[digit]
        pieces.append(text)
        length -= count
    return "".join(pieces)
