import json
import sys
from pathlib import Path

import pytest

from dfst.cli import main
from dfst.cli.output import reached_text

BROKEN = Path(__file__).parent / "broken_machines"


@pytest.fixture
def dfst(capsys, monkeypatch):
    """Calls the command line: (exit code, stdout, stderr)."""

    def call(*words):
        monkeypatch.setattr(sys, "argv", ["dfst", *map(str, words)])
        code = 0
        try:
            main()
        except SystemExit as stop:
            code = stop.code or 0
        out, err = capsys.readouterr()
        return code, out, err

    return call


def test_experts(dfst):
    code, out, _ = dfst("experts", "--json")
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
    assert "mult10" in dfst("experts")[1]


@pytest.mark.parametrize(
    ("task", "a", "b", "answer"),
    [
        ("add10", "999999999999", "1", "1000000000000"),
        ("add2", "111", "1", "1000"),
        ("mult2", "111", "111", "110001"),
        ("mult10", "00012", "12", "144"),
        ("mult16", "ff", "FF", "fe01"),
    ],
)
def test_run(dfst, task, a, b, answer):
    code, out, _ = dfst("run", task, a, b, "--json")
    record = json.loads(out)
    assert (code, record["answer"], record["outcome"], record["only_answer_left"]) == (0, answer, "halted", True)
    assert record["cells"].lstrip("0") == answer
    code, out, _ = dfst("run", task, a, b)
    assert out.splitlines() == [answer, f"halted after {record['steps']} steps."]


def test_operands_from_files(dfst, work):
    Path("a.txt").write_text("9" * 5000 + "\n")
    code, out, _ = dfst("run", "add10", "@a.txt", "1", "--json")
    assert (code, json.loads(out)["answer"]) == (0, "1" + "0" * 5000)


def test_run_reports_what_is_not_an_answer(dfst, work):
    Path("loop.dfst").write_text(
        'format = 1\nname = "loop"\nsymbols = ["0", "_"]\nblank = "_"\nstart = "a"\n[classes]\nd = ["0"]\n'
        '[input]\ncells = ["d+"]\n[answer]\ncells = "d"\n---\na 0,_ -> 0 R b\nb _ -> = R a\n'
    )
    code, out, err = dfst("run", "loop.dfst", "0", "--step-limit", "9", "--json")
    assert (code, json.loads(out)["outcome"], json.loads(out)["answer"]) == (1, "step limit", None)
    code, out, err = dfst("run", "loop.dfst", "0", "--step-limit", "9")
    assert code == 1
    assert "there is no answer (it did not halt)" in err
    code, out, _ = dfst("run", "loop.dfst", "00")
    assert code == 1
    assert "no rule for (b, 0)" in out


def test_data(dfst, work):
    code, out, _ = dfst("data", "add2", "--seed", "42", "--json", "--out", "add2.jsonl")
    record = json.loads(out)
    assert (code, record["traces"], record["max_length"], record["uncovered"]) == (0, 20, 78, [])
    assert record["sha256"].startswith("02617870")
    assert {"state", "move", "symbols", "lengths"} <= set(record["loops"][0])
    assert json.loads(Path("add2.jsonl").read_text().splitlines()[0])["sha256"] == record["sha256"]
    assert "every rule of the teacher is used" in dfst("data", "add2")[1]
    code, out, _ = dfst("data", "add10", "--p", "0", "--q", "1", "--n", "100", "--json")
    assert json.loads(out)["uncovered"]


def test_machine_check(dfst):
    expected = json.loads((BROKEN / "expected.json").read_text())
    assert len(expected) >= 30
    for name, problems in expected.items():
        code, out, err = dfst("machine", "check", BROKEN / f"{name}.dfst")
        assert code == 1
        assert "Traceback" not in err
        for line, fragment in problems:
            assert any(text.startswith(f"  line {line}: ") and fragment in text for text in err.splitlines())
        code, out, _ = dfst("machine", "check", BROKEN / f"{name}.dfst", "--json")
        assert code == 1
        assert json.loads(out)["ok"] is False
    code, _, err = dfst("machine", "check", BROKEN / "not_text.dfst")
    assert (code, "it is not text but binary data" in err) == (1, True)


def test_show_check_dot_and_run_a_saved_machine(dfst, work):
    assert dfst("machine", "show", "mult3", "--out", "m.dfst")[0] == 0
    code, out, _ = dfst("machine", "check", "m.dfst")
    assert (code, "fine" in out) == (0, True)
    assert json.loads(dfst("machine", "check", "m.dfst", "--json")[1])["ok"] is True
    assert dfst("machine", "show", "m.dfst")[1] == dfst("machine", "show", "mult3")[1]
    assert dfst("machine", "dot", "m.dfst")[1].startswith("digraph")
    assert json.loads(dfst("run", "m.dfst", "22", "12", "--json")[1])["answer"] == "1111"


def test_morphett(dfst, work):
    Path("flip.tm").write_text("0 0 1 r 0\n0 1 0 r 0\n0 _ _ * halt\n")
    assert dfst("machine", "morphett", "flip.tm", "--out", "flip.dfst")[0] == 0
    assert dfst("run", "flip.dfst", "0110")[1].splitlines()[0] == "1001"
    Path("loop.tm").write_text("0 0 0 * 0\n")
    code, _, err = dfst("machine", "morphett", "loop.tm")
    assert (code, "stays on its cell for ever" in err) == (1, True)


@pytest.mark.parametrize("task", ["add2", "compare"])
def test_aalpy_and_dot_files_come_back(dfst, work, task):
    assert dfst("machine", "show", task, "--out", "m.dfst")[0] == 0
    assert dfst("machine", "aalpy", task, "--out", "a.dot")[0] == 0
    assert dfst("machine", "aalpy", task, "--complete", "--out", "c.dot")[0] == 0
    assert dfst("machine", "dot", task, "--out", "d.dot")[0] == 0
    for name in ("a.dot", "c.dot", "d.dot"):
        assert dfst("machine", "from-dot", name, "--like", task, "--out", "again.dfst")[0] == 0
        assert Path("again.dfst").read_text() == Path("m.dfst").read_text()
    code, out, _ = dfst("machine", "from-dot", "a.dot")
    assert (code, 'name = "a"' in out) == (0, True)


def test_models(dfst, work):
    assert dfst("model", "one-hot", "add10", "--out", "m.safetensors", "--hidden-dim", "20")[0] == 0
    assert json.loads(dfst("model", "info", "m.safetensors", "--json")[1])["parameters"] == 8900
    code, out, _ = dfst("model", "replay", "m.safetensors", "add10", "123", "989", "--json")
    assert (code, json.loads(out)["exact"]) == (0, True)
    assert "exact" in dfst("model", "replay", "m.safetensors", "add10", "123", "989")[1]
    assert dfst("model", "replay", "m.safetensors", "add2", "1", "1")[0] == 2


def test_train_resume_and_plot(dfst, work):
    Path("short.toml").write_text("iterations = 200\nlearning-rate = 0.004\n")
    code, out, _ = dfst("train", "add2", "--config", "short.toml", "--json")
    record = json.loads(out)
    assert (code, record["problem"]) == (0, "")
    assert 0 < record["loss"] < 1
    assert "learning_rate = 0.004" in Path("runs/add2-fast-s42/config.toml").read_text()
    code, _, err = dfst("train", "add2", "--config", "short.toml")
    assert (code, "--resume" in err) == (2, True)
    assert json.loads(dfst("train", "add2", "--resume", "--json")[1])["loss"] == record["loss"]
    code, out, _ = dfst("train", "add2", "--iterations", "100", "--seeds", "1:3", "--json")
    assert [row["seed"] for row in json.loads(out)] == [1, 2]
    assert "add2-fast-s1" in dfst("train", "add2", "--seeds", "1:3", "--resume")[1]
    assert dfst("plot", "runs/add2-fast-s42", "runs/add2-fast-s1", "--out", "loss.svg")[0] == 0
    picture = Path("loss.svg").read_text()
    assert "iterations" in picture
    assert "add2, fast, seed 42" in picture
    assert dfst("plot", "runs/add2-fast-s42", "--out", "loss.xyz")[0] == 2


def test_a_run_that_diverges_says_so(dfst, work):
    code, _, err = dfst("train", "mult10", "--recipe", "paper", "--iterations", "100", "--threads", "1")
    assert code == 1
    assert "overflowed float32" in err


MISTAKES = [
    (),
    ("bogus",),
    ("run",),
    ("run", "add2"),
    ("run", "add2", "1"),
    ("run", "add2", "1", "2"),
    ("run", "add2", "1", "1", "1"),
    ("run", "add2", "", "1"),
    ("run", "add2", "-1", "1"),
    ("run", "add2", "1.5", "1"),
    ("run", "add99", "1", "1"),
    ("run", "subtrakt", "1", "1"),
    ("run", "nothing.dfst", "1"),
    ("run", "add2", "@nothing.txt", "1"),
    ("run", "add2", "@", "1"),
    ("run", "add2", "@.", "1"),
    ("run", "add2", "1", "1", "--step-limit", "-3"),
    ("run", "add2", "1", "1", "--step-limit", "many"),
    ("run", "add2", "1", "1", "--engine", "warp"),
    ("run", "add2", "1", "1", "--jsno"),
    ("data",),
    ("data", "add1"),
    ("data", "add2", "--seed", "x"),
    ("data", "add2", "--n", "1"),
    ("data", "add2", "--n", "99999999"),
    ("data", "add2", "--p", "9"),
    ("data", "add2", "--q", "-1"),
    ("data", "add10", "--p", "7", "--q", "9"),
    ("data", "add2", "--out", "x.csv"),
    ("data", "add2", "--out", "nowhere/x.jsonl"),
    ("experts", "all"),
    ("machine",),
    ("machine", "check"),
    ("machine", "check", "nothing.dfst"),
    ("machine", "check", "."),
    ("machine", "show", "add0"),
    ("machine", "dot", "add2", "--out", "nowhere/x.dot"),
    ("machine", "morphett", "nothing.tm"),
    ("machine", "aalpy", "add0"),
    ("machine", "aalpy", "add2", "--out", "nowhere/x.dot"),
    ("machine", "from-dot", "nothing.dot"),
    ("machine", "from-dot", "file"),
    ("machine", "from-dot", "wrong.toml", "--like", "add0"),
    ("model", "one-hot", "add2"),
    ("model", "one-hot", "add2", "--out", "m.safetensors", "--hidden-dim", "3"),
    ("model", "info", "nothing.safetensors"),
    ("model", "replay", "nothing.safetensors", "add2", "1", "1"),
    ("model", "info", __file__),
    ("train",),
    ("train", "add1"),
    ("train", "add2", "--recipe", "slow"),
    ("train", "add2", "--seeds", "x"),
    ("train", "add2", "--seeds", "5:5"),
    ("train", "add2", "--iterations", "0"),
    ("train", "add2", "--iterations", "many"),
    ("train", "add2", "--learning-rate", "nan"),
    ("train", "add2", "--growth", "2"),
    ("train", "add2", "--on-nonfinite", "pray"),
    ("train", "add2", "--engine", "tpu"),
    ("train", "add2", "--threads", "999"),
    ("train", "add2", "--threads", "0"),
    ("train", "add2", "--seeds", "0:3", "--threads", "-1"),
    ("train", "add2", "--hidden-dim", "0"),
    ("train", "add2", "--hidden-dim", "99999999"),
    ("train", "add2", "--n", "3"),
    ("train", "add2", "--config", "nothing.toml"),
    ("train", "add2", "--config", "wrong.toml"),
    ("train", "add2", "--config", "unknown.toml"),
    ("train", "add2", "--config", "broken.toml"),
    ("train", "add2", "--out", "file/run"),
    ("plot",),
    ("plot", "nowhere"),
    ("bench", "train", "--faster"),
    ("completion", "tcsh"),
    ("completion", "bash", "--install", "--out", "x"),
    ("completion", "bash", "--out", "nowhere/x"),
]


@pytest.mark.parametrize("words", MISTAKES, ids=" ".join)
def test_every_mistake_gets_a_sentence(dfst, work, words):
    for name, text in {"wrong": "iterations = 'x'", "unknown": "speed = 1", "broken": "= 1"}.items():
        Path(f"{name}.toml").write_text(text)
    Path("file").write_text("")
    code, out, err = dfst(*words)
    if words in ((), ("machine",)):  # help
        assert (code, "Usage" in out) == (0, True)
        return
    assert code in (1, 2)
    assert out == ""
    assert err.startswith("dfst: ")
    assert "Traceback" not in err
    assert 20 < len(err) < 700


def test_solve_takes_every_kind_of_agent(dfst, work):
    dfst("model", "one-hot", "add10", "--out", "m.safetensors")
    dfst("machine", "show", "add10", "--out", "m.dfst")
    Path("a.txt").write_text("9" * 5000 + "\n")
    for agent in ("m.safetensors", "m.dfst", "teacher:add10"):
        code, out, _ = dfst("solve", agent, "@a.txt", "1", "--json")
        record = json.loads(out)
        assert (code, record["answer"], record["outcome"]) == (0, "1" + "0" * 5000, "halted")
        assert dfst("solve", agent, "12345", "67890")[1].splitlines()[0] == "80235"
    code, out, err = dfst("solve", "teacher:add10", "1", "2", "--reach", "0")
    assert (code, "left the allowed area" in out, "it did not halt" in err) == (1, True, True)
    code, _, err = dfst("solve", "add11x", "1", "2")
    assert (code, "there is no agent called 'add11x'" in err) == (2, True)


def test_eval_lists_every_tested_length(dfst, work):
    dfst("model", "one-hot", "add2", "--out", "m.safetensors")
    words = ("eval", "m.safetensors", "--to", 12, "--rlg", "--hard", "--forecast", "--out", "e.json")
    code, out, _ = dfst(*words, "--json")
    record = json.loads(out)
    assert (code, record["plg"], record["rlg"]) == (0, 12, 12)
    assert [rung["m"] for rung in record["tested"]] == [*range(1, 11), 12]
    assert record["forecast_rlg"] == "more than 4000"
    assert json.loads(Path("e.json").read_text())["tested"] == record["tested"]
    assert len(Path("e.jsonl").read_text().splitlines()) == 1 + 11 * 14 + record["hard"]["total"]
    code, out, _ = dfst(*words)
    assert "PLG at least 12, RLG at least 12" in out  # longer ones were not tested
    assert (reached_text(11, 12), reached_text(12, 12)) == ("11", "at least 12")
    assert "4 of 4 act as the teacher" in out
    code, _, err = dfst("eval", "teacher:add2", "--to", 3, "--out", "e.json")
    assert (code, "attempts of another agent" in err) == (2, True)
    code, _, err = dfst("eval", "m.safetensors", "--to", 0)
    assert (code, "no numbers of 0 digits" in err) == (2, True)
    code, _, err = dfst("eval", "m.safetensors", "--task", "mult2", "--to", 2)
    assert (code, "different symbols" in err) == (2, True)


def test_view_and_watch(dfst, work):
    code, out, err = dfst("view", "add10", "58", "67")
    assert (code, out, "halted after 52 steps" in err) == (0, "view.html\n", True)
    assert Path("view.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert dfst("view", "add2:raw", "11", "1", "--out", "both.html")[0] == 0
    assert '"roles": ["learner", "teacher"]' in Path("both.html").read_text(encoding="utf-8")
    assert dfst("view", "add2:raw", "11", "1", "--alone", "--out", "one.html")[0] == 0
    assert '"roles": [""]' in Path("one.html").read_text(encoding="utf-8")
    assert dfst("machine", "show", "add2", "--out", "mine.dfst")[0] == 0
    assert dfst("view", "mine.dfst", "11", "1", "--beside", "add2", "--out", "two.html")[0] == 0
    assert '"divergence": null' in Path("two.html").read_text(encoding="utf-8")
    assert dfst("view", "add2", "1", "1", "--out", "film.gif")[1] == "film.gif\n"
    assert dfst("view", "add2", "1", "1", "--out", "one.png", "--step", "3")[1] == "one.png\n"
    assert Path("film.gif").read_bytes().startswith(b"GIF8")
    assert Path("one.png").read_bytes().startswith(b"\x89PNG")
    code, out, _ = dfst("watch", "increment", "199")
    assert (code, "[2]0 0" in out, "halted" in out) == (0, True, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("view", "nonsense", "1"), "called like add10:raw"),
        (("view", "nonsense:raw", "1"), "no agent called"),
        (("view", "add10", "1"), "1 operand given, 2 needed"),
        (("view", "add10", "1", "1", "--step", "3"), "--png"),
        (("view", "add10:raw", "1", "1", "--alone", "--beside", "add10"), "Leave one out"),
        (("view", "add10:raw", "1", "1", "--beside", "add2"), "different symbols"),
        (("view", "add10", "1", "1", "--steps", "-1"), "negative"),
        (("view", "add10", "1", "1", "--out", "nowhere/x.html"), "cannot be written"),
        (("watch", "add10", "1", "1", "--speed", "0"), "--speed"),
    ],
)
def test_mistakes_in_viewing(dfst, work, words, message):
    code, _, err = dfst(*words)
    assert (code, message in err, "Traceback" in err) == (2, True, False)


def test_draw(dfst, work):
    pytest.importorskip("matplotlib")
    code, out, _ = dfst("draw", "margins", "add2:raw", "1011", "110", "--out", "m.png")
    assert (code, "halted after 79 steps" in out) == (0, True)
    code, out, _ = dfst("draw", "coverage", "add2", "--out", "c.svg")
    assert (code, out) == (0, "wrote c.svg: 31 of 31 rules are used\n")
    code, out, _ = dfst("draw", "atlas", "add2:raw", "--out", "a.png")
    assert (code, "16 states" in out) == (0, True)
    for words, message in [
        (("margins", "teacher:add2", "1", "1"), "no margins"),
        (("atlas", "teacher:add2"), "no hidden space"),
        (("coverage", "add2", "--out", "c.txt"), "picture format"),
    ]:
        code, _, err = dfst("draw", *words)
        assert (code, message in err) == (2, True)
