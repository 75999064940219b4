"""What comes with dfst, as a table: the paper's tasks and the gallery, what was learned of them, and a line to try."""

from __future__ import annotations

import shlex
from typing import Any

from dfst.study.gallery import certified_tasks, may_get_stuck, network_path
from dfst.study.shipped import shipped_models
from dfst.teachers.arithmetic import arithmetic_task
from dfst.teachers.find import named_task
from dfst.teachers.lessons import PAPER_TASKS
from dfst.teachers.task import Task
from dfst.training.model import parameter_count

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
    for name in PAPER_TASKS:
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
