"""Fuzz every reader and keep the counts: python -m experiments.fuzz [SCALE] writes results/fuzz.json.

Scale 1 is a million inputs.

A process for each reader, so that a crash of one is a finding and not the end. The findings' inputs are kept in
results/fuzz-findings, to become cases in tests/fuzz_cases once they are fixed.
"""

import json
import re
import subprocess
import sys
import time
from importlib.util import find_spec
from pathlib import Path

from tests.fuzz.bombs import BOMBS, measured

from dfst.manifest import manifest

RESULT = Path(__file__).parent.parent / "results" / "fuzz.json"
INPUTS = {
    "machine": 150_000, "task": 100_000, "answers": 60_000, "certificate": 150_000, "model": 150_000,
    "checkpoint": 100_000, "jsonl": 150_000, "parquet": 60_000, "config": 80_000, "journal": 60_000,
    "morphett": 60_000, "dot": 2_000, "command": 5_000,
}  # fmt: skip
GUIDED = {name: 5_000 for name in INPUTS if name not in ("dot", "command", "parquet")}
"""Inputs that atheris chooses by the code they reach; left out is what is slow or not Python."""
SEED = 20261115


def mutations(name: str, count: int) -> dict:
    words = [sys.executable, "-m", "tests.fuzz.run", name, str(count), str(SEED)]
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode:
        return {"inputs": count, "finding": 1, "findings": [f"exit code {done.returncode}: {done.stderr[-500:]}"]}
    return json.loads(done.stdout)


def guided(name: str, count: int) -> dict:
    began, words = time.monotonic(), [sys.executable, "-m", "tests.fuzz.guided", name, str(count), str(SEED % 1000)]
    done = subprocess.run(words, capture_output=True, text=True)
    executed = re.search(r"number_of_executed_units: (\d+)", done.stderr)
    finding = [done.stderr[-800:]] if done.returncode else []
    return {
        **{"inputs": int(executed[1]) if executed else 0, "finding": len(finding), "findings": finding},
        **{"seconds": round(time.monotonic() - began, 1), "seed": SEED % 1000},
    }


def main(scale: float) -> None:
    record: dict = {"manifest": manifest(seed=SEED), "mutated": {}, "guided": {}, "bombs": {}}
    jobs = [("mutated", name, lambda n=name, c=count: mutations(n, int(scale * c))) for name, count in INPUTS.items()]
    jobs += [("bombs", name, lambda name=name: measured(name)) for name in BOMBS]
    if find_spec("atheris"):
        jobs += [("guided", name, lambda n=name, c=count: guided(n, int(scale * c))) for name, count in GUIDED.items()]
    for kind, name, job in jobs:
        record[kind][name] = job()
        print(kind, name, json.dumps(record[kind][name])[:300], flush=True)
        RESULT.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0)
