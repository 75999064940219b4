"""The symbols that can stand on a grid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from dfst.errors import InputError, MachineError, Problem
from dfst.shapes import UInt8

MAX_SYMBOLS = 250  # symbols are stored as bytes; the values above are left for marks such as a window's border
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Alphabet:
    """Symbols in a fixed order (their index is what arrays hold), one of them the blank, and named classes of symbols.

    K is the number of symbols.

    >>> binary = Alphabet(("0", "1", "_", "+"), blank="_", classes={"digit": ("0", "1")})
    >>> binary.encode("10+1"), binary.decode([1, 0, 3, 1]), binary.blank_index
    (array([1, 0, 3, 1], dtype=uint8), '10+1', 2)
    """

    symbols: tuple[str, ...]
    blank: str
    classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        problems = list(self._problems())
        if problems:
            raise MachineError(problems)

    def _problems(self) -> Iterator[Problem]:
        if not 2 <= len(self.symbols) <= MAX_SYMBOLS:
            yield Problem(f"an alphabet has 2 to {MAX_SYMBOLS} symbols, not {len(self.symbols)}", key="symbols")
        for symbol in dict.fromkeys(self.symbols):
            if not symbol or not symbol.isprintable() or any(c.isspace() for c in symbol):
                yield Problem(f"{symbol!r} cannot be a symbol", "Use visible characters without spaces.", key="symbols")
            if (count := self.symbols.count(symbol)) > 1:
                yield Problem(f"symbol {symbol!r} is listed {count} times", "List it once.", key="symbols")
        if self.blank not in self.symbols:
            yield Problem(f"the blank {self.blank!r} is not among the symbols", "Add it to the symbols.", key="blank")
        for name, members in self.classes.items():
            key = f"classes.{name}"
            if name in self.symbols:
                yield Problem(f"class {name!r} has the name of a symbol", "Rename the class.", key=key)
            if not members:
                yield Problem(f"class {name!r} is empty", "List its symbols.", key=key)
            for member in dict.fromkeys(members):
                if member not in self.symbols:
                    yield Problem(f"{member!r} in class {name!r} is not a symbol", "Add it to the symbols.", key=key)
                if members.count(member) > 1:
                    yield Problem(f"class {name!r} lists {member!r} more than once", "List it once.", key=key)

    def __len__(self) -> int:
        return len(self.symbols)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Symbol to its number."""
        return {symbol: i for i, symbol in enumerate(self.symbols)}

    @property
    def blank_index(self) -> int:
        """The number of the blank."""
        return self.index[self.blank]

    @cached_property
    def single_characters(self) -> bool:
        """Whether every symbol is one character, so that a row of symbols can be written as one string."""
        return all(len(symbol) == 1 for symbol in self.symbols)

    def encode(self, text: str) -> UInt8[np.ndarray, " length"]:
        """The symbols of ``text`` as numbers: one per character or, if some symbols are longer, separated by spaces.

        Capital letters stand for small ones where only the small one is a symbol (``FF`` in radix 16).
        """
        if self.single_characters and text.isascii():
            numbers = self._byte_table[np.frombuffer(text.encode(), np.uint8)]
            if not (numbers == _UNKNOWN).any():
                return numbers
        tokens = list(text) if self.single_characters else text.split()
        found = [self.index.get(token, self.index.get(token.lower())) for token in tokens]
        if None in found:
            at = found.index(None)
            raise InputError(
                f"{tokens[at]!r} (position {at + 1}) is not a symbol here",
                do=f"The symbols are {' '.join(self.symbols)}.",
            )
        return np.array(found, np.uint8)

    @cached_property
    def _byte_table(self) -> UInt8[np.ndarray, 256]:
        """ASCII code to symbol number, for encoding operands of a million digits."""
        table = np.full(256, _UNKNOWN, np.uint8)
        for case in (str.upper, str):
            for i, symbol in enumerate(self.symbols):
                if len(case(symbol)) == 1 and case(symbol).isascii():
                    table[ord(case(symbol))] = i
        return table

    def decode(self, numbers: Iterable[int] | np.ndarray) -> str:
        """Symbol numbers as text, the inverse of :meth:`encode`."""
        return ("" if self.single_characters else " ").join([self.symbols[int(i)] for i in numbers])

    def all_in(self, numbers: UInt8[np.ndarray, " length"], name: str) -> bool:
        """Whether all symbols belong to class ``name``."""
        return bool(self._masks[name][numbers].all())

    @cached_property
    def _masks(self) -> Mapping[str, np.ndarray]:
        return {name: np.isin(self.symbols, members) for name, members in self.classes.items()}


_UNKNOWN = 255


def arithmetic_alphabet(radix: int, operator: str) -> Alphabet:
    """Digits of ``radix``, blank, operator: the paper's problem alphabet, K = radix + 2.

    >>> arithmetic_alphabet(2, "+").symbols
    ('0', '1', '_', '+')
    """
    if not 2 <= radix <= len(DIGITS):
        raise InputError(f"radix {radix} has no digits", do=f"Choose a radix from 2 to {len(DIGITS)}.")
    digits = tuple(DIGITS[:radix])
    return Alphabet((*digits, "_", operator), blank="_", classes={"digit": digits})
