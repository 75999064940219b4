"""A sweep on paper: a TOML file that says which runs are wanted, read with a sentence for every mistake.

    certify = true            # extract a machine from every run and prove it, or refute it
    time_limit = 600          # seconds for one trial

    [trial]                   # every key is an option of dfst train; lists multiply
    task = ["add2", "increment"]
    seed = "0:8"
    learning_rate = [0.001, 0.002]

With a table [search], Optuna chooses values instead; see :mod:`dfst.sweep.search`.
"""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_type_hints

from dfst.errors import InputError
from dfst.files import read_toml
from dfst.records import check_keys, of_kind
from dfst.runs.run_options import OPTIONS, RECIPE_FIELDS, option_kind
from dfst.teachers.find import find_task
from dfst.training.fit import EngineName

MAX_TRIALS = 1_000_000

_TRIAL_KEYS = ("task", "seed", *(name for name in OPTIONS if name not in ("threads", "engine")))
_OPTIONS = ("certify", "rlg_to", "time_limit", "memory_limit", "retries", "threads", "engine")
_OPTION = "an option of a sweep"
_SEARCHED = tuple(name for name in ("n", "digits", "hidden_dim", *RECIPE_FIELDS))
GOALS = ("loss", "exact", "rlg", "seconds")


@dataclass(frozen=True)
class Range:
    """What Optuna may choose one value from: the ``choices``, or anything from ``low`` to ``high``."""

    low: float = 0.0
    high: float = 0.0
    log: bool = False
    choices: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Search:
    """A search: ``points`` values to try, judged by the mean of ``goal`` over the grid of trials."""

    points: int
    goal: str
    ranges: dict[str, Range]
    seed: int = 42


@dataclass(frozen=True)
class Sweep:
    """Which runs are wanted, and what each may take.

    - ``grid``: for every option the values it takes; trials are all combinations
    - ``certify``: extract a machine from every run and prove it; ``rlg_to``: measure the raw model up to that length
    - ``time_limit`` (seconds) and ``memory_limit`` (MB, 2²⁰ bytes) for one trial; None: no limit
    - ``retries``: how often a trial that lost its worker is tried again
    - ``threads``: threads of one trial
    """

    grid: dict[str, tuple[Any, ...]]
    certify: bool = True
    rlg_to: int = 0
    time_limit: float | None = None
    memory_limit: float | None = None
    retries: int = 2
    threads: int = 1
    engine: EngineName = "fused"
    search: Search | None = None
    source: str = field(default="sweep", compare=False)

    def points(self) -> list[dict[str, Any]]:
        """All combinations of the grid.

        >>> Sweep({"task": ("add2",), "seed": (0, 1), "n": (10, 20)}).points()[1]
        {'task': 'add2', 'seed': 0, 'n': 20}
        """
        return [dict(zip(self.grid, values, strict=True)) for values in itertools.product(*self.grid.values())]


def load_sweep(path: str | Path) -> Sweep:
    """The sweep in a TOML file."""
    return parse_sweep(read_toml(path), source=str(path))


def parse_sweep(values: dict[str, Any], *, source: str = "sweep") -> Sweep:
    """The sweep that the values of a TOML file describe.

    >>> parse_sweep({"trial": {"task": "add2", "seed": "0:3"}}).grid
    {'task': ('add2',), 'seed': (0, 1, 2)}
    """
    kinds = get_type_hints(Sweep) | {"trial": dict, "search": dict}
    kinds |= dict.fromkeys(("time_limit", "memory_limit"), float)
    check_keys(values, (*_OPTIONS, "trial", "search"), where=source, what=_OPTION, error=InputError)
    values = {name: of_kind(name, value, kinds[name], where=source, error=InputError) for name, value in values.items()}
    if "trial" not in values:
        do = 'Write, for instance: [trial], and below it task = ["add2", "increment"] and seed = "0:8".'
        raise InputError("it has no table [trial], so there is nothing to run", where=source, do=do)
    limits = {"rlg_to": (0, 10**6), "retries": (0, 1000), "threads": (1, 10**4)}
    limits |= {"time_limit": (0.001, 10**9), "memory_limit": (1, 10**9)}
    for name, (least, most) in limits.items():
        if name in values and not least <= values[name] <= most:
            what = f"{name} = {values[name]:g} cannot be used"
            raise InputError(what, where=source, do=f"Write {least} to {most}.")
    options = {name: value for name, value in values.items() if name in _OPTIONS}
    grid = _grid(values["trial"], source)
    search = _search(values["search"], grid, options, source) if "search" in values else None
    return Sweep(grid, **options, search=search, source=source)


def _grid(table: dict[str, Any], source: str) -> dict[str, tuple[Any, ...]]:
    check_keys(table, _TRIAL_KEYS, where=f"{source}: [trial]", what=_OPTION, error=InputError)
    if "task" not in table:
        raise InputError("[trial] names no task", where=source, do='Write, for instance: task = "add2".')
    grid: dict[str, tuple[Any, ...]] = {"task": (), "seed": (42,)}
    for name, value in table.items():
        if name == "seed" and isinstance(value, str):
            grid[name] = _seeds(value, source)
            continue
        several = value if isinstance(value, list) else [value]
        if not several:
            raise InputError(f"{name} is an empty list", where=source, do="Give at least one value.")
        grid[name] = _values(name, several, source)
    for task in grid["task"]:
        try:
            find_task(task)
        except InputError as error:
            raise InputError(error.what, where=f"{source}: task", do=error.do) from None
    if math.prod(map(len, grid.values())) > MAX_TRIALS:
        raise InputError(f"these are more than {MAX_TRIALS} trials", where=source, do="Ask for fewer at a time.")
    return grid


def _search(table: dict[str, Any], grid: dict[str, Any], options: dict[str, Any], source: str) -> Search:
    known = ("points", "goal", "seed", *_SEARCHED)
    check_keys(table, known, where=f"{source}: [search]", what=_OPTION, error=InputError)
    points, seed = (
        of_kind(name, table.get(name, 42 * (name == "seed")), int, where=source, error=InputError)
        for name in ("points", "seed")
    )
    goal = table.get("goal", "loss")
    if not 1 <= points <= MAX_TRIALS:
        raise InputError("[search] does not say how many points to try", where=source, do="Write, such as: points = 30")
    if goal not in GOALS:
        raise InputError(f"[search] has no goal {goal!r}", where=source, do=f"Use {', '.join(GOALS)}.")
    needs = {"exact": ("certify", options.get("certify", True)), "rlg": ("rlg_to", options.get("rlg_to", 0))}
    if goal in needs and not needs[goal][1]:
        raise InputError(f"the goal {goal} needs {needs[goal][0]}", where=source, do=f"Set {needs[goal][0]} as well.")
    count = points * math.prod(map(len, grid.values()))
    if count > MAX_TRIALS:
        raise InputError(f"these are more than {MAX_TRIALS} trials", where=source, do="Ask for fewer at a time.")
    ranges = {name: _range(name, table[name], source) for name in _SEARCHED if name in table}
    if not ranges:
        do = "Write, for instance: learning_rate = { from = 0.0005, to = 0.01, log = true }"
        raise InputError("[search] has nothing to search over", where=source, do=do)
    for name in ranges:
        if name in grid:
            raise InputError(f"{name} is both in [trial] and in [search]", where=source, do="Leave one out.")
    return Search(points, goal, ranges, seed)


def _range(name: str, value: Any, source: str) -> Range:
    where = f"{source}: {name}"
    if isinstance(value, list) and value:
        return Range(choices=_values(name, value, source))
    do = "Write { from = 1, to = 9 } (and log = true, if sizes matter), or a list of choices."
    if not isinstance(value, dict) or not {"from", "to"} <= set(value) <= {"from", "to", "log"}:
        raise InputError("this is no range to search", where=where, do=do)
    if option_kind(name) is str:
        raise InputError("texts have no range", where=where, do="Write a list of choices.")
    low, high = (
        float(of_kind(name, value[key], option_kind(name), where=source, error=InputError)) for key in ("from", "to")
    )
    log = value.get("log", False)
    if type(log) is not bool or not low < high < float("inf") or (log and low <= 0):
        raise InputError("this is no range to search", where=where, do=do)
    return Range(low, high, log)


def _values(name: str, several: list[Any], source: str) -> tuple[Any, ...]:
    """The values that an option takes, each once."""
    values = tuple(of_kind(name, one, option_kind(name), where=source, error=InputError) for one in several)
    if len(set(values)) < len(values):
        raise InputError(f"{name} names a value twice", where=source, do="Name each once.")
    return values


def _seeds(text: str, source: str) -> tuple[int, ...]:
    """0:8 is 0 to 7."""
    match = re.fullmatch(r"([0-9]{1,9}):([0-9]{1,9})", text)
    numbers = tuple(range(int(match[1]), min(int(match[2]), int(match[1]) + MAX_TRIALS + 1))) if match else ()
    if not numbers:
        raise InputError(f"seed = {text[:40]!r} names no seeds", where=source, do='Write "0:8" for 0 to 7, or a list.')
    return numbers
