"""Loss against iterations, for one or more runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dfst.errors import InputError
from dfst.runs.run_folder import RunFolder
from dfst.show.figures import COLOURS, STYLES, picture, plain


def draw_losses(runs: Sequence[RunFolder], path: Path) -> None:
    """Draw the loss curves of ``runs`` into ``path`` (.png, .svg or .pdf)."""
    with picture(path) as figure:
        axes = figure.add_subplot()
        for i, run in enumerate(runs):
            records = run.records()
            if not records:
                raise InputError("there are no records in it yet", where=str(run.path), do="Train for a while first.")
            label = f"{run.config.task}, {run.config.recipe.name}, seed {run.config.seed}"
            style = STYLES[i // len(COLOURS) % len(STYLES)] if len(runs) > len(COLOURS) else STYLES[i % len(STYLES)]
            points = [r.iteration for r in records], [r.loss for r in records]
            axes.plot(*points, style, color=COLOURS[i % len(COLOURS)], label=label, linewidth=1.8)
        axes.set_yscale("log")
        plain(axes, x="iterations", y="training loss (mean over the interval)")
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.legend(loc="upper right", framealpha=1, edgecolor="none")
