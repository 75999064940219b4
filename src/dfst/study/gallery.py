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


def network_path(task: str) -> Path:
    """The file in the gallery's folder with the network, as trained, from which extraction gives the proven machine.

    It is beside the certificate, since it is one file for each task and has no other kinds.

    >>> network_path("reverse").name
    'reverse.raw.safetensors'
    """
    return gallery_folder() / f"{task}.raw.safetensors"


def certified_tasks() -> dict[str, bool]:
    """Of every task of the gallery, whether the certificate of a learned machine comes with it, about its very teacher.

    >>> certified_tasks()["reverse"]
    True
    """
    measured = _measured()
    return {name: _certified(named_task(name), measured.get(name, {})) for name in gallery()}


def may_get_stuck() -> set[str]:
    """The tasks of the gallery whose teacher may meet a symbol it has no rule for: nobody has proven that it does not.

    >>> sorted(may_get_stuck())
    ['binary-to-unary', 'decimal-to-binary', 'sort-bits', 'unary-to-binary']
    """
    return {name for name, row in _measured().items() if not row["teacher_never_stuck"]}


def _measured() -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in json.loads(read_text(gallery_folder() / RESULTS))["rows"]}


def _certified(task: Task, result: dict[str, Any]) -> bool:
    """Whether the certificate that was measured is there, and about this very machine."""
    path = certificate_path(task.name)
    measured = result.get("teacher_sha256"), result.get("certificate_sha256")
    return path.is_file() and measured == (machine_hash(task.machine), file_hash(path))
