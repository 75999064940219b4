"""The state atlas: which prefixes of the traces became which state, and where they lie in a model's hidden space.

Extra ``plot``.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from dfst.errors import InputError
from dfst.shapes import Float, Int32
from dfst.show.figures import picture, plain
from dfst.traces.states import states_along
from dfst.traces.traces import Traces
from dfst.training.model import DFST, check_alphabet
from dfst.world.machine import GridMachine

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import ListedColormap

_ROWS, _POINTS = 250, 6000
_PLACES = ((7, 7), (-16, 7), (7, -14), (-16, -14), (20, 0), (-26, 0))
"""Where the number of a state may stand, from its point: the first place that no close neighbour has."""

_NUMBERED_ROWS = 30
"""In so few rows there is room for the numbers of the states, too."""


def hidden_along(model: DFST, traces: Traces) -> Float[np.ndarray, "steps d"]:
    """The hidden state of ``model`` before every step of ``traces``, scaled to length 1, in float64.

    >>> import dfst
    >>> add2 = dfst.task("add2")
    >>> hidden_along(dfst.from_machine(add2.machine), dfst.sample(add2)).max(axis=1).min().item()
    1.0
    """
    check_alphabet(model, traces)
    hidden = np.empty((len(traces.seen), model.hidden_dim))
    A = model.A.astype(np.float64)
    h, alive = np.tile(model.h0.astype(np.float64), (len(traces), 1)), np.arange(len(traces))
    for t in range(int(traces.lengths.max(initial=0))):
        alive = alive[traces.lengths[alive] > t]
        at = traces.offsets[alive] + t
        sizes = np.linalg.norm(h[alive], axis=1, keepdims=True)
        h[alive] /= np.where(sizes > 0, sizes, 1)
        hidden[at] = h[alive]
        h[alive] = np.einsum("nij,nj->ni", A[traces.seen[at]], h[alive])
    return hidden


def draw_atlas(model: DFST, machine: GridMachine, traces: Traces, path: Path) -> int:
    """Draw both maps to ``path``; gives the number of states that ``traces`` visit.

    On the left every prefix is a point, its hidden state in the two directions in which they differ most; on the right
    every trace is a row and every step a cell. Colours and numbers are those of the states of ``machine``.
    """
    if not len(traces):
        raise InputError("there are no traces", do="Give at least one.")
    states, hidden = states_along(machine, traces), hidden_along(model, traces)
    with picture(path, (13.0, 5.6)) as figure:
        left, right = figure.subplots(1, 2, width_ratios=(1, 1.25))
        _draw_points(left, states, hidden, len(machine.states))
        _draw_rows(right, states, traces, len(machine.states))
        figure.suptitle(
            f"{model.name or 'model'}: {len(states):,} prefixes of {len(traces):,} traces, "
            f"{len(np.unique(states))} states of {len(machine.states)}"
        )
    return len(np.unique(states))


def _draw_points(
    axes: Axes, states: Int32[np.ndarray, " steps"], hidden: Float[np.ndarray, "steps d"], count: int
) -> None:
    centred = hidden - hidden.mean(axis=0)
    _, spread, directions = np.linalg.svd(centred.T @ centred)  # of few dimensions and many points
    flat = centred @ directions[:2].T if hidden.shape[1] > 1 else np.column_stack([centred, np.zeros(len(centred))])
    chosen = np.linspace(0, len(states) - 1, min(len(states), _POINTS)).astype(int)
    axes.scatter(*flat[chosen].T, c=states[chosen], cmap=_colours(count), vmin=0, vmax=count - 1, s=26, linewidths=0)
    near, taken = 0.06 * float(np.ptp(flat)), []
    for state in np.unique(states):
        own = flat[states == state]
        x, y = own[np.abs(own - np.median(own, axis=0)).sum(axis=1).argmin()]  # the middle may lie between clusters
        close = {place for other, place in taken if np.hypot(*(other - (x, y))) < near}
        place = next((place for place in _PLACES if place not in close), _PLACES[0])
        taken.append((np.array([x, y]), place))
        arrow = {"arrowstyle": "-", "color": "0.5", "linewidth": 0.6}
        axes.annotate(
            str(state), (x, y), place, textcoords="offset points", fontsize=9, weight="bold", arrowprops=arrow
        )
    share = spread[:2].sum() / max(spread.sum(), np.finfo(float).tiny)
    plain(axes, x=f"first direction ({share:.0%} of the spread in both)", y="second direction")
    axes.set_title("hidden states, with the number of their state", fontsize=12)


def _draw_rows(axes: Axes, states: Int32[np.ndarray, " steps"], traces: Traces, count: int) -> None:
    from matplotlib.ticker import MaxNLocator

    # in the order of what they see, so that traces that begin alike are neighbours
    order = sorted(range(len(traces)), key=lambda i: traces[i].seen.tobytes())
    chosen = [order[i] for i in np.linspace(0, len(order) - 1, min(len(order), _ROWS)).astype(int)]
    rows = np.full((len(chosen), int(traces.lengths[chosen].max())), -1)
    for row, i in zip(rows, chosen, strict=True):
        row[: traces.lengths[i]] = states[traces.offsets[i] : traces.offsets[i + 1]]
    shown = np.ma.masked_less(rows, 0)
    image = axes.imshow(shown, cmap=_colours(count), vmin=0, vmax=count - 1, aspect="auto", interpolation="nearest")
    if len(rows) <= _NUMBERED_ROWS:
        _write_numbers(axes, rows, count)
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.figure.colorbar(image, ax=axes, label="state", fraction=0.05)
    plain(axes, x="step", y="trace (those that begin alike are neighbours)")
    axes.grid(False)
    axes.set_title("which prefix became which state", fontsize=12)


def _colours(count: int) -> ListedColormap:
    """A colour for each state: neighbours differ, for numbers of states mean nothing; after twenty they repeat."""
    from matplotlib import colormaps
    from matplotlib.colors import ListedColormap

    return ListedColormap([colormaps["tab20"](state % 20) for state in range(count)])


def _write_numbers(axes: Axes, rows: np.ndarray, count: int) -> None:
    """The number of a state where the policy comes into it, if it stays for a few steps."""
    colours = _colours(count)
    for j, row in enumerate(rows.tolist()):
        begin = 0
        for i in range(1, len(row) + 1):
            if i == len(row) or row[i] != row[begin]:
                if row[begin] >= 0 and i - begin >= len(str(row[begin])) + 1:
                    red, green, blue, _ = colours(row[begin])
                    colour = "black" if 0.3 * red + 0.59 * green + 0.11 * blue > 0.5 else "white"
                    middle = (begin + i - 1) / 2
                    axes.text(middle, j, str(row[begin]), ha="center", va="center", fontsize=6.5, color=colour)
                begin = i
