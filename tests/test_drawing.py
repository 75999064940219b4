"""Machines as pictures (extra plot)."""

import itertools
import json
import random
from pathlib import Path
from xml.etree import ElementTree

import pytest

from dfst.show.machine_drawing import _labels, draw_machine, phases
from dfst.teachers.find import find_task
from dfst.world.machine import GridMachine
from tests.small import header

pygraphviz = pytest.importorskip("pygraphviz")


def test_a_small_machine_is_drawn_state_by_state_and_a_large_one_by_phases(work):
    assert draw_machine(find_task("add2").machine, Path("small.svg")) == 11
    small = Path("small.svg").read_text()
    assert all(state in small for state in find_task("add2").machine.states)
    assert "1 → 0 L" in small  # the carry, with the symbol it really writes
    assert draw_machine(find_task("mult10").machine, Path("large.png")) == len(phases(find_task("mult10").machine)) < 30
    assert Path("large.png").read_bytes().startswith(b"\x89PNG")


def test_names_are_drawn_as_they_are(work):
    """Graphviz reads tags (which may name files), entities and backslashes in labels, unless they are escaped."""
    names = ["<u>go</u>", "<", "&amp;", "\\N", "<img src='x.svg'/>"]
    rules = [f"{json.dumps(a)} digit -> = R {json.dumps(b)}" for a, b in itertools.pairwise([*names, names[0]])]
    text = header(name="<b>mine</b>", start=names[0]) + "\n".join(["---", *rules, f'"{names[0]}" _ -> = S halt'])
    draw_machine(GridMachine.parse(text), Path("names.svg"))
    drawn = [each.text for each in ElementTree.parse("names.svg").iter("{http://www.w3.org/2000/svg}text")]
    assert {*names, "<b>mine</b>: 5 states"} <= {*drawn}


def read_label(machine, label):
    """What the label of a state's arrow says: (symbols seen, symbols written, move)."""
    symbols, classes = machine.alphabet.symbols, machine.alphabet.classes
    *words, move = label.split(" ")
    seen, _, written = " ".join(words).partition(" → ")

    def spelt(text):
        for word in text.split(" "):
            first, dots, last = word.partition("…")
            if dots:
                yield from symbols[symbols.index(first) : symbols.index(last) + 1]
            else:
                yield from classes.get(word, [word])

    seen = list(spelt(seen))
    written = list(spelt(written)) if written else seen
    return seen, written * len(seen) if len(written) == 1 else written, move


@pytest.mark.parametrize("name", ["add10", "mult10", "gcd", "rule110", "double", "palindrome"])
def test_the_label_of_a_state_says_its_rules_and_no_others(name):
    """States with different rules have different labels: times4+2 and times4+3 write other digits on 2, 3 and 4."""
    machine = find_task(name).machine
    arrows = {}
    for rule in machine.rules():
        arrows.setdefault((rule.state, rule.next), []).append(rule)
    for rules in arrows.values():
        said = set()
        for label in _labels(machine, rules):
            seen, written, move = read_label(machine, label)
            said |= {(x, y, move) for x, y in zip(seen, written, strict=True)}
        assert said == {(rule.seen, rule.written, rule.move.name) for rule in rules}


def test_what_would_take_minutes_to_draw_is_refused_with_what_to_do(call, work):
    rng = random.Random(3)
    states = ["walk", *(f"q{i}" for i in range(1, 300))]
    rules = [f"{q} {x} -> = {rng.choice('LRUD')} {rng.choice(states)}" for q in states for x in "01_"]
    (work / "random.dfst").write_text(header() + "---\n" + "\n".join(rules) + "\n")
    code, _, err = call("export", "random.dfst", "--out", "random.svg")
    assert code == 2
    assert "arrows are too many to draw" in err
    assert ".dot" in err
    assert call("export", "random.dfst", "--out", "random.dot")[0] == 0
