"""The gallery as a table: every task that comes with the package beside the paper's, and how its learning went."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from dfst.files import read_text
from dfst.prove.certificate import file_hash, machine_hash
from dfst.teachers.find import gallery, named_task
from dfst.teachers.task import Task
from dfst.teachers.task_file import gallery_folder

RESULTS = "results.json"
"""In the gallery's folder; made by experiments/gallery.py, with a manifest in every row."""


def certificate_path(task: str) -> Path:
    """The file in the gallery's folder with the proof that ``task`` was learned.

    >>> certificate_path("reverse").name
    'reverse.certificate.json.gz'
    """
    return gallery_folder() / f"{task}.certificate.json.gz"


def gallery_rows() -> list[dict[str, Any]]:
    """A row per task: its states, the traces it is learned from, seconds to train and prove, and what is proven.

    ``certified``: the certificate of a learned machine comes with dfst, and its teacher is the task's machine.
    ``teacher_never_stuck``: it shows, too, that this machine has a rule for everything it meets (None: no certificate).
    """
    measured = {row["name"]: row for row in json.loads(read_text(gallery_folder() / RESULTS))["rows"]}
    rows = []
    for name in gallery():
        task, result = named_task(name), measured.get(name, {})
        seconds = result.get("train_seconds", 0) + result.get("certify_seconds", 0)
        certified = _certified(task, result)
        rows.append(
            {
                "name": name,
                "states": len(task.machine.states),
                "traces": task.sampling.n,
                "seconds": round(seconds, 1) if result else None,
                "certified": certified,
                "teacher_never_stuck": result["teacher_never_stuck"] if certified else None,
                "about": " ".join(task.machine.about.split()).partition(". ")[0],
            }
        )
    return rows


def _certified(task: Task, result: dict[str, Any]) -> bool:
    """Whether the certificate that was measured is there, and about this very machine."""
    path = certificate_path(task.name)
    measured = result.get("teacher_sha256"), result.get("certificate_sha256")
    return path.is_file() and measured == (machine_hash(task.machine), file_hash(path))
