"""Pictures of numbers: one look for all, and what goes wrong said in a sentence (extra ``plot``)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from dfst.errors import InputError, MissingExtraError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, told apart by every kind of colour vision, and line styles for print
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
STYLES = ("-", "--", "-.", ":")
FORMATS = (".png", ".svg", ".pdf")


@contextmanager
def picture(path: Path, size: tuple[float, float] = (8.0, 4.5)) -> Iterator[Figure]:
    """A figure to draw on, written to ``path`` (.png, .svg or .pdf) afterwards."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise MissingExtraError("Drawing", "plot") from None
    if path.suffix not in FORMATS:
        raise InputError(
            f"{path.suffix or 'no ending'!r} is not a picture format", where=str(path), do="Use .png or .svg."
        )
    with mpl.rc_context({"font.size": 12, "svg.fonttype": "none", "svg.hashsalt": "dfst"}):
        figure = Figure(figsize=size, layout="constrained")
        yield figure
        try:  # without the date, the same numbers give the same bytes
            figure.savefig(path, dpi=160, metadata={"Date": None} if path.suffix == ".svg" else None)
        except OSError as error:
            raise InputError(f"it cannot be written ({error.strerror})", where=str(path)) from None


def plain(axes: Axes, *, x: str, y: str) -> None:
    """Labels, a light grid, and no box."""
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.grid(True, which="major", color="0.85", linewidth=0.8)
    axes.spines[["top", "right"]].set_visible(False)
