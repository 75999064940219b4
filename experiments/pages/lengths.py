"""How long float models last: rows of results/raw_lengths.json, and a choice among them without a teacher."""

from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import fmean

from experiments.pages.page import Row

CANDIDATES = 10
"""One is chosen among so many seeds, the first ones."""

DRAWN = 5
"""How good the choice is, is counted over all draws of so many seeds."""

NEAR = 0.9
"""A choice is good if it lasts at least so much of what the best of the draw does."""


def final(rows: Iterable[Row]) -> list[Row]:
    """The models that runs on the paper's data ended with; stages on the way are left out."""
    return [row for row in rows if row["kept"] and row["data_seed"] == 42]


def by_recipe(rows: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    """The models that training runs ended with, by (task, recipe)."""
    groups: dict[tuple[str, str], list[Row]] = {}
    for row in final(rows):
        groups.setdefault((row["task"], row["recipe"]), []).append(row)
    return groups


def chosen(rows: Sequence[Row]) -> Row:
    """The model that agrees longest with its own machine; of several, the one of fewest dimensions, of the first seed.

    A run that left no model agrees to the length 0.

    >>> some = [{"agrees": 9, "hidden_dim": 7, "seed": 1}, {"agrees": 99, "hidden_dim": 8, "seed": 3}]
    >>> chosen([*some, {"agrees": 99, "hidden_dim": 9, "seed": 2}])["seed"]
    3
    """
    return max(rows, key=lambda row: (row["agrees"], -row["hidden_dim"], -row["seed"]))


def chosen_alone(rows: Iterable[Row]) -> dict[str, Row]:
    """For every task, the lasting model that is chosen, without a teacher, among its first seeds, and their number."""
    found = {}
    for (task, recipe), group in by_recipe(rows).items():
        if recipe == "lasting":
            first = [row for row in group if row["seed"] < CANDIDATES]
            found[task] = chosen(first) | {"candidates": len(first)}
    return found


def spreads(rows: Iterable[Row]) -> dict[tuple[str, str], tuple[list[int], int]]:
    """By (task, recipe): RLG over the seeds, and as far as it was measured.

    >>> row = {"task": "add2", "recipe": "paper", "kept": True, "data_seed": 42, "measured_to": 3850}
    >>> spreads([row | {"rlg": 4}, row | {"rlg": 173}, row | {"rlg": 6}])
    {('add2', 'paper'): ([4, 173, 6], 3850)}
    """
    groups = by_recipe(rows).items()
    return {key: ([row["rlg"] for row in group], group[0]["measured_to"]) for key, group in groups}


def choices(rows: Iterable[Row]) -> dict[tuple[str, str], tuple[float, float]]:
    """Of all draws of some seeds the share in which the chosen model is nearly the best, and what chance would do.

    By (task, recipe), where there are enough seeds and all have been compared with their own machines.

    >>> row = {"task": "add2", "recipe": "lasting", "kept": True, "data_seed": 42, "hidden_dim": 8}
    >>> found = choices(row | {"seed": i, "rlg": 10 * (i + 1), "agrees": 10 * (i + 1)} for i in range(6))
    >>> [round(share, 2) for share in found["add2", "lasting"]]
    [1.0, 0.2]
    """
    found = {}
    for key, group in by_recipe(rows).items():
        if len(group) >= DRAWN and all(row["agrees"] is not None for row in group):
            good, chance = [], []
            for draw in combinations(group, DRAWN):
                enough = NEAR * max(row["rlg"] for row in draw)
                good.append(chosen(draw)["rlg"] >= enough)
                chance.append(fmean(row["rlg"] >= enough for row in draw))
            found[key] = fmean(good), fmean(chance)
    return found
