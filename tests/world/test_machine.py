import numpy as np
import pytest

from dfst import GridMachine, Layout, MachineError, Move, Rule
from tests.cases import ALPHABET

LAYOUT = Layout(("digit+",))


def build(*rules, start="a", layout=LAYOUT):
    return GridMachine.from_rules(list(rules), alphabet=ALPHABET, layout=layout, start=start)


def problems(*rules, **options):
    with pytest.raises(MachineError) as error:
        build(*rules, **options)
    return [str(problem) for problem in error.value.mistakes]


def test_all_problems_are_listed_at_once():
    found = problems(
        Rule("a", "0", "0", Move.S, "a"),
        Rule("a", "1", "1", Move.L, "halt"),
        Rule("a", "x", "y", Move.L, "b"),
        Rule("a", "0", "1", Move.L, "a"),
        Rule("halt", "0", "0", Move.S, "halt"),
        start="nowhere",
        layout=Layout(("number+",), answer_class="letters"),
    )
    text = "\n".join(found)
    for part in (
        "(a, 0) stays but does not halt",
        "(a, 1) halts with move L",
        "'x' is not a symbol",
        "'y' is not a symbol",
        "state 'b' is gone to but has no rules",
        "(a, 0) has a second rule",
        "the halting state has no rules",
        "start state 'nowhere' has no rules",
        "input part 'number+'",
        "answer's class 'letters'",
    ):
        assert part in text
    assert len(found) == 10


def test_tables_are_validated_too():
    machine = build(Rule("a", "0", "0", Move.L, "a"), Rule("a", "_", "_", Move.S, "halt"))
    tables = {"next_state": machine.next_state, "written": machine.written, "move": machine.move}
    common = {"name": "m", "alphabet": ALPHABET, "layout": LAYOUT, "states": ("a",), "start": 0}
    for damaged in (
        {"start": 1},
        {"states": ("halt",)},
        {"states": ("",)},
        {"states": ("a\nb",)},
        {"states": ("\ud800",)},
        {"next_state": np.full((1, 4), -2, np.int32)},
        {"name": "a\nb"},
        {"about": "a\r\nb"},
        {"about": "\x7f"},
        {"layout": Layout(("digit+",), answer_row=10**5000)},
        {"layout": Layout(("digit+",), head=(0, -(10**5000)))},
        {"next_state": np.full((1, 4), 7, np.int32)},
        {"next_state": np.full((1, 4), -3, np.int32)},
        {"written": np.full((1, 4), 9, np.uint8)},
        {"move": np.full((1, 4), 5, np.uint8)},
        {"move": np.full((1, 4), Move.S, np.uint8)},
    ):
        with pytest.raises(MachineError):
            GridMachine(**{**common, **tables, **damaged})


def test_equality_ignores_what_stands_at_undefined_pairs():
    machine = build(Rule("a", "0", "0", Move.L, "a"))
    other = GridMachine(
        machine.name, ALPHABET, LAYOUT, ("a",), 0, machine.next_state.copy(),
        np.where(machine.next_state == -2, 3, machine.written).astype(np.uint8), machine.move.copy(),
    )  # fmt: skip
    assert machine == other
    assert hash(machine) == hash(other)
    assert machine != build(Rule("a", "0", "1", Move.L, "a"))
