"""Models trained for a twentieth of the time: python -m experiments.badly_trained OUT.json [NAME:SEED...]

Each is extracted and compared with its teacher, both together within SECONDS: is there an answer with a reason every
time? Rows already in the file are kept; the file is written anew after every row.
"""

import time

from experiments.measuring import asked, kept, save

from dfst import recipe, sample
from dfst.extraction.pipeline import extract
from dfst.manifest import manifest
from dfst.prove.compare import compare
from dfst.teachers.find import find_task
from dfst.training.fit import fit
from dfst.training.model import identity_model
from dfst.training.recall import recall

SECONDS = 60.0
SHARE = 20  # a model gets this part of its iterations
MODELS = (
    *("add2:0", "add2:1", "add10:0", "add10:1", "mult2:0", "mult2:1"),
    *("binary-to-decimal:0", "brackets:0", "collatz:0", "compare:0", "copy:0", "decimal-to-binary:0", "divide:0"),
    *("double:0", "gcd:0", "halve:0", "increment:0", "palindrome:0", "reverse:0", "subtract:0"),
)


def row(name: str, seed: int) -> dict:
    """Train one model badly; what extraction and comparison say of it, and when."""
    task = find_task(name)
    traces = sample(task, seed=seed)
    rules = recipe("fast", task.name).changed(**task.training)
    rules = rules.changed(iterations=rules.iterations // SHARE)
    start = identity_model(traces.alphabet, task.hidden_dim, seed=seed, name=name, layout=task.machine.layout)
    model, history = fit(start, traces, rules, seed=seed)
    known = recall(model, traces)
    began, cpu = time.perf_counter(), time.process_time()
    extraction = extract(model, traces, seconds=SECONDS)
    extracted = time.perf_counter()
    verdict = compare(task.machine, extraction.machine, seconds=max(1.0, SECONDS - (extracted - began)))
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    return {
        "name": name,
        "seed": seed,
        "iterations": rules.iterations,
        "loss": history.final_loss,
        "wrong_steps": known.wrong_steps,
        "steps": known.steps,
        "states": len(extraction.machine.states),
        "followed": extraction.evidence.followed,
        "traces": len(traces),
        "gave_up": extraction.gave_up,
        "verdict": verdict.conclusion.value,
        "explanation": verdict.explain(),
        "extract_seconds": round(extracted - began, 2),
        "seconds": round(wall, 2),
        "cpu_seconds": round(cpu, 2),
        "limit": SECONDS,
        "within": wall <= SECONDS + 1,
    }


def main(out: str, *names: str) -> None:
    """All that is asked for (MODELS by default) and not there yet."""
    rows = kept(out, {"rows": []})["rows"]
    done = {(facts["name"], facts["seed"]) for facts in rows}
    for name, _, seed in (text.partition(":") for text in names or MODELS):
        if (name, int(seed)) not in done:
            rows.append(row(name, int(seed)) | {"manifest": manifest()})
            shown = (key for key in rows[-1] if key not in ("manifest", "explanation"))
            print(*(f"{key}={rows[-1][key]}" for key in shown), flush=True)
            save(out, {"rows": rows})


if __name__ == "__main__":
    main(*asked())
