"""The run-skipping table runner: a walk in one state over many cells is one scan of memory, not many steps.

Where (state, symbol) keeps the state, the symbol and a horizontal direction, nothing changes but the position; so the
runner looks for the first cell where that ends, 64 cells at a time, and adds the distance to position and steps.
"""

from __future__ import annotations

import numpy as np

from dfst.jit import compiled
from dfst.llvm import make_scan
from dfst.shapes import UInt8
from dfst.world.machine import HALTED, GridMachine
from dfst.world.moves import Move

RIGHTWARDS, LEFTWARDS = 1, 2


def gliding(machine: GridMachine) -> UInt8[np.ndarray, "entries 4"]:
    """For each entry of the bordered tables: (direction or 0, first and last symbol of the walk less the first, 0).

    A walk goes on over a range of neighbouring symbols in the alphabet's order; where the symbols a state walks over
    are several ranges, each is a walk of its own.
    """
    states, symbols = machine.next_state.shape
    stays = (machine.next_state == np.arange(states)[:, None]) & (machine.written == np.arange(symbols))
    direction = np.zeros((states, symbols), np.uint8)
    direction[stays & (machine.move == Move.R)] = RIGHTWARDS
    direction[stays & (machine.move == Move.L)] = LEFTWARDS
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


_scan_right, _scan_left = make_scan(leftwards=False), make_scan(leftwards=True)


@compiled(boundscheck=False)
def walk_skipping(cells, at, row, following, written, offset, walks, steps):
    """:func:`dfst.world.compiled._walk` with whole walks made at once; every walk ends at the window's border."""
    position, base, done = np.int64(at), np.uint64(row), 0
    stopped = np.int32(0)
    while done < steps:
        entry = base + np.uint64(cells[np.uint64(position)])
        direction = walks[entry, 0]
        if direction:
            if direction == RIGHTWARDS:
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
        done += 1
        if stopped == HALTED:
            break
        base = np.uint64(stopped)
    return done, position, np.int64(base), np.int64(stopped)
