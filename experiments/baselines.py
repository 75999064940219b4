"""Neural baselines on the same traces: python -m experiments.baselines OUT.json TASK...

For every task a GRU, an LSTM and a causal transformer with as many parameters as the DFST (the transformer: at least).
Tuning: one run for every setting in SETTINGS, a fifth as long as the real ones, with a seed that no row uses; the least
loss on the training traces wins. Then SEEDS runs with that setting. ITERATIONS makes a real run one (mult2) to four
times as long, in processor time, as our own fast recipe takes on the task. Nothing but the training traces is looked at
before a row is measured; a machine is extracted from recurrent networks as from ours, and judged by the same prover.

A stopped run goes on where it was: rows in OUT.json are kept, and trained weights are in runs/baselines.
"""

import multiprocessing
import queue
import resource
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from experiments.measuring import asked, kept, save

from dfst import sample
from dfst.arena.neural_extraction import extract_policy
from dfst.arena.neural_policies import KINDS, Architecture, Kind, RecurrentPolicy, matched, policy_of
from dfst.arena.neural_training import Fitted, fit
from dfst.manifest import manifest
from dfst.prove.compare import compare
from dfst.study.lengths import measure_lengths
from dfst.teachers.find import find_task

DATA_SEED = 42
SEEDS = 3
TUNING_SEED = 1000
DFST_PARAMETERS = {"add2": 1_020, "add10": 8_900, "mult2": 5_280, "mult10": 162_108}
RATES = (0.001, 0.003, 0.01, 0.03)
SETTINGS = {
    "gru": tuple((rate, False) for rate in RATES),
    "lstm": tuple((rate, False) for rate in RATES),
    "transformer": tuple((rate, rotary) for rotary in (False, True) for rate in RATES[:3]),
}
"""(learning rate, rotary positions or none)."""

ITERATIONS = {
    "add2": {"gru": 12_000, "lstm": 12_000, "transformer": 5_000},
    "add10": {"gru": 14_000, "lstm": 14_000, "transformer": 3_600},
    "mult2": {"gru": 3_000, "lstm": 3_000, "transformer": 1_200},
}
TUNING_SHARE = 5
BATCH = {("mult2", "transformer"): 8}
"""32 traces, but where attention over 420 steps makes so few iterations of them that nothing is learned."""

TO = {"add2": 100, "add10": 100, "mult2": 30}
"""As far as lengths are measured; a network that reaches it may well go further."""

EXTRACTION_LIMIT = 120
"""Seconds of processor time for extraction and proof together, so that a busy machine changes no verdict."""

WEIGHTS = Path("runs/baselines")


def train(task: str, network: Architecture, rate: float, seed: int, *, share: int = 1) -> Fitted:
    """One training run, or what is left of one that was made before."""
    traces, batch = sample(find_task(task), seed=DATA_SEED), BATCH.get((task, network.kind), 32)
    iterations = ITERATIONS[task][network.kind] // share
    facts = (task, network.kind, network.width, network.rotary, rate, iterations, batch, seed)
    path = WEIGHTS / ("-".join(map(str, facts)) + ".npz")
    if path.exists():
        with np.load(path) as kept:
            weights = {name: kept[name] for name in network.shapes()}
            return Fitted(network, weights, float(kept["_loss"]), int(kept["_wrong"]), iterations, float(kept["_s"]))
    fitted = fit(network, traces, learning_rate=rate, iterations=iterations, batch=batch, seed=seed)
    WEIGHTS.mkdir(parents=True, exist_ok=True)
    np.savez(path, _loss=fitted.loss, _wrong=fitted.wrong, _s=fitted.seconds, **fitted.weights)  # pyright: ignore[reportArgumentType]
    return fitted


def tune(task: str, kind: Kind) -> dict:
    """Short runs of every setting; the one with the least training loss."""
    network = matched(kind, len(find_task(task).machine.alphabet), DFST_PARAMETERS[task])
    tried = []
    for rate, rotary in SETTINGS[kind]:
        short = train(task, replace(network, rotary=rotary), rate, TUNING_SEED, share=TUNING_SHARE)
        tried.append({"rate": rate, "rotary": rotary, "loss": short.loss, "seconds": round(short.seconds, 1)})
    best = min(tried, key=lambda one: one["loss"] if np.isfinite(one["loss"]) else np.inf)
    return {"task": task, "method": kind, "width": network.width, "chosen": best, "tried": tried}


def extraction(task: str, network: Architecture, weights: dict, out: multiprocessing.Queue) -> None:
    """Extract a machine and have it judged; what is known is handed over at once."""
    resource.setrlimit(resource.RLIMIT_CPU, (EXTRACTION_LIMIT, EXTRACTION_LIMIT))
    teacher, began = find_task(task), time.process_time()
    layout = teacher.machine.layout
    machine = extract_policy(RecurrentPolicy(network, weights), sample(teacher, seed=DATA_SEED), layout)
    out.put({"states": len(machine.states), "extraction_seconds": round(time.process_time() - began, 1)})
    verdict = compare(teacher.machine, machine)
    where = str(verdict.counterexample or verdict.open)
    out.put({"verdict": verdict.conclusion.value, "where": where, "seconds": round(time.process_time() - began, 1)})


def extracted(task: str, fitted: Fitted) -> dict:
    """What became of the extraction, which ends itself after EXTRACTION_LIMIT seconds."""
    context = multiprocessing.get_context("spawn")
    out = context.Queue()
    process = context.Process(target=extraction, args=(task, fitted.network, fitted.weights, out))
    process.start()
    facts: dict = {}
    while "verdict" not in facts:
        alive = process.is_alive()  # asked first: what a process says before it ends is in the queue afterwards
        try:
            facts |= out.get(timeout=1)
        except queue.Empty:
            if not alive:
                doing = "proof" if "states" in facts else "extraction"
                ending = f"gave up in the {doing}, after {EXTRACTION_LIMIT} seconds"
                killed = process.exitcode is not None and process.exitcode < 0
                facts["verdict"] = ending if killed else f"failed in the {doing}"
    process.join()
    return facts


def row(task: str, tuning: dict, seed: int) -> dict:
    """Train, let loose on the grid, and extract."""
    teacher, kind, chosen = find_task(task), tuning["method"], tuning["chosen"]
    network = Architecture(kind, len(teacher.machine.alphabet), tuning["width"], chosen["rotary"])
    fitted = train(task, network, chosen["rate"], seed)
    policy = policy_of(network, fitted.weights)
    lengths = measure_lengths(policy, teacher, to=TO[task], threads=1)
    return {
        **{"task": task, "method": kind, "seed": seed},
        **{"traces": len(sample(teacher, seed=DATA_SEED)), "parameters": network.parameters, "width": network.width},
        **{"learning_rate": chosen["rate"], "rotary": chosen["rotary"], "batch": BATCH.get((task, kind), 32)},
        **{"iterations": fitted.iterations, "seconds": round(fitted.seconds, 1)},
        "tuning_seconds": round(sum(one["seconds"] for one in tuning["tried"]), 1),
        **{"loss": fitted.loss, "wrong_actions": fitted.wrong, "traces_right": fitted.wrong == 0},
        **{"rlg": lengths.rlg, "plg": lengths.plg, "to": lengths.to, "step_limit": policy.step_limit},
        "first_failure": next((rung.first_failure for rung in lengths.rungs if rung.first_failure), None),
        "extracted": extracted(task, fitted) if kind != "transformer" else None,
    }


def main(out: str, *tasks: str) -> None:
    """All methods and seeds on all tasks; the file is written anew after every line."""
    table = kept(out, {"tuning": [], "rows": []})

    def keep(part: str, line: dict) -> None:
        table[part].append(line | {"manifest": manifest(data_seed=DATA_SEED)})
        save(out, table)
        print(part, *(f"{name}={value}" for name, value in line.items()), flush=True)

    for seed in range(SEEDS):  # outermost, so that a run stopped early has something to say about every task
        for task in tasks:
            for kind in KINDS:
                tuned = [one for one in table["tuning"] if (one["task"], one["method"]) == (task, kind)]
                if not tuned:
                    tuned = [tune(task, kind)]
                    keep("tuning", tuned[0])
                if not any((one["task"], one["method"], one["seed"]) == (task, kind, seed) for one in table["rows"]):
                    keep("rows", row(task, tuned[0], seed))


if __name__ == "__main__":
    main(*asked())
