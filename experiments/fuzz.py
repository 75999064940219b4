"""Fuzz every reader and keep the counts: python -m experiments.fuzz OUT.json [SCALE]

Scale 1 is a million inputs; SCALE bombs measures only the small files made by hand, and keeps the
rest.

A process for each reader, so that a crash of one is a finding and not the end. The findings' inputs are kept in
results/fuzz-findings, to become bombs in experiments/fuzzing once they are fixed.
"""

import json
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec

from experiments.measuring import asked, kept, save

from dfst.manifest import manifest

INPUTS = {
    "machine": 60_000, "task": 40_000, "answers": 100_000, "certificate": 150_000, "model": 120_000,
    "checkpoint": 80_000, "jsonl": 200_000, "config": 100_000, "journal": 80_000,
    "dot": 80_000, "command": 20_000,
}  # fmt: skip
GUIDED = {name: 20_000 for name in INPUTS if name != "command"}
"""Inputs that atheris chooses by the code they reach; left out is what is slow."""
SEED = 20261115


def mutations(name: str, count: int) -> dict:
    words = [sys.executable, "-m", "experiments.fuzzing.run", name, str(count), str(SEED)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        return {"inputs": count, "finding": 1, "findings": [f"exit code {done.returncode}: {done.stderr[-500:]}"]}
    return json.loads(done.stdout)


def guided(name: str, count: int) -> dict:
    began, words = (
        time.monotonic(),
        [sys.executable, "-m", "experiments.fuzzing.guided", name, str(count), str(SEED % 1000)],
    )
    done = subprocess.run(words, capture_output=True, text=True)
    executed = re.search(r"number_of_executed_units: (\d+)", done.stderr)
    finding = [done.stderr[-800:]] if done.returncode else []
    return {
        **{"inputs": int(executed[1]) if executed else 0, "finding": len(finding), "findings": finding},
        **{"seconds": round(time.monotonic() - began, 1), "seed": SEED % 1000},
    }


def bombs() -> dict:
    done = subprocess.run(
        [sys.executable, "-m", "experiments.fuzzing.bombs"], capture_output=True, text=True, check=True
    )
    return {"bombs_manifest": manifest(), "bombs": json.loads(done.stdout)}


def main(out: str, scale: str = "1") -> None:
    if scale == "bombs":
        return save(out, kept(out, {}) | bombs())
    record: dict = {"manifest": manifest(seed=SEED), **bombs(), "mutated": {}, "guided": {}}
    jobs = [("mutated", mutations, name, int(float(scale) * count)) for name, count in INPUTS.items()]
    if find_spec("atheris"):
        jobs += [("guided", guided, name, int(float(scale) * count)) for name, count in GUIDED.items()]
    with ThreadPoolExecutor(2) as pool:
        for (kind, _, name, _), facts in zip(jobs, pool.map(lambda job: job[1](*job[2:]), jobs), strict=True):
            record[kind][name] = facts
            print(kind, name, json.dumps(facts)[:300], flush=True)
            save(out, record)


if __name__ == "__main__":
    main(*asked())
