"""Data-parallel JAX: eight simulated devices in one process, and two processes over loopback."""

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

SCRIPT = Path(__file__).with_name("data_parallel.py")
TOLERANCE = 1e-5  # relative, over 60 iterations in float32: sums are taken in another order


def start(*words, devices=1):
    flags = f"--xla_force_host_platform_device_count={devices}"
    environment = os.environ | {"XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"}
    words = [sys.executable, str(SCRIPT), *map(str, words)]
    return subprocess.Popen(words, env=environment, stdout=-1, stderr=-1, text=True)


def finish(process):
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err[-3000:]
    return json.loads(out.splitlines()[-1])


@pytest.mark.slow
def test_eight_devices_and_two_processes_train_alike():
    single, eight = finish(start()), finish(start(devices=8))
    assert eight["devices"] == 8
    assert np.allclose(single["losses"], eight["losses"], rtol=TOLERANCE)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    both = [start(port, rank, devices=2) for rank in (0, 1)]
    results = [finish(process) for process in both]
    for result in results:
        assert result["devices"] == 4
        assert np.allclose(single["losses"], result["losses"], rtol=TOLERANCE)
