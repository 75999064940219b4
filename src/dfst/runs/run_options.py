"""From what a user asks for to everything that decides a run: the options of ``dfst train`` with the rest filled in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from dfst.errors import InputError
from dfst.runs.run_config import RunConfig
from dfst.teachers.find import is_own_name, named_task
from dfst.teachers.sampling import Sampling, check_sampling
from dfst.teachers.task import Task
from dfst.traces.traces import Traces
from dfst.training.fit import ENGINES
from dfst.training.model import check_size
from dfst.training.recipes import Recipe
from dfst.training.recipes import recipe as named_recipe

_UNKNOWN_DIM = 32
"""Hidden dimensions for traces of which nobody knows how many states made them."""

RECIPE_FIELDS = tuple(field.name for field in fields(Recipe) if field.name != "name")

OPTIONS = {
    "recipe": "fast",
    "data_seed": 42,
    "n": None,
    "digits": None,
    "hidden_dim": None,
    "engine": "fused",
    "threads": None,
    **dict.fromkeys(RECIPE_FIELDS),
}
"""What may be asked for, and what is meant by silence (None: the task's or the recipe's own)."""


def run_config(subject: Task | Traces, seed: int, options: dict[str, Any], runs: int = 1) -> RunConfig:
    """Everything that decides a run on a task, or on traces alone, with the defaults filled in.

    Traces that name a task of ours have its hidden dimension and its settings, others 32 dimensions. With several
    ``runs`` side by side, each has one thread.

    >>> import dfst
    >>> config = run_config(dfst.task("add2"), 7, OPTIONS | {"iterations": 100}, 2)
    >>> config.seed, config.recipe.iterations, config.recipe.learning_rate, config.sampling.n, config.threads
    (7, 100, 0.002, 20, 1)
    """
    from dfst.training.fused import check_threads  # numba

    if isinstance(subject, Traces):
        name, alphabet, task, sampling = subject.task, subject.alphabet, _task_of(subject), Sampling(0, 0, len(subject))
    else:
        name, alphabet, task, sampling = subject.name, subject.machine.alphabet, subject, subject.sampling
    own = own_settings(subject) if options["recipe"] in ("fast", "quick") else {}
    asked = {field: own.get(field) if options[field] is None else options[field] for field in RECIPE_FIELDS}
    recipe = named_recipe(options["recipe"], name).changed(**asked)
    changes = {"n": options["n"], "q": options["digits"]}
    sampling = replace(sampling, **{field: value for field, value in changes.items() if value is not None})
    d = _UNKNOWN_DIM if task is None else task.hidden_dim
    d = d if options["hidden_dim"] is None else options["hidden_dim"]
    check_size(len(alphabet), d)
    if not isinstance(subject, Traces):
        check_sampling(sampling, subject.machine)
    if options["threads"] is not None:
        check_threads(options["threads"])
    threads = 1 if runs > 1 else options["threads"]
    engine = options["engine"]
    if engine not in ENGINES:
        raise InputError(f"there is no engine {engine!r}", where="--engine", do=f"Use {', '.join(ENGINES)}.")
    return RunConfig(name, recipe, sampling, d, seed, options["data_seed"], engine, threads or 0)


def own_settings(subject: Task | Traces) -> Mapping[str, Any]:
    """How its task says that it is trained, where that differs from the recipes ``fast`` and ``quick``."""
    task = _task_of(subject) if isinstance(subject, Traces) else subject
    return {} if task is None else task.training


def _task_of(traces: Traces) -> Task | None:
    """The task of ours that the traces name, if it has their symbols; else it is a namesake."""
    if not is_own_name(traces.task) or ":" in traces.task:
        return None
    task = named_task(traces.task)
    return task if task.machine.alphabet.symbols == traces.alphabet.symbols else None


def option_kind(name: str) -> type:
    """Of which kind an option's value is: a text, a fraction or a whole number.

    >>> option_kind("recipe"), option_kind("clip"), option_kind("seed")
    (<class 'str'>, <class 'float'>, <class 'int'>)
    """
    texts, fractions = ("task", "recipe", "engine", "on_nonfinite"), ("learning_rate", "clip", "growth")
    return str if name in texts else float if name in fractions else int
