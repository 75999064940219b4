"""On a whole cluster: Ctrl-C saves, limits and failures become rows, other code is refused."""

import os
import signal
import subprocess
import sys
import tempfile
import time

import pytest

pytest.importorskip("ray")

from dfst.sweep.rows import ResultSet
from tests.sweep.nodes import ENVIRONMENT, free_port, node, until

SWEEP = "certify = false\nretries = 1\n{}\n[trial]\ntask = 'increment'\nseed = [0, 1]\niterations = {}\n"
LISTENING = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from dfst.cli import main; "


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    port, folder = free_port(), tmp_path_factory.mktemp("cluster")
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as temporary:
        words = ["--head", f"--port={port}", "--num-cpus=2", "--include-dashboard=false", f"--temp-dir={temporary}"]
        with node(words, folder, time.monotonic() + 900):
            yield f"127.0.0.1:{port}"


def start(folder, address, text, before=""):
    (folder / "s.toml").write_text(text)
    command = [sys.executable, "-c", f"{LISTENING}{before}main()", "sweep", "run", "s.toml", "--out", "out"]
    options = {"cwd": folder, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True}
    return subprocess.Popen([*command, "--address", address], **options, env=os.environ | ENVIRONMENT)


def ended(process):
    text, _ = process.communicate(timeout=900)
    return process.returncode, text


@pytest.mark.ray
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_ctrl_c_limits_failures_and_other_code(tmp_path, address):
    process = start(tmp_path, address, SWEEP.format("", 3_000_000))
    metrics = "out/runs/*/metrics.jsonl"
    deadline = time.monotonic() + 900
    until(lambda: sum(bool(path.read_bytes()) for path in tmp_path.glob(metrics)) == 2, deadline, process)
    process.send_signal(signal.SIGINT)
    code, text = ended(process)
    assert (code, "Traceback" in text) == (130, False), text
    assert "The same command resumes from here." in text
    assert len(list(tmp_path.glob("out/runs/*/checkpoints/*"))) >= 2
    assert ResultSet(tmp_path / "out").names() == set()

    code, text = ended(start(tmp_path, address, SWEEP.format("time_limit = 1", 3_000_000)))
    assert code == 1, text
    rows = ResultSet(tmp_path / "out").rows()
    assert [(row["status"], row["attempts"]) for row in rows] == [("time limit", 2)] * 2

    (tmp_path / "bad" / "out").mkdir(parents=True)
    (tmp_path / "bad" / "out" / "unfinished").write_text("in the way")
    code, text = ended(start(tmp_path / "bad", address, SWEEP.format("", 10)))
    assert code == 1, text
    rows = ResultSet(tmp_path / "bad" / "out").rows()
    assert [(row["status"], row["attempts"]) for row in rows] == [("failed", 2)] * 2
    assert "it is a file, not a folder" in rows[0]["problem"]

    (tmp_path / "other").mkdir()
    other = "import dfst.sweep.trial as t; t.code_version = lambda: 'abc'; "
    code, text = ended(start(tmp_path / "other", address, SWEEP.format("", 10), other))
    assert (code, "not abc. Install the same on every node." in text) == (2, True), text
    assert ResultSet(tmp_path / "other" / "out").names() == set()
