"""metrics.jsonl of a training run: one record per line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from dfst.files import read_bytes, write_atomically
from dfst.training.fit import Record

METRICS = "metrics.jsonl"


def read_records(folder: Path) -> list[Record]:
    """The records so far; a last line cut short by a crash does not count."""
    path = folder / METRICS
    records = []
    for line in read_bytes(path).splitlines() if path.exists() else []:
        try:
            records.append(Record(**json.loads(line)))
        except (ValueError, TypeError, RecursionError):
            break
    return records


def write_records(folder: Path, records: Iterable[Record]) -> None:
    """In the place of those that are there."""
    text = "".join(json.dumps(record._asdict()) + "\n" for record in records)
    write_atomically(folder / METRICS, text.encode())


def one_after_another(trainings: Iterable[Sequence[Record]]) -> list[Record]:
    """The records of several trainings as if they were one: iterations and seconds go on where the last ended."""
    records: list[Record] = []
    for training in trainings:
        last = records[-1] if records else Record(0, 0.0, 0.0, 0.0, 0, 0.0)
        records += [
            record._replace(
                iteration=last.iteration + record.iteration,
                nonfinite=last.nonfinite + record.nonfinite,
                seconds=round(last.seconds + record.seconds, 3),
            )
            for record in training
        ]
    return records
