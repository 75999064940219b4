"""How little is enough: python experiments/data_sizes.py OUT.json TASK:N:SEEDS...   (such as add2:10:0-4)

For every seed: the paper's set of traces (data seed = seed), a random subset of N of them, the fast recipe, extraction,
proof. Rows already in the file are kept; the file is written anew after every row.
"""

import json
import sys
import time
from pathlib import Path

from dfst import coverage, expert, extract, fit, identity_model, recipe, record
from dfst.files import write_atomically
from dfst.learn.fused import threads_that_pay
from dfst.manifest import manifest
from dfst.prove.compare import compare
from dfst.seeds import Stream
from dfst.traces.sampler import problems


def subset(task: str, n: int, seed: int) -> list[tuple[str, str]]:
    """``n`` of the paper's problems, drawn without replacement, in their order."""
    teacher = expert(task)
    whole, stream = problems(teacher.machine, teacher.sampling, seed=seed), Stream(seed, "subset")
    ranked = sorted(range(len(whole)), key=lambda _: stream.word())
    return [whole[i] for i in sorted(ranked[:n])]


def row(task: str, n: int, seed: int) -> dict:
    """Train on ``n`` traces, extract, prove."""
    teacher = expert(task)
    traces = record(teacher.machine, subset(task, n, seed))
    rules = recipe("fast", task)
    began = time.perf_counter()
    size = teacher.hidden_dim
    start = identity_model(traces.alphabet, size, seed=seed, name=task, layout=teacher.machine.layout)
    threads = threads_that_pay(rules.batch, teacher.sampling.q, size)
    model, history = fit(start, traces, rules, seed=seed, threads=threads)
    trained = time.perf_counter()
    machine = extract(model, traces).machine
    verdict = compare(teacher.machine, machine)
    return {
        "task": task,
        "n": n,
        "seed": seed,
        "loss": history.final_loss,
        "uncovered": len(coverage(teacher.machine, traces).uncovered),
        "states": len(machine.states),
        "verdict": verdict.outcome.value,
        "train_seconds": round(trained - began, 1),
        "certify_seconds": round(time.perf_counter() - trained, 1),
    }


def main(out: str, *asked: str) -> None:
    """All that is asked and not there yet."""
    path = Path(out)
    rows = json.loads(path.read_text())["rows"] if path.exists() else []
    done = {(facts["task"], facts["n"], facts["seed"]) for facts in rows}
    for text in asked:
        task, n, seeds = text.split(":")
        first, _, last = seeds.partition("-")
        for seed in range(int(first), int(last or first) + 1):
            if (task, int(n), seed) not in done:
                rows.append(row(task, int(n), seed) | {"manifest": manifest()})
                print(*(f"{name}={value}" for name, value in rows[-1].items() if name != "manifest"), flush=True)
                write_atomically(path, (json.dumps({"rows": rows}, indent=1) + "\n").encode())


if __name__ == "__main__":
    main(*sys.argv[1:])
