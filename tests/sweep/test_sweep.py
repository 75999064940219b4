"""Sweeps: what a file may say, one row per trial, going on, limits, searches."""

import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from dfst.errors import FileFormatError, InputError, MachineError, MissingExtraError, Problem
from dfst.files import read_toml
from dfst.runs.run_folder import RunFolder
from dfst.sweep.driver import Driver
from dfst.sweep.plan import run_sweep
from dfst.sweep.rows import SCHEMA, ResultSet, summary
from dfst.sweep.sweep_file import Range, load_sweep, parse_sweep
from dfst.sweep.trial import RUNS, UNFINISHED, Trial, run_trial, trials

TRIAL = {"task": "increment", "iterations": 20}


def test_lists_multiply():
    sweep = parse_sweep({"trial": {"task": ["add2", "increment"], "seed": "3:5", "learning_rate": [0.001, 1e-2, 1]}})
    points = sweep.points()
    assert len(points) == 12
    assert points[0] == {"task": "add2", "seed": 3, "learning_rate": 0.001}
    assert len({trial.name for trial in trials(sweep)}) == 12


def test_the_key_is_version_configuration_and_seed():
    wanted = trials(parse_sweep({"trial": TRIAL | {"seed": [0, 1], "n": [60, 61]}}))
    assert len({trial.config_hash for trial in wanted}) == 2
    first = wanted[0]
    assert Trial.from_plain(json.loads(json.dumps(first.plain()))) == first
    assert Trial("other", first.config, first.task_text, first.certify, first.rlg_to).name != first.name
    assert Trial(first.version, first.config, first.task_text, not first.certify).name != first.name


MISTAKES = [
    ("", "it has no table [trial]"),
    ("[trial]", "[trial] names no task"),
    ("trial = 1", "trial = 1 has the wrong kind of value"),
    ("[trial]\ntask = 1", "task = 1 has the wrong kind of value"),
    ("[trial]\ntask = []", "task is an empty list"),
    ("[trial]\ntask = 'incremnt'", "there is no task called 'incremnt'"),
    ("[trial]\ntask = 'add2'\nsed = 1", "Did you mean seed?"),
    ("[trial]\ntask = 'add2'\nseed = 'x'", "seed = 'x' names no seeds"),
    ("[trial]\ntask = 'add2'\nseed = '5:5'", "seed = '5:5' names no seeds"),
    ("[trial]\ntask = 'add2'\nseed = '0:99999999'", "these are more than 1000000 trials"),
    ("[trial]\ntask = 'add2'\nseed = [1, 1]", "seed names a value twice"),
    ("[trial]\ntask = 'add2'\nseed = true", "seed = True has the wrong kind of value"),
    ("[trial]\ntask = 'add2'\nseed = 1.5", "seed = 1.5 has the wrong kind of value"),
    ("[trial]\ntask = 'add2'\nlearning_rate = ['x']", "learning_rate = 'x' has the wrong kind of value"),
    ("[trial]\ntask = 'add2'\nlearning_rate = 7", "learning_rate: 7.0 cannot be used"),
    ("[trial]\ntask = 'add2'\nrecipe = 'slow'", "there is no recipe 'slow'"),
    ("[trial]\ntask = 'add2'\nrecipe = 'practice'", "a sweep cannot practise"),
    ("[trial]\ntask = 'add2'\nn = 1", "n = 1 is fewer than"),
    ("engine = 'tpu'\n[trial]\ntask = 'add2'", "there is no engine 'tpu'"),
    ("retries = -1\n[trial]\ntask = 'add2'", "retries = -1 cannot be used"),
    ("time_limit = nan\n[trial]\ntask = 'add2'", "time_limit = nan cannot be used"),
    ("workers = 3\n[trial]\ntask = 'add2'", "'workers' is not an option of a sweep"),
    ("certify = 1\n[trial]\ntask = 'add2'", "certify = 1 has the wrong kind of value"),
    ("[trial]\ntask = 'add2'\n[search]", "does not say how many points"),
    ("[trial]\ntask = 'add2'\n[search]\npoints = 3", "nothing to search over"),
    ("[trial]\ntask = 'add2'\n[search]\npoints = 3\ngoal = 'fame'\nbatch = [1]", "no goal 'fame'"),
    ("[trial]\ntask = 'add2'\n[search]\npoints = 3\nbatch = 4", "this is no range to search"),
    ("[trial]\ntask = 'add2'\n[search]\npoints = 3\nbatch = {from = 4, to = 2}", "this is no range to search"),
    ("[trial]\ntask = 'add2'\n[search]\npoints = 3\nbatch = {from = 0, to = 2, log = true}", "no range to search"),
    ("[trial]\ntask = 'add2'\nbatch = 2\n[search]\npoints = 3\nbatch = [1]", "both in [trial] and in [search]"),
    ("[trial]\ntask = 'add2'\n[search]\npoints = 3\ngoal = 'rlg'\nbatch = [1]", "the goal rlg needs rlg_to"),
    ("[trial]\ntask = 'add2'\n[search]\npoints = 3\nseed = [0]\nbatch = [1]", "seed = [0] has the wrong kind"),
]


@pytest.mark.parametrize(("text", "fragment"), MISTAKES, ids=[fragment for _, fragment in MISTAKES])
def test_every_mistake_in_a_file_gets_a_sentence(tmp_path, text, fragment):
    path = tmp_path / "s.toml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        trials(load_sweep(path))
    assert fragment in str(caught.value)
    assert str(path) in str(caught.value)
    assert caught.value.do
    assert len(str(caught.value)) < 300


def test_ranges():
    table = {"points": 3, "batch": [8, 16], "learning_rate": {"from": 0.001, "to": 1, "log": True}}
    search = parse_sweep({"trial": TRIAL, "search": table}).search
    assert search is not None
    assert search.ranges == {"learning_rate": Range(0.001, 1.0, True), "batch": Range(choices=(8, 16))}


class _KilledError(Exception):
    pass


@pytest.mark.slow
def test_a_trial_goes_on_where_another_attempt_was_killed(tmp_path):
    (trial,) = trials(parse_sweep({"certify": False, "trial": {"task": "increment", "iterations": 600}}))

    def kill(progress):
        if progress.iteration >= 200:
            raise _KilledError

    with pytest.raises(_KilledError):
        run_trial(trial, tmp_path, attempt="a", watch=kill)
    assert [path.suffix for path in (tmp_path / UNFINISHED).iterdir()] == [".a"]
    begun = []
    row = run_trial(trial, tmp_path, attempt="b", watch=lambda progress: begun.append(progress.iteration))
    assert begun[0] > 200
    assert (row["status"], row["trial"]) == ("done", trial.name)
    assert not any((tmp_path / UNFINISHED).iterdir())
    whole = run_trial(trial, tmp_path / "other")
    assert row["loss"] == whole["loss"]
    weights = [folder / RUNS / trial.name / "model.safetensors" for folder in (tmp_path, tmp_path / "other")]
    assert weights[0].read_bytes() == weights[1].read_bytes()
    assert run_trial(trial, tmp_path, attempt="c", watch=kill) == row  # nothing is trained again
    assert RunFolder.open(tmp_path / RUNS / trial.name).config == trial.config


@pytest.mark.slow
def test_an_attempt_that_was_taken_over_does_not_count(tmp_path):
    (trial,) = trials(parse_sweep({"certify": False, "trial": {"task": "increment", "iterations": 600}}))
    rows = []

    def slow(progress):  # it is taken for dead, and another attempt begins and ends
        if progress.iteration >= 200 and not rows:
            rows.append(run_trial(trial, tmp_path, attempt="b"))

    row = run_trial_or_error(trial, tmp_path, slow)
    assert rows[0]["status"] == "done"
    assert row in (None, rows[0])
    assert [path.name for path in (tmp_path / RUNS).iterdir()] == [trial.name]


def run_trial_or_error(trial, folder, watch):
    try:
        return run_trial(trial, folder, attempt="a", watch=watch)
    except (InputError, OSError):
        return None


@pytest.mark.slow
def test_what_is_damaged_of_an_earlier_attempt_is_made_again(tmp_path):
    (trial,) = trials(parse_sweep({"certify": False, "trial": TRIAL}))
    whole = run_trial(trial, tmp_path / "whole")

    def kill(progress):
        raise _KilledError

    for name, content in {"config.toml": "format = = 1", "task.dfst": "nothing like a task"}.items():
        folder = tmp_path / name
        with pytest.raises(_KilledError):
            run_trial(trial, folder, attempt="a", watch=kill)
        (folder / UNFINISHED / f"{trial.name}.a" / name).write_text(content)
        assert run_trial(trial, folder, attempt="b")["loss"] == whole["loss"]
        assert not any((folder / UNFINISHED).iterdir())


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"status": "done"}', "\0"])
def test_a_damaged_row_of_a_run_is_a_sentence(tmp_path, text):
    (trial,) = trials(parse_sweep({"trial": TRIAL}))
    path = tmp_path / RUNS / trial.name / "trial.json"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    with pytest.raises(FileFormatError, match=r"damaged\. Remove its folder"):
        run_trial(trial, tmp_path)


def test_rows_are_whole_and_there_once(tmp_path):
    pytest.importorskip("pyarrow")
    results = ResultSet(tmp_path)
    for loss in (0.5, 0.25):
        results.add({"trial": "t", "task": "add2", "status": "done", "loss": loss})
    (results.path / ".t.parquet.half").write_bytes(b"PAR1")
    assert results.names() == {"t"}
    assert [row["loss"] for row in results.rows()] == [0.25]
    assert set(results.rows()[0]) == set(SCHEMA)
    import pyarrow.parquet

    assert pyarrow.parquet.read_table(results.path).num_rows == 1
    (results.path / "u.parquet").write_bytes(b"PAR1")
    with pytest.raises(Exception, match="damaged") as caught:
        results.rows()
    assert "u.parquet" in str(caught.value)


@pytest.mark.parametrize(
    "error",
    [
        InputError("a", where="b", do="c"),
        MissingExtraError("a", "sweep"),
        MachineError([Problem("a", line=3)], where="b"),
    ],
)
def test_an_error_arrives_whole_from_another_process(error):
    arrived = pickle.loads(pickle.dumps(error))
    assert type(arrived) is type(error)
    assert str(arrived) == str(error)
    assert vars(arrived) == vars(error)


def test_a_summary_is_in_the_order_of_its_numbers():
    rows = [{"task": "add2", "n": n, "status": "done"} for n in (100, 20, None, 3)]
    assert [line["n"] for line in summary(rows)] == [None, 3, 20, 100]


def test_a_summary_leaves_out_what_a_task_decides():
    rows = [{"task": t, "hidden_dim": d, "n": n, "status": "done"} for t, d in (("a", 6), ("b", 12)) for n in (1, 2)]
    lines = summary(rows)
    assert [(line["task"], line["n"]) for line in lines] == [("a", 1), ("a", 2), ("b", 1), ("b", 2)]
    assert "hidden_dim" not in lines[0]


def test_a_summary_counts_what_ended_early_as_not_exact():
    rows = [{"task": "add2", "seed": s, "status": "done", "exact": True, "loss": 1.0, "seconds": 1.0} for s in range(3)]
    rows.append({"task": "add2", "seed": 3, "status": "time limit", "exact": None})
    (line,) = summary(rows)
    assert (line["exact"], line["trials"], line["ended early"]) == ("3/4", 4, 1)
    assert line["interval"][0] < 0.75 < line["interval"][1]


def dfst(*words, cwd):
    command = [sys.executable, "-c", "from dfst.cli import main; main()", *map(str, words)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300, env=os.environ)


@pytest.mark.slow
def test_a_sweep_on_this_machine_and_again(tmp_path):
    pytest.importorskip("ray")
    (tmp_path / "s.toml").write_text("[trial]\ntask = 'increment'\nseed = '0:3'\niterations = 3000\n")
    done = dfst("sweep", "s.toml", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    rows = json.loads(done.stdout)["trials"]
    assert [(row["seed"], row["status"], row["attempts"]) for row in rows] == [(s, "done", 1) for s in range(3)]
    assert all(row["verdict"] for row in rows)
    assert done.stderr.splitlines()[0] == "working in sweeps/s; results are in sweeps/s/results"
    assert not any(noise in done.stderr for noise in ("Traceback", "raylet", "WARNING", "logging.cc"))
    events = (tmp_path / "sweeps/s/log.jsonl").read_text()
    again = dfst("sweep", "s.toml", "--json", cwd=tmp_path)
    assert json.loads(again.stdout)["trials"] == rows
    assert (tmp_path / "sweeps/s/log.jsonl").read_text() == events  # nobody worked
    report = dfst("report", "sweep", "sweeps/s", "--json", cwd=tmp_path)
    (line,) = json.loads(report.stdout)["settings"]
    assert line["exact"] == f"{sum(row['exact'] for row in rows)}/3"
    config = read_toml(tmp_path / "sweeps/s/runs" / rows[0]["trial"] / "config.toml")
    assert config["recipe"]["iterations"] == 3000


@pytest.mark.slow
def test_limits_and_failures_are_rows(tmp_path):
    pytest.importorskip("ray")
    text = "certify = false\n{} = {}\n[trial]\ntask = 'add2'\niterations = 2000000\n"
    for name, limit in {"time_limit": 3, "memory_limit": 20}.items():
        (tmp_path / f"{name}.toml").write_text(text.format(name, limit))
        done = dfst("sweep", f"{name}.toml", "--json", "--workers", 1, cwd=tmp_path)
        (row,) = json.loads(done.stdout)["trials"]
        assert (done.returncode, row["status"]) == (1, name.replace("_", " "))
        assert "more than" in row["problem"]


@pytest.mark.slow
def test_a_search_goes_on(tmp_path):
    pytest.importorskip("ray")
    pytest.importorskip("optuna")
    text = """certify = false
[trial]
task = "increment"
seed = [0, 1]
iterations = 100
[search]
points = {}
learning_rate = {{ from = 0.0001, to = 0.1, log = true }}
batch = [8, 16]
"""
    rows = {}
    for points in (2, 5):
        (tmp_path / "s.toml").write_text(text.format(points))
        done = dfst("sweep", "s.toml", "--json", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        rows[points] = json.loads(done.stdout)["trials"]
    assert (len(rows[2]), len(rows[5])) == (4, 10)
    assert all(row in rows[5] for row in rows[2])
    assert len({(row["learning_rate"], row["batch"]) for row in rows[5]}) == 5
    assert len(list(Path(tmp_path).glob("sweeps/s/search-*/*.json"))) == 5


@pytest.mark.slow
def test_a_point_that_is_chosen_again_is_not_run_again(tmp_path):
    pytest.importorskip("ray")
    pytest.importorskip("optuna")
    text = "certify = false\nretries = 0\n[trial]\ntask = 'increment'\niterations = 300\nseed = [0, 1]\n"
    (tmp_path / "s.toml").write_text(f"{text}[search]\npoints = 6\nbatch = [8, 16]\n")
    done = dfst("sweep", "s.toml", "--workers", 2, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert len(json.loads(done.stdout)["trials"]) == 4
    events = [json.loads(line) for line in (tmp_path / "sweeps/s/log.jsonl").read_text().splitlines()]
    started = [event["trial"] for event in events if event["event"] == "started"]
    assert len(started) == len(set(started)) == 4
    assert len(list(tmp_path.glob("sweeps/s/search-*/*.json"))) == 6


def test_a_search_that_would_leave_the_range_is_refused_at_once(tmp_path):
    pytest.importorskip("optuna")
    for name, span in {
        "batch": {"from": 1, "to": 10**9},
        "learning_rate": [0.1, 7.0],
        "n": {"from": 1, "to": 99},
    }.items():
        sweep = parse_sweep({"trial": TRIAL, "search": {"points": 3, name: span}})
        with pytest.raises(InputError):
            run_sweep(sweep, tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.slow
def test_a_trial_with_more_threads_than_workers_and_one_too_large(tmp_path):
    pytest.importorskip("ray")
    if (os.cpu_count() or 1) < 2:
        pytest.skip("it takes two cores")
    trial = "[trial]\ntask = 'increment'\niterations = 20\n"
    (tmp_path / "a.toml").write_text(f"threads = 2\ncertify = false\n{trial}")
    done = dfst("sweep", "a.toml", "--workers", 1, "--json", cwd=tmp_path)
    (row,) = json.loads(done.stdout)["trials"]
    assert (row["status"], row["threads"]) == ("done", 2)
    (tmp_path / "b.toml").write_text(f"memory_limit = 900_000_000\n{trial}")
    done = dfst("sweep", "b.toml", "--workers", 1, cwd=tmp_path)
    assert done.returncode == 2
    assert "no room for a trial of 1 thread and 9e+08 MB" in done.stderr
    (tmp_path / "sweeps/b/log.jsonl").unlink()
    (tmp_path / "sweeps/b/log.jsonl").mkdir()
    done = dfst("sweep", "b.toml", "--workers", 1, cwd=tmp_path)
    assert done.returncode == 2
    assert "log.jsonl: it cannot be written" in done.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there Ctrl-C is another thing")
def test_ctrl_c_and_again(tmp_path):
    pytest.importorskip("ray")
    (tmp_path / "s.toml").write_text(  # long enough not to be over before it is interrupted
        "certify = false\n[trial]\ntask = 'increment'\nseed = [0, 1]\niterations = 100000\n"
    )
    words = ["sweep", "s.toml", "--workers", "2", "--json"]
    # a process started in the background of a script ignores Ctrl-C, and so do those that it starts
    listening = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    command = [sys.executable, "-c", f"{listening}; from dfst.cli import main; main()", *words]
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(command, cwd=tmp_path, stdout=log, stderr=log, start_new_session=True)
    try:
        deadline = time.monotonic() + 120
        while not any(path.read_bytes() for path in tmp_path.glob("sweeps/s/unfinished/*/metrics.jsonl")):
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.05)
        second = dfst(*words, cwd=tmp_path)
        assert (second.returncode, second.stdout) == (2, "")
        assert f"another process (number {process.pid}) is at work in it" in second.stderr
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: everybody gets it
        assert process.wait(60) == 130
    finally:
        process.kill()
        process.wait()
    text = (tmp_path / "log").read_text()
    assert "everything is saved. The same command goes on from here." in text
    assert "Traceback" not in text
    assert any(tmp_path.glob("sweeps/s/unfinished/*/checkpoints/*"))
    again = dfst(*words, cwd=tmp_path)
    assert again.returncode == 0, again.stderr
    assert [(row["seed"], row["status"]) for row in json.loads(again.stdout)["trials"]] == [(0, "done"), (1, "done")]
    assert not any((tmp_path / "sweeps/s/unfinished").iterdir())


def test_a_node_with_other_code_is_refused():
    driver = cast(Driver, SimpleNamespace(version="abc+"))
    Driver.check_version(driver, {"node": "n", "version": "abc"})
    with pytest.raises(InputError, match="node n runs dfst abd, not abc"):
        Driver.check_version(driver, {"node": "n", "version": "abd"})


def test_without_ray_the_extra_is_named(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r'pip install "dfst\[sweep\]"'):
        run_sweep(parse_sweep({"trial": TRIAL}), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_without_optuna_and_pyarrow_the_extra_is_named(tmp_path, monkeypatch):
    searching = {"trial": TRIAL, "search": {"points": 3, "batch": [8, 16]}}
    for library, values in {"optuna": searching, "pyarrow": {"trial": TRIAL}}.items():
        monkeypatch.setitem(sys.modules, library, None)
        with pytest.raises(MissingExtraError, match=r'pip install "dfst\[sweep\]"'):
            run_sweep(parse_sweep(values), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_server_that_is_not_ray_is_told_at_once(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer():
            line, _ = server.accept()
            with line:
                line.recv(100)
                line.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        with pytest.raises(InputError, match="no Ray cluster"):
            run_sweep(parse_sweep({"trial": TRIAL}), tmp_path / "out", address=f"127.0.0.1:{server.getsockname()[1]}")
        thread.join()
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere", "127.0.0.1:x", "127.0.0.1:99999999", ""])
def test_a_cluster_that_is_not_there(tmp_path, address):
    sweep = parse_sweep({"trial": TRIAL})
    with pytest.raises(InputError, match="no Ray cluster"):
        run_sweep(sweep, tmp_path, address=address)
