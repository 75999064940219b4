"""Every mistake is answered in one to three sentences that say what was wrong and what to do; nothing is touched."""

import re
import shlex

import pytest

from tests.mistakes import call, mistakes, settled, train
from tests.wrong_files import make_files

MISTAKES = mistakes()
SENTENCE_END = re.compile(r"(?<=[.?)])\s+(?=[A-Za-z0-9('.])")


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    folder = tmp_path_factory.mktemp("mistakes")
    make_files(folder, train)
    return folder


def state(folder):
    """Everything there is, and when each file was last written; whoever looks into a run holds its lock meanwhile."""
    paths = [path for path in folder.rglob("*") if path.name != ".lock"]
    return {path: None if path.is_dir() else path.stat().st_mtime_ns for path in paths}


@pytest.mark.parametrize("mistake", MISTAKES, ids=[mistake.line or "nothing" for mistake in MISTAKES])
def test_a_mistake_gets_its_answer_and_touches_nothing(files, capsys, monkeypatch, mistake):
    monkeypatch.chdir(files)
    before = state(files)
    code = call(*shlex.split(mistake.line))
    out, err = capsys.readouterr()
    assert code == mistake.code
    assert state(files) == before
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


def test_the_table_is_read_whole():
    lines = {mistake.line for mistake in MISTAKES}
    assert len(MISTAKES) == len(lines) >= 100
    assert {mistake.code for mistake in MISTAKES} == {1, 2}


@pytest.mark.parametrize("command", ["solve {} 1 1", "check {}", "diff {} 1 1"])
def test_windows_line_ends_are_no_mistake(files, capsys, monkeypatch, command):
    monkeypatch.chdir(files)
    assert call(*command.format("windows.dfst").split()) == 0


def test_a_refused_measurement_leaves_nothing_that_stops_the_next(files, capsys, monkeypatch):
    monkeypatch.chdir(files)
    assert call("eval", "other", "--teacher", "add2", "--to", 1) == 2
    assert call("eval", "other", "--to", 1) == 0


def test_a_number_of_many_digits_is_not_repeated_whole(files, capsys, monkeypatch):
    monkeypatch.chdir(files)
    for words in (
        ("solve", "1" * 5000, "1"),
        ("solve", "1" * 5000, "1"),
        ("solve", "teacher:add2", "1" * 5000 + "x", "1"),
    ):
        assert call(*words) == 2
        assert len(capsys.readouterr().err) < 300
