"""The results of a sweep: one small JSON file per trial, written whole or not at all, and their summary.

The file is named after the trial, that is, after (version, configuration, seed): no trial can be there twice.
"""

from __future__ import annotations

import math
import statistics
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dfst.errors import FileFormatError, InputError
from dfst.files import make_folder, write_atomically
from dfst.records import fits, json_text, read_json

Row = dict[str, Any]
_KINDS = {
    str: "trial version config_hash task recipe on_nonfinite engine status problem verdict node finished",
    int: "seed data_seed n p digits hidden_dim iterations batch first_visible threads nonfinite states rlg plg "
    "attempts",
    float: "learning_rate clip growth loss seconds train_seconds certify_seconds",
    bool: "exact",
}
COLUMNS = {name: kind for kind, names in _KINDS.items() for name in names.split()}
"""Of a row. ``status`` is done, failed, time limit, memory limit or lost; what was not measured is None."""

SETTINGS = ("task", "recipe", "n", "digits", "hidden_dim", "data_seed", "iterations", "learning_rate", "batch", "clip",
            "growth", "first_visible", "on_nonfinite", "engine", "threads", "version")  # fmt: skip
"""Columns that a summary groups by, where they differ for one task."""

_95_PERCENT = 1.959963984540054
"""The two-sided 95 % point of the normal distribution."""


class ResultSet:
    """The rows in a sweep's folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "results"

    def names(self) -> set[str]:
        """The trials that have a row."""
        return {path.stem for path in self.path.glob("*.json") if not path.name.startswith(".")}

    def add(self, row: Row) -> Row:
        """Write the row of a trial (again, if there was one); return it with all its columns."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        row = {name: row.get(name) for name in COLUMNS} | {"finished": now}
        make_folder(self.path)
        write_atomically(self.path / f"{row['trial']}.json", json_text(row).encode())
        return row

    def rows(self) -> list[Row]:
        """All rows, in the order of their names."""
        if not self.path.is_dir():
            do = "Give the folder of a sweep (dfst sweep run names it when it begins)."
            raise InputError("there are no results of a sweep in it", where=str(self.path.parent), do=do)
        return [self.row(name) for name in sorted(self.names())]

    def row(self, name: str) -> Row:
        """The row of one trial."""
        path, what = self.path / f"{name}.json", "it is not a row of results, or it is damaged"
        do = "Remove it and run the sweep again; only that trial is repeated."
        row = read_json(path, what=what, do=do)
        whole = isinstance(row, dict) and row.keys() == COLUMNS.keys() and row["trial"] == name
        if not whole or not all(row[key] is None or fits(row[key], kind) for key, kind in COLUMNS.items()):
            raise FileFormatError(what, where=str(path), do=do)
        return row | {"clip": math.inf if row["clip"] is None else row["clip"]}  # a setting, which JSON cannot write


def wilson(successes: int, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval for the share of ``successes`` in ``n``; unlike the usual ±, it tells even if all succeed.

    >>> [round(bound, 2) for bound in wilson(30, 30)]
    [0.89, 1.0]
    """
    if n == 0:
        return 0.0, 1.0
    z, share = _95_PERCENT, successes / n
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return max(0.0, centre - half), min(1.0, centre + half)


def summary(rows: list[Row]) -> list[Row]:
    """A line for every setting: how many seeds were proven exact, with Wilson's 95 % interval, loss and time.

    Trials that ended without a model count as not exact; a share is None where nothing was certified.
    """
    tasks = {row["task"] for row in rows}
    varied = [name for name in SETTINGS if len({(row["task"], row.get(name)) for row in rows}) > len(tasks)]
    groups: dict[tuple[Any, ...], list[Row]] = {}
    for row in rows:
        groups.setdefault(tuple(row.get(name) for name in ("task", *varied)), []).append(row)
    lines = []
    for values, group in sorted(groups.items(), key=lambda item: [(value is not None, value) for value in item[0]]):
        known = {name: [row[name] for row in group if row.get(name) is not None and not math.isnan(row[name])]
                 for name in ("exact", "loss", "rlg", "seconds")}  # fmt: skip
        judged = [row for row in group if row.get("exact") is not None or row["status"] != "done"]
        successes, exact = sum(known["exact"]), bool(known["exact"])
        middle = {name: statistics.median_high(known[name]) if known[name] else None for name in ("loss", "seconds")}
        line = dict(zip(("task", *varied), values, strict=True)) | {"trials": len(group)}
        interval = [round(bound, 3) for bound in wilson(successes, len(judged))]
        line |= {"exact": f"{successes}/{len(judged)}" if exact else None, "interval": interval if exact else None}
        line |= {"loss": middle["loss"], "rlg": min(known["rlg"], default=None), "seconds": middle["seconds"]}
        lines.append(line | {"ended early": sum(row["status"] != "done" for row in group)})
    return lines
