"""The compiled table runner: the same runs as the reference, at more than a hundred million steps per second.

Imported only by the function that uses it, because importing numba takes longer than a short run.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dfst.jit import compiled
from dfst.world.grid import Cell, Window
from dfst.world.machine import BORDER, HALT, HALTED, UNDEFINED, GridMachine
from dfst.world.outcome import Outcome, Run
from dfst.world.skipping import gliding, walk_skipping

_CHUNK = 200_000_000  # steps between returns to Python, so that Ctrl-C is heard within about a second
_SKIPPING_CHUNK = 2_000_000_000
_RECORDED_CHUNK = 4096  # the first buffer when every step is recorded; later ones are as long as the run so far


@compiled(boundscheck=False)
def _walk(cells, at, row, following, written, offset, steps, pairs):
    """Run at most ``steps`` steps on the flat window; returns (steps done, position, row, why it stopped).

    ``at`` is the head's index in the window, ``row`` the offset of the state's row in the tables; the column K is the
    window's border, where every state stops so that the window can grow. Unsigned indices spare the test for negative
    ones. ``pairs`` is None or a buffer for the visited table entries.
    """
    position, base, done = np.uint64(at), np.uint64(row), 0
    stopped = np.int32(0)
    while done < steps:
        entry = base + np.uint64(cells[position])
        stopped = following[entry]
        if stopped < HALTED:
            break
        cells[position] = written[entry]
        position = np.uint64(np.int64(position) + offset[entry])
        if pairs is not None:
            pairs[done] = entry
        done += 1
        if stopped == HALTED:
            break
        base = np.uint64(stopped)
    return done, np.int64(position), np.int64(base), np.int64(stopped)


def finish(
    machine: GridMachine,
    window: Window,
    step_limit: int,
    visited: Sequence[int] | np.ndarray | None,  # no shapes: a checker around functions stops numba
    state: int,
    cell: Cell,
    steps: int,
    *,
    skip: bool = False,
) -> Run:
    """Run on, from ``state`` and ``cell`` on ``window``, ``steps`` steps having been made.

    ``visited`` is None, or the pairs recorded so far, to which the run's own are added; with ``skip`` whole walks are
    made at once, and nothing can be recorded.
    """
    following, written, move = machine.bordered
    columns = following.shape[1]
    walks = gliding(machine) if skip else None
    row, stopped = state * columns, 0
    recorded = [np.array(visited, np.uint32)] if visited is not None else None
    while steps < step_limit:
        if not window.make_room(cell):
            stopped = BORDER
            break
        width = window.array.shape[1]
        offset = np.array([width, -width, -1, 1, 0])[move]
        at = (cell[1] - window.y0) * width + cell[0] - window.x0
        chunk = min(step_limit - steps, _CHUNK, _CHUNK if recorded is None else max(steps, _RECORDED_CHUNK))
        pairs = None if recorded is None else np.empty(chunk, np.uint32)
        cells, tables = window.array.ravel(), (following.ravel(), written.ravel(), offset.ravel())
        if walks is not None:
            ended = walk_skipping(cells, at, row, *tables, walks, min(step_limit - steps, _SKIPPING_CHUNK))
        else:
            ended = _walk(cells, at, row, *tables, chunk, pairs)
        done, at, row, stopped = map(int, ended)
        steps += done
        j, i = divmod(at, width)
        cell = (i + window.x0, j + window.y0)
        if recorded is not None and pairs is not None:
            recorded.append(pairs[:done] - pairs[:done] // np.uint32(columns))  # from K + 1 columns back to K
        if stopped in (HALTED, UNDEFINED):
            break
        stopped = 0  # the window's edge or the chunk's end
    endings = {HALTED: Outcome.HALTED, UNDEFINED: Outcome.STUCK, BORDER: Outcome.LEFT}
    outcome = endings.get(stopped, Outcome.STEP_LIMIT)
    name = HALT if outcome == Outcome.HALTED else machine.states[row // columns]
    return Run(machine, outcome, steps, name, cell, window, None if recorded is None else np.concatenate(recorded))
