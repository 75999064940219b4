"""An input of which only some cells are known: what it can still be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from dfst.prove.abstraction import bits, input_runs
from dfst.world.alphabet import Alphabet
from dfst.world.layout import Layout

Word = tuple[int, ...]
"""The symbols of an input, from x = 0 to the right."""


class Placed(NamedTuple):
    """A symbol of an input, and the part of the layout to which it belongs."""

    part: int
    symbol: int


class PartialInput:
    """Finds inputs of a layout that have given symbols in given cells."""

    def __init__(self, alphabet: Alphabet, layout: Layout) -> None:
        self._alphabet, self._layout = alphabet, layout
        self._parts = input_runs(alphabet, layout)

    def complete(self, known: Mapping[int, int]) -> list[Placed] | None:
        """A shortest input that has the symbols ``known`` (by x; a blank: it ends before), or None if there is none.

        >>> from dfst import expert
        >>> machine = expert("add2").machine
        >>> partial = PartialInput(machine.alphabet, machine.layout)
        >>> [symbol for _, symbol in partial.complete({1: 1, 4: 1})], partial.complete({0: 3})
        ([0, 1, 3, 0, 1], None)
        """
        blank, final = self._alphabet.blank_index, len(self._parts) - 1
        last = max((x for x, symbol in known.items() if symbol != blank), default=-1)
        end = min((x for x, symbol in known.items() if symbol == blank), default=last + final + 2)
        before: list[dict[int, int]] = []  # before[x][j]: the part of x - 1 if x can belong to part j
        for x in range(end):
            before.append({})
            for j, (mask, many) in enumerate(self._parts):
                if x in known and not mask >> known[x] & 1:
                    continue
                if (x == 0 and j == 0) or (x and many and j in before[x - 1]):
                    before[x][j] = j
                elif x and j - 1 in before[x - 1]:
                    before[x][j] = j - 1
            if x >= last and final in before[x]:
                return self._word(before, known)
        return None

    def _word(self, before: list[dict[int, int]], known: Mapping[int, int]) -> list[Placed]:
        word, part = [], len(self._parts) - 1
        for x in reversed(range(len(before))):
            word.append(Placed(part, known[x] if x in known else bits(self._parts[part][0])[0]))
            part = before[x][part]
        return word[::-1]

    def word(self, known: Mapping[int, int]) -> Word:
        """The symbols of the input that :meth:`complete` finds."""
        found = self.complete(known)
        assert found is not None, "no input has these cells"
        return tuple(placed.symbol for placed in found)

    def operands(self, known: Mapping[int, int]) -> tuple[str, ...]:
        """The operands of the input that :meth:`complete` finds.

        >>> from dfst import expert
        >>> machine = expert("add2").machine
        >>> PartialInput(machine.alphabet, machine.layout).operands({1: 1, 4: 1})
        ('01', '01')
        """
        found = self.complete(known)
        assert found is not None, "no input has these cells"
        return tuple(
            self._alphabet.decode([placed.symbol for placed in found if placed.part == j])
            for j, part in enumerate(self._layout.parts)
            if part not in self._alphabet.index
        )

    def edited(self, word: Word) -> Iterator[Word]:
        """The inputs that differ from ``word`` by one symbol changed, inserted or left out.

        >>> from dfst import expert
        >>> machine = expert("add2").machine
        >>> list(PartialInput(machine.alphabet, machine.layout).edited((0, 3, 0)))
        [(1, 3, 0), (0, 0, 3, 0), (1, 0, 3, 0), (0, 1, 3, 0), (0, 3, 1), (0, 3, 0, 0), (0, 3, 1, 0), (0, 3, 0, 1)]
        """
        symbols = [x for x in range(len(self._alphabet)) if any(mask >> x & 1 for mask, _ in self._parts)]
        seen = {word}
        for at in range(len(word) + 1):
            changed = [(*word[:at], x, *word[at + 1 :]) for x in symbols] if at < len(word) else []
            inserted = [(*word[:at], x, *word[at:]) for x in symbols]
            for other in (*changed, *inserted, (*word[:at], *word[at + 1 :])):
                if other not in seen and self._fits(other):
                    yield other
                seen.add(other)

    def shortened(self, word: Word) -> Iterator[Word]:
        """The inputs that are ``word`` with one symbol left out."""
        return filter(self._fits, dict.fromkeys((*word[:at], *word[at + 1 :]) for at in range(len(word))))

    def _fits(self, word: Word) -> bool:
        return self.complete({**dict(enumerate(word)), len(word): self._alphabet.blank_index}) is not None
