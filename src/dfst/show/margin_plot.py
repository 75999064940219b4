"""How clearly a float model takes the teacher's action, step by step: margins against steps (extra ``plot``)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from dfst.errors import InputError
from dfst.show.figures import COLOURS, STYLES, picture, plain
from dfst.show.recording import Recording
from dfst.world.outcome import Outcome

_POINTS = 3000


def draw_margins(
    recording: Recording, path: Path, difference: int | None = None, error: tuple[float, float] | None = None
) -> float:
    """Draw the margins of the teacher's symbol and move along a model's run to ``path``; gives the smallest.

    ``difference`` is the step at which the model leaves its teacher, ``error`` the two margins there (one is not
    positive), as :class:`Drift` has them. The curve ends there: after it the teacher stands elsewhere, so no
    action of this run is right or wrong. Of a long run every point is the smallest of several steps.
    """
    if recording.margins is None or not len(recording):
        what = "it has no margins: it is a machine, or did not make a step"
        raise InputError(what, where=recording.name, do="Give a float model, such as add10:raw.")
    margins = recording.margins[:difference]  # up to there the model's action is the teacher's
    if error is not None:
        margins = np.vstack([margins, error])
    width = max(1, -(-len(margins) // _POINTS))
    starts = np.arange(0, len(margins), width)
    least = np.minimum.reduceat(margins, starts, axis=0) if len(margins) else margins
    smallest = float(margins.min(initial=np.inf))
    with picture(path, (9.0, 3.6)) as figure:
        axes = figure.add_subplot()
        axes.axhline(0, color="0.6", linewidth=1)
        for head, name in enumerate(("symbol", "move")):
            axes.plot(starts, least[:, head], STYLES[head], color=COLOURS[head], linewidth=1.3, label=name)
        if difference is not None:
            axes.axvline(difference, color="0.2", linewidth=1)
            words = f"leaves its teacher at step {difference:,} "
            axes.annotate(words, (difference, 0.06), color="0.2", fontsize=10, ha="right")
        axes.set_ylim(min(-0.05, np.maximum(smallest, -2) - 0.05), 1.05)
        each = "" if width == 1 else f"\n(smallest of {width:,} steps)"
        plain(axes, x="step", y=f"margin of the teacher's action{each}")
        axes.legend(framealpha=1, edgecolor="none", loc="lower left")
        ended = "stopped" if recording.outcome == Outcome.STEP_LIMIT else recording.outcome.value
        axes.set_title(f"{recording.name}: {ended} after {len(recording):,} steps")
    return smallest
