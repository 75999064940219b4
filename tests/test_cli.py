"""The command line: what each verb prints, writes and says of what it was given."""

import json
from pathlib import Path

import pytest

from dfst import solve
from dfst.errors import interrupted
from dfst.exchange.mealy import to_mealy
from dfst.judging.lengths import reached_text
from dfst.names import find_certificate
from dfst.prove.certificate import load_certificate
from dfst.shipped import EXAMPLES, catalogue
from dfst.teachers.arithmetic import PAPER_LENGTHS
from dfst.teachers.find import find_task
from tests.small import header


def test_an_interrupt_of_compiled_code_is_one():
    with pytest.raises(SystemError) as caught:
        raise SystemError("returned a result with an exception set") from KeyboardInterrupt()
    assert interrupted(caught.value)


def test_tasks(call):
    code, out, _ = call("tasks", "--json")
    rows = {row["name"]: row for row in json.loads(out)}
    assert code == 0
    for name, states, parameters in [
        ("add2", 12, 1020),
        ("add10", 20, 8900),
        ("mult2", 32, 5280),
        ("mult10", 108, 162108),
    ]:
        assert rows[name]["states"] <= states == rows[name]["hidden_dim"]
        assert rows[name]["parameters"] == parameters
    said = call("tasks")[1]
    for name, row in rows.items():
        shown = load_certificate(find_certificate(name))["claim"]["teacher_never_stuck"]
        stuck = not shown and name not in PAPER_LENGTHS  # Rocq proves that these halt
        assert row["may_get_stuck"] == stuck
        about = f"{row['about']} (may get stuck)" if stuck else row["about"]
        assert f"{name:17}  {about}\n{'':17}  {row['try']}\n" in said
    assert all(len(line) <= 120 for line in said.splitlines())


def test_every_example_of_dfst_tasks_shows_something():
    assert list(EXAMPLES) == [each.name for each in catalogue()]
    for name, operands in EXAMPLES.items():
        answer = solve(f"teacher:{name}", *operands).answer.text
        assert len(set(operands)) == len(operands), name  # not the greatest common divisor of 6 and 6
        assert answer not in operands or name == "copy"


def test_run_reports_what_is_not_an_answer(call, work):
    Path("loop.dfst").write_text(header("loop", "a") + "---\na 0,_ -> 0 R b\nb _ -> = R a\n")
    code, out, err = call("solve", "loop.dfst", "0", "--step-limit", "9", "--json")
    assert (code, json.loads(out)["outcome"], json.loads(out)["answer"]) == (1, "step limit", None)
    code, out, err = call("solve", "loop.dfst", "0", "--step-limit", "9")
    assert code == 1
    assert "there is no answer (it did not halt; --step-limit allows more steps)" in err
    code, out, _ = call("solve", "loop.dfst", "00")
    assert code == 1
    assert "no rule for (b, 0)" in out


def test_data(call, work):
    code, out, _ = call("data", "add2", "--seed", "42", "--json", "--out", "add2.jsonl")
    record = json.loads(out)
    assert (code, record["traces"], record["max_length"], record["uncovered"]) == (0, 20, 78, [])
    assert record["sha256"].startswith("02617870")
    assert {"state", "move", "symbols", "lengths"} <= set(record["loops"][0])
    assert json.loads(Path("add2.jsonl").read_text().splitlines()[0])["sha256"] == record["sha256"]
    assert "every rule of the teacher is used" in call("data", "add2")[1]
    code, out, _ = call("data", "add10", "--p", "0", "--q", "1", "--n", "100", "--json")
    assert json.loads(out)["uncovered"]


def test_show_check_dot_and_run_a_saved_machine(call, work):
    assert call("export", "teacher:mult3", "--out", "m.dfst")[0] == 0
    code, out, _ = call("check", "m.dfst")
    assert (code, "fine" in out) == (0, True)
    assert json.loads(call("check", "m.dfst", "--json")[1])["ok"] is True
    assert call("export", "m.dfst")[1] == call("export", "teacher:mult3")[1]
    assert call("export", "m.dfst", "--out", "m.dot")[0] == 0
    assert Path("m.dot").read_text().startswith("digraph")
    assert json.loads(call("solve", "m.dfst", "22", "12", "--json")[1])["answer"] == "1111"


@pytest.mark.parametrize("task", ["add2", "compare"])
def test_aalpy_and_dot_files_come_back(call, work, task):
    teacher = f"teacher:{task}"
    assert call("export", teacher, "--out", "m.dfst")[0] == 0
    for name, complete in (("a.dot", False), ("c.dot", True)):
        Path(name).write_text(str(to_mealy(find_task(task).machine, complete=complete)), encoding="utf-8")
    assert call("export", teacher, "--out", "d.dot")[0] == 0
    for name in ("a.dot", "c.dot", "d.dot"):
        assert call("import", name, "--teacher", task, "--out", "again.dfst")[0] == 0
        assert Path("again.dfst").read_text() == Path("m.dfst").read_text()
    code, out, _ = call("import", "a.dot")
    assert (code, 'name = "a"' in out) == (0, True)


def test_train_and_resume(call, work):
    Path("short.toml").write_text("iterations = 200\nlearning-rate = 0.004\n")
    code, out, _ = call("train", "add2", "--config", "short.toml", "--json")
    record = json.loads(out)
    assert (code, record["problem"]) == (0, "")
    assert 0 < record["loss"] < 1
    assert "learning_rate = 0.004" in Path("runs/add2-fast-s42/config.toml").read_text()
    assert json.loads(call("train", "add2", "--resume", "--json")[1])["loss"] == record["loss"]
    code, out, _ = call("train", "add2", "--iterations", "100", "--seeds", "1:3", "--json")
    assert [row["seed"] for row in json.loads(out)] == [1, 2]
    assert "add2-fast-s1" in call("train", "add2", "--seeds", "1:3", "--resume")[1]


def test_a_run_that_diverges_says_so(call, work):
    code, _, err = call("train", "mult10", "--recipe", "paper", "--iterations", "100", "--threads", "1")
    assert code == 1
    assert "overflowed float32" in err


def test_solve_takes_every_kind_of_policy(call, work):
    call("export", "teacher:add10", "--out", "m.safetensors")
    call("export", "teacher:add10", "--out", "m.dfst")
    Path("a.txt").write_text("9" * 5000 + "\n")
    for policy in ("m.safetensors", "m.dfst", "teacher:add10"):
        code, out, _ = call("solve", policy, "@a.txt", "1", "--json")
        record = json.loads(out)
        assert (code, record["answer"], record["outcome"]) == (0, "1" + "0" * 5000, "halted")
        assert call("solve", policy, "12345", "67890")[1].splitlines()[0] == "80235"
    code, out, err = call("solve", "teacher:add10", "1", "2", "--reach", "0")
    assert (code, "left the allowed area" in out, "it did not halt" in err) == (1, True, True)


def test_eval_lists_every_tested_length(call, work):
    call("export", "teacher:add2", "--out", "m.safetensors")
    words = ("eval", "m.safetensors", "--to", 12, "--rlg", "--out", "e.json")
    code, out, _ = call(*words, "--json")
    record = json.loads(out)
    assert (code, record["plg"], record["rlg"]) == (0, 12, 12)
    assert [rung["m"] for rung in record["tested"]] == [*range(1, 11), 12]
    assert json.loads(Path("e.json").read_text())["tested"] == record["tested"]
    assert len(Path("e.jsonl").read_text().splitlines()) == 1 + 11 * 14
    code, out, _ = call(*words, "--verbose")
    assert "PLG at least 12, RLG at least 12" in out  # longer ones were not tested
    assert (reached_text(11, 12), reached_text(12, 12)) == ("11", "at least 12")
    assert "4 of 4 act as the teacher" in out
    code, _, err = call("eval", "teacher:add2", "--to", 3, "--out", "e.json")
    assert (code, "attempts of another policy" in err) == (2, True)


def test_view_and_watch(call, work):
    code, out, err = call("view", "teacher:add10", "58", "67")
    assert (code, out, "halted after 52 steps" in err) == (0, "view.html\n", True)
    assert Path("view.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert call("view", "add2:raw", "11", "1", "--out", "both.html")[0] == 0
    assert '"roles": ["learner", "teacher"]' in Path("both.html").read_text(encoding="utf-8")
    assert call("view", "add2:raw", "11", "1", "--alone", "--out", "one.html")[0] == 0
    assert '"roles": [""]' in Path("one.html").read_text(encoding="utf-8")
    assert call("export", "teacher:add2", "--out", "mine.dfst")[0] == 0
    assert call("view", "mine.dfst", "11", "1", "--teacher", "add2", "--out", "two.html")[0] == 0
    assert '"divergence": null' in Path("two.html").read_text(encoding="utf-8")
