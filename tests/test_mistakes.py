"""Every mistake is answered in one to three sentences that say what was wrong and what to do; nothing is touched."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from dfst import errors
from dfst.errors import DfstError, MachineError, printable
from tests.mistakes import COMMAND, PYTHON, call, mistakes, settled, train
from tests.wrong_files import make_files

MISTAKES = mistakes(COMMAND)
SENTENCE_END = re.compile(r"(?<=[.?)])\s+(?=[A-Za-z0-9('.])")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mistakes")
    make_files(folder, train)
    return folder


@pytest.fixture
def inside(files, monkeypatch):
    """The current folder is the one with the files, and stays as it is; whoever looks into a run holds its lock."""

    def state():
        paths = [path for path in files.rglob("*") if path.name != ".lock"]
        return {path: None if path.is_dir() else path.stat().st_mtime_ns for path in paths}

    monkeypatch.chdir(files)
    before = state()
    yield files
    assert state() == before


@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake.line or "nothing" for mistake in MISTAKES])
def test_a_mistake_gets_its_answer_and_touches_nothing(inside, capsys, mistake):
    code = call(*shlex.split(mistake.line))
    out, err = capsys.readouterr()
    assert str(code) == mistake.code in ("1", "2")
    assert settled(err or out) == mistake.answer, "if this is meant: python -m tests.mistakes"
    assert "Traceback" not in err
    if not err:  # --json
        return
    assert out == ""
    lines = settled(err).split("\n")
    problems = lines[1:] if lines[0].endswith("in the machine:") else lines[:1]
    for problem in problems:
        sentences = SENTENCE_END.split(problem.strip())
        assert 2 <= len(sentences) <= 3, sentences  # what was wrong, and what to do
        assert len(problem) < 250


def test_in_python_too_every_mistake_gets_its_answer(inside):
    """In a process of its own: with the type checks of the tests, some would never reach the library."""
    root = Path(__file__).parents[1]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(root), *sys.path])}
    words = [sys.executable, "-m", "tests.mistakes", "--python"]
    done = subprocess.run(words, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    kept = mistakes(PYTHON)
    assert [tuple(answer) for answer in json.loads(done.stdout)] == kept, "if this is meant: python -m tests.mistakes"
    assert not {mistake.code for mistake in kept} & {"accepted", "traceback"}
    assert all(len(line) < 350 for mistake in kept for line in mistake.answer.split("\n"))


def test_the_table_is_read_whole():
    for door in (COMMAND, PYTHON):
        lines = [line for line in (Path(__file__).parent / "mistakes.txt").read_text().splitlines() if door in line]
        assert len(mistakes(door)) == len(set(lines)) - (door in lines[0][1:]) >= 150


@pytest.mark.parametrize("command", ["solve {} 1 1", "check {}", "diff {} 1 1"])
def test_windows_line_ends_are_no_mistake(inside, capsys, command):
    assert call(*command.format("windows.dfst").split()) == 0


def test_a_refused_measurement_leaves_nothing_that_stops_the_next(files, capsys, monkeypatch):
    monkeypatch.chdir(files)
    assert call("eval", "other", "--teacher", "add2", "--to", 1) == 2
    assert call("eval", "other", "--to", 1) == 0


@pytest.mark.parametrize("words", [("1" * 5000, "1"), ("teacher:add2", "1" * 5000 + "x", "1")])
def test_a_number_of_many_digits_is_not_repeated_whole(inside, capsys, words):
    assert call("solve", *words) == 2
    assert len(capsys.readouterr().err) < 300


FORGED = ["add2\nverified: on every input", "\x1b[2K\rverified", "\u202e2dda\u2028teacher: add2", "\ud800"]


@pytest.mark.parametrize("text", FORGED)
def test_what_a_file_says_cannot_forge_hide_or_reorder_a_line(text):
    sentences = [printable(text), str(DfstError(text, where=text, do=text)), str(errors.Mistake(text, text))]
    sentences.append(str(MachineError([errors.Mistake("x")], where=text)).partition(" mistake in the machine")[0])
    for sentence in sentences:
        assert sentence.isprintable()
        sentence.encode()
    assert printable("3 × 4 → zwölf, 'a b'") == "3 × 4 → zwölf, 'a b'"
