"""Every task of the gallery, learned and proven: python -m experiments.gallery OUT.json FOLDER [NAME[:SEED]...]

For every task and seed: its own sample of traces, a DFST trained on them, extraction, proof, and the checker's word on
it. OUT.json gets a row for each. FOLDER (the package's, src/dfst/teachers/gallery) gets what comes with the package:
the certificates of SHIPPED_SEED and their rows.
"""

import json
import time
from pathlib import Path

from experiments.measuring import add_rows, asked, save

import dfst
from dfst.prove import checker
from dfst.prove.certificate import certificate, file_hash, machine_hash, save_certificate
from dfst.shipped import RESULTS, certificate_path
from dfst.teachers.find import gallery
from dfst.traces.coverage import coverage

SHIPPED_SEED = 42
SEEDS = (SHIPPED_SEED, 0, 1, 2)


def row(name: str, seed: int, folder: Path) -> dict:
    """Learn one task, extract, prove; the certificate goes to ``folder`` if it is to come with the package."""
    task = dfst.task(name)
    teacher, traces = task.machine, dfst.sample(task, seed=seed)
    began = time.perf_counter()
    model, history = dfst.fit(traces, seed=seed)
    trained = time.perf_counter()
    machine = dfst.extract(model, traces).machine
    verdict = dfst.compare(task, machine)
    proof = None if verdict.proof is None else certificate(teacher, machine, verdict.proof)
    checked = None if proof is None else checker.verify(proof)
    facts = {
        "name": name,
        "seed": seed,
        "teacher_sha256": machine_hash(teacher),
        "states": len(teacher.states),
        "traces": len(traces),
        "longest_trace": int(traces.lengths.max()),
        "uncovered": len(coverage(teacher, traces).uncovered),
        "hidden_dim": task.hidden_dim,
        "iterations": history.records[-1].iteration,
        "loss": history.final_loss,
        "extracted_states": len(machine.states),
        "verdict": verdict.conclusion.value,
        "scope": verdict.explain() if checked is None else checked["scope"],
        "teacher_never_stuck": verdict.teacher_never_stuck,
        "train_seconds": round(trained - began, 1),
        "certify_seconds": round(time.perf_counter() - trained, 1),
    }
    if seed == SHIPPED_SEED:
        path = folder / certificate_path(name).name
        path.unlink(missing_ok=True)
        if proof is not None:
            save_certificate(proof, path)
            facts |= {"certificate": path.name, "certificate_sha256": file_hash(path)}
    return facts


def main(out: str, folder: str, *names: str) -> None:
    """All that is asked for (every task with every seed by default)."""
    words = names or [f"{name}:{seed}" for seed in SEEDS for name in gallery()]
    keys = [(name, int(seed or SHIPPED_SEED)) for name, _, seed in (text.partition(":") for text in words)]
    add_rows(out, ("name", "seed"), keys, lambda name, seed: row(name, seed, Path(folder)))
    rows = json.loads(Path(out).read_text(encoding="utf-8"))["rows"]
    shipped = [facts for facts in rows if facts["seed"] == SHIPPED_SEED]
    save(Path(folder) / RESULTS, {"rows": sorted(shipped, key=lambda facts: facts["name"])})


if __name__ == "__main__":
    main(*asked())
