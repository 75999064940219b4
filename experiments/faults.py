"""Try every class of faults and keep the counts: python -m experiments.faults [KILLS] writes results/faults.json."""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from experiments.kill_training import kill_training
from tests.faults.crashes import crashes
from tests.faults.failing import REASONS, failures
from tests.faults.flips import flips

from dfst.manifest import manifest

RESULT = Path(__file__).parent.parent / "results" / "faults.json"


def fail() -> dict[str, int]:
    """Failures by their reason."""
    counts = {}
    for reason in REASONS:
        with tempfile.TemporaryDirectory() as folder:
            counts[reason] = failures(4, [reason], Path(folder))
    return counts


def keep(kills: int) -> None:
    """Try everything; what does not hold ends in an exception."""
    record: dict[str, Any] = {"manifest": manifest()}
    jobs: dict[str, Callable[[], Any]] = {
        "flips": flips,
        "crashes": crashes,
        "failures": fail,
        "kills": lambda: kill_training(kills),
    }
    for name, job in jobs.items():
        began = time.monotonic()
        record[name] = job()
        record[f"{name}_seconds"] = round(time.monotonic() - began)
        print(name, json.dumps(record[name]), flush=True)
    RESULT.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    keep(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
