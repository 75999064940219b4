"""Sweeps: what a file may say, one row per trial, going on, limits."""

import json
import math
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import nullcontext
from types import SimpleNamespace

import pytest

from dfst.errors import FileFormatError, InputError, MissingExtraError
from dfst.files import read_toml
from dfst.runs.run_folder import RunFolder
from dfst.sweep.rows import COLUMNS, ResultSet, summary
from dfst.sweep.run import OtherCodeError, _attempt, run_sweep
from dfst.sweep.sweep_file import Shard, parse_sweep
from dfst.sweep.trial import RUNS, UNFINISHED, run_trial, trials
from tests.sweep.nodes import until

TRIAL = {"task": "increment", "iterations": 20}


class _KilledError(Exception):
    pass


def killed(trial, folder, when=lambda progress: True):
    """An attempt at a trial that ends where ``when`` says."""

    def kill(progress):
        if when(progress):
            raise _KilledError

    with pytest.raises(_KilledError):
        run_trial(trial, folder, watch=kill)
    return kill


@pytest.mark.slow
def test_a_trial_goes_on_where_another_attempt_was_killed(tmp_path):
    (trial,) = trials(parse_sweep({"certify": False, "trial": {"task": "increment", "iterations": 600}}))
    kill = killed(trial, tmp_path, lambda progress: progress.iteration >= 200)
    assert [path.name for path in (tmp_path / UNFINISHED).iterdir()] == [trial.name]
    begun = []
    row = run_trial(trial, tmp_path, watch=lambda progress: begun.append(progress.iteration))
    assert begun[0] > 200
    assert (row["status"], row["trial"], row["attempts"]) == ("done", trial.name, 2)
    assert not any((tmp_path / UNFINISHED).iterdir())
    whole = run_trial(trial, tmp_path / "other")
    assert row["loss"] == whole["loss"]
    weights = [folder / RUNS / trial.name / "model.safetensors" for folder in (tmp_path, tmp_path / "other")]
    assert weights[0].read_bytes() == weights[1].read_bytes()
    (tmp_path / "results" / f"{trial.name}.json").unlink()  # killed before its row was written
    assert run_trial(trial, tmp_path, watch=kill)["loss"] == row["loss"]  # nothing is trained again
    assert ResultSet(tmp_path).names() == {trial.name}
    assert RunFolder.open(tmp_path / RUNS / trial.name).options == trial.options


@pytest.mark.slow
def test_an_attempt_waits_for_one_that_was_taken_for_dead(tmp_path):
    (trial,) = trials(parse_sweep({"certify": False, "trial": {"task": "increment", "iterations": 600}}))
    second, rows = [], []

    def slow(progress):
        if not second:
            second.append(threading.Thread(target=lambda: rows.append(run_trial(trial, tmp_path))))
            second[0].start()
            until(lambda: (tmp_path / UNFINISHED / trial.name).read_text() == "xx", time.monotonic() + 900)
        assert not rows  # as long as this one trains

    first = run_trial(trial, tmp_path, watch=slow)
    second[0].join()
    assert (first["status"], first["attempts"]) == ("done", 1)
    assert (rows[0]["status"], rows[0]["loss"]) == ("done", first["loss"])
    assert [path.name for path in (tmp_path / RUNS).iterdir()] == [trial.name]
    assert ResultSet(tmp_path).names() == {trial.name}
    assert not any((tmp_path / UNFINISHED).iterdir())


def test_a_run_folder_with_a_link_is_not_waited_for(tmp_path):
    (trial,) = trials(parse_sweep({"certify": False, "trial": TRIAL}))
    (tmp_path / RUNS / trial.name).mkdir(parents=True)
    (tmp_path / RUNS / trial.name / "config.toml").symlink_to(tmp_path / "elsewhere")
    assert run_trial(trial, tmp_path)["status"] == "done"  # it is not a run folder, and is made anew
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.slow
def test_what_is_damaged_of_an_earlier_attempt_is_made_again(tmp_path):
    sweep = parse_sweep({"certify": False, "trial": TRIAL})
    (trial,) = trials(sweep)
    whole = run_trial(trial, tmp_path / "whole")
    for name, content in {"config.toml": "format = = 1", "task.dfst": "nothing like a task"}.items():
        folder = tmp_path / name
        killed(trial, folder)
        (folder / RUNS / trial.name / name).write_text(content)
        assert run_sweep(sweep, folder)[0]["loss"] == whole["loss"]
        assert not any((folder / UNFINISHED).iterdir())


def test_rows_are_whole_and_there_once(tmp_path):
    results = ResultSet(tmp_path)
    for loss in (0.5, 0.25):
        results.add({"trial": "t", "task": "add2", "status": "done", "loss": loss, "clip": math.inf})
    (results.path / ".t.json.half").write_text("{")
    assert results.names() == {"t"}
    assert [(row["loss"], row["clip"]) for row in results.rows()] == [(0.25, math.inf)]
    assert set(results.rows()[0]) == set(COLUMNS)


@pytest.mark.parametrize(
    "wrong", ["{", "[]", "{}", "5", "nothing", {"trial": "t"}, {"loss": "x"}, {"n": 1.5}, {"more": 1}]
)
def test_a_damaged_row_is_refused(tmp_path, wrong):
    results = ResultSet(tmp_path)
    row = results.add({"trial": "u", "status": "done"})
    text = wrong if isinstance(wrong, str) else json.dumps(row | wrong)
    (results.path / "u.json").write_text(text)
    with pytest.raises(FileFormatError, match="damaged") as caught:
        results.rows()
    assert "u.json" in str(caught.value)


def test_a_summary_counts_what_ended_early_as_not_exact():
    rows = [{"task": "add2", "seed": s, "status": "done", "exact": True, "loss": 1.0, "seconds": 1.0} for s in range(3)]
    rows.append({"task": "add2", "seed": 3, "status": "time limit", "exact": None})
    (line,) = summary(rows)
    assert (line["exact"], line["trials"], line["ended early"]) == ("3/4", 4, 1)
    assert line["interval"][0] < 0.75 < line["interval"][1]


def dfst(*words, cwd):
    command = [sys.executable, "-c", "from dfst.cli import main; main()", *map(str, words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=900, env=os.environ)


@pytest.mark.slow
def test_a_sweep_on_this_machine_and_again(tmp_path):
    (tmp_path / "s.toml").write_text("[trial]\ntask = 'increment'\nseed = '0:3'\niterations = 3000\n")
    done = dfst("sweep", "run", "s.toml", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["trials"]
    assert [(row["seed"], row["status"], row["attempts"]) for row in rows] == [(s, "done", 1) for s in range(3)]
    assert all(row["verdict"] for row in rows)
    assert done.stderr.splitlines()[0] == "working in sweeps/s; results are in sweeps/s/results"
    assert not any(noise in done.stderr for noise in ("Traceback", "raylet", "WARNING", "logging.cc"))
    written = [path.stat().st_mtime_ns for path in sorted((tmp_path / "sweeps/s/results").iterdir())]
    again = dfst("sweep", "run", "s.toml", "--json", cwd=tmp_path)
    assert json.loads(again.stdout)["trials"] == rows
    assert written == [path.stat().st_mtime_ns for path in sorted((tmp_path / "sweeps/s/results").iterdir())]
    report = dfst("sweep", "report", "sweeps/s", "--json", cwd=tmp_path)
    (line,) = json.loads(report.stdout)["settings"]
    assert line["exact"] == f"{sum(row['exact'] for row in rows)}/3"
    config = read_toml(tmp_path / "sweeps/s/runs" / rows[0]["trial"] / "config.toml")
    assert config["recipe"]["iterations"] == 3000


@pytest.mark.slow
def test_a_time_limit_is_a_row_and_can_be_lifted(tmp_path):
    values = {"certify": False, "trial": {"task": "add2", "iterations": 2_000_000}}
    (row,) = run_sweep(parse_sweep(values | {"time_limit": 3}), tmp_path, workers=1)
    assert (row["status"], row["problem"]) == ("time limit", "it took more than 3 seconds")
    assert any((tmp_path / UNFINISHED).iterdir())  # what there is of it stays for --retry-failed


def test_a_trial_that_fails_is_tried_again_and_then_a_row(tmp_path, monkeypatch):
    sweep = parse_sweep({"certify": False, "retries": 2, "trial": TRIAL | {"seed": [0, 1]}})
    calls = []

    def fail(trial, folder, **_):
        calls.append(trial.options.seed)
        if trial.options.seed == 0:
            raise InputError("it broke", do="Mend it.")
        raise ValueError("strange")

    monkeypatch.setattr("dfst.sweep.run.run_trial", fail)
    rows = run_sweep(sweep, tmp_path)
    assert sorted(calls) == [0, 0, 0, 1, 1, 1]
    assert [(row["status"], row["problem"], row["attempts"]) for row in sorted(rows, key=lambda row: row["seed"])] == [
        ("failed", "it broke. Mend it.", 3),
        ("failed", "ValueError: strange", 3),
    ]
    monkeypatch.undo()
    assert run_sweep(sweep, tmp_path) == rows  # what failed stays, until it is asked for
    assert [row["status"] for row in run_sweep(sweep, tmp_path, retry_failed=True)] == ["done", "done"]


def test_shards_share_no_trial_and_miss_none(tmp_path):
    sweep = parse_sweep({"certify": False, "trial": TRIAL | {"seed": "0:7", "iterations": 2}})
    parts = [[row["seed"] for row in run_sweep(sweep, tmp_path, shard=Shard(k, 3))] for k in (1, 2, 3)]
    assert sorted(map(sorted, parts)) == [[0, 3, 6], [1, 4], [2, 5]]
    assert len(run_sweep(sweep, tmp_path)) == 7  # the whole finds everything done


@pytest.mark.slow
def test_lasting_runs_in_a_sweep_and_goes_on_after_a_kill(tmp_path):
    values = {"certify": False, "trial": {"task": "increment", "recipe": "lasting", "iterations": 400}}
    (trial,) = trials(parse_sweep(values))
    killed(trial, tmp_path, lambda progress: progress.stage == "d5")
    stages = []
    row = run_trial(trial, tmp_path, watch=lambda progress: stages.append(progress.stage))
    assert row["status"] == "done"
    assert stages[0] == "d5"  # the first stage is not trained again
    stages_of_run = tmp_path / RUNS / trial.name / "stages"
    assert {"d6", "d5"} <= {stage.name for stage in stages_of_run.iterdir()}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there Ctrl-C is another thing")
def test_ctrl_c_and_again(tmp_path):
    (tmp_path / "s.toml").write_text(
        "certify = false\n[trial]\ntask = 'increment'\nseed = [0, 1]\niterations = 100000\n"
    )
    words = ["sweep", "run", "s.toml", "--workers", "2", "--json"]
    # a process started in the background of a script ignores Ctrl-C, and so do those that it starts
    listening = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    command = [sys.executable, "-c", f"{listening}; from dfst.cli import main; main()", *words]
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(command, cwd=tmp_path, stdout=log, stderr=log, start_new_session=True)
    try:
        metrics = "sweeps/s/runs/*/metrics.jsonl"
        until(lambda: any(path.read_bytes() for path in tmp_path.glob(metrics)), time.monotonic() + 900, process)
        assert process.poll() is None, (tmp_path / "log").read_text()
        os.killpg(process.pid, signal.SIGSTOP)  # so that it is not over before it is interrupted
        second = dfst(*words, cwd=tmp_path)
        assert (second.returncode, second.stdout) == (2, "")
        assert "another process is at work in it" in second.stderr
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: everybody gets it
        os.killpg(process.pid, signal.SIGCONT)
        assert process.wait(900) == 130
    finally:
        process.kill()
        process.wait()
    text = (tmp_path / "log").read_text()
    assert "everything is saved. The same command resumes from here." in text
    assert "Traceback" not in text
    assert any(tmp_path.glob("sweeps/s/runs/*/checkpoints/*"))
    again = dfst(*words, cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert [(row["seed"], row["status"]) for row in json.loads(again.stdout)["trials"]] == [(0, "done"), (1, "done")]
    assert not any((tmp_path / "sweeps/s/unfinished").iterdir())


def test_a_node_with_other_code_is_refused(tmp_path, monkeypatch):
    (trial,) = trials(parse_sweep({"certify": False, "trial": TRIAL}))
    monkeypatch.setattr("dfst.sweep.run.code_version", lambda: trial.version.rstrip("+") + "+")
    assert _attempt(trial, tmp_path, None)["status"] == "done"
    monkeypatch.setattr("dfst.sweep.run.code_version", lambda: "abd")
    with pytest.raises(OtherCodeError, match=f"runs dfst abd, not {trial.version[:12]}"):
        _attempt(trial, tmp_path, None)


def test_without_ray_one_computer_is_enough_and_a_cluster_names_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    sweep = parse_sweep({"certify": False, "trial": TRIAL})
    assert run_sweep(sweep, tmp_path / "here")[0]["status"] == "done"
    monkeypatch.setattr("dfst.sweep.run.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r'pip install "dfst\[sweep\]"'):
        run_sweep(sweep, tmp_path / "out", address="auto")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere", "127.0.0.1:x", "127.0.0.1:99999999", ""])
def test_a_cluster_that_is_not_there(tmp_path, address):
    sweep = parse_sweep({"trial": TRIAL})
    with pytest.raises(InputError, match="no Ray cluster"):
        run_sweep(sweep, tmp_path, address=address)


def test_a_cluster_without_room_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("dfst.sweep.run.find_spec", lambda name: name)  # Ray may be missing here
    small = SimpleNamespace(nodes=lambda: [{"Alive": True, "Resources": {"CPU": 1.0}}, {"Alive": False}])
    monkeypatch.setattr("dfst.sweep.run._connected", lambda address: nullcontext(small))
    with pytest.raises(InputError, match="no node of the cluster has room for a trial"):
        run_sweep(parse_sweep({"threads": 2, "trial": TRIAL}), tmp_path, address="auto")
