"""The compiled table runner: the same runs as the reference, at more than a hundred million steps per second.

A walk in one state over many cells can be one scan of memory, not many steps: where (state, symbol) keeps the state,
the symbol and a horizontal direction, nothing changes but the position; so the runner looks for the first cell where
that ends, 64 cells at a time, and adds the distance to position and steps.

Imported only by the function that uses it, because importing numba takes longer than a short run.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dfst.jit import compiled
from dfst.llvm import make_scan
from dfst.world.grid import Cell, Window
from dfst.world.machine import BORDER, HALT, HALTED, UNDEFINED, GridMachine
from dfst.world.moves import Move
from dfst.world.outcome import Outcome, Run

_CHUNK = 200_000_000  # steps between returns to Python, so that Ctrl-C is heard within about a second
_SKIPPING_CHUNK = 2_000_000_000
_RECORDED_CHUNK = 4096  # the first buffer when every step is recorded; later ones are as long as the run so far
_RIGHTWARDS, _LEFTWARDS = 1, 2
_scan_right, _scan_left = make_scan(leftwards=False), make_scan(leftwards=True)


@compiled(boundscheck=False)
def _walk(cells, at, row, following, written, offset, walks, steps, pairs):
    """Run at most ``steps`` steps on the flat window; returns (steps done, position, row, why it stopped).

    ``at`` is the head's index in the window, ``row`` the offset of the state's row in the tables; the column K is the
    window's border, where every state stops so that the window can grow, and every walk ends. Unsigned indices spare
    the test for negative ones. ``walks`` is None, or says where whole walks are made at once; ``pairs`` is None or a
    buffer for the visited table entries.
    """
    position, base, done = np.int64(at), np.uint64(row), 0
    stopped = np.int32(0)
    while done < steps:
        entry = base + np.uint64(cells[np.uint64(position)])
        if walks is not None and walks[entry, 0]:
            if walks[entry, 0] == _RIGHTWARDS:
                length = min(_scan_right(cells, position, walks[entry, 1], walks[entry, 2]), steps - done)
                position += length
            else:
                length = min(_scan_left(cells, position, walks[entry, 1], walks[entry, 2]), steps - done)
                position -= length
            done += length
            stopped = np.int32(0)
            continue
        stopped = following[entry]
        if stopped < HALTED:
            break
        cells[np.uint64(position)] = written[entry]
        position += offset[entry]
        if pairs is not None:
            pairs[done] = entry
        done += 1
        if stopped == HALTED:
            break
        base = np.uint64(stopped)
    return done, position, np.int64(base), np.int64(stopped)


def _gliding(machine: GridMachine) -> np.ndarray:
    """For each entry of the bordered tables: (direction or 0, first and last symbol of the walk less the first, 0).

    A walk goes on over a range of neighbouring symbols in the alphabet's order; where the symbols a state walks over
    are several ranges, each is a walk of its own.
    """
    states, symbols = machine.next_state.shape
    stays = (machine.next_state == np.arange(states)[:, None]) & (machine.written == np.arange(symbols))
    direction = np.zeros((states, symbols), np.uint8)
    direction[stays & (machine.move == Move.R)] = _RIGHTWARDS
    direction[stays & (machine.move == Move.L)] = _LEFTWARDS
    walks = np.zeros((states, symbols + 1, 4), np.uint8)  # a column for the border, and rows of four bytes
    for q in range(states):
        x = 0
        while x < symbols:
            last = x
            while direction[q, x] and last + 1 < symbols and direction[q, last + 1] == direction[q, x]:
                last += 1
            walks[q, x : last + 1, :3] = direction[q, x], x, last - x
            x = last + 1
    return walks.reshape(-1, 4)


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
    walks, longest = (_gliding(machine), _SKIPPING_CHUNK) if skip else (None, _CHUNK)
    row, stopped = state * columns, 0
    recorded = [np.array(visited, np.uint32)] if visited is not None else None
    while steps < step_limit:
        if not window.make_room(cell):
            stopped = BORDER
            break
        width = window.array.shape[1]
        offset = np.array([width, -width, -1, 1, 0])[move]
        at = (cell[1] - window.y0) * width + cell[0] - window.x0
        chunk = min(step_limit - steps, longest, longest if recorded is None else max(steps, _RECORDED_CHUNK))
        pairs = None if recorded is None else np.empty(chunk, np.uint32)
        cells, tables = window.array.ravel(), (following.ravel(), written.ravel(), offset.ravel())
        done, at, row, stopped = map(int, _walk(cells, at, row, *tables, walks, chunk, pairs))
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
