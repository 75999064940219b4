"""A sweep on paper: a TOML file that says which training runs are wanted, read with a sentence for every mistake.

In its table [trial] every key is an option of dfst train, and lists multiply.
"""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints

from dfst.errors import InputError, quoted
from dfst.files import read_toml
from dfst.records import check_keys, of_kind
from dfst.runs.options import OPTION_KINDS, parse_seeds
from dfst.teachers.find import find_task
from dfst.training.fit import EngineName
from dfst.training.recipes import RECIPE_FIELDS

MAX_TRIALS = 1_000_000

_TRIAL_KEYS = ("task", "seed", "recipe", "data_seed", "n", "digits", "hidden_dim", *RECIPE_FIELDS)
_OPTIONS = ("certify", "rlg_to", "time_limit", "retries", "threads", "engine")
_LIMITS = {"rlg_to": (0, 10**6), "retries": (0, 1000), "threads": (1, 10**4), "time_limit": (0.001, 10**9)}

_check = partial(check_keys, what="an option of a sweep", error=InputError)
_of_kind = partial(of_kind, error=InputError)


class Shard(NamedTuple):
    """Part ``number`` of ``total``, as a job of a queue: every ``total``-th trial, as neighbours cost alike."""

    number: int
    total: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """From a text such as 3/16."""
        match = re.fullmatch(r"([0-9]{1,5})/([0-9]{1,5})", text)
        shard = cls(int(match[1]), int(match[2])) if match else cls(0, 0)
        do = "Write 3/16 for the third of 16; the first is 1/16."
        _need(1 <= shard.number <= shard.total <= 10_000, f"{quoted(text)} is not a part of a sweep", "--shard", do)
        return shard


@dataclass(frozen=True)
class Sweep:
    """Which runs are wanted: all combinations of the values in ``grid``; and what is asked of each.

    ``time_limit`` is in seconds; a trial that was lost or failed gets ``retries``.
    """

    grid: dict[str, tuple[Any, ...]]
    certify: bool = True
    rlg_to: int = 0
    time_limit: float | None = None
    retries: int = 2
    threads: int = 1
    engine: EngineName = "fused"
    source: str = field(default="sweep", compare=False)

    def points(self) -> list[dict[str, Any]]:
        """All combinations of the grid."""
        return [dict(zip(self.grid, values, strict=True)) for values in itertools.product(*self.grid.values())]


def load_sweep(path: str | Path) -> Sweep:
    """The sweep in a TOML file."""
    return parse_sweep(read_toml(path), source=str(path))


def parse_sweep(values: dict[str, Any], *, source: str = "sweep") -> Sweep:
    """The sweep that the values of a TOML file describe."""
    kinds = get_type_hints(Sweep) | {"trial": dict, "time_limit": float}
    _check(values, (*_OPTIONS, "trial"), where=source)
    values = {name: _of_kind(name, value, kinds[name], where=source) for name, value in values.items()}
    do = 'Write, for instance: [trial], and below it task = ["add2", "increment"] and seed = "0:8".'
    _need("trial" in values, "it has no table [trial], so there is nothing to run", source, do)
    for name in _LIMITS.keys() & values.keys():
        least, most = _LIMITS[name]
        what = f"{name} = {values[name]:g} cannot be used"
        _need(least <= values[name] <= most, what, source, f"Write {least} to {most}.")
    return Sweep(_grid(values["trial"], source), source=source, **{k: v for k, v in values.items() if k in _OPTIONS})


def _need(right: bool, what: str, where: str, do: str) -> None:
    if not right:
        raise InputError(what, where=where, do=do)


def _grid(table: dict[str, Any], source: str) -> dict[str, tuple[Any, ...]]:
    _check(table, _TRIAL_KEYS, where=f"{source}: [trial]")
    _need("task" in table, "[trial] names no task", source, 'Write, for instance: task = "add2".')
    grid: dict[str, tuple[Any, ...]] = {"task": (), "seed": (42,)}
    for name, value in table.items():
        _need(value != [], f"{name} is an empty list", source, "Give at least one value.")
        several = value
        if name == "seed" and isinstance(value, str):
            several = parse_seeds(value, where=f"{source}: seed", most=MAX_TRIALS)
        grid[name] = _values(name, several if isinstance(several, list) else [several], source)
    for task in grid["task"]:
        try:
            find_task(task)
        except InputError as error:
            raise InputError(error.what, where=f"{source}: task", do=error.do) from None
    many = math.prod(map(len, grid.values()))
    _need(many <= MAX_TRIALS, f"these are more than {MAX_TRIALS} trials", source, "Ask for fewer at a time.")
    return grid


def _values(name: str, several: Any, source: str) -> tuple[Any, ...]:
    """The values that an option takes, each once."""
    values = tuple(_of_kind(name, one, OPTION_KINDS[name], where=source) for one in several)
    _need(len(set(values)) == len(values), f"{name} names a value twice", source, "Name each once.")
    return values
