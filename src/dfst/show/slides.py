"""Runs for slides: a PNG of some moments (extra ``plot``, which brings pillow)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from dfst.errors import InputError, MissingExtraError
from dfst.files import check_output
from dfst.show.recording import Recording, differing_step

if TYPE_CHECKING:
    from PIL.Image import Image

MOMENTS = 6
_CELL, _MARGIN, _LINE, _COLUMNS, _ROWS = 80, 40, 60, 28, 8  # twice as large as it is meant to be seen
_INK, _SOFT, _LINES, _ACCENT, _TINT = "#1a1f26", "#55606d", "#d8dde3", "#0b62ad", "#d6e8f8"
_PALETTE = 32


def draw_moments(recordings: Sequence[Recording], path: Path, step: int | None = None) -> str:
    """Write a PNG of some moments of the run to ``path``, or of the one moment ``step``; says what is in it."""
    _check(path)
    from PIL import Image

    total = max(map(len, recordings))
    if step is not None and not 0 <= step <= total:
        raise InputError(f"there is no step {step}", where="--step", do=f"The run has {total} steps.")
    steps = _chosen(total, MOMENTS) if step is None else [step]
    apart = differing_step(recordings) if len(recordings) == 2 else None
    if step is None and apart is not None:
        steps = sorted({*steps, apart})
    artist = _Artist(recordings)
    pictures = [artist.draw(each) for each in steps]
    sheet = Image.new("RGB", (pictures[0].width, sum(picture.height for picture in pictures)), "white")
    for i, picture in enumerate(pictures):
        sheet.paste(picture, (0, i * picture.height))
    _save(sheet.quantize(_PALETTE), path, optimize=True)
    return f"{len(pictures)} moment{'s' * (len(pictures) != 1)} of {total:,} steps"


def _chosen(total: int, count: int) -> list[int]:
    """At most ``count`` of the steps 0 to ``total``, both included, at equal distances."""
    return sorted({int(step) for step in np.linspace(0, total, min(count, total + 1)).round()})


class _Artist:
    """Draws the grids of some runs at one step, always in the same size."""

    def __init__(self, recordings: Sequence[Recording]) -> None:
        self.recordings = recordings
        self.font, self.small = _font("DejaVuSansMono.ttf", 44), _font("DejaVuSans.ttf", 34)
        self.columns = min(_COLUMNS, max(r.box.right - r.box.left + 1 for r in recordings))
        self.rows = [min(_ROWS, r.box.top - r.box.bottom + 1) for r in recordings]
        self.width = max(self.columns * _CELL, 1240) + 2 * _MARGIN

    def draw(self, step: int) -> Image:
        """The picture of one step."""
        from PIL import Image, ImageDraw

        height = sum(rows * _CELL + 2 * _LINE + _MARGIN for rows in self.rows) + _MARGIN
        image = Image.new("RGB", (self.width, height), "white")
        pen, top = ImageDraw.Draw(image), _MARGIN
        for recording, rows in zip(self.recordings, self.rows, strict=True):
            now = min(step, len(recording))
            title = f"{recording.name}  ·  step {now:,} of {len(recording):,}"
            pen.text((_MARGIN, top), self._fitting(pen, title), fill=_SOFT, font=self.small)
            self._grid(pen, recording, now, rows, top + _LINE)
            below = top + _LINE + rows * _CELL + 12
            pen.text((_MARGIN, below), self._fitting(pen, recording.explain(now)), fill=_INK, font=self.small)
            top = below + _LINE + _MARGIN - 12
        return image

    def _grid(self, pen: Any, recording: Recording, step: int, rows: int, top: int) -> None:
        frame = recording.frame(step)
        height, width = frame.cells.shape
        column, row = frame.head[0] - frame.left, frame.top - frame.head[1]
        first = max(0, min(column - self.columns // 2, width - self.columns))
        upper = max(0, min(row - rows // 2, height - rows))
        symbols, blank = recording.alphabet.symbols, recording.alphabet.blank_index
        for j in range(rows):
            for i in range(min(self.columns, width)):
                x, y = _MARGIN + i * _CELL, top + j * _CELL
                here = (first + i, upper + j) == (column, row)
                pen.rectangle((x, y, x + _CELL, y + _CELL), fill=_TINT if here else None, outline=_LINES)
                symbol = int(frame.cells[upper + j, first + i])
                if symbol != blank:
                    text = symbols[symbol] if len(symbols[symbol]) <= 2 else f"{symbols[symbol][:1]}…"
                    pen.text((x + _CELL / 2, y + _CELL / 2), text, fill=_INK, font=self.font, anchor="mm")
        x, y = _MARGIN + (column - first) * _CELL, top + (row - upper) * _CELL
        pen.rounded_rectangle((x, y, x + _CELL, y + _CELL), radius=14, outline=_ACCENT, width=6)

    def _fitting(self, pen: Any, text: str) -> str:
        room = self.width - 2 * _MARGIN
        if pen.textlength(text, font=self.small) <= room:
            return text
        while pen.textlength(text + "…", font=self.small) > room:
            text = text[:-1]
        return text + "…"


def _font(name: str, size: int) -> Any:
    import matplotlib as mpl
    from PIL import ImageFont

    return ImageFont.truetype(str(Path(mpl.get_data_path()) / "fonts" / "ttf" / name), size)


def _check(path: Path) -> None:
    try:
        import matplotlib as mpl
        import PIL

        del mpl, PIL
    except ImportError:
        raise MissingExtraError("Drawing", "plot") from None
    check_output(path, ".png", what="a picture")


def _save(image: Image, path: Path, **options: Any) -> None:
    try:
        image.save(path, **options)
    except OSError as error:
        raise InputError(f"it cannot be written ({error.strerror})", where=str(path)) from None
