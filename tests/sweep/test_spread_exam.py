"""An evaluation on worker processes says the same as one here, and survives lost workers."""

import json
import os
import subprocess
import sys

import pytest

from dfst import InputError, expert
from dfst.sweep.spread_exam import spreading
from tests.act.test_rollout import noisy

CODE = """
import json
from dfst.sweep.cluster import connected
from dfst.sweep.spread_exam import SpreadExaminer
from dfst import expert, from_machine
add2 = expert("add2")
with connected(workers=2) as ray:
    examine = SpreadExaminer(ray, from_machine(add2.machine), add2, 2)
    before = examine(("1011", "110"))
    for actor in list(examine._free.queue):
        ray.kill(actor)
    after = examine(("1011", "110"))
print(json.dumps([before, after]))
"""


def test_threads_and_workers_are_one_too_many():
    with pytest.raises(InputError, match="both asked for"):
        spreading(None, 2, threads=2)


@pytest.mark.slow
def test_the_same_result_on_processes(tmp_path):
    pytest.importorskip("ray")
    from dfst.learn.weights import save_model

    model = noisy(expert("add2").machine, 0.01)
    save_model(model, tmp_path / "m.safetensors")
    records = []
    for words in ([], ["--workers", "2"]):
        command = [sys.executable, "-c", "from dfst.cli import main; main()", "eval", "m.safetensors", "--rlg"]
        words = [*command, "--to", "40", "--json", *words]
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=300, env=os.environ)
        assert done.returncode == 0, done.stderr
        records.append(json.loads(done.stdout))
        assert "raylet" not in done.stderr
        assert "Traceback" not in done.stderr
    for record in records:
        del record["manifest"]
    assert records[0] == records[1]


@pytest.mark.slow
def test_a_lost_worker_is_replaced(tmp_path):
    pytest.importorskip("ray")
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, timeout=300, env=os.environ)
    assert done.returncode == 0, done.stderr
    before, after = json.loads(done.stdout)
    assert before == after == [True, True, before[2], None]
