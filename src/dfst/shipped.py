"""What comes with the package: the models of the paper's tasks, the gallery with its proofs, and a table of all."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dfst.errors import InputError
from dfst.files import read_text
from dfst.prove.certificate import file_hash, machine_hash
from dfst.teachers.arithmetic import PAPER_LENGTHS, arithmetic_task
from dfst.teachers.find import gallery, named_task
from dfst.teachers.task import Task
from dfst.teachers.task_file import gallery_folder
from dfst.training.model import parameter_count

FOLDER = Path(__file__).parent / "models"


@dataclass(frozen=True)
class ShippedModel:
    """The files of one task; ``card`` says how they were made and how far the raw model gets by itself.

    ``lasting`` is the float model of the recipe of that name, with few dimensions.
    """

    task: str
    raw: Path
    lasting: Path
    one_hot: Path
    machine: Path
    certificate: Path
    card: Path


def shipped_models() -> list[ShippedModel]:
    """Every model that comes with the package.

    >>> [model.task for model in shipped_models()]
    ['add10', 'add2', 'mult10', 'mult2']
    """
    return [_in(folder) for folder in sorted(FOLDER.iterdir()) if folder.is_dir()] if FOLDER.is_dir() else []


def shipped_model(task: str) -> ShippedModel:
    """The model of ``task``.

    >>> shipped_model("add10").certificate.name
    'certificate.json'
    """
    for model in shipped_models():
        if model.task == task:
            return model
    names = ", ".join(model.task for model in shipped_models()) or "none"
    raise InputError(f"no model of {task!r} comes with dfst", do=f"There are {names}.")


def _in(folder: Path) -> ShippedModel:
    names = (
        "raw.safetensors",
        "lasting.safetensors",
        "one_hot.safetensors",
        "machine.dfst",
        "certificate.json",
        "README.md",
    )
    return ShippedModel(folder.name, *(folder / name for name in names))


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


_FLOATS = ("raw", "lasting")
EXAMPLES = {
    "add2": ("1011", "110"),
    "add10": ("58", "67"),
    "mult2": ("101", "11"),
    "mult10": ("12", "34"),
    "binary-to-decimal": ("iioi",),
    "binary-to-unary": ("110",),
    "brackets": ("(())()",),
    "collatz": ("111",),
    "compare": ("101", "110"),
    "copy": ("abca",),
    "decimal-to-binary": ("13",),
    "divide": ("|||||||", "||"),
    "double": ("758",),
    "gcd": ("||||||", "||||"),
    "halve": ("758",),
    "increment": ("1299",),
    "meander": ("||||||||",),
    "palindrome": ("01010",),
    "reverse": ("abcb",),
    "rule110": ("10011",),
    "sort-bits": ("110100",),
    "subtract": ("1010", "11"),
    "unary-to-binary": ("||||||",),
}
"""A problem for each task that shows what it does and is short enough to watch."""


def catalogue() -> list[dict[str, Any]]:
    """A row per task; ``certified``: a certificate of a learned machine comes with dfst, ``models``: float weights.

    ``may_get_stuck``: no proof excludes that the teacher meets a symbol for which it has no rule. (That the paper's
    tasks halt is proven in Rocq.)

    >>> row = catalogue()[0]
    >>> row["name"], row["about"], row["parameters"], row["certified"], row["try"]
    ('add2', 'Adds two numbers, digit by digit', 1020, True, 'dfst solve add2 1011 110')
    """
    shipped = {model.task: model for model in shipped_models()}
    rows = []
    for name in PAPER_LENGTHS:
        model = shipped.get(name)
        floats = [] if model is None else [each for each in _FLOATS if getattr(model, each).exists()]
        certified = model is not None and model.certificate.is_file()
        rows.append(_row(arithmetic_task(name), certified, floats))
    for name, certified in certified_tasks().items():
        rows.append(_row(named_task(name), certified, ["raw"] if network_path(name).is_file() else []))
    stuck = may_get_stuck()
    return [row | {"may_get_stuck": row["name"] in stuck} for row in rows]


def _row(task: Task, certified: bool, floats: list[str]) -> dict[str, Any]:
    return {
        "name": task.name,
        "about": " ".join(task.machine.about.replace("*", "").split()).partition(". ")[0],
        "states": len(task.machine.states),
        "hidden_dim": task.hidden_dim,
        "parameters": parameter_count(len(task.machine.alphabet), task.hidden_dim),
        "traces": task.sampling.n,
        "certified": certified,
        "models": floats,
        "try": shlex.join(["dfst", "solve", task.name, *EXAMPLES[task.name]]),
    }
