"""What is said of rollouts in the log and the documentation, measured by calling the command line as a user does.

Usage: python -m experiments.rollouts OUT.json
"""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

from experiments.measuring import asked, save

import dfst
from dfst.manifest import manifest
from dfst.study.test_sets import random_pairs

TABLES = [("add2", 38_500), ("add2", 385_000), ("mult10", 1800)]
FLOAT_LENGTHS = [100, 1000, 3850]


def main(out: str) -> None:
    record: dict[str, Any] = {"teachers": [], "memory": []}
    with tempfile.TemporaryDirectory() as folder:
        for task, digits in TABLES:
            record["teachers"].append(_teacher(task, digits, Path(folder)))
            print(record["teachers"][-1], flush=True)
        model = Path(folder) / "add2.safetensors"
        subprocess.run(["dfst", "export", "teacher:add2", "--hidden-dim", "12", "--out", model], check=True)
        for digits in FLOAT_LENGTHS:
            record["memory"].append(_memory(model, digits, Path(folder)))
            print(record["memory"][-1], flush=True)
    record["manifest"] = manifest()
    save(out, record)


def _teacher(name: str, digits: int, folder: Path) -> dict[str, Any]:
    """A teacher on a random pair; the answer is compared with Python's integers."""
    task = dfst.task(name)
    operands = random_pairs(task, digits, seed=1)[0]
    paths = [folder / name for name in "ab"]
    for path, number in zip(paths, operands, strict=True):
        path.write_text(number, encoding="utf-8")
    begin = time.perf_counter()
    words = ["dfst", "solve", f"teacher:{name}", *(f"@{path}" for path in paths), "--json"]
    result = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    seconds = round(time.perf_counter() - begin, 2)
    right = result["answer"] == task.truth(*operands)
    return {"task": name, "digits": digits, "steps": result["steps"], "seconds": seconds, "right": right}


def _memory(model: Path, digits: int, folder: Path) -> dict[str, Any]:
    """The largest resident memory of a float rollout, interpreter and compiler included."""
    operand = folder / "ones"
    operand.write_text("1" * digits, encoding="utf-8")
    words = ["/usr/bin/env", "python", "-c", _PEAK, "solve", model, f"@{operand}", f"@{operand}", "--json"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    peak = int(re.search(r"VmHWM:\s+(\d+)", done.stderr)[1]) // 1024  # type: ignore[index]
    return {"digits": digits, "steps": json.loads(done.stdout)["steps"], "peak_megabytes": peak}


_PEAK = """
import sys
from dfst.cli import main
try:
    main()
finally:
    print(open("/proc/self/status").read(), file=sys.stderr)
"""


if __name__ == "__main__":
    main(*asked())
