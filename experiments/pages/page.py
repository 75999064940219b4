"""What every page needs: the results, where they were measured, and numbers and tables as pages show them."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from statistics import median, median_high
from typing import Any

from dfst.manifest import MARK

ROOT = Path(__file__).parents[2]
TASKS = ("add2", "add10", "mult2", "mult10")
Row = dict[str, Any]


def load(name: str) -> Row:
    """The content of results/NAME.json."""
    return json.loads((ROOT / "results" / f"{name}.json").read_text(encoding="utf-8"))


def shown(commit: str | None) -> str:
    """A commit as pages show it: short, and never without its mark."""
    return "unknown" if commit is None else commit.removesuffix(MARK)[:12] + MARK * commit.endswith(MARK)


def commits(value: Any) -> str:
    """The commits that ``value`` was made at, as pages show them, each once: those of all its manifests, however deep.

    >>> commits([{"commit": "1f6834e86886fd09+", "command": "dfst bench"}])
    '1f6834e86886+'
    """
    return ", ".join(dict.fromkeys(shown(facts["commit"]) for facts in manifests(value)))


def manifests(value: Any) -> Iterator[Row]:
    """Every manifest in ``value``; a training that was resumed from other sources has one for these, too."""
    if isinstance(value, dict) and {"commit", "command"} <= value.keys():
        yield value
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        yield from manifests(part)


def made(facts: Row) -> str:
    """Where numbers with this manifest come from."""
    return f"Measured at commit {shown(facts['commit'])} by `{facts['command']}`."


def measured(*names: str) -> str:
    """Where the rows of these results come from."""
    return f"Measured: {'; '.join(f'`results/{name}.json` at commit {commits(load(name))}' for name in names)}."


def markdown(rows: Sequence[Row], align: Sequence[str] = ()) -> str:
    """``rows`` as a Markdown table, its columns aligned as Markdown says.

    >>> print(markdown([{"task": "add2", "rlg": 5}]))
    | task | rlg |
    |---|---|
    | add2 | 5 |
    """
    lines = [list(rows[0]), *(list(map(str, row.values())) for row in rows)]
    head, *body = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join([head, f"|{'|'.join(align or ['---'] * len(rows[0]))}|", *body])


def span(values: Iterable[float], form: str = "{:,}") -> str:
    """All of them: one number, or from the least to the largest."""
    ends = sorted(values)
    return " to ".join(dict.fromkeys(form.format(end) for end in (ends[0], ends[-1]))) if ends else "–"


def reached(length: int | None, to: int | None) -> str:
    """A length; ≥ if that is as far as it was measured.

    >>> reached(327, 3850), reached(3850, 3850)
    ('327', '≥ 3,850')
    """
    return f"{'≥ ' if length == to else ''}{length:,}"


def median_length(lengths: Sequence[int], to: int) -> str:
    """The median, of an even number the mean of the two in the middle; ≥ if one of these is as far as was measured.

    >>> median_length([4, 563, 1248, 3850], 3850), median_length([4, 3850], 3850)
    ('905.5', '≥ 1,927')
    """
    return f"{'≥ ' if median_high(lengths) == to else ''}{median(lengths):,g}"
