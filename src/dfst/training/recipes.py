"""Recipes: everything about a training run but the data, the model and the seed, as named frozen records."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from typing import Any, Literal

from dfst.errors import InputError
from dfst.teachers.arithmetic import built_in_kind


@dataclass(frozen=True)
class Recipe:
    """How to train. Every field is a flag of ``dfst train`` and a key of its config file.

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
        wrong = {
            "iterations": not 1 <= self.iterations <= 10**9,
            "learning_rate": not 0 < self.learning_rate <= 1,
            "batch": not 1 <= self.batch <= 2**20,
            "clip": not self.clip > 0,
            "growth": not 0 <= self.growth <= 1,
            "first_visible": not 1 <= self.first_visible <= 10**9,
            "on_nonfinite": self.on_nonfinite not in ("skip", "stop"),
        }
        for name, is_wrong in wrong.items():
            if is_wrong:
                raise InputError(f"{getattr(self, name)!r} cannot be used", where=name, do=_RANGES[name])

    def changed(self, **given: Any) -> Recipe:
        """This recipe with the fields that are given (not None) replaced.

        >>> recipe("fast", "add2").changed(iterations=100, clip=None).iterations
        100
        """
        known = {field.name for field in fields(self)}
        for name in given:
            if name not in known:
                do = f"The fields are {', '.join(sorted(known))}."
                raise InputError(f"{name!r} is not a field of a recipe", do=do)
        return replace(self, **{name: value for name, value in given.items() if value is not None})


_RANGES = {
    "iterations": "Use 1 to 10^9.",
    "learning_rate": "Use a number above 0 and up to 1, such as 0.001.",
    "batch": "Use 1 to 1048576.",
    "clip": "Use a positive number, or inf.",
    "growth": "Use a share from 0 to 1.",
    "first_visible": "Use 1 to 10^9.",
    "on_nonfinite": "Use skip or stop.",
}


def paper(task: str) -> Recipe:
    """The paper's recipe, to the letter: Adam, cosine, no warm-up, batches of 32, its learning rates and lengths.

    Plain Adam makes the first updates of A coherent, so that its spectral radius grows to about 1 + d · learning rate;
    over a trace of 420 steps the square of the gradient then overflows float32 for d = 108, which would freeze Adam, so
    the run stops and says so.
    """
    iterations = 3_000_000 if built_in_kind(task) == "mult" else 500_000
    return Recipe("paper", iterations, 0.01 if task == "add2" else 0.001, on_nonfinite="stop")


def fast(task: str) -> Recipe:
    """Ours, for minutes on a CPU: gradients clipped at norm 1, a shorter cosine, a lower learning rate for addition.

    Clipping is what keeps it from exploding. Multiplication in larger radices also has the growing prefix; elsewhere it
    slows learning down (mult2: final loss 6e-5 with it, 3e-6 without).
    """
    if task == "mult2":
        return Recipe("fast", 40_000, 0.001, clip=1.0)
    if built_in_kind(task) == "mult":
        return Recipe("fast", 36_000, 0.001, clip=1.0, growth=0.3)
    return Recipe("fast", 60_000, 0.002, clip=1.0)


def quick(task: str) -> Recipe:
    """For ``dfst learn``: the fewest seconds to a proof, not the least loss. The fast recipe with batches of eight.

    A proof comes after about as many iterations as with 32 traces in each, and an iteration takes a fifth of the time
    (d = 32) or a third (d = 108). Where the prefix grows, the whole run is shorter: the proof comes when the learning
    rate has fallen, and a learning rate of 0.001 throughout was refuted twice (experiments/LOG.md).
    """
    slow = fast(task)
    return replace(
        slow, name="quick", batch=8, learning_rate=0.002, iterations=24_000 if slow.growth else slow.iterations
    )


def lasting(task: str) -> Recipe:
    """Raw models that last: the fast recipe, then fewer dimensions and steady walks (:mod:`dfst.until_proven.lasting`).

    These are the numbers of a polish; a refit after dimensions were taken away is shorter, and otherwise the same.
    """
    iterations = {"add2": 200_000, "mult2": 150_000}.get(task, 150_000 if built_in_kind(task) == "mult" else 300_000)
    return Recipe("lasting", iterations, 0.002, batch=16, clip=1.0)


RECIPES = {"paper": paper, "fast": fast, "quick": quick, "lasting": lasting}


def recipe(name: str, task: str = "") -> Recipe:
    """The recipe called ``name`` for ``task``.

    >>> recipe("paper", "add2").learning_rate, recipe("paper", "mult10").iterations
    (0.01, 3000000)
    """
    if name not in RECIPES:
        raise InputError(f"there is no recipe {name!r}", do=f"Choose {', '.join(RECIPES)}.")
    return RECIPES[name](task)
