"""Extraction and proof for many trained runs: python extract_sweep.py OUT.json RUN_FOLDER...

For every run: states, seconds, verdict, and for a failure its cause. The teacher judges here; it does not extract.
"""

import json
import sys
import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from dfst import RunFolder, coverage, expert, replay
from dfst.manifest import manifest
from dfst.prove.compare import Outcome, Verdict, compare
from dfst.prove.extract import extract


def row(run: RunFolder, *, rehearsing: bool) -> dict:
    """What one run came to."""
    config, model, traces = run.config, run.model(), run.traces()
    teacher = expert(config.task).machine
    uncovered = coverage(teacher, traces).uncovered
    began, cpu = time.perf_counter(), time.process_time()
    extraction = extract(model, traces, rehearsing=rehearsing)
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    verdict = compare(teacher, extraction.machine)
    evidence = extraction.evidence
    return {
        "task": config.task,
        "seed": config.seed,
        "data_seed": config.data_seed,
        "rehearsing": rehearsing,
        "uncovered": len(uncovered),
        "rounds": [asdict(each) for each in extraction.rounds],
        "states": len(extraction.machine.states),
        "followed": evidence.followed,
        "traces": len(traces),
        "unrecorded_rules": len(evidence.unrecorded),
        "seconds": round(wall, 2),
        "cpu_seconds": round(cpu, 2),
        "verdict": verdict.outcome.value,
        "proof_seconds": round(verdict.seconds, 2),
        "configurations": verdict.size,
        "cause": cause(verdict, bool(uncovered), run),
        "where": str(verdict.counterexample or verdict.open),
    }


def cause(verdict: Verdict, uncovered: bool, run: RunFolder) -> str | None:
    """Why a run is not proven."""
    if verdict.outcome == Outcome.EXACT:
        return None
    if verdict.outcome == Outcome.UNDECIDED:
        return "undecided"
    if uncovered:
        return "transition not in the data"
    model = run.model()
    if not all(replay(model, trace).exact for trace in run.traces()):
        return "training not converged"
    assert verdict.counterexample is not None
    return "merge too timid" if verdict.counterexample.learner_does == "is stuck" else "merge wrong"


def main(out: str, *folders: str) -> None:
    """Every run with and without rehearsal."""
    runs = [RunFolder.open(Path(folder)) for folder in folders if (Path(folder) / "model.safetensors").exists()]
    rows = []
    for run in runs:
        for rehearsing in (True, False):
            rows.append(row(run, rehearsing=rehearsing))
            facts = rows[-1]
            print(*(f"{name}={facts[name]}" for name in facts if name not in ("rounds", "where")), flush=True)
    shares = Counter((r["task"], r["rehearsing"], r["cause"] or "proven exact") for r in rows)
    table = [
        {"task": task, "rehearsing": rehearsing, "outcome": outcome, "runs": n}
        for (task, rehearsing, outcome), n in sorted(shares.items())
    ]
    Path(out).write_text(json.dumps({"manifest": manifest(), "shares": table, "runs": rows}, indent=1) + "\n")
    for line in table:
        print(line)


if __name__ == "__main__":
    main(*sys.argv[1:])
