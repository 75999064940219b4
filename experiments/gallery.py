"""Every task of the gallery, learned and proven: python experiments/gallery.py [OUT.json [NAME[:SEED]...]]

For every task: its own sample of traces, a DFST trained on them, extraction, proof, and the checker's word on it. Rows
already in the file are kept; the file is written anew after every row.
"""

import json
import sys
import time
from pathlib import Path

from dfst import coverage, extract, find_task, fit, gallery, identity_model, recipe, sample
from dfst.experts.task_file import gallery_folder
from dfst.files import write_atomically
from dfst.manifest import manifest
from dfst.prove import checker
from dfst.prove.certificate import certificate
from dfst.prove.compare import compare
from dfst.study.gallery import RESULTS


def row(name: str, seed: int) -> dict:
    """Learn one task, extract, prove."""
    task = find_task(name)
    teacher, traces = task.machine, sample(task, seed=seed)
    rules = recipe("fast", task.name).changed(**task.training)
    began = time.perf_counter()
    start = identity_model(traces.alphabet, task.hidden_dim, seed=seed, name=name, layout=teacher.layout)
    model, history = fit(start, traces, rules, seed=seed)
    trained = time.perf_counter()
    machine = extract(model, traces).machine
    verdict = compare(teacher, machine)
    checked = None if verdict.proof is None else checker.verify(certificate(teacher, machine, verdict.proof))
    return {
        "name": name,
        "seed": seed,
        "states": len(teacher.states),
        "traces": len(traces),
        "longest_trace": int(traces.lengths.max()),
        "uncovered": len(coverage(teacher, traces).uncovered),
        "hidden_dim": task.hidden_dim,
        "iterations": rules.iterations,
        "loss": history.final_loss,
        "extracted_states": len(machine.states),
        "verdict": verdict.outcome.value,
        "scope": verdict.explain() if checked is None else checked["scope"],
        "train_seconds": round(trained - began, 1),
        "certify_seconds": round(time.perf_counter() - trained, 1),
    }


def main(out: str = "", *asked: str) -> None:
    """All that is asked (every task by default) and not there yet."""
    path = Path(out) if out else gallery_folder() / RESULTS
    rows = json.loads(path.read_text())["rows"] if path.exists() else []
    done = {(facts["name"], facts["seed"]) for facts in rows}
    for text in asked or gallery():
        name, _, seed = text.partition(":")
        if (name, int(seed or 42)) not in done:
            rows.append(row(name, int(seed or 42)) | {"manifest": manifest()})
            print(*(f"{key}={value}" for key, value in rows[-1].items() if key != "manifest"), flush=True)
            write_atomically(path, (json.dumps({"rows": rows}, indent=1) + "\n").encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
