import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dfst import (
    FileFormatError,
    GridMachine,
    InputError,
    Layout,
    MachineError,
    Rule,
    dump_machine,
    expert,
    load_machine,
    parse_machine,
    save_machine,
)
from dfst.world.alphabet import Alphabet
from dfst.world.moves import Move
from tests.machines import random_machine

BROKEN = Path(__file__).parent.parent / "broken_machines"
EXPECTED = json.loads((BROKEN / "expected.json").read_text())


@pytest.mark.parametrize("task", ["add2", "add10", "add36", "mult2", "mult10", "mult36"])
def test_teachers_survive_the_trip(task):
    machine = expert(task).machine
    assert parse_machine(dump_machine(machine)) == machine


def test_a_ten_digit_machine_is_not_a_thousand_lines():
    assert len(dump_machine(expert("add10").machine).splitlines()) < 100
    assert len(dump_machine(expert("mult10").machine).splitlines()) < 600


def test_random_machines_survive_the_trip():
    rng = random.Random(4)
    for _ in range(500):
        machine = random_machine(rng)
        assert parse_machine(dump_machine(machine)) == machine


symbols = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=4)
names = st.text(st.characters(exclude_categories=["C"]), min_size=1, max_size=6).filter(
    lambda name: name.isprintable() and name != "halt"
)


@given(st.data())
def test_hostile_names_survive_the_trip(data):
    chosen = data.draw(st.lists(symbols, min_size=2, max_size=6, unique=True))
    states = data.draw(st.lists(names, min_size=1, max_size=4, unique=True))
    class_name = data.draw(symbols.filter(lambda name: name not in chosen))
    alphabet = Alphabet(tuple(chosen), chosen[0], {class_name: tuple(chosen[1:])})
    layout = Layout((chosen[1],), answer_class=class_name)
    rules = [Rule(q, x, chosen[i % 2], Move.L, states[i % len(states)]) for i, x in enumerate(chosen) for q in states]
    machine = GridMachine.from_rules(
        rules, alphabet=alphabet, layout=layout, start=states[0], name=states[-1], about=data.draw(names)
    )
    assert parse_machine(dump_machine(machine)) == machine


def test_lists_ranges_classes_and_stars():
    text = dump_machine(expert("add10").machine)
    header = text[: text.index("---")]
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
    machine = parse_machine(header.replace('"enter"', '"enter"') + rules)
    assert machine.rule("take", "+") == Rule("take", "+", "_", Move.U, "add+")
    assert machine.rule("take", "9") == Rule("take", "9", "_", Move.S, "halt")
    assert machine.rule("look", "9") == Rule("look", "9", "9", Move.L, "mark")
    assert machine.rule("add4", "9") == Rule("add4", "9", "0", Move.L, "mark")
    assert machine.rule("add4", "3") == Rule("add4", "3", "4", Move.L, "mark")


@pytest.mark.parametrize("name", sorted(EXPECTED))
def test_broken_files_name_every_problem_with_its_line(name):
    with pytest.raises(MachineError) as error:
        load_machine(BROKEN / f"{name}.dfst")
    found = [(problem.line, str(problem)) for problem in error.value.problems]
    for line, fragment in EXPECTED[name]:
        assert any(line == at and fragment in text for at, text in found), (line, fragment, found)
    assert all(line for line, _ in found)
    if name != "empty":
        extra = [text for at, text in found if not any(at == line for line, _ in EXPECTED[name])]
        allowed = {"many_at_once": 0, "rule_too_short": 1, "rule_without_arrow": 1}
        assert len(extra) <= allowed.get(name, 1), extra


def test_files_that_are_not_text_or_not_there():
    with pytest.raises(FileFormatError, match="not UTF-8"):
        load_machine(BROKEN / "not_text.dfst")
    with pytest.raises(InputError, match="no such file"):
        load_machine(BROKEN / "nothing.dfst")
    with pytest.raises(InputError, match="cannot be read"):
        load_machine(BROKEN)


def test_line_ends_and_byte_order_mark_do_not_matter(tmp_path):
    machine = expert("add2").machine
    path = tmp_path / "windows.dfst"
    path.write_bytes(b"\xef\xbb\xbf" + dump_machine(machine).replace("\n", "\r\n").encode())
    assert load_machine(path) == machine


def test_saving_replaces_the_file_whole(tmp_path):
    path = tmp_path / "m.dfst"
    for task in ("add2", "mult2"):
        save_machine(expert(task).machine, path)
        assert load_machine(path) == expert(task).machine
    assert [p.name for p in tmp_path.iterdir()] == ["m.dfst"]
    with pytest.raises(InputError, match="cannot be written"):
        save_machine(expert("add2").machine, tmp_path / "missing" / "m.dfst")


@pytest.mark.slow
def test_a_hundred_thousand_mutated_files():
    """Whatever is done to a file, the answer is a machine or a list of problems with lines: never another exception."""
    rng = random.Random(5)
    files = [path.read_text() for path in sorted(BROKEN.glob("*.dfst")) if path.name != "not_text.dfst"]
    files += [dump_machine(expert(task).machine) for task in ("add2", "add3")]
    odd = ["\0", "\ufeff", "é", '"', "[", "]]", "{", "..", "*", "\\", "1e999"]
    pieces = [*re.findall(r"\S+|\s", "".join(files)), *odd]
    accepted = 0
    for _ in range(100_000):
        text = rng.choice(files)
        for _ in range(rng.randint(1, 3)):
            i, j = sorted(rng.randrange(len(text) + 1) for _ in range(2))
            kind = rng.random()
            if kind < 0.4:
                text = text[:i] + rng.choice(pieces) + text[i:]
            elif kind < 0.7:
                text = text[:i] + rng.choice(pieces) + text[min(j, i + rng.randint(0, 5)) :]
            elif kind < 0.9:
                text = text[:i] + text[min(j, i + 40) :]
            else:
                text = text[:i] + text[j:] + text[i:j]
        try:
            accepted += isinstance(parse_machine(text), GridMachine)
        except MachineError as error:
            if not error.problems or not all(problem.line for problem in error.problems):
                pytest.fail("a broken file must list problems with their lines")
    assert accepted > 1000
