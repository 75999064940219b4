"""What a data set shows of a machine: how often every rule is used (extra ``plot``)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from dfst.shapes import Int64
from dfst.show.figures import COLOURS, picture
from dfst.traces.states import states_along
from dfst.traces.traces import Traces
from dfst.world.machine import UNDEFINED, GridMachine

_WRITTEN_CELLS = 450
"""In a map of more cells the counts would be too small to read."""


def rule_uses(machine: GridMachine, traces: Traces) -> Int64[np.ndarray, "Q K"]:
    """How often each rule of ``machine`` is used in ``traces``, which must be its runs.

    >>> import dfst
    >>> add2 = dfst.task("add2")
    >>> int(rule_uses(add2.machine, dfst.sample(add2)).sum()) == len(dfst.sample(add2).seen)
    True
    """
    uses = np.zeros(machine.next_state.shape, np.int64)
    np.add.at(uses, (states_along(machine, traces), traces.seen), 1)
    return uses


def draw_coverage(machine: GridMachine, traces: Traces, path: Path) -> tuple[int, int]:
    """Draw a map of states and symbols to ``path``; gives (rules used, rules)."""
    uses, rules = rule_uses(machine, traces), machine.next_state != UNDEFINED
    used = int((uses > 0).sum())
    states, symbols = uses.shape
    with picture(path, (max(5.0, 1.8 + 0.5 * symbols), 1.4 + 0.27 * states)) as figure:
        from matplotlib.colors import LogNorm

        axes = figure.add_subplot()
        shown = np.ma.masked_less(uses, 1)
        norm = LogNorm(1, max(2, int(uses.max())))
        image = axes.imshow(shown, cmap="cividis", norm=norm, aspect="auto")
        figure.colorbar(image, ax=axes, label="uses", fraction=0.05)
        for q, x in np.argwhere(rules):
            if uses[q, x] == 0:
                axes.text(x, q, "never", ha="center", va="center", fontsize=8, color=COLOURS[1], weight="bold")
            elif uses.size <= _WRITTEN_CELLS:
                light = "black" if norm(uses[q, x]) > 0.55 else "white"
                axes.text(x, q, f"{uses[q, x]:,}", ha="center", va="center", fontsize=8, color=light)
        axes.set_xticks(range(symbols), machine.alphabet.symbols)
        axes.set_yticks(range(states), machine.states, fontsize=9)
        axes.xaxis.tick_top()
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        axes.set_xlabel("symbol seen (empty: no rule)")
        axes.set_title(f"{machine.name}: {len(traces):,} traces use {used} of {int(rules.sum())} rules", pad=22)
    return used, int(rules.sum())
