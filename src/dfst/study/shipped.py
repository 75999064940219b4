"""The models that come with the package: raw weights of two kinds, their machine, and its proof."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dfst.errors import InputError

FOLDER = Path(__file__).parents[1] / "models"


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
