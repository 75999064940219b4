"""From a log file to a proven machine, as a user would: at the command line."""

import json
import random
import runpy
from pathlib import Path

import pytest

import dfst
from dfst.exchange import to_csv
from dfst.exchange.dot import to_dot
from dfst.traces.logs import traces_of_conversations
from dfst.until_proven import merging
from dfst.until_proven.looking import Limit
from dfst.world.conversation import Turn, conversation_machine
from dfst.world.rollout import Outcome
from tests.logs.protocols import door, walks
from tests.mistakes import call

UNTIL = "(4 states) is exact until the teacher is stuck:"


@pytest.fixture
def logs(tmp_path, monkeypatch):
    """A log of the door in three forms, and references; the end of the file is not that of the protocol."""
    monkeypatch.chdir(tmp_path)
    log = walks(door(), 120)
    (tmp_path / "log.csv").write_text(to_csv(traces_of_conversations(log)), encoding="utf-8")
    (tmp_path / "log.jsonl").write_text("".join(json.dumps(talk) + "\n" for talk in log), encoding="utf-8")
    (tmp_path / "door.dot").write_text(to_dot(door()), encoding="utf-8")
    (tmp_path / "partial.dot").write_text(to_dot(door(("locked", "lock"), ("open", "unlock"))), encoding="utf-8")
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("reference", ["door.dot", "partial.dot"])
def test_a_log_is_learned_and_proven(logs, capsys, reference):
    assert call("learn", "log.csv", "--teacher", reference, "--out", "run") == 0
    said = capsys.readouterr().out
    whole = reference == "door.dot"
    assert ("(4 states) is exact: on every input" in said, UNTIL in said) == (whole, not whole)
    assert dfst.check("run", teacher=reference).known_as is None
    assert call("certify", "run", "--teacher", reference) == 0


def test_every_form_of_a_log_is_the_same(logs):
    first, second = dfst.load("log.csv"), dfst.load("log.jsonl")
    assert first.sha256 == second.sha256
    assert first.layout.parts == ("input+",)
    Path("LOG.CSV").write_bytes(Path("log.csv").read_bytes())
    assert dfst.load("LOG.CSV").sha256 == first.sha256


@pytest.mark.slow
def test_without_a_reference_the_held_out_conversations_speak(logs, capsys):
    assert call("learn", "log.csv", "--out", "run", "--json") == 0
    said = json.loads(capsys.readouterr().out)
    assert said["against"] == []
    assert (said["exact"], said["traces"], said["held_out"]["number"]) == (False, 106, 7)
    assert said["held_out"]["machine"] >= 6
    again = dfst.learn("log.csv", dfst.Options(out="run", resume=True))
    assert again.held_out.number == 7
    assert "not proven: no reference" in again.explain()
    assert "of 7 held-out conversations right to the end" in again.explain()


@pytest.mark.slow
def test_a_machine_that_contradicts_its_log_says_so(logs, monkeypatch, capsys):
    """A record that no other supports is worth no rule."""
    monkeypatch.setattr(merging, "can_merge", lambda: False)
    log = walks(door(), 120)
    case = max(range(len(log)), key=lambda i: len(log[i]))
    read, answer = log[case][8]
    log[case][8] = read, "error" if answer == "ok" else "ok"
    (logs / "odd.csv").write_text(to_csv(traces_of_conversations(log)), encoding="utf-8")
    assert call("learn", "odd.csv", "--out", "run") == 1
    assert f"answers 1 of 106 conversations that it learned from otherwise: case '{case + 1}', input 9" in (
        capsys.readouterr().out
    )
    assert call("learn", "odd.csv", "--out", "run", "--resume", "--json") == 1
    assert json.loads(capsys.readouterr().out)["against"] == [f"case '{case + 1}', input 9"]


@pytest.mark.slow
@pytest.mark.parametrize(("share", "answers", "said"), [
    (0.25, ["jammed"], "in one situation 'unlock' is answered 'jammed', not 'ok', "),
    (0.25, ["ok", "error", "jammed"], "records, more than a twentieth, are taken for mistakes"),
    (0.03, ["ok", "error", "jammed"], ""),
])  # fmt: skip
def test_what_looks_like_choice_is_said(logs, capsys, share, answers, said):
    """A door that jams at times; a door that answers anything; and a few mistakes of whoever wrote it down."""
    rng = random.Random(4)

    def written(read, answer):
        may = len(answers) > 1 or (read, answer) == ("unlock", "ok")
        return read, rng.choice(answers) if may and rng.random() < share else answer

    log = [[written(*turn) for turn in talk] for talk in walks(door(), 300)]
    (logs / "odd.csv").write_text(to_csv(traces_of_conversations(log)), encoding="utf-8")
    assert call("learn", "odd.csv", "--noisy", "--out", "run") == 0
    found = capsys.readouterr().out
    assert said in found
    assert ("looks like choice, not noise" in found) == bool(said)
    assert call("learn", "odd.csv", "--noisy", "--out", "run", "--resume", "--json") == 0  # which trains no more
    assert said in json.loads(capsys.readouterr().out).get("doubt", "")


@pytest.mark.slow
def test_the_exit_code_says_whether_something_failed(logs, monkeypatch, capsys):
    monkeypatch.setattr(merging, "can_merge", lambda: False)
    assert call("learn", "log.csv", "--seeds", "1,2", "--out", "runs") == 0
    assert call("learn", "log.csv", "--seconds", "0.001", "--out", "late") == 1
    Path("other.dot").write_text(to_dot(door()).replace("lock / ok", "lock / error", 1), encoding="utf-8")
    assert call("learn", "log.csv", "--teacher", "other.dot", "--seconds", "5", "--out", "refuted") == 1


def test_the_doctor_asks_a_partial_reference_only_what_it_answers(logs):
    assert "does-not-halt" not in [finding.cause for finding in dfst.doctor("partial.dot")]


@pytest.mark.slow
def test_a_partial_reference_is_asked_only_what_it_answers(logs):
    """A lock with one right input after the other: random conversations are hardly ever answered."""
    turns = [Turn(f"q{i}", f"dial {9 - i}", "click", f"q{i + 1}") for i in range(10)]
    machine = conversation_machine(turns, "q0", name="lock")
    Path("lock.dot").write_text(to_dot(machine), encoding="utf-8")
    learned = dfst.learn("lock.dot", dfst.Options(out="run"), ask=True)
    assert learned.proven
    assert all(machine.run(*problem).outcome == Outcome.HALTED for problem in learned.traces.problems)


@pytest.mark.slow
def test_what_ends_for_want_of_time_says_where_it_is_wrong(logs, monkeypatch):
    """The log is that of another door than the reference, so nothing that follows it can be exact."""
    Path("other.dot").write_text(to_dot(door()).replace("lock / ok", "lock / error", 1), encoding="utf-8")
    said = list[str]()
    monkeypatch.setattr(merging, "can_merge", lambda: False)
    monkeypatch.setattr(Limit, "late", property(lambda self: said[-1:] != [] and said[-1].endswith("refuted")))
    learned = dfst.learn("log.csv", dfst.Options(out="run"), teacher="other.dot", seconds=1e6, say=said.append)
    assert learned.certification is None
    assert "--resume; the machine so far is refuted: on the inputs lock, at lock (number 1)" in str(learned)
    assert not Path("run/machine.dfst").exists()  # it is not finished, and says so


@pytest.mark.slow
def test_the_example_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    runpy.run_path(str(Path(__file__).parents[2] / "examples" / "own_protocol.py"))
    said = capsys.readouterr().out
    assert "alone: not proven: no reference" in said
    assert "(3 states) is exact" in said
    assert "refuted: on the inputs say␣name turn␣key say␣name, at say␣name (number 3): the teacher (open)" in said
