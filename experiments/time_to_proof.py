"""From nothing to a checked certificate: python -m experiments.time_to_proof OUT.json TASK:FIRST-LAST...

Every row is one ``dfst learn TASK --seed SEED`` in a new process, timed from outside, start of Python included, and
then ``dfst check`` of what it wrote. One lesson that is not measured comes first, so that no compiling is in the
seconds. The load is the machine's average over the last minute when the row began: with nothing beside, that of the row
before it. Rows already in the file are kept; the file is written anew after every row.
"""

import json
import os
import tempfile
import time
from pathlib import Path

from experiments.measuring import asked, dfst, kept, save, seeds_of

from dfst.manifest import manifest

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
    rows, facts = kept(out, {"rows": []})["rows"], manifest()
    done = {(each["task"], each["seed"]) for each in rows}
    for task, seeds in seeds_of(asked_for):
        left = [seed for seed in seeds if (task, seed) not in done]
        if left:
            row(task, left[0])  # compiles what this task needs
        for seed in left:
            rows.append(row(task, seed) | {"manifest": facts})
            print(*(f"{key}={value}" for key, value in rows[-1].items() if key != "manifest"), flush=True)
            save(out, {"rows": rows})


if __name__ == "__main__":
    main(*asked())
