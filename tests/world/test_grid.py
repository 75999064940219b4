"""The dense window is the sparse grid, and neither fills the memory."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dfst.world.grid
from dfst import DfstError
from dfst.teachers.find import find_task
from dfst.world.grid import Grid, Window
from dfst.world.worlds import World

ALPHABET = find_task("add2").machine.alphabet
cells = st.tuples(st.integers(-40, 40), st.integers(-40, 40))


@given(st.lists(st.tuples(cells, st.integers(0, 3))), st.lists(st.integers(0, 3), max_size=12))
def test_dense_window_equals_sparse_grid(writes, tape):
    grid, on_tape = Grid(World(ALPHABET), tape), Window(World(ALPHABET), np.array(tape, np.uint8))
    assert grid == on_tape
    for cell, symbol in writes:
        grid[cell] = symbol
    window = Window.of(grid)
    assert grid == window
    assert grid.text() == window.text()
    assert grid.count() == window.count()
    for y in range(-41, 42):
        (left, symbols), (other_left, other) = grid.row(y), window.row(y)
        assert (left, symbols.tolist()) == (other_left, other.tolist())
    for cell, _ in writes:
        assert grid[cell] == window[cell]


def test_a_tall_grid_is_shown_in_one_pass():
    """Row by row it would take half a minute."""
    grid = Grid(World(ALPHABET))
    for i in range(20_000):
        grid[0, i] = 1
    assert grid.text() == "\n".join("1" * 20_000)


def test_rectangles_that_do_not_fit_in_memory_are_refused_with_a_sentence(monkeypatch):
    monkeypatch.setattr(dfst.world.grid, "MAX_CELLS", 10_000)
    far, grid = Grid(World(ALPHABET)), Grid(World(ALPHABET))
    far[10_000, 0] = grid[0, 0] = grid[200, 200] = 1
    with pytest.raises(DfstError, match="too far away"):
        Window.of(far)


def test_of_a_large_grid_a_corner_is_shown_and_the_text_says_so():
    grid = Grid(World(ALPHABET))
    for i in range(201):
        grid[i, i] = 1
    *rows, last = grid.text(10_000).splitlines()
    assert (len(rows), {*map(len, rows)}) == (100, {100})
    assert "201 x 201 cells" in last
    assert len(grid.text().splitlines()) == 201
