"""How a problem is written on the grid, where the machine starts, and where the answer is read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from dfst.errors import Mistake
from dfst.world.alphabet import Alphabet

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
    grid: Any = field(repr=False, hash=False)

    def __str__(self) -> str:
        return self.cells if self.text is None else self.text

    @cached_property
    def cells(self) -> str:
        """Everything that stands on the grid, rows from top to bottom; written out only when asked for.

        Of a large grid without an answer it is the upper left corner.
        """
        return self.grid.text() if self.text is None else self.grid.text(None)


@dataclass(frozen=True)
class Layout:
    """The input as a row of parts, the start cell, and the row of the answer.

    ``parts`` are written from the cell (0, 0) to the right. Each is ``class+`` (an operand: one or more symbols of the
    class), ``class`` (an operand of exactly one symbol) or a symbol that always stands there. ``leading`` is the symbol
    that may precede an answer without changing it, or None.

    >>> from dfst import task
    >>> machine = task("add2").machine
    >>> machine.layout.parts, machine.layout.head
    (('digit+', '+', 'digit+'), (-1, 0))
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
