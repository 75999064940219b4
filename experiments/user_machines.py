"""Machines written as users write them, learned and compared: python -m experiments.user_machines OUT.json [NAME...]

The twenty machines in tests/prove/user_machines: its own sample of traces for each, a DFST trained on them, extraction
without rehearsal and with it, and for each machine that was extracted a verdict within SECONDS, checked if it is exact.
Rows already in the file are kept; the file is written anew after every row.
"""

import time
from collections import Counter
from pathlib import Path

from experiments.measuring import asked, kept, save

from dfst import recipe, sample
from dfst.extraction.pipeline import extract
from dfst.manifest import manifest
from dfst.prove import checker
from dfst.prove.certificate import certificate, machine_hash
from dfst.prove.compare import compare
from dfst.teachers.find import find_task
from dfst.training.fit import fit
from dfst.training.model import identity_model

FOLDER = Path(__file__).parent.parent / "tests" / "prove" / "user_machines"
SECONDS = 60.0
SEED = 42


def rows_of(name: str) -> list[dict]:
    """Learn one machine; a row for each way to extract."""
    task = find_task(str(FOLDER / f"{name}.dfst"))
    teacher, traces = task.machine, sample(task, seed=SEED)
    rules = recipe("fast", task.name).changed(**task.training)
    start = identity_model(traces.alphabet, task.hidden_dim, seed=SEED, name=name, layout=teacher.layout)
    model, history = fit(start, traces, rules, seed=SEED)
    return [
        {
            "name": name,
            "teacher_sha256": machine_hash(teacher),
            "states": len(teacher.states),
            "loss": history.final_loss,
            "rehearsing": rehearsing,
            **_judged(teacher, extract(model, traces, rehearsing=rehearsing).machine),
        }
        for rehearsing in (False, True)
    ]


def _judged(teacher, machine) -> dict:
    began = time.process_time()
    verdict = compare(teacher, machine, seconds=SECONDS)
    cpu = time.process_time() - began
    scope = None if verdict.proof is None else checker.verify(certificate(teacher, machine, verdict.proof))["scope"]
    return {
        "extracted_states": len(machine.states),
        "verdict": verdict.conclusion.value,
        "scope": scope,
        "configurations": verdict.size,
        "refinements": list(verdict.tried),
        "seconds": round(verdict.seconds, 2),
        "cpu_seconds": round(cpu, 2),
        "limit": SECONDS,
        "where": str(verdict.counterexample or verdict.open),
    }


def main(out: str, *names: str) -> None:
    """All machines that are asked for (every one by default) and not there yet."""
    rows = kept(out, {"rows": []})["rows"]
    done = {facts["name"] for facts in rows}
    for name in names or sorted(path.stem for path in FOLDER.glob("*.dfst")):
        if name not in done:
            for facts in rows_of(name):
                rows.append(facts | {"manifest": manifest()})
                shown = (key for key in facts if key not in ("teacher_sha256", "where"))
                print(*(f"{key}={facts[key]}" for key in shown), flush=True)
            save(out, {"counts": counts(rows), "rows": rows})


def counts(rows: list[dict]) -> dict[str, dict[str, int]]:
    """How many of each verdict, without rehearsal and with it."""
    return {
        way: dict(Counter(facts["verdict"] for facts in rows if facts["rehearsing"] is rehearsing))
        for way, rehearsing in (("traces alone", False), ("rehearsed", True))
    }


if __name__ == "__main__":
    main(*asked())
