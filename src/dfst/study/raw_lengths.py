"""How long raw float models last: rows of results/raw_lengths.json, and a choice among them without a teacher."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any, NamedTuple

Row = dict[str, Any]

CANDIDATES = 10
"""One is chosen among so many seeds, the first ones."""


class Spread(NamedTuple):
    """RLG over the seeds of one task and recipe: how many, the best, the median; and as far as it was measured."""

    seeds: int
    best: int
    median: float
    to: int


def final(rows: Iterable[Row]) -> list[Row]:
    """The models that runs on the paper's data ended with; stages on the way are left out."""
    return [row for row in rows if row["kept"] and row["data_seed"] == 42]


def chosen(rows: Sequence[Row]) -> Row:
    """The model that agrees longest with its own machine; of several, that of the smallest loss.

    >>> chosen([{"agrees": 17, "loss": 1e-9}, {"agrees": 99, "loss": 1e-8}, {"agrees": 99, "loss": 1e-9}])
    {'agrees': 99, 'loss': 1e-09}
    """
    return max(rows, key=lambda row: (row["agrees"], -row["loss"]))


def chosen_alone(rows: Iterable[Row]) -> dict[str, Row]:
    """For every task, the model of the recipe lasting that is chosen, without a teacher, among its first seeds."""
    tasks: dict[str, list[Row]] = {}
    for row in final(rows):
        if row["recipe"] == "lasting" and row["seed"] < CANDIDATES:
            tasks.setdefault(row["task"], []).append(row)
    return {task: chosen(candidates) for task, candidates in tasks.items()}


def spreads(rows: Iterable[Row]) -> dict[tuple[str, str], Spread]:
    """By (task, recipe): how RLG spreads over the seeds.

    >>> row = {"task": "add2", "recipe": "paper", "kept": True, "data_seed": 42, "measured_to": 3850}
    >>> spreads([row | {"rlg": 4}, row | {"rlg": 173}, row | {"rlg": 6}])
    {('add2', 'paper'): Spread(seeds=3, best=173, median=6, to=3850)}
    """
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in final(rows):
        groups.setdefault((row["task"], row["recipe"]), []).append(row)
    spread = {key: [row["rlg"] for row in group] for key, group in groups.items()}
    return {
        key: Spread(len(lengths), max(lengths), median(lengths), groups[key][0]["measured_to"])
        for key, lengths in spread.items()
    }
