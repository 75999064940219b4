"""The grid around the head as an array of pixels."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from dfst.errors import MissingExtraError
from dfst.shapes import UInt8
from dfst.world.grid import Cell, Grid, Window

COLUMNS, ROWS = 21, 7
"""How many cells are shown; the head is in the middle."""

_CELL = 24
_IN_THE_FONT = {"×": "x"}
_GROUND, _LINE, _INK, _HEAD = (255, 255, 255), (221, 221, 221), (17, 17, 17), (255, 215, 94)
"""The colours of :func:`dfst.show.film.film`."""


def grid_picture(grid: Grid | Window, head: Cell) -> UInt8[np.ndarray, "height width 3"]:
    """What stands within ten columns and three rows of ``head``, as RGB; blank cells are empty (extra ``gym``).

    >>> import dfst
    >>> machine = dfst.task("add2").machine
    >>> grid_picture(Grid(machine.alphabet, machine.place(("1", "1"))), (0, 0)).shape
    (169, 505, 3)
    """
    try:
        from PIL import Image, ImageDraw
    except ImportError:
        raise MissingExtraError("A picture of the grid", "gym") from None
    alphabet = grid.alphabet
    image = Image.new("RGB", (COLUMNS * _CELL + 1, ROWS * _CELL + 1), _GROUND)
    draw = ImageDraw.Draw(image)
    left, top = head[0] - COLUMNS // 2, head[1] + ROWS // 2
    for j in range(ROWS):
        for i in range(COLUMNS):
            cell = (left + i, top - j)
            x, y = i * _CELL, j * _CELL
            draw.rectangle((x, y, x + _CELL, y + _CELL), fill=_HEAD if cell == head else None, outline=_LINE)
            if (number := grid[cell]) != alphabet.blank_index:
                symbol = _IN_THE_FONT.get(alphabet.symbols[number], alphabet.symbols[number])
                draw.text((x + _CELL / 2, y + _CELL / 2), symbol, fill=_INK, font=_font(len(symbol)), anchor="mm")
    return np.asarray(image).copy()


@cache
def _font(characters: int) -> Any:
    """The font in which so many characters fit into a cell."""
    from PIL import ImageFont

    return ImageFont.load_default(max(2 * _CELL // 3 * 2 // (characters + 1), 5))
