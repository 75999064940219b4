"""Other networks on the same traces: python -m experiments.baselines OUT.json TASK...

For every task the networks of experiments/networks, with as many parameters as the DFST (the transformer: at least).
Tuning: one run for every setting in SETTINGS, a tenth as long as the real ones, with a seed that no row uses; the least
loss on the training traces wins. Then SEEDS runs with that setting. ITERATIONS makes a real run about as long, in
processor time, as our own fast recipe takes on the task, or longer. Nothing but the training traces is looked at before
a row is measured; a machine is extracted from a network as from ours, and judged by the same prover.

A stopped run goes on where it was: rows in OUT.json are kept, and trained weights are in runs/baselines.
"""

import json
import time
from pathlib import Path

import equinox as eqx
import numpy as np
from experiments.measuring import asked, kept, save
from experiments.networks.modules import KINDS, Kind, matched, network
from experiments.networks.policy import NetworkPolicy
from experiments.networks.training import Fitted, fit

from dfst import DfstError, Traces, certify, measure_lengths, sample
from dfst import task as find_task
from dfst.manifest import manifest

DATA_SEED = 42
SEEDS = 3
TUNING_SEED = 1000
DFST_PARAMETERS = {"add2": 1_020, "add10": 8_900, "mult2": 5_280}
RATES = (0.003, 0.01, 0.03)
SETTINGS = {kind: tuple((rate, False) for rate in RATES) for kind in KINDS}
SETTINGS["transformer"] = tuple((rate, rotary) for rotary in (False, True) for rate in (0.001, 0.003, 0.01))
"""(learning rate, rotary positions or none)."""

ITERATIONS = {
    "add2": {"gru": 6_000, "lstm": 6_000, "deltanet": 3_000, "ssm": 4_000, "transformer": 3_000},
    "add10": {"gru": 6_000, "lstm": 6_000, "deltanet": 3_000, "ssm": 4_000, "transformer": 3_000},
    "mult2": {"gru": 2_500, "lstm": 2_500, "deltanet": 1_200, "ssm": 1_800, "transformer": 1_200},
}
TUNING_SHARE = 10
BATCH = {("mult2", "transformer"): 8}
"""32 traces, but where attention over 420 steps makes so few iterations of them that nothing is learned."""

TO = {"add2": 100, "add10": 100, "mult2": 30}
"""As far as lengths are measured; a network that reaches it may well go further."""

EXTRACTION_LIMIT = 120.0
"""Seconds for extraction and proof together."""

WEIGHTS = Path("runs/baselines")


def train(task: str, kind: Kind, width: int, rate: float, rotary: bool, seed: int, *, share: int = 1) -> Fitted:
    """One training run, or what is left of one that was made before."""
    traces, batch = sample(find_task(task), seed=DATA_SEED), BATCH.get((task, kind), 32)
    iterations = ITERATIONS[task][kind] // share
    name = "-".join(map(str, (task, kind, width, rotary, rate, iterations, batch, seed)))
    weights, facts_path = WEIGHTS / f"{name}.eqx", WEIGHTS / f"{name}.json"
    fresh = network(kind, len(traces.alphabet), width, rotary=rotary, seed=seed)
    if facts_path.exists():
        facts = json.loads(facts_path.read_text(encoding="utf-8"))
        return Fitted(eqx.tree_deserialise_leaves(weights, fresh), **facts)
    fitted = fit(fresh, traces, learning_rate=rate, iterations=iterations, batch=batch, seed=seed)
    WEIGHTS.mkdir(parents=True, exist_ok=True)
    eqx.tree_serialise_leaves(weights, fitted.network)
    facts = {name: getattr(fitted, name) for name in ("loss", "wrong", "iterations", "seconds")}
    facts_path.write_text(json.dumps(facts), encoding="utf-8")
    return fitted


def tune(task: str, kind: Kind) -> dict:
    """Short runs of every setting; the one with the least training loss."""
    width = matched(kind, len(find_task(task).machine.alphabet), DFST_PARAMETERS[task])
    tried = []
    for rate, rotary in SETTINGS[kind]:
        short = train(task, kind, width, rate, rotary, TUNING_SEED, share=TUNING_SHARE)
        tried.append({"rate": rate, "rotary": rotary, "loss": short.loss, "seconds": round(short.seconds, 1)})
    best = min(tried, key=lambda one: one["loss"] if np.isfinite(one["loss"]) else np.inf)
    return {"task": task, "method": kind, "width": width, "chosen": best, "tried": tried}


def extracted(task: str, policy: NetworkPolicy) -> dict:
    """The machine that the network has learned, and what the prover says of it."""
    began = time.process_time()
    try:
        found = certify(policy, task, seconds=EXTRACTION_LIMIT, raw_length=0)
    except DfstError as error:
        return {"verdict": "none extracted", "where": error.what, "seconds": round(time.process_time() - began, 1)}
    facts = {"states": found.facts["states"], "verdict": found.verdict.conclusion.value}
    where = str(found.verdict.counterexample or found.verdict.open)
    gave_up = {"gave_up": found.facts["gave_up"]} if found.facts.get("gave_up") else {}
    return facts | {"where": where, **gave_up, "seconds": round(time.process_time() - began, 1)}


def check(policy: NetworkPolicy, traces: Traces) -> None:
    """What acts on the grid, step by step, is what was trained on whole traces; rounding may decide a few steps."""
    for trace in list(traces)[:3]:
        scores, symbols = np.asarray(policy.network.scores(trace.seen)), len(traces.alphabet)
        wanted = zip(scores[:, :symbols].argmax(1), scores[:, symbols:].argmax(1), strict=True)
        state, same = policy.begin(), 0
        for seen, action in zip(trace.seen.tolist(), wanted, strict=True):
            done = policy.act(state, seen)
            state, same = (state if done is None else done[0]), same + (done is not None and done[1:] == action)
        if same < 0.9 * len(trace.seen):
            raise RuntimeError(f"the policy does as its network in only {same} of {len(trace.seen)} steps")


def row(task: str, tuning: dict, seed: int) -> dict:
    """Train, run on the grid, and extract."""
    teacher, kind, chosen = find_task(task), tuning["method"], tuning["chosen"]
    fitted = train(task, kind, tuning["width"], chosen["rate"], chosen["rotary"], seed)
    policy, traces = NetworkPolicy(fitted.network), sample(teacher, seed=DATA_SEED)
    check(policy, traces)
    lengths = measure_lengths(policy, teacher, to=TO[task], threads=1)
    parameters = fitted.network.parameters
    return {
        **{"task": task, "method": kind, "seed": seed},
        **{"traces": len(traces), "parameters": parameters, "width": tuning["width"]},
        **{"learning_rate": chosen["rate"], "rotary": chosen["rotary"], "batch": BATCH.get((task, kind), 32)},
        **{"iterations": fitted.iterations, "seconds": round(fitted.seconds, 1)},
        "tuning_seconds": round(sum(one["seconds"] for one in tuning["tried"]), 1),
        **{"loss": fitted.loss, "wrong_actions": fitted.wrong, "traces_right": fitted.wrong == 0},
        **{"rlg": lengths.rlg, "plg": lengths.plg, "to": lengths.to, "step_limit": policy.step_limit},
        "first_failure": next((rung.first_failure for rung in lengths.rungs if rung.first_failure), None),
        "extracted": extracted(task, policy),
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
