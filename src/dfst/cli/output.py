"""What the verbs print alike: tables, JSON, answers, progress, notes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from dfst.errors import printable
from dfst.records import json_text

if TYPE_CHECKING:
    from rich.text import Text


def show(
    found: Any,
    as_json: bool,
    *,
    before: str = "",
    title: str = "",
    row: Callable[[Any], dict[str, Any]] = lambda each: each.to_json(),
    **facts: Any,
) -> None:
    """A record in words, or as JSON with further ``facts``; several as a table, with the ``row`` of each, or a list."""
    several = isinstance(found, list)
    if as_json:
        print_json([each.to_json() for each in found] if several else facts | found.to_json())
    elif several:
        show_rows([row(each) for each in found], title=title)
    else:
        print(f"{before}{found}")


def proven_title(found: Sequence[Any], asked: int, what: str = "") -> str:
    """How many of the verdicts are exact, and how many only until the teacher is stuck, which is no less proven."""
    exact, partly = sum(each.exact for each in found), sum(each.proven and not each.exact for each in found)
    until = f", {partly} exact until the teacher is stuck" if partly else ""
    return f"{exact} of {asked} {what}are proven exact{until}"


def print_json(value: Any) -> None:
    """For machines: one value on stdout."""
    text = json_text(value, ensure_ascii=False, indent=2)
    print("".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text))


def show_rows(rows: list[dict[str, Any]], *, title: str = "", upright: bool = False) -> None:
    """Rows as a table for people; ``upright`` shows a single row as name and value."""
    if not rows:
        print(f"{title or 'Table'}: none")
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(title=_cell(title) if title else None, title_justify="left", show_header=not upright)
    if upright:
        table.add_column(style="bold")
        table.add_column(overflow="fold")
        for name, value in rows[0].items():
            table.add_row(name, _cell(value))
    else:
        names = dict.fromkeys(name for row in rows for name in row)
        for name in names:
            numeric = isinstance(rows[0].get(name), int | float)
            table.add_column(name, justify="right" if numeric else "left", overflow="fold")
        for row in rows:
            table.add_row(*(_cell("–" if row.get(name) is None else row[name]) for name in names))
    Console().print(table)


def _cell(value: Any) -> Text:
    """A value as rich prints it: what a file says is never read as markup."""
    from rich.text import Text

    return Text(_safe(str(value)))


def _safe(text: str) -> str:
    """Lines in which what a file says can break no line and hide none."""
    return "\n".join(map(printable, text.split("\n")))


@contextmanager
def progress_bar(what: str) -> Iterator[Callable[..., None]]:
    """A progress bar on stderr; it gives a function to call with (done, total) and, if it changes, what is done."""
    from rich.console import Console
    from rich.progress import Progress, TextColumn

    console = Console(stderr=True)
    columns = TextColumn("{task.description}", markup=False), *Progress.get_default_columns()[1:]
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(what, total=None)
        yield lambda done, total, what=what: progress.update(bar, completed=done, total=total, description=what)


@contextmanager
def status_line(what: str) -> Iterator[Callable[[str], None]]:
    """A line on stderr that says what is going on; it gives a function to change it."""
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda text: None
        return
    with console.status(_cell(what)) as status:
        yield lambda text: status.update(_cell(text))


def note(text: str) -> None:
    """A message for people, one line on stderr."""
    print(printable(text), file=sys.stderr)


def complain(text: str) -> None:
    """What went wrong, on stderr."""
    print(f"dfst: {_safe(text)}", file=sys.stderr)
