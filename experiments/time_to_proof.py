"""From nothing to a checked certificate: python -m experiments.time_to_proof OUT.json TASK:FIRST-LAST...

Every row is one ``dfst learn TASK --seed SEED`` in a new process, timed from outside, start of Python included, and
then ``dfst check`` of what it wrote. One lesson that is not measured comes first, so that no compiling is in the
seconds. The load is the machine's average over the last minute when the row began: with nothing beside, that of the row
before it.
"""

import json
import os
import tempfile
import time
from pathlib import Path

from experiments.measuring import add_rows, asked, dfst, seeds_of

SECONDS = 900.0  # for one row


def row(task: str, seed: int) -> dict:
    """Learn ``task``; what it took and what came of it."""
    load = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        options = ["--seed", str(seed), "--out", str(run), "--seconds", str(SECONDS), "--json"]
        began = time.monotonic()
        done = dfst("learn", task, *options)
        seconds = time.monotonic() - began
        checked = done.returncode == 0 and dfst("check", str(run / "certificate.json")).returncode == 0
    looks = [line for line in done.stderr.splitlines() if line.startswith("iteration")]
    facts = json.loads(done.stdout) if done.stdout else {"why": done.stderr}
    facts = {key: facts.get(key) for key in ("exact", "iterations", "states", "traces", "steps", "why")}
    return {"task": task, "seed": seed, "seconds": round(seconds, 1), "checked": checked, **facts} | {
        "looks": looks,
        "load": round(load, 2),
    }


def main(out: str, *asked_for: str) -> None:
    """All seeds of the tasks named."""
    for task, seeds in seeds_of(asked_for):
        row(task, seeds[0])  # compiles what this task needs
        add_rows(out, ("task", "seed"), ((task, seed) for seed in seeds), row)


if __name__ == "__main__":
    main(*asked())
