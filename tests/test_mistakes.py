"""Every mistake is answered in one to three sentences that say what was wrong and what to do; nothing is touched."""

import json
import re
import shlex
import sys

import pytest

from dfst.cli import main
from tests.mistakes import MISTAKES
from tests.wrong_files import make_files

COMMANDS = ("run", "data", "train", "solve", "eval", "extract", "certify", "check", "diff", "machine check", "sweep")
SENTENCE_END = re.compile(r"(?<=[.?)])\s+(?=[A-Za-z0-9('.])")


def call(*words):
    """The exit code of the command line."""
    before, sys.argv = sys.argv, ["dfst", *map(str, words)]
    try:
        main()
    except SystemExit as stop:
        return stop.code or 0
    finally:
        sys.argv = before
    return 0


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mistakes")

    def train(task, iterations, out):
        assert call("train", task, "--iterations", iterations, "--out", out) == 0

    make_files(folder, train)
    return folder


def state(folder):
    """Everything there is, and when each file was last written; whoever looks into a run holds its lock meanwhile."""
    paths = [path for path in folder.rglob("*") if path.name != ".lock"]
    return {path: None if path.is_dir() else path.stat().st_mtime_ns for path in paths}


@pytest.mark.parametrize(("line", "code", "fragment"), MISTAKES, ids=[line or "nothing" for line, _, _ in MISTAKES])
def test_a_mistake_is_answered_helpfully(files, capsys, monkeypatch, line, code, fragment):
    monkeypatch.chdir(files)
    before = state(files)
    assert call(*shlex.split(line)) == code
    out, err = capsys.readouterr()
    assert state(files) == before
    assert fragment in out + err
    assert "Traceback" not in err
    if "--json" in line and out:
        assert json.loads(out)["verified"] is False
        return
    assert out == ""
    *notes, answer = err.strip().split("dfst: ", 1)
    assert not notes or line.startswith("train") or notes == [""]
    lines = answer.split("\n")
    problems = lines[1:] if lines[0].endswith("in the machine:") else lines[:1]
    assert len(lines) <= 12
    for problem in problems:
        sentences = SENTENCE_END.split(problem.strip())
        assert 2 <= len(sentences) <= 3, sentences  # what was wrong, and what to do
        assert len(problem) < 250


def test_twenty_mistakes_and_more_of_every_command():
    assert len(MISTAKES) == len({line for line, _, _ in MISTAKES}) >= 200
    for command in COMMANDS:
        assert sum(line == command or line.startswith(f"{command} ") for line, _, _ in MISTAKES) >= 20


@pytest.mark.parametrize("command", ["run {} 1 1", "solve {} 1 1", "machine check {}", "diff {} add2"])
def test_windows_line_ends_are_no_mistake(files, capsys, monkeypatch, command):
    monkeypatch.chdir(files)
    assert call(*command.format("windows.dfst").split()) == 0


def test_a_refused_measurement_leaves_nothing_that_stops_the_next(files, capsys, monkeypatch):
    monkeypatch.chdir(files)
    assert call("eval", "other", "--task", "add2", "--to", 1) == 2
    assert call("eval", "other", "--to", 1) == 0


def test_a_number_of_many_digits_is_not_repeated_whole(files, capsys, monkeypatch):
    monkeypatch.chdir(files)
    for words in (("solve", "1" * 5000, "1"), ("run", "1" * 5000, "1"), ("run", "add2", "1" * 5000 + "x", "1")):
        assert call(*words) == 2
        assert len(capsys.readouterr().err) < 300
