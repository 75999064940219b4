"""An evaluation on the workers of a cluster says the same as one here, and survives lost workers."""

import json
import os
import subprocess
import sys

import pytest

from dfst import InputError, from_machine
from dfst.study.exact_match import Examiner
from dfst.sweep.spread_exam import spreading
from dfst.teachers.find import find_task

CODE = """
import json
import ray
from dfst.sweep.spread_exam import SpreadExaminer
from dfst import from_machine
from dfst.teachers.find import find_task
add2 = find_task("add2")
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
examine = SpreadExaminer(ray, from_machine(add2.machine), add2, 2)
before = examine(("1011", "110"))
for actor in list(examine._free.queue):
    ray.kill(actor)
after = examine(("1011", "110"))
print(json.dumps([before, after]))
"""


def test_what_is_for_a_cluster_and_what_is_not():
    assert spreading(None, None) is None
    with pytest.raises(InputError, match="--workers is for a cluster"):
        spreading(None, 2)
    with pytest.raises(InputError, match="--threads is for this computer"):
        spreading("127.0.0.1:1", None, threads=2)


@pytest.mark.ray
@pytest.mark.slow
def test_a_lost_worker_is_replaced(tmp_path):
    pytest.importorskip("ray")
    from experiments.breaking.ray_cluster import ENVIRONMENT

    environment = os.environ | ENVIRONMENT
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, timeout=300, env=environment)
    assert done.returncode == 0, done.stderr
    before, after = json.loads(done.stdout)
    add2 = find_task("add2")
    assert before == after == list(Examiner(from_machine(add2.machine), add2)(("1011", "110")))
