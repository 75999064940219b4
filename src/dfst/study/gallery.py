"""The proofs of the gallery: for every task that comes with the package beside the paper's, that it was learned."""

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


def certified_tasks() -> dict[str, bool]:
    """Of every task of the gallery, whether the certificate of a learned machine comes with it, about its very teacher.

    >>> certified_tasks()["reverse"]
    True
    """
    measured = {row["name"]: row for row in json.loads(read_text(gallery_folder() / RESULTS))["rows"]}
    return {name: _certified(named_task(name), measured.get(name, {})) for name in gallery()}


def _certified(task: Task, result: dict[str, Any]) -> bool:
    """Whether the certificate that was measured is there, and about this very machine."""
    path = certificate_path(task.name)
    measured = result.get("teacher_sha256"), result.get("certificate_sha256")
    return path.is_file() and measured == (machine_hash(task.machine), file_hash(path))
