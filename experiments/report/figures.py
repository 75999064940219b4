"""Pictures of numbers: one look for all (matplotlib, which the extra ``docs`` brings)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, told apart by every kind of colour vision
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")


@contextmanager
def picture(path: Path, size: tuple[float, float] = (8.0, 4.5)) -> Iterator[Figure]:
    """A figure to draw on, written to ``path`` (.png, .svg or .pdf) afterwards."""
    import matplotlib as mpl  # here, so that the numbers of a report can be printed without it
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
