"""Results as pictures: loss and RLG against iterations, time over seeds, how long raw models last."""

from __future__ import annotations

from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.report.figures import COLOURS, picture, plain
from experiments.report.raw_length_plot import draw_raw_lengths
from experiments.report.results import Row, load_results, raw_lengths, uncommitted

from dfst.files import make_folder

if TYPE_CHECKING:
    from matplotlib.figure import Figure


TRAINING_SHOWN = (("mult2", "fast"), ("add2", "paper"), ("add10", "paper"))
"""The training runs whose curves a page shows."""


def draw_results(results: Path, out: Path) -> list[Path]:
    """The pictures of ``results`` that pages show, as SVG files in the folder ``out``."""
    make_folder(out)
    made = []
    rows = load_results(results, "curves")["rows"]
    for task, recipe in TRAINING_SHOWN:
        made.append(out / f"curves_{task}_{recipe}.svg")
        seeds = [row for row in rows if (row["task"], row["recipe"]) == (task, recipe)]
        _draw_training(seeds, made[-1], uncommitted(results, "curves"))
    made.append(out / "seeds.svg")
    _draw_seeds(load_results(results, "time_to_proof")["rows"], made[-1], uncommitted(results, "time_to_proof"))
    made.append(out / "raw_lengths.svg")
    lengths = [row for row in raw_lengths(results) if row["data_seed"] == 42]
    draw_raw_lengths(lengths, made[-1], uncommitted(results, "raw_lengths"))
    return made


def _write_below(figure: Figure, sentence: str) -> None:
    """A sentence in small type, below the picture."""
    if sentence:
        figure.supxlabel(sentence, fontsize=6)


def _draw_training(rows: list[Row], path: Path, below: str) -> None:
    """The paper's appendix, for several seeds: loss on the left, RLG on the right."""
    task, recipe, to = rows[0]["task"], rows[0]["recipe"], rows[0]["measured_to"]
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
        _write_below(figure, below)


def _draw_seeds(rows: list[Row], path: Path, below: str) -> None:
    """From nothing to a checked certificate: a dot for every seed, a cross for one that was not proven."""
    tasks = list(dict.fromkeys(row["task"] for row in rows))
    with picture(path, (7.0, 3.0)) as figure:
        axes = figure.add_subplot()
        names = []
        for height, task in enumerate(reversed(tasks)):
            own = [row for row in rows if row["task"] == task]
            for i, row in enumerate(own):
                shift = 0.5 * ((i + 0.5) / len(own) - 0.5)  # so that seeds as fast as each other are all seen
                colour = COLOURS[0] if row["checked"] else COLOURS[1]
                axes.plot(row["seconds"], height + shift, "o" if row["checked"] else "x", color=colour, markersize=5)
            names.append(f"{task}: {sum(row['checked'] for row in own)} of {len(own)} seeds")
        axes.set_yticks(range(len(tasks)), names)
        axes.set_ylim(-0.6, len(tasks) - 0.4)
        axes.set_xscale("log")
        ticks = (3, 10, 30, 100, 300)
        axes.set_xticks(ticks, list(map(str, ticks)))
        axes.minorticks_off()
        axes.set_xlim(3, 300)
        plain(axes, x="seconds from nothing to a checked certificate, two cores", y="")
        _write_below(figure, below)
