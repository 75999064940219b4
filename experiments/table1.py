"""The numbers of Table 1: python -m experiments.table1 OUT.json RUNS [TASK...]

RUNS holds, for every task, TASK-fast-s42 (trained and certified). Raw models are measured as float32 rollouts, the
extracted machine as a table, to ten times the lengths of the paper. The file is written anew after every task.
"""

import json
import time
from pathlib import Path

from experiments.measuring import asked, kept, made, save

from dfst import Lengths, RunFolder, measure_lengths
from dfst.manifest import manifest
from dfst.teachers.arithmetic import PAPER_LENGTHS
from dfst.training.model import loss
from dfst.world.machine_file import load_machine

RAW_TO = 200
"""No raw model of the fast recipe gets near it."""

EXTRACTED_TO = 10
"""Times the lengths of the paper."""


def measured(lengths: Lengths) -> dict:
    """What a measurement came to."""
    failures = [rung.first_failure for rung in lengths.rungs if rung.first_failure]
    return {
        "rlg": lengths.rlg,
        "plg": lengths.plg,
        "measured_to": lengths.to,
        "tested": [rung.m for rung in lengths.rungs],
        "first_failure": failures[0] if failures else None,
    }


def raw(run: RunFolder, to: int) -> dict:
    """A float model by itself: how it was made, and how far it gets."""
    facts = {
        "loss": loss(run.model(), run.traces()),
        "seconds": run.records()[-1].seconds,
        "iterations": run.options.iterations,
        "traces": run.options.n,
        "digits": run.options.digits,
        "manifest": made(run.path),
    }
    return facts | measured(measure_lengths(run.model(), run.options.task, to=to))


def row(task: str, runs: Path) -> dict:
    """One task: the raw model and the extracted machine."""
    fast = RunFolder.open(runs / f"{task}-fast-s42")
    proof = json.loads((fast.path / "certification.json").read_text())
    facts = {
        "task": task,
        "parameters": fast.model().parameters,
        "hidden_dim": fast.options.hidden_dim,
        "raw": raw(fast, RAW_TO),
        "certified": proof["verdict"] == "exact",
        "states": proof["states"],
        "configurations": proof["configurations"],
        "certify_seconds": proof["extract_seconds"] + proof["prove_seconds"],
        "certify_manifest": proof["manifest"],
    }
    began = time.perf_counter()
    machine = load_machine(fast.path / "machine.dfst")
    lengths = measure_lengths(machine, task, to=EXTRACTED_TO * PAPER_LENGTHS[task])
    seconds = round(time.perf_counter() - began, 1)
    return facts | {"extracted": measured(lengths) | {"measuring_seconds": seconds}}


def main(out: str, runs: str, *tasks: str) -> None:
    """Measure ``tasks`` (those that are not there yet, if none is named); rows of other tasks are kept."""
    rows = {facts["task"]: facts for facts in kept(out, {"rows": []})["rows"]}
    for task in tasks or [name for name in PAPER_LENGTHS if name not in rows]:
        rows[task] = row(task, Path(runs)) | {"manifest": manifest()}
        save(out, {"rows": [rows[name] for name in PAPER_LENGTHS if name in rows]})
        parts = {name: rows[task][name] for name in ("raw", "extracted")}
        print(task, *(f"{name}: rlg {part['rlg']} plg {part['plg']}" for name, part in parts.items()), flush=True)


if __name__ == "__main__":
    main(*asked())
