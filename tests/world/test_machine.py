"""A machine is valid or refused, however it is made."""

import numpy as np
import pytest

from dfst import GridMachine, Move
from dfst.errors import MachineError
from dfst.world.layout import Layout
from dfst.world.machine import Rule
from dfst.world.worlds import World
from tests.cases import ALPHABET

LAYOUT = Layout(("digit+",))


def build(*rules, start="a", layout=LAYOUT):
    return GridMachine.from_rules(list(rules), alphabet=ALPHABET, layout=layout, start=start)


def problems(*rules, **options):
    with pytest.raises(MachineError) as error:
        build(*rules, **options)
    return [str(problem) for problem in error.value.mistakes]


def test_tables_are_validated_too():
    machine = build(Rule("a", "0", "0", Move.L, "a"), Rule("a", "_", "_", Move.S, "halt"))
    tables = {"next_state": machine.next_state, "written": machine.written, "move": machine.move}
    common = {"name": "m", "world": World(ALPHABET, LAYOUT), "states": ("a",), "start": 0}
    far = 10**5000
    for damaged in (
        {"start": 1}, {"states": ("halt",)}, {"states": ("",)}, {"states": ("a\nb",)}, {"states": ("\ud800",)},
        {"name": "a\nb"}, {"about": "a\r\nb"}, {"about": "\x7f"},
        {"world": World(ALPHABET, Layout(("digit+",), answer_row=far))},
        {"world": World(ALPHABET, Layout(("digit+",), head=(0, -far)))},
        *({"next_state": np.full((1, 4), state, np.int32)} for state in (-2, 7, -3)),
        *({"move": np.full((1, 4), move, np.uint8)} for move in (5, Move.S)),
        {"written": np.full((1, 4), 9, np.uint8)},
    ):  # fmt: skip
        with pytest.raises(MachineError):
            GridMachine(**{**common, **tables, **damaged})


def test_equality_ignores_what_stands_at_undefined_pairs():
    machine = build(Rule("a", "0", "0", Move.L, "a"))
    other = GridMachine(
        machine.name, machine.world, ("a",), 0, machine.next_state.copy(),
        np.where(machine.next_state == -2, 3, machine.written).astype(np.uint8), machine.move.copy(),
    )  # fmt: skip
    assert machine == other
    assert hash(machine) == hash(other)
    assert machine != build(Rule("a", "0", "1", Move.L, "a"))
