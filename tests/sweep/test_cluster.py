"""Nothing is lost and nothing is doubled when a node and the driver of a sweep are killed."""

import json
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, suppress

import pytest

pytest.importorskip("ray")

from dfst.runs.run_folder import RunFolder
from dfst.sweep.rows import ResultSet
from dfst.sweep.sweep_file import load_sweep
from dfst.sweep.trial import RUNS, UNFINISHED, trials
from tests.sweep.nodes import SCRIPTS, descendants, free_port, node, send, started, until

WHOLE = ("config.toml", "manifest.json", "metrics.jsonl", "model.safetensors")
"""What every finished run folder has."""

SWEEP = """certify = false
retries = 3

[trial]
task = ["add2", "increment"]
seed = "0:24"
iterations = 4000
"""


def lose_while_it_works(node, out, driver, deadline):
    """Kill a node and its workers while a trial is under way there; returns the trials that were under way."""
    while True:
        until(lambda: ended(out, driver) and len(under_way(out)) > 1, deadline)
        everything = descendants(node.pid)
        send(signal.SIGSTOP, everything)  # it stands still, so what is under way now is cut short for certain
        hit = under_way(out)
        send(signal.SIGKILL if len(hit) > 1 else signal.SIGCONT, everything)
        if len(hit) > 1:
            return hit


def under_way(out):
    """The trials that have a folder and are not finished."""
    return {path.name for path in (out / UNFINISHED).glob("*")}


def retried(out):
    return sum(row["attempts"] > 1 for row in ResultSet(out).rows())


def begun_again(out):
    """Whether a trial has been begun twice: the letters in its mark are its attempts."""
    for name in under_way(out):
        with suppress(FileNotFoundError):  # it has just ended
            if (out / UNFINISHED / name).stat().st_size > 1:
                return True
    return retried(out) > 0


def ended(out, driver):
    assert driver.poll() is None, "the driver ended too early"
    return len(ResultSet(out).names())


def weights(run):
    return (run / "model.safetensors").read_bytes()


def other_weights(trial, out):
    """Whether the trial, trained in one go, has other weights."""
    run = RunFolder.create(out.parent / "undisturbed" / trial.name, trial.options)
    run.train()
    return weights(run.path) != weights(out / RUNS / trial.name)


@pytest.mark.ray
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_a_sweep_survives_a_lost_node_and_a_killed_driver(tmp_path, record_property):
    file, out, deadline = tmp_path / "sweep.toml", tmp_path / "out", time.monotonic() + 3000
    file.write_text(SWEEP)
    wanted = trials(load_sweep(file))
    with ExitStack() as running:
        temporary = running.enter_context(tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True))
        address = f"127.0.0.1:{free_port()}"
        head = ["--head", f"--port={address.split(':')[1]}", "--num-cpus=0", "--include-dashboard=false"]
        running.enter_context(node([*head, f"--temp-dir={temporary}"], tmp_path, deadline))
        joining = [f"--address={address}", "--num-cpus=1"]
        lost = [running.enter_context(node(joining, tmp_path, deadline)) for _ in range(2)][1]

        words = [str(SCRIPTS / "dfst"), "sweep", "run", str(file), "--out", str(out), "--address", address]
        driver = running.enter_context(started(words, tmp_path / "first.log"))
        hit = lose_while_it_works(lost, out, driver, deadline)
        until(lambda: ended(out, driver) and begun_again(out), deadline)
        driver.send_signal(signal.SIGKILL)
        hit |= under_way(out)
        driver.wait()

        again = running.enter_context(started(words, tmp_path / "second.log"))
        assert again.wait(max(deadline - time.monotonic(), 1)) == 0
    # from the data set and the folders: two witnesses, each of which can disagree
    rows, names, runs = ResultSet(out).rows(), {trial.name for trial in wanted}, set(os.listdir(out / RUNS))
    whole = {run for run in runs if all((out / RUNS / run / name).exists() for name in WHOLE)}
    keys = Counter((row["version"], row["config_hash"], row["seed"]) for row in rows)
    counts = {
        "trials": len(wanted),
        "lost": len(names - {row["trial"] for row in rows if row["status"] == "done"}) + len(names - whole),
        "doubled": sum(count > 1 for count in keys.values()),
        "strange": len(runs - names) + len({row["trial"] for row in rows} - names),
        "interrupted": len(hit),
        "retried": retried(out),
        "interrupted_with_other_weights": sum(other_weights(trial, out) for trial in wanted if trial.name in hit),
        "drivers": 2,
    }
    record_property("counts", json.dumps(counts))
    assert counts["trials"] == len(rows) >= 40
    assert counts["lost"] == counts["doubled"] == counts["strange"] == counts["interrupted_with_other_weights"] == 0
    assert under_way(out) == set()
    assert counts["interrupted"] >= 2
    assert counts["retried"] >= 1
    output = "".join((tmp_path / name).read_text() for name in ("first.log", "second.log"))
    assert [noise for noise in ("Traceback", "raylet", "WARNING", "logging.cc") if noise in output] == []
