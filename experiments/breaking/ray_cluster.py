"""A Ray cluster on loopback, a sweep on it, and what is killed meanwhile: one node's raylet, and the driver."""

import os
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, contextmanager
from pathlib import Path

from dfst.runs.run_folder import RunFolder
from dfst.sweep.rows import ResultSet
from dfst.sweep.sweep_file import load_sweep
from dfst.sweep.trial import RUNS, UNFINISHED, trials

WHOLE = ("config.toml", "manifest.json", "metrics.jsonl", "model.safetensors")
"""What every finished run folder has."""

SWEEP = """certify = false
retries = 3

[trial]
task = ["add2", "increment"]
seed = "0:24"
iterations = 4000
"""
SCRIPTS = Path(sys.executable).parent
STORE = 80 * 2**20
ENVIRONMENT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_worker_niceness": "0",  # or a busy machine would leave the workers no time
    "RAY_AUTH_MODE": "token",  # a cluster of our own, whatever Ray finds in the home folder
    "RAY_AUTH_TOKEN": secrets.token_hex(32),
}


def ordeal(folder, say, *, seconds):
    """Run the sweep in ``folder`` through one lost node and one killed driver; what was counted afterwards."""
    file, out = folder / "sweep.toml", folder / "out"
    file.write_text(SWEEP)
    wanted = trials(load_sweep(file))
    deadline = time.monotonic() + seconds
    begin = time.monotonic()

    def tell(text):
        say(f"{time.monotonic() - begin:6.1f} s  {text}")

    with ExitStack() as running:
        temporary = running.enter_context(tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True))
        address = f"127.0.0.1:{_free_port()}"
        head = ["--head", f"--port={address.split(':')[1]}", "--num-cpus=0", "--include-dashboard=false"]
        running.enter_context(_node([*head, f"--temp-dir={temporary}"], folder, deadline))
        joining = [f"--address={address}", "--num-cpus=1"]
        raylets = [_raylet(running.enter_context(_node(joining, folder, deadline))) for _ in range(2)]
        tell(f"a head and two worker nodes are up (raylets {raylets[0]} and {raylets[1]})")

        words = [str(SCRIPTS / "dfst"), "sweep", "run", str(file), "--out", str(out), "--address", address]
        driver = running.enter_context(_process(words, folder / "first.log"))
        _until(lambda: _ended(out, driver) >= len(wanted) // 6 and len(_under_way(out)) > 1, deadline)
        os.kill(raylets[1], signal.SIGKILL)
        at_node, under_way = len(ResultSet(out).names()), _under_way(out)
        tell(f"killed the raylet of the second node; {at_node} trials ended, under way: {', '.join(under_way)}")

        _until(lambda: _ended(out, driver) >= len(wanted) // 3 and _retried(ResultSet(out).rows()), deadline)
        driver.send_signal(signal.SIGKILL)
        at_driver, cut = len(ResultSet(out).names()), _under_way(out)
        tell(f"killed the driver; {at_driver} trials ended, under way: {', '.join(cut)}")
        driver.wait()

        again = running.enter_context(_process(words, folder / "second.log"))
        code = again.wait(max(deadline - time.monotonic(), 1))
        tell(f"the driver, started again, ended with code {code}")
    rows = ResultSet(out).rows()
    counts = _counts(out, rows, {trial.name for trial in wanted})
    hit = sorted({*under_way, *cut})
    counts |= {"ended_when_node_was_killed": at_node, "ended_when_driver_was_killed": at_driver, "exit_code": code}
    counts |= {"interrupted": len(hit), "drivers": 2, "seconds": round(time.monotonic() - begin, 1)}
    counts["interrupted_with_other_weights"] = sum(
        _weights(out / RUNS / trial.name) != _undisturbed(trial, folder) for trial in wanted if trial.name in hit
    )
    tell(", ".join(f"{name.replace('_', ' ')} {count}" for name, count in counts.items()))
    noise = (folder / "first.log").read_text() + (folder / "second.log").read_text()
    return counts, noise


def _counts(out, rows, wanted):
    """From the data set and the folders; two witnesses, each of which can disagree."""
    keys = Counter((row["version"], row["config_hash"], row["seed"]) for row in rows)
    runs = {path.name for path in (out / RUNS).iterdir()}
    whole = {run for run in runs if all((out / RUNS / run / name).exists() for name in WHOLE)}
    return {
        "trials": len(wanted),
        "rows": len(rows),
        "lost": len(wanted - {row["trial"] for row in rows if row["status"] == "done"}) + len(wanted - whole),
        "doubled": sum(count > 1 for count in keys.values()),
        "strange": len(runs - wanted) + len({row["trial"] for row in rows} - wanted),
        "left_unfinished": len(_under_way(out)),
        "started": sum(row["attempts"] for row in rows),
        "retried": _retried(rows),
    }


def _undisturbed(trial, folder):
    """The weights of the same trial, trained in one go."""
    run = RunFolder.create(folder / "undisturbed" / trial.name, trial.config, task=trial.task_text)
    run.train()
    return _weights(run.path)


def _weights(run):
    return (run / "model.safetensors").read_bytes()


def _under_way(out):
    """The trials that have a folder and are not finished."""
    return sorted({path.name.rpartition(".")[0] for path in (out / UNFINISHED).glob("*.*") if path.is_dir()})


def _retried(rows):
    return sum(row["attempts"] > 1 for row in rows)


def _ended(out, driver):
    assert driver.poll() is None, "the driver ended too early"
    return len(ResultSet(out).names())


@contextmanager
def _node(words, folder, deadline):
    """A node, once it is up: two that start at once may take the same names."""
    # nodes of one machine have to choose their ports themselves, or they get in each other's way
    ports = ["--min-worker-port=0", "--max-worker-port=0", "--dashboard-agent-listen-port=0"]
    words = ["start", *words, *ports, "--node-ip-address=127.0.0.1", f"--object-store-memory={STORE}", "--block"]
    while True:
        log = folder / f"node{len(list(folder.glob('node*')))}.log"
        with _process([str(SCRIPTS / "ray"), *words, "--disable-usage-stats"], log) as node:

            def ended_or_up(node=node, log=log):
                return node.poll() is not None or "Ray runtime started" in log.read_text()

            _until(ended_or_up, deadline)
            if node.poll() is None:
                yield node
                return
        # Ray gives up after half a minute, which a busy machine may need


@contextmanager
def _process(words, log):
    """A process in a session of its own, which is ended with everything it has started."""
    with log.open("w") as sink:
        options = {"stdout": sink, "stderr": subprocess.STDOUT, "env": os.environ | ENVIRONMENT}
        process = subprocess.Popen(words, **options, start_new_session=True)
    try:
        yield process
    finally:
        families = [process.pid, *_descendants(process.pid)]
        for pid in families:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        process.wait()


def _parents():
    """The parent of every process."""
    parents = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            parents[int(path.parent.name)] = int(path.read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError):
            continue
    return parents


def _descendants(pid):
    children, found = _parents(), [pid]
    for parent in found:
        found += [child for child, above in children.items() if above == parent]
    return found[1:]


def _raylet(node):
    """The process id of a node's raylet."""
    (raylet,) = [pid for pid in _descendants(node.pid) if Path(f"/proc/{pid}/comm").read_text().strip() == "raylet"]
    return raylet


def _until(condition, deadline):
    while not (value := condition()):
        assert time.monotonic() < deadline, "it took too long"
        time.sleep(0.1)
    return value


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
