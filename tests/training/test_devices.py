"""Data-parallel JAX: simulated devices in one process, and two processes over loopback, by hand and as under SLURM."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import dfst

SCRIPT = Path(__file__).parents[2] / "docs" / "train_everywhere.py"
TOLERANCE = 1e-4  # 60 iterations in float32: sums are taken in another order


def start(out, *, devices=1, **environment):
    flags = f"--xla_force_host_platform_device_count={devices}"
    environment = os.environ | {"XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"} | environment
    words = [sys.executable, str(SCRIPT), "increment", str(out), "60"]
    return subprocess.Popen(words, env=environment, stdout=-1, stderr=-1, text=True)


def finish(process, devices):
    out, err = process.communicate(timeout=900)
    assert process.returncode == 0, err[-3000:]
    assert out.splitlines()[-1].startswith(f"{devices} devices, iteration 60: loss ")


def same(a, b):
    a, b = (dfst.load(path) for path in (a, b))
    return all(np.allclose(getattr(a, name), getattr(b, name), atol=TOLERANCE) for name in ("A", "B", "C", "h0"))


@pytest.fixture(scope="module")
def alone(tmp_path_factory):
    out = tmp_path_factory.mktemp("alone") / "model.safetensors"
    finish(start(out), 1)
    return out


@pytest.mark.slow
def test_eight_devices_train_alike(alone, tmp_path):
    finish(start(tmp_path / "model.safetensors", devices=8), 8)
    assert same(alone, tmp_path / "model.safetensors")


@pytest.mark.slow
@pytest.mark.parametrize("how", ["by hand", "SLURM"])
def test_two_processes_train_alike(how, alone, tmp_path):
    processes = []
    job = os.getpid()  # JAX derives the port from the number of the job
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    for rank in "01":
        told = {"JAX_COORDINATOR_ADDRESS": address, "PROCESSES": "2", "RANK": rank}
        if how == "SLURM":  # what srun sets
            told = {"SLURM_JOB_ID": str(job), "SLURM_STEP_NODELIST": "127.0.0.1", "SLURM_NTASKS": "2"}
            told |= {"SLURM_PROCID": rank, "SLURM_LOCALID": rank, "SLURM_STEP_NUM_NODES": "1"}
        processes.append(start(tmp_path / f"model{rank}.safetensors", devices=2, **told))
    for process in processes:
        finish(process, 4)
    assert same(alone, tmp_path / "model0.safetensors")
    assert not (tmp_path / "model1.safetensors").exists()
