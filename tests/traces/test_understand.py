"""Bare traces: the layout is seen from the steps, and a machine is learned without any teacher."""

import json

import pytest

import dfst
from dfst.cli import main
from dfst.teachers.find import find_task, gallery
from dfst.traces.understand import understand


def bare(traces):
    return dfst.Traces(traces.alphabet, traces.seen, traces.written, traces.moves, traces.offsets)


@pytest.mark.parametrize("name", ["add2", "add10", "mult2", "mult10", *gallery()])
def test_the_layout_is_seen_from_the_steps(name):
    """Whatever is guessed places the problems as they stood, wherever the policy has looked."""
    task = find_task(name)
    traces = dfst.sample(task)
    guessed = understand(bare(traces))
    assert guessed.layout is not None
    machine = task.machine
    for problem, mine in zip(traces.problems, guessed.problems, strict=True):
        placed = guessed.layout.place(guessed.alphabet, mine).tolist()
        really = machine.layout.place(machine.alphabet, problem).tolist()
        assert really[: len(placed)] == placed  # a policy need not look at everything
    assert guessed.layout.head == machine.layout.head


@pytest.mark.parametrize(
    ("layout", "message"),
    [
        (5, "a table is missing"),
        ({}, "'parts' is missing"),
        ({"parts": "digit+"}, "parts = 'digit.' has the wrong kind"),
        ({"parts": [1]}, "parts = .1. has the wrong kind"),
        ({"parts": ["digit+"], "colour": 1}, "'colour' is not a key"),
        ({"parts": ["digit+"], "head": [0]}, "head = .0. has the wrong kind"),
        ({"parts": ["digit+"], "answer_row": True}, "answer_row = True has the wrong kind"),
        ({"parts": ["nothing+"]}, "neither a symbol nor a class"),
    ],
)
def test_a_layout_that_makes_no_sense_is_refused(tmp_path, layout, message):
    header = {"format": 1, "symbols": ["0", "1", "_"], "blank": "_", "classes": {"digit": ["0", "1"]}}
    path = tmp_path / "t.jsonl"
    path.write_text(json.dumps(header | {"layout": layout}) + '\n{"x": "0", "s": "1", "m": "S"}\n')
    with pytest.raises(dfst.FileFormatError, match=message):
        dfst.load_traces(path)


@pytest.mark.slow
def test_from_bare_traces_to_a_machine_that_is_proven_against_a_teacher_shown_later(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    dfst.save_traces(bare(dfst.sample(find_task("increment"))), "seen.jsonl")

    def dfst_command(*words):
        monkeypatch.setattr("sys.argv", ["dfst", *words])
        with pytest.raises(SystemExit) as end:
            main()
        return end.value.code

    assert dfst_command("train", "seen.jsonl", "--hidden-dim", "8", "--iterations", "20000") == 0
    run = "runs/seen-fast-s42"
    assert dfst_command("extract", run, "--out", "seen.dfst") == 0
    assert dfst_command("solve", "seen.dfst", "1999999999999") == 0
    assert "2000000000000" in capsys.readouterr().out
    assert dfst_command("certify", run) == 2
    assert "traces alone" in capsys.readouterr().err
    assert dfst_command("certify", run, "--teacher", "increment") == 2  # an answer may begin with 0: no trace says so
    assert "have different leading symbols of an answer (none and 0)" in capsys.readouterr().err
    assert dfst_command("certify", run, "--teacher", "increment", "--teacher-layout") == 0
    assert dfst.load_machine(f"{run}/machine.dfst").layout == find_task("increment").machine.layout
    assert dfst_command("check", f"{run}/certificate.json", "--teacher", "increment") == 0
    assert dfst_command("train", "seen.jsonl", "--n", "5") == 2


@pytest.mark.parametrize(
    ("traces", "message"),
    [
        ([("__", "__", "RS")], "sees no input"),
        ([("0_1", "0_1", "RRS")], "gap"),
        ([("01", "01", "US")], "2 rows"),
        ([("01", "01", "RS"), ("_01", "_01", "RRS")], "same cell"),
    ],
)
def test_what_cannot_be_guessed_is_said(tmp_path, traces, message):
    header = {"format": 1, "symbols": ["0", "1", "_"], "blank": "_"}
    lines = [header, *({"x": x, "s": s, "m": m} for x, s, m in traces)]
    (tmp_path / "t.jsonl").write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(dfst.InputError, match=message):
        understand(dfst.load_traces(tmp_path / "t.jsonl"))
