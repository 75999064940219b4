"""The problems policies are tested on: the paper's test sets."""

from __future__ import annotations

from itertools import product

from dfst.errors import InputError
from dfst.seeds import Stream
from dfst.teachers.program import ProgramTask
from dfst.teachers.sampling import Operands
from dfst.teachers.task import Task
from dfst.world.parts import Part

RANDOM_PAIRS = 5
"""Of each kind, as in the paper."""

_DIGITS_AT_ONCE = 12
_MAX_LENGTH = 10**7  # a walk over numbers of this length takes seconds, and there are as many walks as digits


def random_pairs(task: Task | ProgramTask, m: int, *, seed: int) -> list[Operands]:
    """The paper's random test set: 5 problems of exactly m symbols per operand, then 5 of at most m.

    "Exactly m digits" means that the first is not zero (unless m = 1); "at most m" draws the length uniformly from 1 to
    m, then all digits uniformly, so that short numbers and leading zeros occur.
    """
    check_length(m)
    stream, operands = Stream(seed, f"evaluation/{m}"), task.world.operands
    leading = task.world.known.leading
    exact = [tuple(_word(each, stream, m, leading) for each in operands) for _ in range(RANDOM_PAIRS)]
    lengths = [tuple(stream.below(m) + 1 for _ in operands) for _ in range(RANDOM_PAIRS)]
    return exact + [
        tuple(_word(each, stream, length, None) for each, length in zip(operands, chosen, strict=True))
        for chosen in lengths
    ]


def same_digit_pairs(task: Task | ProgramTask, m: int) -> list[Operands]:
    """All problems of m symbols per operand whose symbols are all the same: what the paper found hardest."""
    check_length(m)
    operands = task.world.operands
    return list(product(*([each.repeated(symbol, m) for symbol in each.symbols] for each in operands)))


def check_length(m: int) -> None:
    """Refuse lengths below 1, and those that nobody could wait for."""
    if m < 1:
        raise InputError(f"there are no numbers of {m} digits", do="Give 1 or more.")
    if m > _MAX_LENGTH:
        raise InputError(f"{m} digits are too many to be tested", do=f"Give at most {_MAX_LENGTH}.")


def _word(operand: Part, stream: Stream, length: int, leading: str | None) -> str:
    """A random word; its first symbol is not ``leading``, unless there is no other."""
    symbols = operand.symbols
    radix, pieces, length = len(symbols), [], length if operand.many else 1
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
