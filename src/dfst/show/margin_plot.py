"""How sure a float model is, step by step: margins against steps (extra ``plot``)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from dfst.errors import InputError
from dfst.show.figures import COLOURS, STYLES, picture, plain
from dfst.show.recording import Recording
from dfst.world.run import Outcome

_POINTS = 3000


def draw_margins(recording: Recording, path: Path, difference: int | None = None) -> float:
    """Draw both margins of a model's run to ``path`` and give the smallest; ``difference`` is a step to mark.

    Of a long run every point is the smallest of several steps.
    """
    if recording.margins is None or not len(recording):
        what = "it has no margins: it is a machine, or did not make a step"
        raise InputError(what, where=recording.name, do="Give a float model, such as add10:raw.")
    width = -(-len(recording) // _POINTS)
    starts = np.arange(0, len(recording), width)
    least = np.minimum.reduceat(recording.margins, starts, axis=0)
    with picture(path, (9.0, 3.6)) as figure:
        axes = figure.add_subplot()
        for head, name in enumerate(("symbol", "move")):
            axes.plot(starts, least[:, head], STYLES[head], color=COLOURS[head], linewidth=1.3, label=name)
        if difference is not None:
            axes.axvline(difference, color="0.2", linewidth=1)
            axes.annotate(f" first difference, step {difference:,}", (difference, 0.03), color="0.2", fontsize=10)
        axes.set_ylim(0, 1.05)
        each = "" if width == 1 else f" (smallest of {width:,} steps)"
        plain(axes, x="step", y=f"margin{each}")
        axes.legend(framealpha=1, edgecolor="none", loc="lower left")
        ended = "stopped" if recording.outcome == Outcome.STEP_LIMIT else recording.outcome.value
        axes.set_title(f"{recording.name}: {ended} after {len(recording):,} steps")
    return float(recording.margins.min())
