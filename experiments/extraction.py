"""Extraction and proof for many trained runs: python -m experiments.extraction OUT.json RUN...

For every run: states, seconds, verdict, and for a failure its cause. The teacher judges here; it does not extract.
Rows of other runs are kept, and so are those that were measured at this very commit; the file is written anew after
every row.
"""

import time
from collections import Counter
from dataclasses import asdict
from pathlib import Path

from experiments.measuring import asked, kept, made, save

from dfst import RunFolder, Verdict, compare, extract, task
from dfst.manifest import commit, manifest
from dfst.traces.coverage import coverage
from dfst.training.recall import recall


def row(run: RunFolder, *, rehearsing: bool) -> dict:
    """What one run came to."""
    config, model, traces = run.options, run.model(), run.traces()
    uncovered = coverage(task(config.task).machine, traces).uncovered
    began, cpu = time.perf_counter(), time.process_time()
    extraction = extract(model, traces, rehearsing=rehearsing)
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    verdict = compare(config.task, extraction.machine)
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
        "verdict": verdict.conclusion.value,
        "proof_seconds": round(verdict.seconds, 2),
        "configurations": verdict.size,
        "cause": cause(verdict, bool(uncovered), run),
        "where": str(verdict.counterexample or verdict.open),
        "trained": made(run.path),
    }


def cause(verdict: Verdict, uncovered: bool, run: RunFolder) -> str | None:
    """Why a run is not proven."""
    if verdict.exact:
        return None
    if not verdict.refuted:
        return "undecided"
    if uncovered:
        return "transition not in the data"
    model = run.model()
    if not recall(model, run.traces()).learned:
        return "training not converged"
    assert verdict.counterexample is not None
    return "merge too timid" if verdict.counterexample.learner_does == "is stuck" else "merge wrong"


def main(out: str, *folders: str) -> None:
    """Every run with and without rehearsal."""
    rows = {(r["task"], r["seed"], r["data_seed"], r["rehearsing"]): r for r in kept(out, {"runs": []})["runs"]}
    for run in [RunFolder.open(Path(folder)) for folder in folders]:
        for rehearsing in (True, False):
            key = (run.options.task, run.options.seed, run.options.data_seed, rehearsing)
            if key in rows and rows[key]["manifest"]["commit"] == commit():
                continue
            found = rows[key] = row(run, rehearsing=rehearsing) | {"manifest": manifest()}
            shown = (name for name in found if name not in ("rounds", "where", "manifest", "trained"))
            print(*(f"{name}={found[name]}" for name in shown), flush=True)
            save(out, {"shares": shares(list(rows.values())), "runs": list(rows.values())})
    for line in shares(list(rows.values())):
        print(line)


def shares(rows: list[dict]) -> list[dict]:
    """How many runs of a task had which outcome."""
    counts = Counter((r["task"], r["rehearsing"], r["cause"] or "proven exact") for r in rows)
    return [
        {"task": task, "rehearsing": rehearsing, "outcome": outcome, "runs": n}
        for (task, rehearsing, outcome), n in sorted(counts.items())
    ]


if __name__ == "__main__":
    main(*asked())
