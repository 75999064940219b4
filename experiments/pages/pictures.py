"""The pictures of measured numbers in docs/pictures: python -m experiments.pages.pictures [FOLDER]"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.pages.logs import RIGHT, logs, title
from experiments.pages.page import ROOT, TASKS, Row, load

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, told apart by every kind of colour vision
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
TRAINING = (("mult2", "fast"), ("add2", "paper"))
"""The training runs whose curves a page shows."""

SPREAD = 0.25
"""Dots of one dimension are spread this far to either side, by seed, so that they do not hide each other."""


@contextmanager
def picture(path: Path, size: tuple[float, float] = (8.0, 4.5)) -> Iterator[Figure]:
    """A figure to draw on, written to ``path`` (.png, .svg or .pdf) afterwards."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"font.size": 12, "svg.fonttype": "none", "svg.hashsalt": "dfst"}):
        figure = Figure(figsize=size, layout="constrained")
        yield figure
        # without the date, the same numbers give the same bytes
        figure.savefig(path, dpi=160, metadata={"Date": None} if path.suffix == ".svg" else None)


def plain(axes: Axes, *, x: str, y: str) -> None:
    """Labels, a light grid, and no box."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(True, which="major", color="0.85", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)


def draw_training(task: str, recipe: str, path: Path) -> None:
    """The paper's appendix, for several seeds: loss on the left, RLG on the right."""
    rows = [row for row in load("curves")["rows"] if (row["task"], row["recipe"]) == (task, recipe)]
    to = rows[0]["measured_to"]
    with picture(path, (10.0, 3.8)) as figure:
        losses, lengths = figure.subplots(1, 2)
        for row, colour in zip(rows, cycle(COLOURS), strict=False):
            losses.plot(*zip(*row["loss"], strict=True), color=colour, linewidth=1, label=f"seed {row['seed']}")
            points = [(point["iteration"], point["rlg"]) for point in row["lengths"]]
            lengths.plot(*zip(*points, strict=True), "o-", color=colour, linewidth=1, markersize=3.5)
        losses.set_yscale("log")
        plain(losses, x="iterations", y="training loss")
        lengths.axhline(to, color="0.6", linestyle="--", linewidth=1)
        lengths.set_yscale("symlog", linthresh=1)
        lengths.set_ylim(0, 2 * to)
        lengths.annotate(f"measured to {to:,}", (0, to), xytext=(4, 3), textcoords="offset points", fontsize=8)
        plain(lengths, x="iterations", y="RLG of the raw model")
        for axes in (losses, lengths):
            axes.set_xlim(left=0)
            axes.locator_params(axis="x", nbins=3)
            axes.xaxis.set_major_formatter("{x:,.0f}")
        losses.legend(framealpha=1, edgecolor="none")
        figure.suptitle(f"{task}, recipe {recipe}")


def draw_seeds(path: Path) -> None:
    """From nothing to a checked certificate: a dot for every seed, a cross for one that was not proven."""
    rows = load("time_to_proof")["rows"]
    tasks = list(dict.fromkeys(row["task"] for row in rows))
    with picture(path, (7.0, 3.0)) as figure:
        axes, names = figure.add_subplot(), []
        for height, task in enumerate(reversed(tasks)):
            own = [row for row in rows if row["task"] == task]
            for i, row in enumerate(own):
                shift = 0.5 * ((i + 0.5) / len(own) - 0.5)  # so that seeds as fast as each other are all seen
                colour, marker = (COLOURS[0], "o") if row["checked"] else (COLOURS[1], "x")
                axes.plot(row["seconds"], height + shift, marker, color=colour, markersize=5)
            names.append(f"{task}: {sum(row['checked'] for row in own)} of {len(own)} seeds")
        axes.set_yticks(range(len(tasks)), names)
        axes.set_ylim(-0.6, len(tasks) - 0.4)
        axes.set_xscale("log")
        ticks = (3, 10, 30, 100, 300)
        axes.set_xticks(ticks, list(map(str, ticks)))
        axes.minorticks_off()
        axes.set_xlim(3, 300)
        plain(axes, x="seconds from nothing to a checked certificate, two cores", y="")


def draw_lengths(path: Path) -> None:
    """RLG against dimensions for every task, as these are taken away and walks made steady; the paper's recipe beside.

    An RLG that was reached as far as it was measured is an open triangle: the model may last longer.
    """
    rows = [row for row in load("raw_lengths")["rows"] if row["data_seed"] == 42]
    with picture(path, (1.0 + 4.5 * len(TASKS), 4.0)) as figure:
        panels: list[Axes] = list(figure.subplots(1, len(TASKS), squeeze=False)[0])
        for axes, task in zip(panels, TASKS, strict=True):
            draw_task(axes, [row for row in rows if row["task"] == task])
            axes.set_title(task)
            plain(axes, x="hidden dimensions", y="right up to so many digits (RLG)" if axes is panels[0] else "")
        panels[0].legend(framealpha=1, edgecolor="none", fontsize=8)


def draw_task(axes: Axes, rows: list[Row]) -> None:
    """One task: a dot for every model, a line for every seed."""
    lasting = [row for row in rows if row["recipe"] == "lasting"]
    kinds = {
        "paper's recipe": ("0.6", [row for row in rows if row["recipe"] == "paper"]),
        "as trained, while dimensions are taken away": (COLOURS[0], [row for row in lasting if not row["steady"]]),
        "with steady walks": (COLOURS[1], [row for row in lasting if row["steady"]]),
    }
    kinds = {label: (colour, models) for label, (colour, models) in kinds.items() if models}
    seeds = sorted({row["seed"] for _, models in kinds.values() for row in models})
    shift = {seed: SPREAD * (2 * i / max(1, len(seeds) - 1) - 1) for i, seed in enumerate(seeds)}

    def points(models: list[Row]) -> tuple[list[float], list[int]]:
        """An RLG of 0 has no place on a logarithmic axis."""
        return [row["hidden_dim"] + shift[row["seed"]] for row in models], [max(1, row["rlg"]) for row in models]

    for seed in seeds:
        path = [row for row in lasting if row["seed"] == seed and not row["steady"] and row["stage"][:1] == "d"]
        axes.plot(*points(sorted(path, key=lambda row: -row["hidden_dim"])), color="0.88", zorder=1)
    for label, (colour, models) in kinds.items():
        for reached, marker, fill in ((False, "o", colour), (True, "^", "none")):
            part = [row for row in models if (row["rlg"] == row["measured_to"]) == reached]
            name = label if not reached else "" if label != "with steady walks" else "reached as far as measured"
            look = {"marker": marker, "facecolors": fill, "edgecolors": colour, "label": name or None}
            axes.scatter(*points(part), 22, **look, zorder=2)
    axes.set_yscale("log")
    axes.set_ylim(bottom=0.8)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.set_xticks(apart(sorted({row["hidden_dim"] for row in rows})))


def apart(dimensions: list[int]) -> list[int]:
    """Those of them whose numbers can stand below each other's points without touching.

    >>> apart([77, 78, 79, 82, 95, 108])
    [77, 82, 95, 108]
    """
    least, found = (dimensions[-1] - dimensions[0]) / 15, dimensions[:1]
    for each in dimensions[1:]:
        found += [each] if each - found[-1] >= least else []
    return found


def draw_scale(path: Path) -> None:
    """All predicted seconds over the measured ones; small dots were fitted to, large ones not."""
    import matplotlib.pyplot as plt
    from experiments.pages.scale import WHAT, title

    record = load("scale")
    figure, axes = plt.subplots(figsize=(6, 5), layout="constrained")
    low, high = ends = 1e-8, 1e4
    axes.fill_between(ends, [low / 2, high / 2], [low * 2, high * 2], color="0.92", label="within a factor of two")
    for name in WHAT:
        colour = None
        for kind, size, alpha in (("unseen", 45, 1.0), ("fitted", 8, 0.5)):
            points = record[name]["record"][kind]
            xs, ys = ([point[how]["seconds"] for point in points] for how in ("measured", "predicted"))
            label = title(name, "seconds") if kind == "unseen" else None
            dots = axes.scatter(xs, ys, size, color=colour, alpha=alpha, label=label, linewidths=0)
            colour = dots.get_facecolor()[0]
    xs, ys = ([run[how] for run in record["runs"]["record"]] for how in ("train_seconds", "predicted_train_seconds"))
    axes.scatter(xs, ys, 45, color="black", marker="^", label="a whole run of training")
    axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends, xlabel="measured, s", ylabel="predicted, s")
    axes.legend(fontsize=7, frameon=False)
    figure.savefig(path)


def draw_logs(path: Path) -> None:
    """Random walks: for every model how many of 1,000 fresh walks each learner does not answer right to the end."""
    kinds = [(title(*kind), found) for kind, found in logs().items() if kind in (("walks", 0, 0), ("walks", 1, 0))]
    with picture(path, (10.0, 7.0)) as figure:
        panels: list[Axes] = list(figure.subplots(1, len(kinds), squeeze=False, sharey=True)[0])
        every = [{model: each for (model, seed), each in found.items() if seed == 0} for _, found in kinds]
        models = [model for model in every[0] if all(model in rows for rows in every)][::-1]  # the large ones below
        for axes, (name, _), rows in zip(panels, kinds, every, strict=True):
            for (label, method), colour, marker in zip(RIGHT.items(), COLOURS, "osDx", strict=False):
                right = [(rows[m].get(method, {}).get("held_out"), i) for i, m in enumerate(models)]
                wrong = [(1000 * (1 - share), i) for share, i in right if share is not None]
                axes.plot(*zip(*wrong, strict=True), marker, color=colour, markersize=5, label=label, alpha=0.8)
            axes.set_yticks(
                range(len(models)), [f"{m[:28]} ({rows[m]['network']['states']})" for m in models], fontsize=8
            )
            axes.set_title(name)
            axes.set_xscale("symlog", linthresh=1)
            axes.set_xlim(-0.2, 1400)
            axes.set_xticks((0, 1, 10, 100, 1000), ("0", "1", "10", "100", "1,000"))
            plain(axes, x="walks of 1,000 answered wrongly", y="")
        figure.legend(
            *panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=len(RIGHT), frameon=False
        )


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for task, recipe in TRAINING:
        draw_training(task, recipe, folder / f"curves_{task}_{recipe}.svg")
    draw_seeds(folder / "seeds.svg")
    draw_lengths(folder / "raw_lengths.svg")
    draw_scale(folder / "scale.png")
    draw_logs(folder / "logs.svg")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures")
