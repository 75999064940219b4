"""What comes with dfst, as a table: the paper's tasks and the gallery, what was learned of them, and a line to try."""

from __future__ import annotations

import shlex
from typing import Any

from dfst.study.gallery import certified_tasks
from dfst.study.shipped import shipped_models
from dfst.teachers.arithmetic import arithmetic_task
from dfst.teachers.find import named_task
from dfst.teachers.lessons import PAPER_TASKS
from dfst.teachers.sampler import problems
from dfst.teachers.task import Task
from dfst.training.model import parameter_count

_FLOATS = ("raw", "lasting", "practised")
_EXAMPLES = {"add2": ("1011", "110"), "add10": ("58", "67"), "mult2": ("101", "11"), "mult10": ("58", "67")}
_LONGEST = 8


def catalogue() -> list[dict[str, Any]]:
    """A row per task; ``certified``: a certificate of a learned machine comes with dfst, ``models``: float weights.

    >>> row = catalogue()[0]
    >>> row["name"], row["states"], row["parameters"], row["certified"], row["try"]
    ('add2', 11, 1020, True, 'dfst solve add2 1011 110')
    """
    shipped = {model.task: model for model in shipped_models()}
    rows = []
    for name in PAPER_TASKS:
        model = shipped.get(name)
        floats = [] if model is None else [each for each in _FLOATS if getattr(model, each).exists()]
        certified = model is not None and model.certificate.is_file()
        rows.append(_row(arithmetic_task(name), _EXAMPLES[name], certified, floats))
    gallery = certified_tasks().items()
    return rows + [_row(task := named_task(name), _example(task), proven, []) for name, proven in gallery]


def _row(task: Task, example: tuple[str, ...], certified: bool, floats: list[str]) -> dict[str, Any]:
    return {
        "name": task.name,
        "states": len(task.machine.states),
        "hidden_dim": task.hidden_dim,
        "parameters": parameter_count(len(task.machine.alphabet), task.hidden_dim),
        "traces": task.sampling.n,
        "certified": certified,
        "models": floats,
        "about": " ".join(task.machine.about.split()).partition(". ")[0],
        "try": shlex.join(["dfst", "solve", task.name, *example]),
    }


def _example(task: Task) -> tuple[str, ...]:
    """The longest problem of its sampling that is short enough for one line, the last one of those."""
    short = [
        problem for problem in problems(task.machine, task.sampling, seed=42) if max(map(len, problem)) <= _LONGEST
    ]
    return max(reversed(short), key=lambda problem: len(set("".join(problem))) * 10 + sum(map(len, problem)))
