"""An input of which only some cells are known: what it can still be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from dfst.prove.abstraction import bits
from dfst.world.worlds import World

Word = tuple[int, ...]
"""The symbols of an input, from x = 0 to the right."""


class PartialInput:
    """Finds inputs of a layout that have given symbols in given cells."""

    def __init__(self, world: World) -> None:
        self._world, self._alphabet = world, world.alphabet
        self._parts = [(part.mask, part.many) for part in world.parts]
        self._fitting = [
            sum(1 << j for j, (mask, _) in enumerate(self._parts) if mask >> symbol & 1)
            for symbol in range(len(self._alphabet))
        ]  # by symbol: the parts to which it can belong, as bits

    def possible(self, known: Mapping[int, int]) -> bool:
        """Whether there is an input that has the symbols ``known`` (by x; a blank: it ends before).

        >>> from dfst import task
        >>> machine = task("add2").machine
        >>> partial = PartialInput(machine.world)
        >>> partial.word({1: 1, 4: 1}), partial.operands({1: 1, 4: 1}), partial.possible({0: 3})
        ((0, 1, 3, 0, 1), ('01', '01'), False)
        """
        return self._reachable(known) is not None

    def _reachable(self, known: Mapping[int, int]) -> list[int] | None:
        """For each cell of a shortest such input the parts it can belong to, as bits; None if there is no input."""
        blank, final = self._alphabet.blank_index, len(self._parts) - 1
        last = max((x for x, symbol in known.items() if symbol != blank), default=-1)
        end = min((x for x, symbol in known.items() if symbol == blank), default=last + final + 2)
        many = sum(1 << j for j, (_, several) in enumerate(self._parts) if several)
        found: list[int] = []
        reached = 0
        for x in range(end):
            reached = (reached & many | reached << 1) if x else 1
            reached &= self._fitting[known[x]] if x in known else (2 << final) - 1
            found.append(reached)
            if x >= last and reached >> final & 1:
                return found
        return None

    def word(self, known: Mapping[int, int]) -> Word:
        """The symbols of a shortest input that has the symbols ``known``."""
        return tuple(symbol for _, symbol in self._found(known))

    def operands(self, known: Mapping[int, int]) -> tuple[str, ...]:
        """The operands of the input that :meth:`word` finds."""
        found = self._found(known)
        places = [j for j, part in enumerate(self._world.parts) if not part.fixed]
        return tuple(self._alphabet.decode([symbol for part, symbol in found if part == j]) for j in places)

    def _found(self, known: Mapping[int, int]) -> list[tuple[int, int]]:
        """That input: of each cell the part of the layout to which it belongs, and the symbol."""
        before = self._reachable(known)
        assert before is not None, "no input has these cells"
        found, part = [], len(self._parts) - 1
        for x in reversed(range(len(before))):
            found.append((part, known[x] if x in known else bits(self._parts[part][0])[0]))
            if not (x and self._parts[part][1] and before[x - 1] >> part & 1):
                part -= 1
        return found[::-1]

    def edited(self, word: Word) -> Iterator[Word]:
        """The inputs that differ from ``word`` by one symbol changed, inserted or left out.

        >>> from dfst import task
        >>> machine = task("add2").machine
        >>> list(PartialInput(machine.world).edited((0, 3, 0)))
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
        return self.possible({**dict(enumerate(word)), len(word): self._alphabet.blank_index})
