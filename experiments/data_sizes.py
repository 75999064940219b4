"""How little is enough: python -m experiments.data_sizes OUT.json TASK:N:SEEDS[:covering]...

TASK:N:SEEDS is such as add2:10:0-4.

For every seed: the paper's set of traces (data seed = seed), N of them, the fast recipe, extraction, proof. The N are
drawn at random, or (covering) chosen greedily to show as many of the teacher's two steps in a row as they can.
Rows already in the file are kept; the file is written anew after every row.
"""

import time

import numpy as np
from experiments.measuring import asked, kept, save

from dfst import extract, recipe, record
from dfst.manifest import manifest
from dfst.prove.compare import compare
from dfst.seeds import Stream
from dfst.teachers.arithmetic import arithmetic_task
from dfst.teachers.lessons import ArithmeticTask
from dfst.teachers.sampling import Operands, problems
from dfst.traces.coverage import coverage
from dfst.training.fit import fit
from dfst.training.model import identity_model


def drawn(whole: list[Operands], n: int, seed: int) -> list[Operands]:
    """``n`` of the problems, drawn without replacement, in their order."""
    stream = Stream(seed, "subset")
    ranked = sorted(range(len(whole)), key=lambda _: stream.word())
    return [whole[i] for i in sorted(ranked[:n])]


def covering(teacher: ArithmeticTask, whole: list[Operands], n: int, seed: int) -> list[Operands]:
    """``n`` of the problems: each next one shows most (state, symbol, next symbol) that the others do not show yet.

    When all are shown, it begins again, so that everything is seen twice, and so on.
    """
    symbols, shows = len(teacher.machine.alphabet), {}
    for problem in drawn(whole, len(whole), seed):
        recorded = teacher.machine.run(*problem, engine="compiled", record=True).pairs
        pairs = np.asarray(recorded, int)
        shows[problem] = set((pairs[:-1] * symbols + pairs[1:] % symbols).tolist())
    chosen, seen = [], set()
    while len(chosen) < n:
        best = max(shows, key=lambda problem: len(shows[problem] - seen))
        if not shows[best] - seen:
            if not seen:
                break
            seen = set()
            continue
        chosen.append(best)
        seen |= shows.pop(best)
    return chosen


def row(task: str, n: int, seed: int, choice: str) -> dict:
    """Train on ``n`` traces, extract, prove."""
    teacher = arithmetic_task(task)
    whole = problems(teacher.machine, teacher.sampling, seed=seed)
    chosen = covering(teacher, whole, n, seed) if choice == "covering" else drawn(whole, n, seed)
    traces = record(teacher.machine, chosen)
    rules = recipe("fast", task)
    began = time.perf_counter()
    size = teacher.hidden_dim
    start = identity_model(traces.alphabet, size, seed=seed, name=task, layout=teacher.machine.layout)
    model, history = fit(start, traces, rules, seed=seed)
    trained = time.perf_counter()
    machine = extract(model, traces).machine
    verdict = compare(teacher.machine, machine)
    return {
        "task": task,
        "n": n,
        "seed": seed,
        "choice": choice,
        "loss": history.final_loss,
        "uncovered": len(coverage(teacher.machine, traces).uncovered),
        "states": len(machine.states),
        "verdict": verdict.conclusion.value,
        "train_seconds": round(trained - began, 1),
        "certify_seconds": round(time.perf_counter() - trained, 1),
    }


def main(out: str, *asked: str) -> None:
    """All that is asked and not there yet."""
    rows = kept(out, {"rows": []})["rows"]
    done = {(facts["task"], facts["n"], facts["seed"], facts.get("choice", "random")) for facts in rows}
    for text in asked:
        task, n, seeds, choice = [*text.split(":"), "random"][:4]
        first, _, last = seeds.partition("-")
        for seed in range(int(first), int(last or first) + 1):
            if (task, int(n), seed, choice) not in done:
                rows.append(row(task, int(n), seed, choice) | {"manifest": manifest()})
                print(*(f"{name}={value}" for name, value in rows[-1].items() if name != "manifest"), flush=True)
                save(out, {"rows": rows})


if __name__ == "__main__":
    main(*asked())
