"""Machine files: there and back with any names, and every mistake with its line."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfst import GridMachine
from dfst.errors import FileFormatError, InputError, MachineError
from dfst.teachers.find import find_task
from dfst.world.alphabet import Alphabet
from dfst.world.layout import Layout
from dfst.world.machine import Rule
from dfst.world.machine_file import dump_machine, load_machine, parse_machine
from dfst.world.moves import Move
from tests.small import header

BROKEN = Path(__file__).parent.parent / "broken_machines"
EXPECTED = json.loads((BROKEN / "expected.json").read_text())


@pytest.mark.parametrize("task", ["add2", "add10", "add36", "mult2", "mult10", "mult36"])
def test_teachers_survive_the_trip(task):
    machine = find_task(task).machine
    assert parse_machine(dump_machine(machine)) == machine


symbols = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=4)
names = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=6).filter(
    lambda name: name.isprintable() and name != "halt"
)
pieces = st.sampled_from(["\n", "---", "  ", "[\n    a,\n]", '"""', "\\", "#", "=", "'"])
texts = st.lists(pieces | st.text(st.characters(exclude_categories=["Cc", "Cs"])), max_size=6).map("".join)


@given(st.data())
def test_hostile_names_survive_the_trip(data):
    chosen = data.draw(st.lists(symbols, min_size=2, max_size=6, unique=True))
    states = data.draw(st.lists(names, min_size=1, max_size=4, unique=True))
    class_name = data.draw(names.filter(lambda name: name not in chosen))
    alphabet = Alphabet(tuple(chosen), chosen[0], {class_name: tuple(chosen[1:])})
    layout = Layout((chosen[1],), answer_class=class_name)
    rules = [Rule(q, x, chosen[i % 2], Move.L, states[i % len(states)]) for i, x in enumerate(chosen) for q in states]
    name, about = data.draw(texts).replace("\n", ""), data.draw(texts)
    machine = GridMachine.from_rules(rules, alphabet=alphabet, layout=layout, start=states[0], name=name, about=about)
    assert parse_machine(dump_machine(machine)) == machine


def found(head, rules="walk _ -> _ S halt"):
    """The problems of increment.dfst with another header or other rules, as (line, sentence)."""
    with pytest.raises(MachineError) as error:
        parse_machine(f"{head}---\n{rules}\n")
    return [(problem.line, str(problem)) for problem in error.value.mistakes]


HEADER = header("increment")


@pytest.mark.parametrize(
    ("good", "bad", "line"),
    [
        ('"0", "1", "_"', '"0", "0", "1", "_"', 3),
        ('["0", "1", "_"]', "5", 3),
        ('digit = ["0", "1"]', 'digit = ["0", "7"]', 7),
        ("format = 1", "format 1", 1),
    ],
)
def test_a_broken_header_does_not_hide_broken_rules(good, bad, line):
    rules = [
        "walk 0 1",
        "walk 0 -> 1 Q walk",
        "walk 0,1,_ -> = L,R walk",
        "walk digit -> = L,R a,b,c",
        "walk 0, -> 1 R w",
    ]
    lines = [at for at, _ in found(HEADER.replace(good, bad), "\n".join(rules))]
    assert lines == [line, *range(13, 18)]


def test_problems_find_their_key():
    long_text = 'about = """\nblank = "x"\n[answer]\ncells = 1\n"""\n'
    assert found((long_text + HEADER).replace('blank = "_"', 'blank = "?"'))[0][0] == 9
    assert found((long_text + HEADER).replace('cells = "digit"', "cells = 7"))[0][0] == 16
    inline = HEADER.replace('[answer]\ncells = "digit"', 'answer = { row = 0, "cells" = "number" }')
    inline = inline.replace("[input]\ncells =", "input.cells =").replace("[classes]\ndigit =", "classes.digit =")
    assert found(inline)[0] == (8, "line 8: the answer's class 'number' is not defined. Add it to the classes.")


@pytest.mark.parametrize("number", ["9" * 5000, "0x" + "f" * 5000, "-0x" + "f" * 5000])
@pytest.mark.parametrize("key", ["format", "head", "row"])
def test_endless_numbers_are_refused_with_a_sentence(key, number):
    changes = {
        "format": HEADER.replace("format = 1", f"format = {number}"),
        "head": HEADER.replace("[answer]", f"head = [0, {number}]\n[answer]"),
        "row": HEADER.replace("[answer]", f"[answer]\nrow = {number}"),
    }
    problems = found(changes[key])
    assert len(problems) == 1
    assert len(problems[0][1]) < 200


def test_lists_ranges_classes_and_stars():
    text = dump_machine(find_task("add10").machine)
    rules = """---
    enter digit -> = R =   # a comment
    enter _ -> 0 R enter
    enter + -> = L rise
    rise,look digit -> = U,U,U,U,U,U,U,U,U,L mark
    mark _ -> "+" D "look"
    take digit -> _ U,U,U,U,U,U,U,U,U,S add0,add1,add2,add3,add4,add5,add6,add7,add8,halt
    add0,add1,add2,add3,add4,add5,add6,add7,add8 digit -> 1..9 , 0 L mark
    take + -> _ U add*
    add+ _ -> _ S halt
    look + -> _ L take
    """
    machine = parse_machine(text[: text.index("---")] + rules)
    assert machine.rule("take", "+") == Rule("take", "+", "_", Move.U, "add+")
    assert machine.rule("take", "9") == Rule("take", "9", "_", Move.S, "halt")
    assert machine.rule("look", "9") == Rule("look", "9", "9", Move.L, "mark")
    assert machine.rule("add4", "9") == Rule("add4", "9", "0", Move.L, "mark")
    assert machine.rule("add4", "3") == Rule("add4", "3", "4", Move.L, "mark")


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_broken_files_name_every_problem_with_its_line(name):
    with pytest.raises(MachineError) as error:
        load_machine(BROKEN / f"{name}.dfst")
    found = [(problem.line, str(problem)) for problem in error.value.mistakes]
    for line, fragment in EXPECTED[name]:
        assert any(line == at and fragment in text for at, text in found), (line, fragment, found)
    assert all(line for line, _ in found)
    if name != "empty":
        extra = [text for at, text in found if not any(at == line for line, _ in EXPECTED[name])]
        allowed = {"many_at_once": 0, "rule_too_short": 1, "rule_without_arrow": 1}
        assert len(extra) <= allowed.get(name, 1), extra


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a file without end")
def test_files_without_end_are_refused_with_a_sentence():
    with pytest.raises(FileFormatError, match="larger than 64 MiB"):
        load_machine("/dev/zero")


def test_saving_replaces_the_file_whole(tmp_path):
    path = tmp_path / "m.dfst"
    for task in ("add2", "mult2"):
        find_task(task).machine.save(path)
        assert load_machine(path) == find_task(task).machine
    assert [p.name for p in tmp_path.iterdir()] == ["m.dfst"]
    with pytest.raises(InputError, match="cannot be written"):
        find_task("add2").machine.save(tmp_path / "missing" / "m.dfst")
