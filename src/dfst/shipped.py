"""What comes with the package: the models of the paper's tasks, the gallery with its proofs, and a table of all."""

from __future__ import annotations

import json
import shlex
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from dfst.errors import InputError
from dfst.files import read_text
from dfst.prove.certificate import file_hash, machine_hash
from dfst.teachers.arithmetic import PAPER_LENGTHS
from dfst.teachers.find import gallery, named_task
from dfst.teachers.task_file import gallery_folder
from dfst.training.size import parameter_count

FOLDER = Path(__file__).parent / "models"
_FILES = (
    *("raw.safetensors", "lasting.safetensors", "rounded.safetensors", "one_hot.safetensors"),
    *("machine.dfst", "certificate.json", "README.md"),
)


@dataclass(frozen=True)
class ShippedModel:
    """The files of one task; ``card`` says how they were made and how far the raw model gets by itself.

    ``lasting`` is the float model of the recipe of that name, with few dimensions; ``rounded`` is a network that is
    proven itself, with its hidden state rounded, where there is one.
    """

    task: str
    raw: Path
    lasting: Path
    rounded: Path
    one_hot: Path
    machine: Path
    certificate: Path
    card: Path


def shipped_models() -> list[ShippedModel]:
    """Every model that comes with the package."""
    folders = sorted(folder for folder in FOLDER.iterdir() if folder.is_dir()) if FOLDER.is_dir() else []
    return [ShippedModel(folder.name, *(folder / name for name in _FILES)) for folder in folders]


def shipped_model(task: str) -> ShippedModel:
    """The model of ``task``."""
    models = {model.task: model for model in shipped_models()}
    if task not in models:
        raise InputError(f"no model of {task!r} comes with dfst", do=f"There are {', '.join(models) or 'none'}.")
    return models[task]


RESULTS = "results.json"
"""In the gallery's folder; made by experiments/gallery.py, with a manifest in every row."""


def certificate_path(task: str) -> Path:
    """The file in the gallery's folder with the proof that ``task`` was learned."""
    return gallery_folder() / f"{task}.certificate.json.gz"


def weights_of(task: str) -> dict[str, Path]:
    """The float models of ``task`` that come with dfst, by their kind: beside its machine, or in the gallery.

    From ``raw``, the network as trained, extraction gives the proven machine; ``rounded`` is itself proven.
    """
    folder, prefix = (FOLDER / task, "") if (FOLDER / task).is_dir() else (gallery_folder(), f"{task}.")
    paths = {kind: folder / f"{prefix}{kind}.safetensors" for kind in ("raw", "lasting", "rounded")}
    return {kind: path for kind, path in paths.items() if path.exists()}


def certificate_of(task: str) -> Path | None:
    """The proof that ``task`` was learned, if it comes with dfst."""
    paths = (FOLDER / task / "certificate.json", certificate_path(task))
    return next((path for path in paths if path.is_file()), None)


def certified_tasks() -> list[str]:
    """The tasks of the gallery with which the certificate of a learned machine comes, about their very teacher."""
    results, certified = _results(), []
    for name in gallery():
        path, row = certificate_path(name), results.get(name, {})
        measured = row.get("teacher_sha256"), row.get("certificate_sha256")
        if path.is_file() and measured == (machine_hash(named_task(name).machine), file_hash(path)):
            certified.append(name)
    return certified


def _results() -> dict[str, dict[str, Any]]:
    return {row["name"]: row for row in json.loads(read_text(gallery_folder() / RESULTS))["rows"]}


EXAMPLES = {
    **{"add2": ("1011", "110"), "add10": ("58", "67"), "mult2": ("101", "11"), "mult10": ("12", "34")},
    **{"binary-to-decimal": ("iioi",), "binary-to-unary": ("110",), "brackets": ("(())()",), "collatz": ("111",)},
    **{"compare": ("101", "110"), "copy": ("abca",), "decimal-to-binary": ("13",), "divide": ("|||||||", "||")},
    **{"double": ("758",), "gcd": ("||||||", "||||"), "halve": ("758",), "increment": ("1299",)},
    **{"meander": ("||||||||",), "palindrome": ("01010",), "reverse": ("abcb",), "rule110": ("10011",)},
    **{"sort-bits": ("110100",), "subtract": ("1010", "11"), "unary-to-binary": ("||||||",)},
}
"""A problem for each task that shows what it does and is short enough to watch."""


@dataclass(frozen=True)
class Offer:
    """A task that comes with dfst, and what was learned of it.

    ``certified``: the certificate of a learned machine comes with it; ``models`` lists its float weights.
    ``may_get_stuck``: no proof excludes that the teacher meets a symbol for which it has no rule. (That the paper's
    tasks halt is proven in Rocq.)
    """

    name: str
    about: str
    states: int
    hidden_dim: int
    parameters: int
    traces: int
    certified: bool
    models: list[str]
    may_get_stuck: bool

    @property
    def example(self) -> str:
        """A command to try."""
        return shlex.join(["dfst", "solve", self.name, *EXAMPLES[self.name]])

    def to_json(self) -> dict[str, Any]:
        """For a program."""
        return asdict(self) | {"try": self.example}


def catalogue() -> list[Offer]:
    """Every task that comes with dfst."""
    results, found = _results(), []
    certified = {*certified_tasks(), *(model.task for model in shipped_models() if model.certificate.is_file())}
    for name in (*PAPER_LENGTHS, *gallery()):
        task = named_task(name)
        found.append(
            Offer(
                name=name,
                about=" ".join(task.machine.about.replace("*", "").split()).partition(". ")[0],
                states=len(task.machine.states),
                hidden_dim=task.hidden_dim,
                parameters=parameter_count(len(task.machine.alphabet), task.hidden_dim),
                traces=task.sampling.n,
                certified=name in certified,
                models=[*weights_of(name)],
                may_get_stuck=name in results and not results[name]["teacher_never_stuck"],
            )
        )
    return found
