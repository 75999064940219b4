"""SIGKILL a training run at random instants and resume it, again and again: python -m experiments.kill_training COUNT

The processes are forks of one that has everything loaded, so that a kill does not have to wait for a start of seconds;
`tests/runs/test_runs.py` does the same, less often, with the command line. Prints how many were really killed (some
end before), where the kills fell, and whether the weights are those of a run that nobody disturbed.
"""

import hashlib
import json
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from dfst import RunFolder, recipe
from dfst.runs.new_folder import is_begun
from dfst.runs.run_config import RunConfig
from dfst.teachers.find import find_task

TRAINING = 0.8
"""The share of kills that come while it trains; the others may come while the folder is being made or read."""


def kill_training(count: int, seed: int = 9, iterations: int = 5000) -> dict[str, Any]:
    """Kill ``count`` processes, in as many runs as that takes; every run is then finished and compared."""
    rng, began = random.Random(seed), time.monotonic()
    facts: dict[str, Any] = {"kills": 0, "while_training": 0, "runs": 0, "failed": [], "different": 0}
    instants, unfinished = [], 0
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        _train(place / "warm", iterations)  # loads what is compiled
        first = time.monotonic()
        _train(place / "whole", iterations)
        seconds, whole = time.monotonic() - first, _digest(place / "whole")
        while facts["kills"] < count:
            run = place / f"run{facts['runs']}"
            while facts["kills"] < count:
                training = rng.random() < TRAINING
                wait = rng.uniform(0, seconds / 5 if training else 0.02)
                alive, left = _killed(run, iterations, wait, training)
                facts["failed"] += [left] if left else []
                if not alive:
                    break
                facts["kills"] += 1
                facts["while_training"] += training
                instants.append(_iteration(run))
                unfinished += len([path for path in run.rglob(".*.part")]) if run.exists() else 0
            _train(run, iterations)
            facts["runs"] += 1
            facts["different"] += _digest(run) != whole
            print(json.dumps(facts | {"seconds": round(time.monotonic() - began)}), file=sys.stderr)
    facts |= {"different_checkpoints": len(set(instants)), "unfinished_files_seen": unfinished}
    return facts | {"seconds": round(time.monotonic() - began), "weights_sha256": whole, "iterations": iterations}


def _train(path: Path, iterations: int, tell: int | None = None) -> None:
    """Train, or go on; a checkpoint after every block. A byte goes to ``tell`` when the first iterations are done."""

    def watch(_: object) -> None:
        nonlocal tell
        if tell is not None:
            os.write(tell, b".")
            tell = None

    config = RunConfig("add2", recipe("fast", "add2").changed(iterations=iterations), find_task("add2").sampling, 12)
    made = path.exists() and not is_begun(path)
    run = RunFolder.open(path) if made else RunFolder.create(path, config)
    run.train(watch=watch, checkpoint_seconds=0.0)


def _killed(path: Path, iterations: int, wait: float, training: bool) -> tuple[bool, str]:
    """(whether the process was alive when it was killed, what went wrong in it before)."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            _train(path, iterations, writer)
        except BaseException as error:
            os.write(writer, f"{type(error).__name__}: {error}"[:500].encode())
        finally:
            os._exit(0)
    os.close(writer)
    said = os.read(reader, 1) if training else b""
    time.sleep(wait)
    alive = os.waitpid(child, os.WNOHANG) == (0, 0)
    if alive:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    while more := os.read(reader, 1000):
        said += more
    os.close(reader)
    return alive, said.decode().strip(".")


def _digest(run: Path) -> str:
    return hashlib.sha256((run / "model.safetensors").read_bytes()).hexdigest()


def _iteration(run: Path) -> int:
    """How far the newest checkpoint is."""
    return max((int(path.stem) for path in (run / "checkpoints").glob("*.safetensors")), default=0)


if __name__ == "__main__":
    print(json.dumps(kill_training(int(sys.argv[1])), indent=1))
