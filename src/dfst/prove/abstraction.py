"""Shapes of the grid: a tape of columns, in which a cell is a set of symbols and equal neighbours are one run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import reduce

from dfst.world.worlds import World

Mask = int
"""A non-empty set of symbols as the bits of an integer: bit x is set if symbol x may stand there."""

Column = tuple[Mask, ...]
"""One cell set per row, from the lowest row upwards; the rows beyond are blank."""

Run = tuple[int, bool]
"""(number of a column, many): one such column, or one or more of them."""

Half = tuple[Run, ...]
"""Everything on one side of the head, nearest run first; then blank columns for ever."""


@dataclass(frozen=True)
class Precision:
    """What an abstraction keeps apart; more of anything is slower and more precise.

    ``tracked`` holds (teacher state, symbol read, set that was known of the cell): what the rule then wrote is
    remembered as that one symbol instead of as its class. In the teacher states of ``flow``, what is remembered is what
    the teacher itself can tell by its next state and move; in those of ``wide`` nothing but that, whatever was
    remembered before.
    ``runs`` is how many runs a half may have before neighbours of the same classes are joined, ``hard`` before any
    neighbours are (``most``, if it is not 0); ``apart`` is how many equal neighbours are counted before they become
    "one or more", and ``least`` how many of these are still kept one by one, so that there are at least so many. The
    ``near`` runs nearest to the head keep what was really written there; what is remembered of a cell counts only when
    it is farther away. ``low`` and ``high`` are the rows that are kept.
    """

    low: int
    high: int
    tracked: frozenset[tuple[int, int, Mask]] = frozenset()
    runs: int = 5
    apart: int = 1
    near: int = 0
    flow: frozenset[int] = frozenset()
    wide: frozenset[int] = frozenset()
    most: int = 0
    least: int = 0

    @property
    def hard(self) -> int:
        """How many runs a half has at the very most."""
        return self.most or 3 * self.runs + self.apart


def bits(mask: Mask) -> list[int]:
    """The symbols of a set, ascending.

    >>> bits(0b1011)
    [0, 1, 3]
    """
    return [x for x in range(mask.bit_length()) if mask >> x & 1]


def blocks(world: World) -> list[Mask]:
    """For every symbol the set it is generalised to: the symbols that belong to the same classes as it does.

    The blank, the symbols that the layout names, and symbols that are in no class stay by themselves.

    >>> from dfst import task
    >>> machine = task("add2").machine
    >>> [bin(mask) for mask in blocks(machine.world)]
    ['0b11', '0b11', '0b100', '0b1000']
    """
    alphabet = world.alphabet
    alone = {alphabet.blank, *(part.name for part in world.parts if part.fixed)}
    alike: dict[object, Mask] = {}
    keys: list[object] = []
    for x, symbol in enumerate(alphabet.symbols):
        classes = tuple(name for name, members in alphabet.classes.items() if symbol in members)
        key: object = classes if classes and symbol not in alone else symbol
        keys.append(key)
        alike[key] = alike.get(key, 0) | 1 << x
    return [alike[key] for key in keys]


class Shapes:
    """The columns and halves met so far, numbered, and how a head that walks changes them under one precision.

    Numbers make configurations small and let every question be answered once.
    """

    def __init__(self, world: World, precision: Precision) -> None:
        self.precision = precision
        self.blocks = blocks(world)
        self.height = precision.high - precision.low + 1
        self.columns: list[Column] = []
        self.memory: list[int] = []
        self.halves: list[Half] = []
        self._column_numbers: dict[tuple[Column, int | None], int] = {}
        self._half_numbers: dict[Half, int] = {}
        self._pushed: dict[tuple[int, int, int], int] = {}
        self._popped: dict[int, list[tuple[int, int, int]]] = {}
        self._weak: dict[int, int] = {}
        self._blank_mask = 1 << world.alphabet.blank_index
        self.blank = self.column((self._blank_mask,) * self.height)
        self.empty = self._half(())
        self._parts = [(part.mask, part.many) for part in world.parts]
        self.head = world.known.head

    def column(self, column: Column, memory: int | None = None) -> int:
        """The number of a column of which only the column ``memory`` is remembered when it is far (None: all of it)."""
        if memory is not None and self.columns[memory] == column:
            return memory
        number = self._column_numbers.setdefault((column, memory), len(self.columns))
        if number == len(self.columns):
            self.columns.append(column)
            self.memory.append(number if memory is None else memory)
        return number

    def _half(self, half: Half) -> int:
        number = self._half_numbers.setdefault(half, len(self.halves))
        if number == len(self.halves):
            self.halves.append(half)
        return number

    def push(self, half: int, known: int, kept: int) -> int:
        """A half that holds ``half`` with one column ``known`` more at its near end; ``kept`` is remembered of it."""
        key = half, known, kept
        if key not in self._pushed:
            column = self.column(self.columns[known], kept) if self.precision.near else kept
            self._pushed[key] = self._half(self._widened([(column, False), *self.halves[half]]))
        return self._pushed[key]

    def pop(self, half: int) -> list[tuple[int, int, int]]:
        """The nearest column, what is remembered of it, and the rest, in every possible way.

        A run of several may or may not end with this column.
        """
        if half not in self._popped:
            runs = self.halves[half]
            if not runs:
                ways = [(self.blank, self.blank, half)]
            else:
                column, many = runs[0]
                known, kept = self.column(self.columns[column]), self.memory[column]
                rest = (known, kept, self._half(runs[1:]))
                ways = [(known, kept, half), rest] if many else [rest]
            self._popped[half] = ways
        return self._popped[half]

    def starts(self) -> list[tuple[int, int, int]]:
        """(left half, column under the head, right half): together they hold every input with the head at its cell."""
        row = -self.precision.low
        right = self.empty
        for mask, many in reversed(self._parts):
            column = self.column(tuple(mask if r == row else self._blank_mask for r in range(self.height)))
            right = self._half(self._widened([(column, many), *self.halves[right]]))
        x = self.head[0]
        for _ in range(-x - 1):
            right = self.push(right, self.blank, self.blank)
        if x < 0:
            return [(self.empty, self.blank, right)]
        found = {(self.empty, column, rest) for column, _, rest in self.pop(right)}
        for _ in range(x):
            found = {
                (self.push(left, column, column), ahead, rest)
                for left, column, right in found
                for ahead, _, rest in self.pop(right)
            }
        return sorted(found)

    def _weakened(self, column: int) -> int:
        """The column in which every cell is the smallest union of blocks that holds what is remembered of it."""
        if column not in self._weak:
            cells = self.columns[self.memory[column]]
            whole = (reduce(int.__or__, (self.blocks[x] for x in bits(mask))) for mask in cells)
            self._weak[column] = self.column(tuple(whole))
        return self._weak[column]

    def _widened(self, runs: list[Run]) -> Half:
        """A half that holds ``runs`` and is not longer than the precision allows."""
        runs, window = self._joined(runs), self.precision.near
        if window:
            runs = self._joined([*runs[:window], *((self.memory[column], many) for column, many in runs[window:])])
        while len(runs) > self.precision.runs:
            at = self._joint(runs)
            if at is None:
                break
            (near, _), (far, _) = runs[at : at + 2]
            union = map(int.__or__, self.columns[self._weakened(near)], self.columns[self._weakened(far)])
            runs = self._joined([*runs[:at], (self.column(tuple(union)), True), *runs[at + 2 :]])
        return tuple(runs)

    def _joint(self, runs: Sequence[Run]) -> int | None:
        """Which two neighbours to join: of the same classes, far from the head but not at the very end, if possible.

        The very end is where a number's padding stands, which is worth knowing; it is given up last.
        """
        weak = [self._weakened(column) for column, _ in runs]
        order = [*range(len(runs) - 3, -1, -1), len(runs) - 2]
        same = (i for i in order if weak[i] == weak[i + 1])
        if len(runs) > self.precision.hard:
            return next(same, order[0])
        return next((i for i in same if i != order[-1]), None)

    def _joined(self, runs: Iterable[Run]) -> list[Run]:
        """Equal neighbours as "one or more" where there are too many to count, and no blanks at the far end."""
        out: list[Run] = []
        for column, many in runs:
            equal = 0
            while equal < len(out) and out[-1 - equal][0] == column:
                equal += 1
            if equal and (many or out[-1][1] or equal >= self.precision.apart):
                out[len(out) - equal :] = [(column, False)] * min(equal, self.precision.least)
                many = True
            out.append((column, many))
        while out and out[-1][0] == self.blank:
            out.pop()
        return out

    def column_text(self, column: int, symbols: Sequence[str]) -> str:
        """A column as text, its rows from top to bottom; classes are lists in brackets."""
        cells = ([symbols[x] for x in bits(mask)] for mask in reversed(self.columns[column]))
        return "/".join(found[0] if len(found) == 1 else f"[{' '.join(found)}]" for found in cells)

    def half_text(self, half: int, symbols: Sequence[str]) -> str:
        """A half as text, nearest run first; a ``+`` in parentheses marks one or more."""
        runs = [self.column_text(column, symbols) + " (+)" * many for column, many in self.halves[half]]
        return ", ".join([*runs, "blank for ever"])
