"""The symbols that can stand on a grid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from dfst.errors import FileFormatError, InputError, MachineError, Mistake, shortened
from dfst.shapes import UInt8

MAX_SYMBOLS = 250  # symbols are stored as bytes; the values above are left for marks such as a window's border
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
_UNKNOWN = 255


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
        if problems := list(self._problems()):
            raise MachineError(problems)

    def _problems(self) -> Iterator[Mistake]:
        lists = (self.symbols, tuple(self.classes), *self.classes.values())
        if not all(isinstance(names, tuple) and is_names(names) for names in lists):
            yield Mistake("symbols and classes must be tuples of strings", 'Such as ("0", "1", "_").', key="symbols")
            return
        if not 2 <= len(self.symbols) <= MAX_SYMBOLS:
            yield Mistake(f"an alphabet has 2 to {MAX_SYMBOLS} symbols, not {len(self.symbols)}", key="symbols")
            return
        for symbol in dict.fromkeys(self.symbols):
            if not symbol or not symbol.isprintable() or any(c.isspace() for c in symbol):
                yield Mistake(f"{symbol!r} cannot be a symbol", "Use visible characters without spaces.", key="symbols")
            if (count := self.symbols.count(symbol)) > 1:
                yield Mistake(f"symbol {symbol!r} is listed {count} times", "List it once.", key="symbols")
        if self.blank not in self.symbols:
            yield Mistake(f"the blank {self.blank!r} is not among the symbols", "Add it to the symbols.", key="blank")
        for name, members in self.classes.items():
            key = f"classes.{name}"
            if not name or not name.isprintable():
                yield Mistake(f"{name!r} cannot be the name of a class", "Use visible characters.", key=key)
            if name in self.symbols:
                yield Mistake(f"class {name!r} has the name of a symbol", "Rename the class.", key=key)
            if not members:
                yield Mistake(f"class {name!r} is empty", "List its symbols.", key=key)
            if len(members) > MAX_SYMBOLS:
                yield Mistake(f"class {name!r} lists more than {MAX_SYMBOLS} symbols", "List each once.", key=key)
                continue
            for member, count in Counter(members).items():
                if member not in self.symbols:
                    yield Mistake(f"{member!r} in class {name!r} is not a symbol", "Add it to the symbols.", key=key)
                if count > 1:
                    yield Mistake(f"class {name!r} lists {member!r} more than once", "List it once.", key=key)

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
            at, do = found.index(None), f"The symbols are {' '.join(self.symbols)}."
            raise InputError(f"{tokens[at]!r} (position {at + 1}) is not a symbol here", do=do)
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
        if not self.single_characters:
            return " ".join([self.symbols[int(i)] for i in numbers])
        indices = numbers if isinstance(numbers, np.ndarray) else np.array([*numbers], np.intp)
        return self._characters[indices].tobytes().decode("utf-32-le")

    @cached_property
    def _characters(self) -> np.ndarray:
        """The symbols as UTF-32, for decoding grids of a hundred million cells."""
        return np.array(self.symbols, "<U1")

    def all_in(self, numbers: UInt8[np.ndarray, " length"], name: str) -> bool:
        """Whether all symbols belong to class ``name``."""
        return bool(self._masks[name][numbers].all())

    @cached_property
    def _masks(self) -> Mapping[str, np.ndarray]:
        return {name: np.isin(self.symbols, members) for name, members in self.classes.items()}


def arithmetic_alphabet(radix: int, operator: str) -> Alphabet:
    """Digits of ``radix``, blank, operator: the paper's problem alphabet, K = radix + 2."""
    if not isinstance(radix, int) or not 2 <= radix <= len(DIGITS):
        raise InputError(f"radix {radix!r} has no digits", do=f"Choose a radix from 2 to {len(DIGITS)}.")
    digits = tuple(DIGITS[:radix])
    return Alphabet((*digits, "_", operator), blank="_", classes={"digit": digits})


def alphabet_of(given: Alphabet | str | Sequence[str], blank: str = "_") -> Alphabet:
    """``given``, or the alphabet of these symbols, a text of them or a list; the blank is added if it is not there.

    >>> alphabet_of("01").symbols, alphabet_of(["ten", "one", "_"]).blank
    (('0', '1', '_'), '_')
    """
    if isinstance(given, Alphabet):
        return given
    if not isinstance(given, str) and not is_names(given):
        raise InputError(f"{shortened(repr(given))} is no alphabet", do="Give its symbols, such as '01_'.")
    symbols = tuple(given)
    try:
        return Alphabet(symbols if blank in symbols else (*symbols, blank), blank)
    except MachineError as error:
        raise InputError(error.mistakes[0].what, where="symbols", do=error.mistakes[0].do) from None


def is_names(value: object) -> bool:
    """Whether ``value`` is a list or tuple of strings."""
    return isinstance(value, list | tuple) and all(isinstance(item, str) for item in value)


def alphabet_from(header: Mapping[str, Any]) -> Alphabet:
    """The alphabet that ``header`` describes (its other keys do not matter, ``classes`` may be left out).

    Raises :class:`dfst.errors.FileFormatError` if a value is of the wrong kind or the alphabet cannot be used.
    """
    symbols, blank, classes = header.get("symbols", 0), header.get("blank"), header.get("classes", {})
    if not is_names(symbols) or not isinstance(blank, str):
        raise FileFormatError("the header's symbols and blank are not names", do='Such as ["0", "1", "_"] and "_".')
    if not isinstance(classes, Mapping) or not all(is_names(members) for members in classes.values()):
        raise FileFormatError("the header's classes are not lists of names", do='Such as {"digit": ["0", "1"]}.')
    try:
        return Alphabet(tuple(symbols), blank, {name: tuple(members) for name, members in classes.items()})
    except MachineError as error:
        raise FileFormatError(error.mistakes[0].what, do=error.mistakes[0].do) from None
