"""Loss against iterations, for one or more runs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from dfst.errors import InputError, MissingExtraError
from dfst.learn.run_folder import RunFolder

# Okabe and Ito's colours, told apart by every kind of colour vision, and line styles for print
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
STYLES = ("-", "--", "-.", ":")


def draw_losses(runs: Sequence[RunFolder], path: Path) -> None:
    """Draw the loss curves of ``runs`` into ``path`` (.png, .svg or .pdf)."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("Drawing", "plot") from None
    if path.suffix not in (".png", ".svg", ".pdf"):
        raise InputError(
            f"{path.suffix or 'no ending'!r} is not a picture format", where=str(path), do="Use .png or .svg."
        )
    with mpl.rc_context({"font.size": 12, "svg.fonttype": "none"}):
        figure = Figure(figsize=(8, 4.5), layout="constrained")
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
        axes.set_xlabel("iterations")
        axes.set_ylabel("training loss (mean over the interval)")
        axes.grid(True, which="major", color="0.85", linewidth=0.8)
        axes.spines[["top", "right"]].set_visible(False)
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.legend(loc="upper right", framealpha=1, edgecolor="none")
        try:
            figure.savefig(path, dpi=160)
        except OSError as error:
            raise InputError(f"it cannot be written ({error.strerror})", where=str(path)) from None
