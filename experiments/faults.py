"""Try every class of faults and keep the counts: python -m experiments.faults OUT.json [KILLS]"""

import json
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from experiments.breaking.crashes import crashes
from experiments.breaking.failing import REASONS, failures
from experiments.breaking.flips import flips
from experiments.kill_training import kill_training
from experiments.measuring import asked, save

from dfst.manifest import manifest


def fail() -> dict[str, int]:
    """Failures by their reason."""
    counts = {}
    for reason in REASONS:
        with tempfile.TemporaryDirectory() as folder:
            counts[reason] = failures(4, [reason], Path(folder))
    return counts


def main(out: str, kills: str = "200") -> None:
    """Try everything; what does not hold ends in an exception."""
    record: dict[str, Any] = {"manifest": manifest()}
    jobs: dict[str, Callable[[], Any]] = {
        "flips": flips,
        "crashes": crashes,
        "failures": fail,
        "kills": lambda: kill_training(int(kills)),
    }
    for name, job in jobs.items():
        began = time.monotonic()
        record[name] = job()
        record[f"{name}_seconds"] = round(time.monotonic() - began)
        print(name, json.dumps(record[name]), flush=True)
    save(out, record)


if __name__ == "__main__":
    main(*asked())
