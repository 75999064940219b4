"""How long raw models last, against their dimensions: a dot for every model, a line for every seed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from experiments.report.figures import COLOURS, picture, plain
from experiments.report.raw_lengths import Row

from dfst.study.lengths import PAPER_LENGTHS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_AT_MOST = 0.25
"""Dots of one dimension are spread this far to either side, by seed, so that they do not hide each other."""


def draw_raw_lengths(rows: list[Row], path: Path, below: str = "") -> None:
    """RLG against d for every task, as dimensions are taken away and walks made steady; the paper's recipe beside.

    An RLG that was reached as far as it was measured is an open triangle: the model may last longer. ``below`` is a
    sentence in small type.
    """
    reduced = {row["task"] for row in rows if row["recipe"] == "lasting"}
    tasks = [task for task in PAPER_LENGTHS if task in reduced]
    with picture(path, (1.0 + 4.5 * len(tasks), 4.0)) as figure:
        row: list[Axes] = list(figure.subplots(1, len(tasks), squeeze=False)[0])
        for axes, task in zip(row, tasks, strict=True):
            _draw_task(axes, [facts for facts in rows if facts["task"] == task])
            axes.set_title(task)
            plain(axes, x="hidden dimensions", y="right up to so many digits (RLG)" if axes is row[0] else "")
        figure.supxlabel(below, fontsize=6)
        row[0].legend(framealpha=1, edgecolor="none", fontsize=8)


def _draw_task(axes: Axes, rows: list[Row]) -> None:
    lasting = [row for row in rows if row["recipe"] == "lasting"]
    kinds = {
        "paper's recipe": ("0.6", [row for row in rows if row["recipe"] == "paper"]),
        "as trained, while dimensions are taken away": (COLOURS[0], [row for row in lasting if not row["steady"]]),
        "with steady walks": (COLOURS[1], [row for row in lasting if row["steady"]]),
    }
    kinds = {label: (colour, models) for label, (colour, models) in kinds.items() if models}
    seeds = sorted({row["seed"] for _, models in kinds.values() for row in models})
    shift = {seed: _AT_MOST * (2 * i / max(1, len(seeds) - 1) - 1) for i, seed in enumerate(seeds)}
    for seed in seeds:
        path = [row for row in lasting if row["seed"] == seed and not row["steady"] and row["stage"][:1] == "d"]
        path.sort(key=lambda row: -row["hidden_dim"])
        xs, ys = [row["hidden_dim"] + shift[seed] for row in path], [_shown(row) for row in path]
        axes.plot(xs, ys, color="0.88", zorder=1)
    for label, (colour, models) in kinds.items():
        for reached, marker, fill in ((False, "o", colour), (True, "^", "none")):
            part = [row for row in models if (row["rlg"] == row["measured_to"]) == reached]
            xs, ys = [row["hidden_dim"] + shift[row["seed"]] for row in part], [_shown(row) for row in part]
            name = label if not reached else "" if label != "with steady walks" else "reached as far as measured"
            axes.scatter(xs, ys, 22, marker=marker, facecolors=fill, edgecolors=colour, label=name or None, zorder=2)
    axes.set_yscale("log")
    axes.set_ylim(bottom=0.8)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_xticks(_apart(sorted({row["hidden_dim"] for row in rows})))


def _shown(row: Row) -> int:
    """An RLG of 0 has no place on a logarithmic axis."""
    return max(1, row["rlg"])


def _apart(dimensions: list[int]) -> list[int]:
    """Those of them whose numbers can stand below each other's points without touching.

    >>> _apart([77, 78, 79, 82, 95, 108])
    [77, 82, 95, 108]
    """
    least, found = (dimensions[-1] - dimensions[0]) / 15, dimensions[:1]
    for each in dimensions[1:]:
        found += [each] if each - found[-1] >= least else []
    return found
