"""Records as small HTML tables, for notebooks: self-contained, everything escaped, large ones cut short."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_TABLE = "border-collapse:collapse;font-family:monospace"
_CELL = "border:1px solid #bbb;padding:1px 6px;text-align:left;white-space:pre"
_MARKED = f"{_CELL};background:#ffd75e;color:#111"
_LONGEST = 60


def html_table(
    rows: Sequence[Sequence[str]],
    *,
    header: Sequence[str] = (),
    title: str = "",
    more: str = "",
    marked: tuple[int, int] | None = None,
) -> str:
    """``rows`` of text as a table, under a ``title``; ``more`` says what was left out, ``marked`` is (row, column).

    >>> "&lt;b&gt;" in html_table([["<b>"]]), "<b>" in html_table([["<b>"]])
    (True, False)
    """

    def line(cells: Sequence[str], kind: str, row: int) -> str:
        styles = [_MARKED if marked == (row, column) else _CELL for column in range(len(cells))]
        return "".join(
            f'<{kind} style="{style}">{escape(shortened(cell))}</{kind}>'
            for cell, style in zip(cells, styles, strict=True)
        )

    lines = [f"<tr>{line(header, 'th', -1)}</tr>"] if header else []
    lines += [f"<tr>{line(cells, 'td', row)}</tr>" for row, cells in enumerate(rows)]
    above, below = (f"<div>{escape(shortened(text, 400))}</div>" if text else "" for text in (title, more))
    return f'<div>{above}<table style="{_TABLE}">{"".join(lines)}</table>{below}</div>'


def shortened(text: str, longest: int = _LONGEST) -> str:
    """``text``, or its beginning if it is long."""
    return text if len(text) <= longest else text[: longest - 1] + "…"


def left_out(shown: int, total: int, what: str) -> str:
    """How many of ``total`` are not shown, in words; empty if all are.

    >>> left_out(20, 1000, "states"), left_out(5, 5, "states")
    ('… and 980 more states', '')
    """
    return f"… and {total - shown} more {what}" if total > shown else ""
