"""From nothing to a raw model that lasts: python -m experiments.time_to_lasting OUT.json RUNS TASK:FIRST-LAST...

Every row is one ``dfst train TASK --recipe lasting --seed SEED`` in a new process, into a new folder RUNS/TASK/sSEED,
timed from outside, start of Python included. A short training run that is not measured comes first and compiles what
training needs; extracting and acting must have been compiled before. The load is the machine's average over the last
minute when the row began.
"""

import json
import os
import sys
import tempfile
import time
from pathlib import Path

from experiments.measuring import add_rows, asked, dfst, seeds_of


def row(task: str, seed: int, run: Path) -> dict:
    """Train ``run`` from nothing; what it took, and how far its model agrees with its own machine."""
    if run.exists():
        sys.exit(f"{run} is there already: it would not begin from nothing; remove it, or name other RUNS")
    load, began = os.getloadavg()[0], time.monotonic()
    done = dfst("train", task, "--recipe", "lasting", "--seed", str(seed), "--out", str(run), "--json")
    seconds = time.monotonic() - began
    if done.returncode:
        sys.exit(f"{run}: {done.stderr}")
    facts = json.loads(done.stdout)
    facts = {name: facts[name] for name in ("hidden_dim", "agrees", "learned")}
    return {"task": task, "seed": seed, "seconds": round(seconds, 1), **facts, "load": round(load, 2)}


def main(out: str, runs: str, *asked_for: str) -> None:
    """All seeds of the tasks named."""
    for task, seeds in seeds_of(asked_for):
        with tempfile.TemporaryDirectory() as folder:
            dfst("train", task, "--iterations", "10", "--out", f"{folder}/run")  # compiles what training needs
        keys = ((task, seed) for seed in seeds)
        add_rows(out, ("task", "seed"), keys, lambda task, seed: row(task, seed, Path(runs) / task / f"s{seed}"))


if __name__ == "__main__":
    main(*asked())
