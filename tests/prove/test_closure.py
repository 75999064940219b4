import pytest

from dfst.prove.abstraction import Precision, Shapes
from dfst.prove.closure import EdgeOfRows, close
from dfst.prove.partial_input import PartialInput
from dfst.teachers.find import find_task
from tests.prove.scripts import output


@pytest.mark.slow
def test_every_concrete_configuration_is_covered():
    assert output("covering", 200, 3)["configurations"] > 2000


@pytest.mark.slow
def test_machines_with_one_entry_off():
    counts = output("soundness", 60, 1)
    assert counts["refuted"] > 40
    assert not any("undecided" in outcome for outcome in counts)


def test_a_closure_that_is_too_large_is_cut():
    machine = find_task("add2").machine
    found = close(machine, machine, Precision(0, 1), limit=100)
    assert found.cut
    assert len(found.edges) == len(found.configurations)


def test_the_head_leaves_the_rows():
    machine = find_task("mult2").machine
    with pytest.raises(EdgeOfRows) as caught:
        close(machine, machine, Precision(0, 1), limit=100)
    assert not caught.value.up


def test_halves_do_not_grow_without_bound():
    machine = find_task("add2").machine
    shapes = Shapes(machine.alphabet, machine.layout, Precision(0, 1, runs=3))
    half = shapes.empty
    for x in range(100):
        column = shapes.column((1 << x % 4, 1 << (x // 3) % 4))
        half = shapes.push(half, column, column)
        assert len(shapes.halves[half]) <= shapes.precision.hard
    assert len(shapes.halves) < 200


def test_partial_inputs():
    machine = find_task("add10").machine
    plus, blank = machine.alphabet.index["+"], machine.alphabet.blank_index
    partial = PartialInput(machine.alphabet, machine.layout)
    assert partial.operands({}) == ("0", "0")
    assert partial.operands({3: plus, 6: 7}) == ("000", "007")
    assert partial.operands({1: 5, 4: blank}) == ("05", "0")
    assert partial.operands({1: plus, 4: blank}) == ("0", "0")
    assert partial.complete({1: 5, 3: blank}) is None
    assert partial.complete({0: blank}) is None
    assert partial.complete({1: plus, 3: plus}) is None
    assert partial.complete({2: blank, 5: 1}) is None
