"""How results show themselves: a sentence, a one-line repr, and for notebooks small HTML, everything escaped."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

_TABLE = "border-collapse:collapse;font-family:monospace"
_CELL = "border:1px solid #bbb;padding:1px 6px;text-align:left;white-space:pre"
_MARKED = f"{_CELL};background:#ffd75e;color:#111"


class Explained:
    """A small frozen record that explains itself; ``print`` shows the explanation, a notebook as well."""

    def explain(self) -> str:
        """The result in words."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.explain()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.explain().partition(chr(10))[0]}>"

    def _repr_html_(self) -> str:
        return f"<div>{'<br>'.join(map(escape, self.explain().splitlines()))}</div>"


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

    def short(text: str, longest: int) -> str:
        return escape(text if len(text) <= longest else text[: longest - 1] + "…")

    lines = []
    for row, cells in enumerate([header, *rows] if header else rows, -1 if header else 0):
        kind, styles = "th" if row < 0 else "td", [_MARKED if marked == (row, i) else _CELL for i in range(len(cells))]
        styled = zip(cells, styles, strict=True)
        line = "".join(f'<{kind} style="{style}">{short(cell, 60)}</{kind}>' for cell, style in styled)
        lines.append(f"<tr>{line}</tr>")
    above, below = (f"<div>{short(text, 400)}</div>" if text else "" for text in (title, more))
    return f'<div>{above}<table style="{_TABLE}">{"".join(lines)}</table>{below}</div>'


def left_out(shown: int, total: int, what: str) -> str:
    """How many of ``total`` are not shown, in words; empty if all are.

    >>> left_out(20, 1000, "states"), left_out(5, 5, "states")
    ('… and 980 more states', '')
    """
    return f"… and {total - shown} more {what}" if total > shown else ""
