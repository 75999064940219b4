"""The results of a sweep: a parquet data set with one small file per trial, each written whole or not at all.

The file is named after the trial, that is, after (version, configuration, seed): no trial can be there twice.
"""

from __future__ import annotations

import io
import math
import statistics
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dfst.errors import FileFormatError, InputError, MissingExtraError
from dfst.files import make_folder, read_bytes, write_atomically
from dfst.sweep.share import Share

Row = dict[str, Any]
_ROW_BYTES = 2**20
"""A row is of a few kilobytes, and a file beyond this is none."""

_TEXT, _WHOLE, _NUMBER = "string", "int64", "double"
SCHEMA = {
    **dict.fromkeys(("trial", "version", "config_hash", "task"), _TEXT),
    **dict.fromkeys(("seed", "data_seed", "n", "p", "digits", "hidden_dim"), _WHOLE),
    **{"recipe": _TEXT, "iterations": _WHOLE, "learning_rate": _NUMBER, "batch": _WHOLE, "clip": _NUMBER},
    **{"growth": _NUMBER, "first_visible": _WHOLE, "on_nonfinite": _TEXT, "engine": _TEXT, "threads": _WHOLE},
    **{"status": _TEXT, "problem": _TEXT, "loss": _NUMBER, "nonfinite": _WHOLE, "verdict": _TEXT, "exact": "bool"},
    **{"states": _WHOLE, "rlg": _WHOLE, "plg": _WHOLE, "seconds": _NUMBER, "train_seconds": _NUMBER},
    **{"certify_seconds": _NUMBER, "attempts": _WHOLE, "node": _TEXT, "finished": _TEXT},
}
"""The columns. ``status`` is done, failed, time limit, memory limit or lost; what was not measured is null."""

SETTINGS = ("task", "recipe", "n", "digits", "hidden_dim", "data_seed", "iterations", "learning_rate", "batch", "clip",
            "growth", "first_visible", "on_nonfinite", "engine", "threads", "version")  # fmt: skip
"""Columns that a summary groups by, where they differ for one task."""


class ResultSet:
    """The data set in a sweep's folder.

    >>> import tempfile
    >>> results = ResultSet(Path(tempfile.mkdtemp()))
    >>> row = results.add({"trial": "add2-s0-ab", "task": "add2", "status": "done", "exact": True})
    >>> results.names(), results.rows() == [row], row["exact"]
    ({'add2-s0-ab'}, True, True)
    """

    def __init__(self, folder: Path) -> None:
        try:
            import pyarrow.parquet
        except ImportError:
            raise MissingExtraError("a sweep", "data") from None
        self.path, self._arrow, self._parquet = folder / "results", pyarrow, pyarrow.parquet

    def names(self) -> set[str]:
        """The trials that have a row."""
        return {path.stem for path in self.path.glob("*.parquet") if not path.name.startswith(".")}

    def add(self, row: Row) -> Row:
        """Write the row of a trial (again, if there was one); return it with all its columns."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        content, row = io.BytesIO(), {name: row.get(name) for name in SCHEMA} | {"finished": now}
        table = self._arrow.Table.from_pylist([row], schema=self._arrow.schema(list(SCHEMA.items())))
        options = {"use_dictionary": False, "write_statistics": False, "store_schema": False}  # 3.7 kB
        self._parquet.write_table(table, content, **options)
        make_folder(self.path)
        write_atomically(self.path / f"{row['trial']}.parquet", content.getvalue())
        return row

    def rows(self) -> list[Row]:
        """All rows, in the order of their names."""
        if not self.path.is_dir():
            do = "Give the folder of a sweep (dfst sweep run names it when it begins)."
            raise InputError("there are no results of a sweep in it", where=str(self.path.parent), do=do)
        return [self.row(name) for name in sorted(self.names())]

    def row(self, name: str) -> Row:
        """The row of one trial."""
        path = self.path / f"{name}.parquet"
        try:
            file = self._parquet.ParquetFile(io.BytesIO(read_bytes(path, limit=_ROW_BYTES)), pre_buffer=False)
            groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
            small = file.metadata.num_rows == 1 and sum(group.total_byte_size for group in groups) <= _ROW_BYTES
            # no threads: those of other columns would go on after an error in one, and crash Python
            found = file.read(use_threads=False).to_pylist() if small else []
        except (OSError, self._arrow.ArrowException):
            found = []
        if len(found) != 1 or set(found[0]) != set(SCHEMA):
            do = "Remove it and run the sweep again; only that trial is repeated."
            raise FileFormatError("it is not a row of results, or it is damaged", where=str(path), do=do)
        return found[0]


def summary(rows: list[Row]) -> list[Row]:
    """A line for every setting: how many seeds were proven exact, with Wilson's 95 % interval, loss and time.

    Trials that ended without a model count as not exact; a share is None where nothing was certified.

    >>> row = {"task": "add2", "status": "done", "loss": 0.1, "seconds": 2.0}
    >>> line = summary([row | {"seed": 0, "exact": True}, row | {"seed": 1, "exact": False}])[0]
    >>> line["task"], line["trials"], line["exact"], line["interval"], line["loss"]
    ('add2', 2, '1/2', [0.095, 0.905], 0.1)
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
        share, exact = Share(sum(known["exact"]), len(judged)), bool(known["exact"])
        middle = {name: statistics.median_high(known[name]) if known[name] else None for name in ("loss", "seconds")}
        line = dict(zip(("task", *varied), values, strict=True)) | {"trials": len(group)}
        line |= {"exact": str(share) if exact else None}
        line |= {"interval": [round(bound, 3) for bound in share.interval] if exact else None, "loss": middle["loss"]}
        line |= {"rlg": min(known["rlg"], default=None), "seconds": middle["seconds"]}
        lines.append(line | {"ended early": sum(row["status"] != "done" for row in group)})
    return lines
