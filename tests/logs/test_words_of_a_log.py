"""Verbs that get a log, or a machine learned from one, speak of its inputs and outputs, never of a grid."""

import re

import pytest

import dfst
from dfst.exchange import to_csv
from dfst.exchange.dot import parse_dot, to_dot
from dfst.judging.doctor import doctor
from dfst.traces.logs import traces_of_conversations
from dfst.world.conversation import Turn, conversation_machine, word_of
from tests.logs.protocols import DOOR, door, walks
from tests.mistakes import call

GRID = re.compile(r"\b(grid|cell|cells|moves?|steps?|digits?|operands?|problems)\b")


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A log of the door, the door, and two doors that differ from it: wrong, and partial."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.csv").write_text(to_csv(traces_of_conversations(walks(door(), 120))), encoding="utf-8")
    (tmp_path / "door.dot").write_text(to_dot(door()), encoding="utf-8")
    (tmp_path / "partial.dot").write_text(to_dot(door(("locked", "lock"))), encoding="utf-8")
    wrong = [turn._replace(output="ok") if turn[:2] == ("open", "unlock") else turn for turn in DOOR]
    (tmp_path / "wrong.dot").write_text(to_dot(conversation_machine(wrong, "closed")), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("solve", "door.dot", "open door", "lock"), "ok ok\nhalted after 2 inputs."),
        (("solve", "door.dot", "open␣door lock unlock"), "ok ok ok\nhalted after 3 inputs."),
        (("solve", "partial.dot", "lock", "lock"), "stuck after 1 input, in state locked at lock: no rule for"),
        (("view", "door.dot", "open door"), "halted after 1 input"),
        (("diff", "door.dot", "--teacher", "wrong.dot"), "(teacher's state open), the teacher answers ok and the"),
        (("diff", "door.dot", "--teacher", "door.dot"), "exact: on every input of every length"),
        (("data", "log.csv"), "log.csv: it is a log, or a file of traces, and not a task. dfst learn log.csv learns"),
    ],
)
def test_verbs_speak_of_inputs_and_outputs(here, capsys, words, sentence):
    call(*words)
    said = "".join(capsys.readouterr())
    assert sentence in said
    assert not GRID.search(said)


def test_a_drawing_is_exported(here):
    assert parse_dot(dfst.export("door.dot") and to_dot(dfst.load("door.dot")), door()) == door()


def test_an_input_may_be_one_character():
    lamp = conversation_machine([Turn("off", "1", "0", "off"), Turn("off", "0", "1", "off")], "off")
    assert word_of(lamp, ["1", "0 1", "01"]) == "10101"
    assert dfst.solve(lamp, "1", "0").answer.text == "01"


def test_conversations_of_one_length_are_no_mistake(here):
    talks = [talk[:3] for talk in walks(door(), 300) if len(talk) >= 3]
    (here / "even.csv").write_text(to_csv(traces_of_conversations(talks)), encoding="utf-8")
    assert [found.cause for found in doctor("even.csv") if found.cause == "loop-at-one-length"] == []


@pytest.mark.slow
def test_a_log_against_its_reference_is_said_at_once(here, capsys):
    pytest.importorskip("aalpy")
    assert call("learn", "log.csv", "--teacher", "wrong.dot", "--out", "run") == 1
    said = capsys.readouterr().out
    assert "run: refuted by state merging" in said
    assert "the log itself is against the reference: open␣door unlock ends in error, not in ok" in said
    assert call("learn", "log.csv", "--teacher", "partial.dot", "--out", "other") == 0
    assert call("solve", "other", "open door", "lock") == 0
    assert call("certify", "other") == 2
    assert "see the evidence for its machine: dfst doctor other" in capsys.readouterr().err
