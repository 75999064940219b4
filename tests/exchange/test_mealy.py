"""Machines to AALpy and back; AALpy's own bisimulation check, files and minimiser as witnesses."""

import random
import sys

import pytest

from dfst.errors import InputError, MissingExtraError
from dfst.exchange import from_mealy, to_mealy
from dfst.exchange.dot import parse_dot, to_dot
from dfst.prove.lockstep import alike_everywhere
from dfst.teachers.arithmetic import PAPER_LENGTHS
from dfst.teachers.find import find_task, gallery
from dfst.world.alphabet import Alphabet
from dfst.world.layout import Layout
from dfst.world.machine import HALT, GridMachine, Rule
from dfst.world.moves import Move
from tests.cases import random_machine

pytest.importorskip("aalpy")
from aalpy.utils import bisimilar, load_automaton_from_file

TASKS = [*PAPER_LENGTHS, *gallery()]


def hostile():
    """Names that break dot files, AALpy's reader, or both."""
    symbols = ("/", '"', "\\", "07", "7", "²", "_x2f_", "{", "→", "a/b", "<script>", "\\n", "#", "_")
    alphabet = Alphabet(symbols, "_", {"any": symbols[:-1]})
    states = ['a"]; b', "node", "stuck", "halt-2", "2nd", "__start0", "x:y -> z", "_x61_", "a b", "→", "\\n", "12"]
    rng = random.Random(3)
    pairs = [(state, seen) for state in states for seen in symbols[1:] if rng.random() < 0.8]
    rules = [Rule(*pair, rng.choice(symbols), rng.choice(list(Move)[:4]), rng.choice(states)) for pair in pairs]
    rules += [Rule(state, "/", '"', Move.S, HALT) for state in states]
    return GridMachine.from_rules(rules, alphabet=alphabet, layout=Layout(("any+",), answer_class="any"), start="2nd")


def mutated(machine, rng):
    """``machine`` with another symbol written by one of the rules that its start can reach."""
    rules = list(machine.rules())
    reached, todo = set(), [machine.states[machine.start]]
    while todo:
        state = todo.pop()
        if state not in reached:
            reached.add(state)
            todo += [rule.next for rule in rules if rule.state == state]
    i = rng.choice([i for i, rule in enumerate(rules) if rule.state in reached])
    other = rng.choice([symbol for symbol in machine.alphabet.symbols if symbol != rules[i].written])
    rules[i] = rules[i]._replace(written=other)
    start = machine.states[machine.start]
    return GridMachine.from_rules(rules, alphabet=machine.alphabet, layout=machine.layout, start=start)


@pytest.mark.parametrize("task", TASKS)
def test_there_and_back_through_aalpys_own_files(task, tmp_path, capsys):
    machine = find_task(task).machine
    for complete in (False, True):
        mealy = to_mealy(machine, complete=complete)
        assert from_mealy(mealy, machine) == machine
        mealy.save(tmp_path / "machine")
        again = load_automaton_from_file(tmp_path / "machine.dot", "mealy")
        assert bisimilar(mealy, again)
        assert from_mealy(again, machine) == machine
        assert mealy.is_input_complete() == complete
    assert bisimilar(to_mealy(machine), to_mealy(mutated(machine, random.Random(1)))) is False


@pytest.mark.parametrize("task", TASKS)
def test_there_and_back_through_drawings(task):
    machine = find_task(task).machine
    assert parse_dot(to_dot(machine), machine) == machine
    assert parse_dot(str(to_mealy(machine)), machine) == machine
    if task in ("add2", "reverse"):
        assert parse_dot(str(to_mealy(machine, complete=True)), machine) == machine


def test_hostile_names_survive_everything(tmp_path, capsys):
    machine = hostile()
    mealy = to_mealy(machine)
    mealy.save(tmp_path / "machine")
    again = load_automaton_from_file(tmp_path / "machine.dot", "mealy")
    assert bisimilar(mealy, again)
    assert from_mealy(again, machine) == machine
    assert parse_dot((tmp_path / "machine.dot").read_text(encoding="utf-8"), machine) == machine
    assert parse_dot(to_dot(machine), machine) == machine


def test_aalpy_and_dfst_agree_on_what_is_bisimilar():
    rng, seen = random.Random(7), set()
    for _ in range(100):
        one = random_machine(rng, states=3)
        start = one.states[one.start]
        copies = [r._replace(state=f"{r.state}{i}", next=r.next if r.next == HALT else f"{r.next}{rng.randint(0, 1)}")
                  for r in one.rules() for i in range(2)]  # fmt: skip
        split = GridMachine.from_rules(copies, alphabet=one.alphabet, layout=one.layout, start=f"{start}0")
        for other in (one, split, random_machine(rng, states=1), mutated(one, rng), mutated(split, rng)):
            pair = (one.start, other.start)
            ours = pair in alike_everywhere(one, other, pair)
            assert ours == bisimilar(to_mealy(one), to_mealy(other))
            assert ours == bisimilar(to_mealy(one, complete=True), to_mealy(other, complete=True))
            seen.add((other is split, ours))
    assert (True, True) in seen
    assert (False, False) in seen


def test_outputs_as_pairs_are_understood_and_others_refused():
    from aalpy.automata import MealyMachine

    pairs = {"a": {0: ((1, Move.R), "a"), "_": (("_", "S"), "end")}, "end": {}}
    assert from_mealy(MealyMachine.from_state_setup(pairs)).rule("a", "0") == Rule("a", "0", "1", Move.R, "a")
    for output in ("1", "1 X", "1 RR", 7, None, (1, 2, 3)):
        mixed = MealyMachine.from_state_setup({"a": {0: (output, "a"), 1: ("1 R", "a"), 2: ("0 S", "a")}})
        with pytest.raises(InputError, match="is not an action"):
            from_mealy(mixed)
    dead = {"a": {0: ("0 R", "b"), 1: ("1 R", "a"), "_": ("_ S", "a")}, "b": {}}
    assert [rule.seen for rule in from_mealy(MealyMachine.from_state_setup(dead)).rules()] == ["1", "_"]


def test_a_missing_extra_ends_in_a_sentence(monkeypatch):
    machine = find_task("add2").machine
    monkeypatch.setitem(sys.modules, "aalpy.automata", None)
    with pytest.raises(MissingExtraError, match=r"dfst\[arena\]"):
        to_mealy(machine)
    assert parse_dot(to_dot(machine), machine) == machine  # which needs none
