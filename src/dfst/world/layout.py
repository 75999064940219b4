"""How a problem is written on the grid, where the machine starts, and where the answer is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from dfst.errors import FileFormatError, InputError, Mistake, quoted
from dfst.records import read_record
from dfst.shapes import UInt8
from dfst.world.alphabet import Alphabet
from dfst.world.grid import MAX_CELLS, Grid, Window

MAX_DISTANCE = 1000
"""How far from the input a machine may start, and the answer stand; the dense window has to hold them all."""

INPUT, OUTPUT = "input", "output"
"""The classes of a conversation; in parentheses if there is a symbol of that name."""


@dataclass(frozen=True)
class Answer:
    """What a machine left behind.

    ``text`` is the answer with leading zeros stripped, or None if the answer's row holds anything else (or a gap), or
    the machine did not halt; ``only_answer_left`` says whether the answer, leading zeros included, is all there is.
    """

    text: str | None
    only_answer_left: bool
    grid: Grid | Window = field(repr=False, hash=False)

    def __str__(self) -> str:
        return self.cells if self.text is None else self.text

    @cached_property
    def cells(self) -> str:
        """Everything that stands on the grid, rows from top to bottom; written out only when asked for.

        Of a large grid without an answer it is the upper left corner.
        """
        return self.grid.text() if self.text is None else self.grid.text(MAX_CELLS)


@dataclass(frozen=True)
class Layout:
    """The input as a row of parts, the start cell, and the row of the answer.

    ``parts`` are written from the cell (0, 0) to the right. Each is ``class+`` (an operand: one or more symbols of the
    class), ``class`` (an operand of exactly one symbol) or a symbol that always stands there. ``leading`` is the symbol
    that may precede an answer without changing it, or None.

    >>> from dfst import task
    >>> machine = task("add2").machine
    >>> machine.layout.parts, machine.alphabet.decode(machine.layout.place(machine.alphabet, ["10", "1"]))
    (('digit+', '+', 'digit+'), '10+1')
    """

    parts: tuple[str, ...]
    head: tuple[int, int] = (0, 0)
    answer_row: int = 0
    answer_class: str = "digit"
    leading: str | None = None

    def problems(self, alphabet: Alphabet) -> Iterator[Mistake]:
        """Everything about this layout that does not fit ``alphabet``."""
        if not self.parts:
            do = 'List its parts, such as ["digit+", "+", "digit+"].'
            yield Mistake("the input layout is empty", do, key="input.cells")
        for part in self.parts:
            name = part.removesuffix("+")
            if part == alphabet.blank:
                do = "Leave it out: cells are blank anyway."
                yield Mistake("a blank cannot be part of the input layout", do, key="input.cells")
            elif part not in alphabet.index and name not in alphabet.classes:
                what = f"input part {part!r} is neither a symbol nor a class (or class+)"
                yield Mistake(what, f"The classes are {' '.join(alphabet.classes) or 'none'}.", key="input.cells")
            elif part not in alphabet.index and alphabet.blank in alphabet.classes[name]:
                yield Mistake(f"input part {part!r} may be blank", "Use a class without the blank.", key="input.cells")
        near = f"Stay within {MAX_DISTANCE} cells."
        if len(self.head) != 2 or not all(isinstance(number, int) for number in self.head):
            yield Mistake("the start cell must be (x, y)", "Such as (0, 0).", key="input.head")
        elif max(map(abs, self.head)) > MAX_DISTANCE:
            yield Mistake("the start cell is too far from the input", near, key="input.head")
        if not isinstance(self.answer_row, int):
            yield Mistake("the answer's row must be a whole number", "Such as 0.", key="answer.row")
        elif abs(self.answer_row) > MAX_DISTANCE:
            yield Mistake("the answer's row is too far from the input", near, key="answer.row")
        members = alphabet.classes.get(self.answer_class)
        if members is None:
            what = f"the answer's class {self.answer_class!r} is not defined"
            yield Mistake(what, "Add it to the classes.", key="answer.cells")
        elif alphabet.blank in members:
            what = f"the answer's class {self.answer_class!r} holds the blank"
            yield Mistake(what, "Use a class without the blank.", key="answer.cells")
        if self.leading is not None and members is not None and self.leading not in members:
            what = f"the leading symbol {self.leading!r} is not in the answer's class {self.answer_class!r}"
            yield Mistake(what, f"Use one of {' '.join(members)}.", key="answer.leading")

    @property
    def is_conversation(self) -> bool:
        """Whether it says that inputs are answered one by one."""
        if len(self.parts) != 1 or (self.head, self.answer_row) != ((0, 0), 0):
            return False
        reads = self.parts[0]
        return reads.endswith("+") and (reads.strip("()+"), self.answer_class.strip("()")) == (INPUT, OUTPUT)

    def operand_parts(self, alphabet: Alphabet) -> list[str]:
        """The parts that a problem fills in."""
        return [part for part in self.parts if part not in alphabet.index]

    def place(self, alphabet: Alphabet, operands: Sequence[str]) -> UInt8[np.ndarray, " length"]:
        """The input row for ``operands``; refuses operands that are empty, too many, too few, or of other symbols."""
        wanted = self.operand_parts(alphabet)
        if len(operands) != len(wanted):
            fixed = dict.fromkeys(part for part in self.parts if part in alphabet.index)
            example = " ".join(alphabet.classes[part.removesuffix("+")][-1] for part in wanted)
            apart = " with a space between them" if len(wanted) > 1 else ""
            alone = f"; {' '.join(fixed)} is written for you" if fixed else ""
            what = f"{len(operands)} operand{'s' * (len(operands) != 1)} given, {len(wanted)} needed"
            raise InputError(what, do=f"Give {len(wanted)}{apart}, such as {example}{alone}.")
        given, pieces = iter(enumerate(operands, 1)), []
        for part in self.parts:
            fixed = alphabet.index.get(part)
            pieces.append(_operand(alphabet, part, *next(given)) if fixed is None else np.array([fixed], np.uint8))
        return np.concatenate(pieces)

    def read(self, grid: Grid | Window) -> Answer:
        """The answer that a machine which halted left on ``grid``."""
        alphabet = grid.alphabet
        _, row = grid.row(self.answer_row)
        if not alphabet.all_in(row, self.answer_class):
            return Answer(None, False, grid)
        alone = grid.count() == len(row)
        if self.leading is not None and len(row):
            significant = np.flatnonzero(row != alphabet.index[self.leading])
            row = row[significant[0] if len(significant) else -1 :]
        return Answer(alphabet.decode(row), alone, grid)


def layout_from(value: Any, alphabet: Alphabet) -> Layout:
    """The layout that the header of a file describes; only ``parts`` is needed.

    Raises :class:`dfst.errors.FileFormatError` if a value is of the wrong kind or does not fit the alphabet.
    """
    do = 'Write it as {"parts": ["digit+"], "head": [0, 0], "answer_row": 0, "answer_class": "digit"}.'
    rest = {"head": [0, 0], "answer_row": 0, "answer_class": "digit", "leading": None}
    layout = read_record(Layout, value, where="layout", do=do, **rest)
    for problem in layout.problems(alphabet):
        raise FileFormatError(str(problem))
    return layout


def _operand(alphabet: Alphabet, part: str, number: int, text: str) -> UInt8[np.ndarray, " length"]:
    where, name = f"operand {number}", part.removesuffix("+")
    allowed = alphabet.classes[name]
    if not isinstance(text, str):
        raise InputError(f"it is of type {type(text).__name__}", where=where, do="Operands are strings of symbols.")
    try:
        symbols = alphabet.encode(text)
    except InputError as error:
        raise InputError(error.what, where=where, do=f"Use {' '.join(allowed)}.") from None
    if not alphabet.all_in(symbols, name):
        raise InputError(f"{quoted(text)} is not made of {name}s only", where=where, do=f"Use {' '.join(allowed)}.")
    if not len(symbols):
        raise InputError("it is empty", where=where, do=f"Give at least one {name}: {' '.join(allowed)}.")
    if part == name and len(symbols) != 1:
        raise InputError(f"{quoted(text)} is {len(symbols)} symbols long", where=where, do=f"Give one {name}.")
    return symbols
