"""SIGKILL a training run at random instants and resume it, again and again: python experiments/kill_training.py COUNT

Prints how many processes were really killed (some end before), where the kills fell, and whether the weights are those
of a run that nobody disturbed; `experiments/faults.py` keeps the numbers.
"""

import hashlib
import json
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

DFST = [sys.executable, "-c", "from dfst.cli import main; main()"]
BATCH = 20
"""Kills per run, so that a run of 20,000 iterations lives through most of them."""

TRAINING = "training since"
"""What the command line says when the first iterations are done."""


def kill_training(count: int, seed: int = 9, iterations: int = 20_000) -> dict[str, Any]:
    """Kill ``count`` processes, in as many runs as that takes; every run is then finished and compared."""
    rng, began = random.Random(seed), time.monotonic()
    facts: dict[str, Any] = {
        "kills": 0,
        "while_training": 0,
        "runs": 0,
        "checkpoints": [],
        "failed": [],
        "different": 0,
    }
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        words = [*DFST, "train", "add2", "--iterations", str(iterations), "--threads", "1"]
        words += ["--checkpoint-seconds", "0.02", "--resume", "--out"]
        first = time.monotonic()
        _finish([*words, str(place / "whole")])
        seconds = time.monotonic() - first
        whole = _digest(place / "whole")
        while facts["kills"] < count:
            run = place / f"run{facts['runs']}"
            for _ in range(min(BATCH, count - facts["kills"])):
                training = rng.random() < 0.8
                if not _killed([*words, str(run)], rng.uniform(0, seconds / (10 if training else 2)), training):
                    break
                facts["kills"] += 1
                facts["while_training"] += training
                facts["checkpoints"].append(_iteration(run))
            problem = _finish([*words, str(run)])
            facts["runs"] += 1
            facts["failed"] += [problem] if problem else []
            facts["different"] += not problem and _digest(run) != whole
            print(json.dumps(facts | {"seconds": round(time.monotonic() - began)}), file=sys.stderr)
    return facts | {"seconds": round(time.monotonic() - began), "weights_sha256": whole, "iterations": iterations}


def _killed(words: list[str], seconds: float, training: bool) -> bool:
    """Start, wait for so long (from the first iterations on, if ``training``), kill; False if it had ended by itself."""
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    if training:
        for line in process.stderr:
            if TRAINING in line:
                break
    time.sleep(seconds)
    alive = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.communicate()
    return alive


def _finish(words: list[str]) -> str:
    """Train to the end; what went wrong, or nothing."""
    done = subprocess.run(words, capture_output=True, text=True)
    return "" if done.returncode == 0 else done.stderr[-500:]


def _digest(run: Path) -> str:
    return hashlib.sha256((run / "model.safetensors").read_bytes()).hexdigest()


def _iteration(run: Path) -> int:
    """How far the newest checkpoint is."""
    return max((int(path.stem) for path in (run / "checkpoints").glob("*.safetensors")), default=0)


if __name__ == "__main__":
    print(json.dumps(kill_training(int(sys.argv[1])), indent=1))
