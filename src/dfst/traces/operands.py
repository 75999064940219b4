"""What a problem is filled in with: the operands of a layout, and the words they may be."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count, product
from typing import NamedTuple

from dfst.seeds import Stream
from dfst.world.same import Setting


class Operand(NamedTuple):
    """An operand: words over ``symbols``, with a ``separator`` between them; of just one symbol if ``single``."""

    symbols: tuple[str, ...]
    single: bool = False
    separator: str = ""

    def word(self, symbols: Iterable[str]) -> str:
        """The word of these symbols."""
        return self.separator.join(symbols)

    def words(self, length: int) -> Iterator[str]:
        """All words of ``length`` symbols.

        >>> list(Operand(("a", "b")).words(2)), list(Operand(("a", "b"), single=True).words(2))
        (['aa', 'ab', 'ba', 'bb'], [])
        """
        if not self.single or length == 1:
            yield from map(self.word, product(self.symbols, repeat=length))

    def count(self, longest: int) -> int:
        """How many words have 1 to ``longest`` symbols."""
        radix, most = len(self.symbols), min(longest, 1) if self.single else longest
        return most if radix == 1 else (radix ** (most + 1) - radix) // (radix - 1)

    def repeated(self, symbol: str, length: int) -> str:
        """``symbol`` so many times; once if the operand is a single symbol."""
        return symbol if self.single else self.word([symbol] * length)

    def random(self, stream: Stream, longest: int) -> str:
        """A word of 1 to ``longest`` symbols, uniform over all of them: most are long."""
        number, symbols = 1 + stream.below(self.count(longest)), []
        while number:  # its bijective numeral: the words by length, those of one length as an alphabet orders them
            number, symbol = divmod(number - 1, len(self.symbols))
            symbols.append(self.symbols[symbol])
        return self.word(reversed(symbols))


def operands_of(machine: Setting) -> list[Operand]:
    """The operands of a machine's problems, in order."""
    alphabet = machine.alphabet
    gap, parts = "" if alphabet.single_characters else " ", machine.layout.operand_parts(alphabet)
    return [Operand(alphabet.classes[part.removesuffix("+")], not part.endswith("+"), gap) for part in parts]


def shortest_problems(machine: Setting) -> Iterator[tuple[str, ...]]:
    """All problems of a machine, by the number of their symbols; for ever, if an operand may be of any length.

    >>> import dfst
    >>> from itertools import islice
    >>> from dfst.teachers.find import find_task
    >>> list(islice(shortest_problems(find_task("increment").machine), 9, 12))
    [('9',), ('00',), ('01',)]
    """
    operands = operands_of(machine)
    least = len(operands)
    for total in [least] if all(operand.single for operand in operands) else count(least):
        lengths = [[1] if operand.single else range(1, total - least + 2) for operand in operands]
        for chosen in product(*lengths):
            if sum(chosen) == total:
                yield from product(*(each.words(length) for each, length in zip(operands, chosen, strict=True)))
