"""The unbounded grid, twice: a sparse one that is obviously right, and a dense growing window that is fast."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, cast

import numpy as np

from dfst.errors import DfstError, InputError
from dfst.explained import html_table, left_out
from dfst.shapes import Int64, UInt8
from dfst.world.alphabet import Alphabet
from dfst.world.layout import Answer
from dfst.world.worlds import World

Cell = tuple[int, int]
"""(x, y): x grows to the right, y upwards."""

MAX_CELLS = 2**29
"""No rectangle of more cells is kept: a byte each, and half as much again while a window grows."""

MAX_SHOWN = 10**6
"""Of a larger grid the upper left corner is shown."""

SLACK = 64
"""Bytes before and behind a window's cells, so that a scan may read a whole vector at either end."""

_SHOWN_COLUMNS, _SHOWN_ROWS = 40, 12
"""How much of a grid a notebook shows."""

Points = tuple[Int64[np.ndarray, " cells"], Int64[np.ndarray, " cells"], UInt8[np.ndarray, " cells"]]
"""The x, the y and the symbol of many cells."""


class Area(NamedTuple):
    """The cells a machine may visit, ends included.

    >>> area = Area.around(length=3, reach=2)
    >>> area, (4, 0) in area, (5, 0) in area
    (Area(left=-2, right=4, bottom=-2, top=2), True, False)
    """

    left: int
    right: int
    bottom: int
    top: int

    @classmethod
    def around(cls, length: int, reach: int) -> Area:
        """Everything within ``reach`` cells of an input of ``length`` symbols."""
        if reach < 0:
            raise InputError(f"a reach of {reach} cells is negative", do="Give 0 or more.")
        return cls(-reach, length - 1 + reach, -reach, reach)

    def __contains__(self, cell: object) -> bool:
        x, y = cast(Cell, cell)
        return self.left <= x <= self.right and self.bottom <= y <= self.top


class Board:
    """What the two grids share: comparing, showing what stands on them, and reading the answer.

    A subclass gives ``world``, ``points()`` (every non-blank cell with its symbol), ``row(y)`` and ``count()``.
    """

    world: World

    @property
    def alphabet(self) -> Alphabet:
        """The symbols."""
        return self.world.alphabet

    def answer(self) -> Answer:
        """What a machine that halted has left, read as the layout says; nothing where there is no layout."""
        layout, alphabet = self.world.layout, self.alphabet
        if layout is None:
            return Answer(None, False, self)
        _, row = self.row(layout.answer_row)
        if not alphabet.all_in(row, layout.answer_class):
            return Answer(None, False, self)
        alone = self.count() == len(row)
        if layout.leading is not None and len(row):
            significant = np.flatnonzero(row != alphabet.index[layout.leading])
            row = row[significant[0] if len(significant) else -1 :]
        return Answer(alphabet.decode(row), alone, self)

    def row(self, y: int) -> tuple[int, UInt8[np.ndarray, " length"]]:
        """(x of the leftmost non-blank cell of row y, the symbols from there to the rightmost one)."""
        raise NotImplementedError

    def count(self) -> int:
        """How many cells are not blank."""
        raise NotImplementedError

    def points(self) -> Points:
        """Every cell that is not blank, as arrays."""
        raise NotImplementedError

    def __getitem__(self, cell: Cell) -> int:
        raise NotImplementedError

    def cells(self) -> Iterator[tuple[Cell, int]]:
        """Every cell that is not blank, with its symbol, in no particular order."""
        x, y, symbols = (array.tolist() for array in self.points())
        return zip(zip(x, y, strict=True), symbols, strict=True)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and dict(self.cells()) == dict(other.cells())

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def text(self, most: int | None = MAX_SHOWN) -> str:
        """The rows from top to bottom, aligned, blanks as the blank symbol; empty if nothing stands on the grid.

        Of a grid of more than ``most`` cells the upper left corner, and a line that says so.
        """
        x, y, symbols = self.points()
        if not len(x):
            return ""
        left, top = x.min(), y.max()
        height, width = int(top - y.min()) + 1, int(x.max() - left) + 1
        more, columns, rows = "", width, height
        if most is not None and width * height > most:
            side = math.isqrt(most)
            columns, rows = min(width, max(side, most // height)), min(height, max(side, most // width))
            more = f"\n(the first {columns:,} columns and {rows:,} rows of {width:,} x {height:,} cells; "
            more += "a smaller step limit leaves fewer)"
        picture, inside = np.full((rows, columns), self.alphabet.blank_index, np.uint8), (x < left + columns)
        inside &= y > top - rows
        picture[top - y[inside], x[inside] - left] = symbols[inside]
        return "\n".join([self.alphabet.decode(line) for line in picture]) + more

    def _repr_html_(self) -> str:
        return self.html()

    def html(self, title: str = "", head: Cell | None = None) -> str:
        """A table of what stands on the grid, for notebooks, from its upper left corner on; ``head`` is marked."""
        x, y, symbols = self.points()
        if head is not None:
            x, y = np.append(x, head[0]), np.append(y, head[1])
            symbols = np.append(symbols, np.uint8(self[head]))
        if not len(x):
            return html_table([], title=f"{title} The grid is blank.".strip())
        left, top = int(x.min()), int(y.max())
        height, width = top - int(y.min()) + 1, int(x.max()) - left + 1
        rows = [[""] * min(width, _SHOWN_COLUMNS) for _ in range(min(height, _SHOWN_ROWS))]
        inside = (x < left + _SHOWN_COLUMNS) & (y > top - _SHOWN_ROWS)
        for i, j, symbol in zip(x[inside] - left, top - y[inside], symbols[inside], strict=True):
            if symbol != self.alphabet.blank_index:
                rows[j][i] = self.alphabet.symbols[symbol]
        more = [left_out(_SHOWN_COLUMNS, width, "columns"), left_out(_SHOWN_ROWS, height, "rows")]
        marked = None if head is None else (top - head[1], head[0] - left)
        return html_table(rows, title=title, more=" ".join(filter(None, more)), marked=marked)


class Grid(Board):
    """The sparse reference: a dictionary of the cells that are not blank.

    >>> from dfst import task
    >>> world = task("add2").machine.world
    >>> alphabet = world.alphabet
    >>> grid = Grid(world, alphabet.encode("10+1"))
    >>> grid[2, 0] = alphabet.index["_"]
    >>> grid.text(), grid[99, -5] == alphabet.blank_index
    ('10_1', True)
    """

    def __init__(self, world: World, tape: Iterable[int] | np.ndarray = ()) -> None:
        """``tape`` is written on row 0 from x = 0 to the right; all other cells are blank."""
        self.world = world
        self._blank = world.alphabet.blank_index
        self._cells = {(x, 0): symbol for x, symbol in enumerate(np.asarray(tape).tolist()) if symbol != self._blank}

    def __getitem__(self, cell: Cell) -> int:
        return self._cells.get(cell, self._blank)

    def __setitem__(self, cell: Cell, symbol: int) -> None:
        if symbol == self._blank:
            self._cells.pop(cell, None)
        else:
            self._cells[cell] = symbol

    def points(self) -> Points:
        """Every cell that is not blank, as arrays."""
        x, y = np.array([*self._cells], np.int64).reshape(-1, 2).T
        return x, y, np.array([*self._cells.values()], np.uint8)

    def row(self, y: int) -> tuple[int, UInt8[np.ndarray, " length"]]:
        """(x of the leftmost non-blank cell of row y, the symbols from there to the rightmost one)."""
        columns = [x for x, row in self._cells if row == y]
        if not columns:
            return 0, np.empty(0, np.uint8)
        left, right = min(columns), max(columns)
        return left, np.array([self[x, y] for x in range(left, right + 1)], np.uint8)

    def count(self) -> int:
        """How many cells are not blank."""
        return len(self._cells)


class Window(Board):
    """A dense rectangle of the grid that grows (doubling, towards where the head went) when the head reaches its edge.

    ``array[j, i]`` is the cell (x, y) = (i + x0, j + y0). The outermost ring of cells holds K, which is no
    symbol's number, so that a runner notices the edge by what it reads and needs no comparison of coordinates.
    """

    def __init__(self, world: World, tape: Sequence[int] | np.ndarray = (), area: Area | None = None) -> None:
        """``tape`` is written on row 0 from x = 0 to the right; the window never grows beyond ``area``."""
        self.world, self.area = world, area
        left, right, below, above = -8, len(tape) + 8, -4, 4  # the ring
        if area is not None:
            left, right = max(left, area.left - 1), min(right, area.right + 1)
            below, above = max(below, area.bottom - 1), min(above, area.top + 1)
        self.x0, self.y0 = left, below
        self.array = self._framed(above - below + 1, right - left + 1)
        self.array[-below, -left : len(tape) - left] = tape

    def _framed(self, height: int, width: int) -> UInt8[np.ndarray, "height width"]:
        memory = np.full(height * width + 2 * SLACK, self.alphabet.blank_index, np.uint8)
        array = memory[SLACK:-SLACK].reshape(height, width)
        array[0] = array[-1] = array[:, 0] = array[:, -1] = len(self.alphabet)
        return array

    @classmethod
    def of(cls, grid: Grid, area: Area | None = None) -> Window:
        """A window with the same cells as ``grid``."""
        window, (x, y, symbols) = cls(grid.world, area=area), grid.points()
        for cell in [(int(x.min()), int(y.min())), (int(x.max()), int(y.max()))] if len(x) else []:
            if not window.make_room(cell):
                do = f"A window holds {MAX_CELLS} cells, and none outside its area."
                raise DfstError(f"the cell {cell} is too far away", do=do)
        window.array[y - window.y0, x - window.x0] = symbols
        return window

    def inside(self, cell: Cell) -> bool:
        """Whether the window has the cell, its border not counted."""
        height, width = self.array.shape
        return 0 < cell[0] - self.x0 < width - 1 and 0 < cell[1] - self.y0 < height - 1

    def make_room(self, cell: Cell) -> bool:
        """Grow until ``cell`` lies inside; False if that is outside the area, or takes more than MAX_CELLS cells."""
        if self.area is not None and cell not in self.area:
            return False
        while not self.inside(cell):
            height, width = self.array.shape
            left = width if cell[0] <= self.x0 else 0
            right = width if cell[0] >= self.x0 + width - 1 else 0
            below = height if cell[1] <= self.y0 else 0
            above = height if cell[1] >= self.y0 + height - 1 else 0
            if self.area is not None:
                left, right = min(left, self.x0 - self.area.left + 1), min(right, self.area.right + 2 - self.x0 - width)
                below = min(below, self.y0 - self.area.bottom + 1)
                above = min(above, self.area.top + 2 - self.y0 - height)
            if (height + below + above) * (width + left + right) > MAX_CELLS:
                return False
            grown = self._framed(height + below + above, width + left + right)
            grown[below + 1 : below + height - 1, left + 1 : left + width - 1] = self.array[1:-1, 1:-1]
            self.array, self.x0, self.y0 = grown, self.x0 - left, self.y0 - below
        return True

    def __getitem__(self, cell: Cell) -> int:
        if not self.inside(cell):
            return self.alphabet.blank_index
        return int(self.array[cell[1] - self.y0, cell[0] - self.x0])

    def points(self) -> Points:
        """Every cell that is not blank, as arrays."""
        inner = self.array[1:-1, 1:-1]
        j, i = np.nonzero(inner != self.alphabet.blank_index)
        return i + 1 + self.x0, j + 1 + self.y0, inner[j, i]

    def row(self, y: int) -> tuple[int, UInt8[np.ndarray, " length"]]:
        """(x of the leftmost non-blank cell of row y, the symbols from there to the rightmost one)."""
        line = self.array[y - self.y0, 1:-1] if 0 < y - self.y0 < len(self.array) - 1 else np.empty(0, np.uint8)
        columns = np.flatnonzero(line != self.alphabet.blank_index)
        if not len(columns):
            return 0, np.empty(0, np.uint8)
        left, right = int(columns[0]), int(columns[-1])
        return left + 1 + self.x0, line[left : right + 1].copy()

    def count(self) -> int:
        """How many cells are not blank."""
        return int((self.array[1:-1, 1:-1] != self.alphabet.blank_index).sum())
