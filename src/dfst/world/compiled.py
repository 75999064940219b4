"""The compiled table runner: the same rollouts as the reference, at more than a hundred million steps per second.

A walk in one state over many cells is one scan of memory, not many steps: where (state, symbol) keeps the state, the
symbol and a horizontal direction, nothing changes but the position; so the runner looks for the first cell where that
ends, 64 cells at a time, and adds the distance to position and steps.

Imported only by the function that uses it, because importing numba takes longer than a short rollout.
"""

from __future__ import annotations

from itertools import groupby

import numpy as np

from dfst.jit import compiled
from dfst.llvm import make_scan
from dfst.world.moves import HALTED, UNDEFINED, Move
from dfst.world.policy import Walk
from dfst.world.rollout import Outcome

_CHUNK = 200_000_000  # steps between returns to Python, so that Ctrl-C is heard within about a second
_SKIPPING_CHUNK = 2_000_000_000
_RECORDED_CHUNK = 4096  # the first buffer when every step is recorded; later ones are as long as the rollout so far

_RIGHTWARDS, _LEFTWARDS = 1, 2

_scan_right, _scan_left = make_scan(leftwards=False), make_scan(leftwards=True)


@compiled(boundscheck=False)
def _walk(cells, at, row, tables, steps, walks, pairs):
    """Run at most ``steps`` steps on the flat window; returns (steps done, position, row, why it stopped).

    ``at`` is the head's index in the window, ``row`` the offset of the state's row in the tables (next row, symbol,
    change of position); the column K is the window's border, where every state and every walk stops so that the window
    can grow. Unsigned indices spare the test for negative ones. ``walks`` is None or what :func:`_gliding` says,
    ``pairs`` None or a buffer for the visited table entries.
    """
    following, written, offset = tables
    position, base, done = np.uint64(at), np.uint64(row), 0
    stopped = np.int32(0)
    while done < steps:
        entry = base + np.uint64(cells[position])
        if walks is not None:
            direction = walks[entry, 0]
            if direction:
                here = np.int64(position)
                if direction == _RIGHTWARDS:
                    length = min(_scan_right(cells, here, walks[entry, 1], walks[entry, 2]), steps - done)
                    position = np.uint64(here + length)
                else:
                    length = min(_scan_left(cells, here, walks[entry, 1], walks[entry, 2]), steps - done)
                    position = np.uint64(here - length)
                done += length
                stopped = np.int32(0)
                continue
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


def _gliding(next_state: np.ndarray, written: np.ndarray, move: np.ndarray) -> np.ndarray:
    """For each entry of the bordered tables: (direction or 0, first and last symbol of the walk less the first, 0).

    A walk goes on over a range of neighbouring symbols in the alphabet's order; where the symbols a state walks over
    are several ranges, each is a walk of its own.
    """
    states, symbols = next_state.shape
    stays = (next_state == np.arange(states)[:, None]) & (written == np.arange(symbols))
    direction = np.zeros((states, symbols), np.uint8)
    direction[stays & (move == Move.R)] = _RIGHTWARDS
    direction[stays & (move == Move.L)] = _LEFTWARDS
    walks = np.zeros((states, symbols + 1, 4), np.uint8)  # a column for the border, and rows of four bytes
    for q, ways in enumerate(direction.tolist()):
        for way, run in groupby(range(symbols), ways.__getitem__):
            first, *others = run
            walks[q, first : first + len(others) + 1, :3] = way, first, len(others)
    return walks.reshape(-1, 4)


def advance(walk: Walk, limit: int, *, skip: bool) -> None:
    """Let a table's ``walk``, which is on a window, go on, to at most ``limit`` steps in all.

    With ``skip`` whole walks in one state are made at once, and nothing can be recorded.
    """
    table, window = walk.table, walk.grid
    following, written, move = table.bordered
    columns, walks = following.shape[1], _gliding(table.next_state, table.written, table.move) if skip else None
    row, recorded = walk.state * columns, None if walk.pairs is None else [np.asarray(walk.pairs, np.uint32)]
    while walk.steps < limit and walk.outcome == Outcome.STEP_LIMIT:
        if not window.make_room(walk.cell):
            walk.outcome = Outcome.LEFT
            break
        width = window.array.shape[1]
        tables = (following.ravel(), written.ravel(), np.array([width, -width, -1, 1, 0])[move].ravel())
        at = (walk.cell[1] - window.y0) * width + walk.cell[0] - window.x0
        chunk, pairs = min(limit - walk.steps, _SKIPPING_CHUNK if skip else _CHUNK), None
        if recorded is not None:
            chunk = min(chunk, max(walk.steps, _RECORDED_CHUNK))
            pairs = np.empty(chunk, np.uint32)
        done, at, row, stopped = map(int, _walk(window.array.ravel(), at, row, tables, chunk, walks, pairs))
        walk.steps += done
        j, i = divmod(at, width)
        walk.cell, walk.state = (i + window.x0, j + window.y0), row // columns
        if recorded is not None and pairs is not None:
            recorded.append(pairs[:done] - pairs[:done] // np.uint32(columns))  # from K + 1 columns back to K
        if stopped == HALTED:
            walk.outcome, walk.state = Outcome.HALTED, HALTED
        elif stopped == UNDEFINED:
            walk.outcome = Outcome.STUCK
    walk.pairs = None if recorded is None else np.concatenate(recorded)
