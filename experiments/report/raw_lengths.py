"""How long raw float models last: rows of results/raw_lengths.json, and a choice among them without a teacher."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean
from typing import Any, NamedTuple

Row = dict[str, Any]

CANDIDATES = 10
"""One is chosen among so many seeds, the first ones."""

DRAWN = 5
"""How good the choice is, is counted over all draws of so many seeds."""

_NEAR = 0.9
"""A choice is good if it lasts at least so much of what the best of the draw does."""


class Spread(NamedTuple):
    """RLG over the seeds of one task and recipe, and as far as it was measured."""

    lengths: tuple[int, ...]
    to: int

    @property
    def far(self) -> float:
        """The share of seeds that reach a tenth of what was measured."""
        return fmean(10 * length >= self.to for length in self.lengths)


def final(rows: Iterable[Row]) -> list[Row]:
    """The models that runs on the paper's data ended with; stages on the way are left out."""
    return [row for row in rows if row["kept"] and row["data_seed"] == 42]


def chosen(rows: Sequence[Row]) -> Row:
    """The model that agrees longest with its own machine; of several, the one of fewest dimensions, of the first seed.

    A run that left no model agrees to the length 0.

    >>> some = [{"agrees": 9, "hidden_dim": 7, "seed": 1}, {"agrees": 99, "hidden_dim": 8, "seed": 3}]
    >>> chosen([*some, {"agrees": 99, "hidden_dim": 9, "seed": 2}])["seed"]
    3
    """
    return max(rows, key=lambda row: (row["agrees"], -row["hidden_dim"], -row["seed"]))


def chosen_alone(rows: Iterable[Row]) -> dict[str, Row]:
    """For every task, the model of the recipe lasting that is chosen, without a teacher, among its first seeds."""
    return {task: chosen(rows) for task, rows in candidates(rows).items()}


def candidates(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """For every task, the models that the first seeds of the recipe lasting ended with."""
    groups = {task: group for (task, recipe), group in _groups(rows).items() if recipe == "lasting"}
    return {task: [row for row in group if row["seed"] < CANDIDATES] for task, group in groups.items()}


def spreads(rows: Iterable[Row]) -> dict[tuple[str, str], Spread]:
    """By (task, recipe): how RLG spreads over the seeds.

    >>> row = {"task": "add2", "recipe": "paper", "kept": True, "data_seed": 42, "measured_to": 3850}
    >>> spreads([row | {"rlg": 4}, row | {"rlg": 173}, row | {"rlg": 6}])
    {('add2', 'paper'): Spread(lengths=(4, 173, 6), to=3850)}
    """
    groups = _groups(rows).items()
    return {key: Spread(tuple(row["rlg"] for row in group), group[0]["measured_to"]) for key, group in groups}


def _groups(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    """The models that training runs ended with, by (task, recipe)."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in final(rows):
        groups.setdefault((row["task"], row["recipe"]), []).append(row)
    return groups


class Choice(NamedTuple):
    """Of all draws of some seeds: the share in which the chosen model is nearly the best, and what chance would do."""

    chosen: float
    chance: float


def choices(rows: Iterable[Row]) -> dict[tuple[str, str], Choice]:
    """By (task, recipe), where there are enough seeds and all have been compared with their own machines.

    >>> row = {"task": "add2", "recipe": "lasting", "kept": True, "data_seed": 42, "hidden_dim": 8}
    >>> found = choices(row | {"seed": i, "rlg": 10 * (i + 1), "agrees": 10 * (i + 1)} for i in range(6))
    >>> found["add2", "lasting"].chosen, round(found["add2", "lasting"].chance, 2)
    (1.0, 0.2)
    """
    groups = {key: group for key, group in _groups(rows).items() if all(row["agrees"] is not None for row in group)}
    return {key: _choice(group) for key, group in groups.items() if len(group) >= DRAWN}


def _choice(rows: Sequence[Row]) -> Choice:
    good, chance = [], []
    for draw in combinations(rows, DRAWN):
        enough = _NEAR * max(row["rlg"] for row in draw)
        good.append(chosen(draw)["rlg"] >= enough)
        chance.append(fmean(row["rlg"] >= enough for row in draw))
    return Choice(fmean(good), fmean(chance))
