"""No two states of an extracted machine have the same future: partition refinement, and what is told of it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfst import extract, sample
from dfst.extraction.merge import futures, without_twins
from dfst.shipped import shipped_model
from dfst.teachers.find import find_task, gallery
from dfst.training.weights import load_model
from dfst.world.machine import HALTED, UNDEFINED, GridMachine
from dfst.world.machine_file import load_machine
from dfst.world.moves import Move
from tests.extraction.test_extract import disguised

ADD2 = find_task("add2").machine
TASKS = ["add2", "add10", "mult2", "mult10"]


def machine_of(rows, start=0):
    """A machine in the world of add2; a row has (next state, symbol, move), or None, for each of the first symbols."""
    shape = (len(rows), len(ADD2.alphabet))
    following = np.full(shape, UNDEFINED, np.int32)
    written, move = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    for q, row in enumerate(rows):
        for x, rule in enumerate(row):
            if rule is not None:
                following[q, x], written[q, x], move[q, x] = rule
    names = tuple(f"q{i}" for i in range(len(rows)))
    return GridMachine("twins", ADD2.world, names, start, following, written, move)


def seen_to_depth(machine, state, depth):
    """The truth: all that can be observed from ``state`` on in ``depth`` steps, as one nested tuple."""
    if depth == 0 or state == HALTED:
        return state == HALTED
    return tuple(
        None if rule is None else (rule[1:], seen_to_depth(machine, rule[0], depth - 1))
        for rule in machine.table[state]
    )


def tables():
    """Rows and start of machines of up to four states over two symbols, with so few answers that twins are common."""

    def rows(size):
        goes = st.tuples(st.integers(0, size - 1), st.integers(0, 1), st.just(int(Move.R)))
        halts = st.tuples(st.just(HALTED), st.just(0), st.just(int(Move.S)))
        row = st.tuples(goes | halts, st.none() | goes)
        return st.tuples(st.lists(row, min_size=size, max_size=size), st.integers(0, size - 1))

    return st.integers(1, 4).flatmap(rows)


@given(tables())
def test_states_are_one_exactly_if_no_word_tells_them_apart(table):
    machine = machine_of(*table)  # not in the strategy: the checker of shapes draws random numbers
    size = len(machine.states)
    truth = [seen_to_depth(machine, q, size) for q in range(size)]
    found = futures(machine)
    assert found == [list(dict.fromkeys(truth)).index(each) for each in truth]
    smaller, became = without_twins(machine)
    assert became == found
    assert futures(smaller) == list(range(len(smaller.states)))
    assert without_twins(smaller)[0] == smaller
    assert [seen_to_depth(smaller, became[q], size) for q in range(size)] == truth
    assert smaller.start == became[machine.start]


R, L, S = int(Move.R), int(Move.L), int(Move.S)


@pytest.mark.parametrize("task", ["add2", "mult2", *gallery()])
def test_no_two_states_of_an_extracted_machine_have_the_same_future(task):
    teacher = find_task(task)
    machine = extract(disguised(teacher.machine), sample(teacher), rehearsing=False).machine
    assert futures(machine) == list(range(len(machine.states)))


@pytest.mark.parametrize(
    "task", ["add2", "mult2", *(pytest.param(each, marks=pytest.mark.slow) for each in TASKS[1::2])]
)
def test_the_shipped_machine_is_what_extraction_finds_in_the_shipped_weights(task):
    found = extract(load_model(shipped_model(task).raw), sample(find_task(task)))
    assert found.machine == load_machine(shipped_model(task).machine)
