"""Recipes: everything about a training run but the data, the model and the seed, as named frozen records."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal, get_type_hints

from dfst.errors import InputError
from dfst.records import of_kind
from dfst.teachers.find import is_own_name, named_task
from dfst.teachers.task import Task


@dataclass(frozen=True)
class Recipe:
    """How to train. Every field is a key of the config file of ``dfst train``.

    - ``iterations``: Adam steps
    - ``learning_rate``: at the start; it decays to zero along a cosine, without warm-up
    - ``batch``: traces per step, drawn uniformly with replacement
    - ``clip``: the gradient's norm is scaled down to this (``inf``: never)
    - ``growth``: during this share of the run the visible prefix of every trace grows geometrically to its length
    - ``first_visible``: the steps visible at the start of that
    - ``on_nonfinite``: a gradient that is not finite changes nothing; then "skip" goes on, "stop" ends the run;
      a thousand of them in a row end it as well
    """

    name: str
    iterations: int
    learning_rate: float
    batch: int = 32
    clip: float = math.inf
    growth: float = 0.0
    first_visible: int = 16
    on_nonfinite: Literal["skip", "stop"] = "skip"

    def __post_init__(self) -> None:
        for name, kind in get_type_hints(Recipe).items():
            value = of_kind(name, getattr(self, name), kind, where="", error=InputError)
            object.__setattr__(self, name, value)
            if name in RECIPE_FIELDS:
                check_field(name, value)

    def changed(self, **given: Any) -> Recipe:
        """This recipe with the fields that are given (not None) replaced.

        >>> recipe("fast", "add2").changed(iterations=100, clip=None).iterations
        100
        """
        for name in given:
            if name not in ("name", *RECIPE_FIELDS):
                do = f"The fields are {', '.join(sorted(('name', *RECIPE_FIELDS)))}."
                raise InputError(f"{name!r} is not a field of a recipe", do=do)
        return replace(self, **{name: value for name, value in given.items() if value is not None})


_RANGES: dict[str, tuple[Callable[[Any], bool], str]] = {
    "iterations": (lambda value: 1 <= value <= 10**9, "Use 1 to 10^9."),
    "learning_rate": (lambda value: 0 < value <= 1, "Use a number above 0 and up to 1, such as 0.001."),
    "batch": (lambda value: 1 <= value <= 2**20, "Use 1 to 1048576."),
    "clip": (lambda value: value > 0, "Use a positive number, or inf."),
    "growth": (lambda value: 0 <= value <= 1, "Use a share from 0 to 1."),
    "first_visible": (lambda value: 1 <= value <= 10**9, "Use 1 to 10^9."),
    "on_nonfinite": (lambda value: value in ("skip", "stop"), "Use skip or stop."),
}
RECIPE_FIELDS = tuple(_RANGES)
"""Everything in a recipe but its name."""


def check_field(name: str, value: Any) -> None:
    """Refuse a value that the field ``name`` of a recipe cannot have."""
    right, do = _RANGES[name]
    if not right(value):
        raise InputError(f"{value!r} cannot be used", where=name, do=do)


RECIPES = {
    "paper": Recipe("paper", 500_000, 0.001, on_nonfinite="stop"),
    "fast": Recipe("fast", 60_000, 0.002, clip=1.0),
    "quick": Recipe("quick", 60_000, 0.002, batch=8, clip=1.0),
    "lasting": Recipe("lasting", 300_000, 0.002, batch=16, clip=1.0),
}
"""What they are where a task says nothing else.

- paper: the paper's, to the letter: Adam, cosine, no warm-up, batches of 32, its learning rates and lengths. Plain Adam
  makes the first updates of A coherent, so that its spectral radius grows to about 1 + d · learning rate; over a trace
  of 420 steps the square of the gradient then overflows float32 for d = 108, which would freeze Adam, so the run stops
  and says so.
- fast: ours, for minutes on a CPU: gradients clipped at norm 1, which keeps it from exploding, and a shorter cosine.
- quick: for ``dfst learn``: the fewest seconds to a proof, not the least loss. A proof comes after about as many
  iterations as with 32 traces in each, and an iteration takes a fifth of the time (d = 32) or a third (d = 108).
- lasting: fast, then fewer dimensions and steady walks (:mod:`dfst.until_proven.lasting`). These are the numbers of a
  polish; a refit after dimensions were taken away is shorter, and otherwise the same.
"""


def recipe(name: str, task: Task | str = "") -> Recipe:
    """The recipe called ``name``, with the numbers that ``task``, if it is one of ours, has for it.

    >>> recipe("paper", "add2").learning_rate, recipe("paper", "mult10").iterations
    (0.01, 3000000)
    """
    if name not in RECIPES:
        raise InputError(f"there is no recipe {name!r}", do=f"Choose {', '.join(RECIPES)}.")
    if isinstance(task, str):
        task_numbers = named_task(task).recipes if is_own_name(task) and ":" not in task else {}
    else:
        task_numbers = task.recipes
    return replace(RECIPES[name], **task_numbers.get(name, {}))
