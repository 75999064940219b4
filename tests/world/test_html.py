"""What notebooks show: well-formed, escaped, and small however large the record is."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from dfst import from_machine, record, solve
from dfst.teachers.find import find_task
from dfst.world.alphabet import Alphabet
from dfst.world.grid import Grid
from dfst.world.layout import Layout
from dfst.world.machine import HALT, GridMachine, Rule
from dfst.world.moves import Move

EVIL = "<script>alert(1)</script>"


def texts(value):
    """The text of every cell, row by row; refuses what is not well-formed."""
    html = value._repr_html_()
    assert "<script" not in html
    tree = ElementTree.fromstring(html)
    return [[cell.text or "" for cell in row] for row in tree.iter("tr")], "".join(tree.itertext())


def evil_machine():
    alphabet = Alphabet((EVIL, '"&', "_"), "_", {"any": (EVIL, '"&')})
    rules = [Rule("<b>go</b>", EVIL, '"&', Move.R, "<b>go</b>"), Rule("<b>go</b>", "_", "_", Move.S, HALT)]
    layout = Layout(("any+",), answer_class="any")
    return GridMachine.from_rules(rules, alphabet=alphabet, layout=layout, start="<b>go</b>", name="<i>evil</i>")


def test_what_stands_on_the_grid_is_shown_and_the_head_is_marked():
    result = find_task("add10").machine.run("58", "67")
    cells, text = texts(result)
    assert ["".join(row) for row in cells if "".join(row)] == ["0125"]
    assert "add10 halted after" in text
    assert result._repr_html_().count("#ffd75e") == 1
    assert texts(result.grid)[0] == [["0", "1", "2", "5"]]
    assert "#ffd75e" not in result.grid._repr_html_()
    model = from_machine(find_task("add10").machine)
    assert texts(solve(model, "58", "67"))[0] == cells


@pytest.mark.parametrize("show", ["machine", "run", "grid", "traces", "rollout"])
def test_hostile_names_are_text(show):
    machine = evil_machine()
    operand = f"{EVIL} {EVIL}"
    value = {
        "machine": lambda: machine,
        "run": lambda: machine.run(operand),
        "grid": lambda: Grid(machine.world, machine.place((operand,))),
        "traces": lambda: record(machine, [(operand,)]),
        "rollout": lambda: solve(replace(from_machine(machine), name=EVIL), operand),
    }[show]()
    cells, text = texts(value)
    assert any(name in text for name in (EVIL, '"&', "<i>evil</i>"))
    assert cells


def test_large_records_stay_small():
    machine = find_task("mult16").machine
    long = "9" * 300
    result = find_task("add10").machine.run(long, long, step_limit=50_000)
    far = Grid(machine.world, np.ones(100_000, np.uint8))
    far[-500, 9000] = 1
    traces = record(find_task("add10").machine, [("9" * 200, "1" * 200)] * 11)
    for value in (machine, result, far, traces):
        assert len(value._repr_html_()) < 60_000
        assert "more" in texts(value)[1]
