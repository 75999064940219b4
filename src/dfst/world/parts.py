"""The parts of an input: signs that always stand there, and operands, with the words that they may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from dfst.seeds import Stream


class Part(NamedTuple):
    """A part of an input: a sign, if it is ``fixed``; else an operand, a word over ``symbols``.

    An operand is just one symbol, or one or more if there may be ``many``. ``name`` is the sign, or that of the
    operand's class; ``numbers`` are those of the symbols, ``separator`` stands between the symbols of a word.
    """

    name: str
    symbols: tuple[str, ...]
    numbers: tuple[int, ...]
    many: bool = False
    fixed: bool = False
    separator: str = ""

    @property
    def mask(self) -> int:
        """The set of its symbols: bit x for the symbol of number x."""
        return sum(1 << number for number in self.numbers)

    def word(self, symbols: Iterable[str]) -> str:
        """The word of these symbols."""
        return self.separator.join(symbols)

    def words(self, length: int) -> Iterator[str]:
        """All words of ``length`` symbols.

        >>> list(Part("x", ("a", "b"), (0, 1), many=True).words(2)), list(Part("x", ("a", "b"), (0, 1)).words(2))
        (['aa', 'ab', 'ba', 'bb'], [])
        """
        if self.many or length == 1:
            yield from map(self.word, product(self.symbols, repeat=length))

    def count(self, longest: int) -> int:
        """How many words have 1 to ``longest`` symbols."""
        radix, most = len(self.symbols), longest if self.many else min(longest, 1)
        return most if radix == 1 else (radix ** (most + 1) - radix) // (radix - 1)

    def repeated(self, symbol: str, length: int) -> str:
        """``symbol`` so many times; once if the operand is a single symbol."""
        return self.word([symbol] * length) if self.many else symbol

    def random(self, stream: Stream, longest: int) -> str:
        """A word of 1 to ``longest`` symbols, uniform over all of them: most are long."""
        number, symbols = 1 + stream.below(self.count(longest)), []
        while number:  # its bijective numeral: the words by length, those of one length as an alphabet orders them
            number, symbol = divmod(number - 1, len(self.symbols))
            symbols.append(self.symbols[symbol])
        return self.word(reversed(symbols))
