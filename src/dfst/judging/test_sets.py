"""The problems policies are tested on: the paper's test sets, and inputs made to be hard."""

from __future__ import annotations

from itertools import product

from dfst.errors import InputError
from dfst.seeds import Stream
from dfst.teachers.program import ProgramTask
from dfst.teachers.sampling import Operands
from dfst.teachers.task import Task
from dfst.traces.operands import Operand, operands_of

RANDOM_PAIRS = 5
"""Of each kind, as in the paper."""

CHAINS = 64
"""Carry chains of every length are tested up to this many digits; of longer problems this many, evenly spread."""

_DIGITS_AT_ONCE = 12
_MAX_LENGTH = 10**7  # a walk over numbers of this length takes seconds, and there are as many walks as digits

Symbols = tuple[str, ...]


def random_pairs(task: Task | ProgramTask, m: int, *, seed: int) -> list[Operands]:
    """The paper's random test set: 5 problems of exactly m symbols per operand, then 5 of at most m.

    "Exactly m digits" means that the first is not zero (unless m = 1); "at most m" draws the length uniformly from 1 to
    m, then all digits uniformly, so that short numbers and leading zeros occur.

    >>> import dfst
    >>> random_pairs(dfst.task("add10"), 3, seed=0)[:2]
    [('991', '795'), ('476', '615')]
    """
    check_length(m)
    stream, operands = Stream(seed, f"evaluation/{m}"), operands_of(task.setting)
    leading = task.setting.layout.leading
    exact = [tuple(_word(each, stream, m, leading) for each in operands) for _ in range(RANDOM_PAIRS)]
    lengths = [tuple(stream.below(m) + 1 for _ in operands) for _ in range(RANDOM_PAIRS)]
    return exact + [
        tuple(_word(each, stream, length, None) for each, length in zip(operands, chosen, strict=True))
        for chosen in lengths
    ]


def same_digit_pairs(task: Task | ProgramTask, m: int) -> list[Operands]:
    """All problems of m symbols per operand whose symbols are all the same: what the paper found hardest.

    >>> import dfst
    >>> same_digit_pairs(dfst.task("add2"), 3)
    [('000', '000'), ('000', '111'), ('111', '000'), ('111', '111')]
    """
    check_length(m)
    operands = operands_of(task.setting)
    return list(product(*([each.repeated(symbol, m) for symbol in each.symbols] for each in operands)))


def hard_pairs(task: Task | ProgramTask, m: int) -> list[Operands]:
    """Problems of up to m symbols that break policies which are right on random ones.

    For two numbers: all highest digits plus one (both ways); alternating digits; carry chains of every length, ending
    in the middle and at the front; a single digit that is not zero, at either end and in the middle; very unequal
    lengths. For other operands: one symbol throughout, alternating ones, one that differs at every place, short beside
    long.

    >>> import dfst
    >>> hard_pairs(dfst.task("add10"), 4)[:3]
    [('9999', '1'), ('1', '9999'), ('9999', '0001')]
    """
    check_length(m)
    operands = operands_of(task.setting)
    first = operands[0]
    if len(operands) != 2 or first != operands[1] or first.single or len(first.symbols) < 2:
        return list(dict.fromkeys(product(*(_hard_words(each, m) for each in operands))))
    return [tuple(map(first.word, pair)) for pair in _hard_numbers(first.symbols, m)]


def _hard_numbers(digits: tuple[str, ...], m: int) -> list[tuple[Symbols, ...]]:
    """Pairs of numbers, as tuples of digits."""
    zero, one, last = ((digit,) for digit in (digits[0], digits[1], digits[-1]))
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


def _hard_words(operand: Operand, m: int) -> list[str]:
    """Words of up to m symbols for one operand among others."""
    if operand.single:
        return list(operand.symbols)
    first, last = (operand.symbols[0],), (operand.symbols[-1],)
    places = sorted({0, m // 2, m - 1})
    words = [first * m, last * m, ((first + last) * m)[:m], ((last + first) * m)[:m], first, last]
    words += [first * i + last + first * (m - 1 - i) for i in places]
    words += [last * i + first + last * (m - 1 - i) for i in places]
    return [operand.word(word) for word in dict.fromkeys(words)]


def check_length(m: int) -> None:
    """Refuse lengths below 1, and those that nobody could wait for."""
    if m < 1:
        raise InputError(f"there are no numbers of {m} digits", do="Give 1 or more.")
    if m > _MAX_LENGTH:
        raise InputError(f"{m} digits are too many to be tested", do=f"Give at most {_MAX_LENGTH}.")


def _word(operand: Operand, stream: Stream, length: int, leading: str | None) -> str:
    """A random word; its first symbol is not ``leading``, unless there is no other."""
    symbols = operand.symbols
    radix, pieces, length = len(symbols), [], 1 if operand.single else length
    others = [symbol for symbol in symbols if symbol != leading]
    if leading in symbols and others and length > 1:
        pieces.append(others[stream.below(len(others))])
        length -= 1
    while length:
        count = min(length, _DIGITS_AT_ONCE)
        rank = stream.below(radix**count)
        for _ in range(count):
            rank, symbol = divmod(rank, radix)
            pieces.append(symbols[symbol])
        length -= count
    return operand.word(pieces)
