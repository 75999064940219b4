"""Whoever follows a message gets on: the commands it names exist, and what was meant is understood."""

import ast
import re
import shlex
from pathlib import Path

import pytest

import dfst
from dfst.cli.app import app
from dfst.judging.exact_match import Attempt, Exam
from dfst.judging.lengths import climb
from dfst.judging.test_sets import random_pairs
from dfst.traces.understand import on_layout_of, understand
from dfst.world.table import TooSlowError
from dfst.world.worlds import World
from tests.wrong_files import PROGRAM

SOURCE = Path(dfst.__file__).parent


def texts(tree):
    """Every text in a module but its documentation; what is filled in later is X."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef)
    bodies = [node.body for node in ast.walk(tree) if isinstance(node, documented)]
    strings = {id(line.value) for body in bodies for line in body if isinstance(line, ast.Expr)}
    parts = {id(value) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for value in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield "".join(part.value if isinstance(part, ast.Constant) else "X" for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in strings | parts:
            yield node.value


def advised():
    """Every command that a text of the package names, as (file, words)."""
    verbs = {name for name in app if not name.startswith("-")}
    for path in sorted(SOURCE.rglob("*.py")):
        for text in texts(ast.parse(path.read_text(encoding="utf-8"))):
            for match in re.finditer(rf"\bdfst ((?:{'|'.join(verbs)})\b[^.;,:()`\n]*)", text):
                yield path.name, match[1]


def test_every_command_that_a_message_names_exists():
    """Words of the sentence around a command are taken for operands; its verb and its options have to be right."""
    found = list(advised())
    assert len(found) > 20
    for file, words in found:
        verb, *rest = shlex.split(words.replace("'", " "))
        options = [word for word in rest if word.startswith("--")]
        command = app[verb][rest.pop(0)] if verb == "sweep" else app[verb]
        known = {name for argument in command.assemble_argument_collection() for name in argument.names}
        assert set(options) <= known | {"--help"}, (file, words)


@pytest.mark.parametrize(
    "words", [["add10", "58", "67"], ["add10", "58+67"], ["add10", "58 + 67"], ["add10", "58", "+", "67"]]
)
def test_a_sum_may_be_written_as_people_write_it(call, words):
    assert call("solve", *words)[:2] == (0, "125\nhalted after 52 steps.\n")


def test_a_program_is_taken_wherever_it_can_be_watched(call):
    Path("mine.py").write_text(PROGRAM)
    assert call("solve", "mine.py:flip", "101")[:2] == (0, "010\nhalted after 4 steps.\n")
    Path("word.txt").write_text("10\n1\n")
    assert call("solve", "mine.py:flip", "@word.txt")[:2] == (0, "010\nhalted after 4 steps.\n")
    assert call("doctor", "mine.py:flip")[0] == 0
    assert call("data", "mine.py:flip", "--n", "40", "--out", "t.jsonl")[0] == 0
    assert len(dfst.load("t.jsonl")) == 40
    code, out, err = call("view", "mine.py:flip", "101")
    assert (code, out) == (0, "view.html\n")
    assert "4 steps; halted" in err
    assert "without a teacher" not in err


def bare(traces, path):
    """``traces`` in a file that says nothing of how they stand on the grid."""
    dfst.Traces(World(traces.alphabet), traces.seen, traces.written, traces.moves, traces.offsets).save(path)


@pytest.mark.parametrize(("name", "problems"), [("increment", [("1",), ("18",)]), ("add10", [("1", "2"), ("3", "4")])])
def test_bare_traces_of_a_known_teacher_are_on_its_layout(tmp_path, name, problems):
    """Inputs without a 9, or of one length only, were seen; the teacher says that there are others."""
    machine = dfst.task(name).machine
    bare(dfst.record(name, problems), tmp_path / "few.jsonl")
    traces = dfst.load(tmp_path / "few.jsonl")
    assert understand(traces).layout != machine.layout
    known = on_layout_of(traces, machine)
    assert (known.layout, known.alphabet, list(known.problems)) == (machine.layout, machine.alphabet, problems)


def test_traces_of_another_world_are_refused_before_training(call):
    bare(dfst.record("double", [("1",), ("18",), ("250",)]), "double.jsonl")
    code, _, err = call("learn", "double.jsonl", "--teacher", "add10", "--out", "run")
    assert code == 2
    assert "it and the teacher add10 have different symbols" in err
    assert "teacher-layout" not in err
    assert not Path("run").exists()


def test_an_unfinished_run_says_how_it_was_begun(call, tmp_path):
    dfst.load("teacher:increment").save("mine.dfst")
    assert call("learn", "mine.dfst", "--out", "run", "--seconds", "0.01")[0] == 1
    code, _, err = call("solve", "run", "1")
    assert code == 2
    again = re.search(r"Resume it with the command that began it \(manifest.json names it\) and (.*)", err)
    assert again, err
    assert call("learn", "mine.dfst", *shlex.split(again[1]), "--json")[0] in (0, 1)


def test_a_slow_teacher_ends_a_measurement_where_it_is(monkeypatch):
    def examiner(problem):
        if len(problem[0]) > 6:
            raise TooSlowError("on it the teacher did not halt")
        return Attempt(True, True, 1, None)

    task = dfst.task("binary-to-unary")
    found = climb(Exam(examiner), task, 20)
    assert (found.plg, found.rlg, found.to) == (6, 6, 6)
    assert found.explain() == "PLG at least 6, RLG at least 6"


@pytest.mark.parametrize("to", [60, 100, 500])
def test_plg_is_one_number_whatever_else_is_asked_for(to):
    """Random pairs of up to 46 digits fail, at which only the search for RLG looks, and all those beyond 80."""
    task = dfst.task("add2")
    odd = set(random_pairs(task, 46, seed=0)).difference(*(random_pairs(task, m, seed=0) for m in range(47, 100)))

    def examiner(problem):
        same, longest = len(set("".join(problem))) == 1, max(map(len, problem))
        wrong = problem in odd or longest > 80 or (same and longest > 43)
        return Attempt(not wrong, not wrong, 1, None if not wrong else "different")

    found = [climb(Exam(examiner), task, to, rlg=rlg) for rlg in (False, True)]
    assert [each.plg for each in found] == [min(to, 80)] * 2


def test_the_first_difference_names_its_problem(call):
    code, out, _ = call("eval", "add2:raw", "--rlg", "--to", "30")
    assert code == 0
    assert re.search(r"first difference: on 1{29} and 1{29}, at step ", out)
