"""An evaluation on the workers of a cluster says the same as one here, and survives lost workers."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from dfst import InputError, from_machine
from dfst.study.exact_match import Examiner
from dfst.sweep.spread_exam import spreading
from dfst.teachers.find import find_task

PROBLEM = ("10" * 300, "1" * 500)
CODE = f"""
import json, os, signal, threading, time
from pathlib import Path
import ray
from dfst.sweep.spread_exam import SpreadExaminer
from dfst import from_machine
from dfst.teachers.find import find_task
from experiments.breaking.ray_cluster import _descendants

def busy():
    for pid in _descendants(os.getpid()):
        try:
            if Path(f"/proc/{{pid}}/cmdline").read_bytes().startswith(b"ray::_examine"):
                return pid
        except OSError:
            continue

add2 = find_task("add2")
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
examine = SpreadExaminer(ray, from_machine(add2.machine), add2, 2)
found = []
thread = threading.Thread(target=lambda: found.append(examine({PROBLEM!r})))
thread.start()
while not (lost := busy()):
    assert thread.is_alive()
    time.sleep(0.001)
os.kill(lost, signal.SIGKILL)
thread.join()
print(json.dumps(found))
"""


def test_what_is_for_a_cluster_and_what_is_not():
    assert spreading(None, None) is None
    with pytest.raises(InputError, match="`workers` is for a cluster"):
        spreading(None, 2)
    with pytest.raises(InputError, match="`threads` is for this computer"):
        spreading("127.0.0.1:1", None, threads=2)


@pytest.mark.ray
@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="processes are found in /proc")
def test_a_problem_whose_worker_is_lost_is_examined_again():
    pytest.importorskip("ray")
    from experiments.breaking.ray_cluster import ENVIRONMENT

    options = {"capture_output": True, "text": True, "timeout": 300, "cwd": Path(__file__).parents[2]}
    done = subprocess.run([sys.executable, "-c", CODE], **options, env=os.environ | ENVIRONMENT)
    assert done.returncode == 0, done.stderr
    assert "task will be retried" in done.stdout  # Ray says so; a command keeps that to itself
    add2 = find_task("add2")
    assert json.loads(done.stdout.splitlines()[-1]) == [list(Examiner(from_machine(add2.machine), add2)(PROBLEM))]
