"""How a problem is written on the grid, where the machine starts, and where the answer is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

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
