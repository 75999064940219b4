"""Machines written as users write them, learned and compared: python -m experiments.user_machines OUT.json [NAME...]

The twenty machines in tests/prove/user_machines: its own sample of traces for each, a DFST trained on them, extraction
without rehearsal and with it, and for each machine that was extracted a verdict within SECONDS, checked if it is exact.
"""

import time
from functools import cache
from itertools import product
from pathlib import Path

from experiments.measuring import add_rows, asked

import dfst
from dfst.prove import checker
from dfst.prove.certificate import certificate, machine_hash

FOLDER = Path(__file__).parent.parent / "tests" / "prove" / "user_machines"
SECONDS = 60.0
SEED = 42


@cache
def learned(name: str) -> tuple[dfst.Task, dfst.Traces, dfst.DFST, float]:
    """One machine, its traces, the model trained on them, and the loss."""
    task = dfst.task(str(FOLDER / f"{name}.dfst"))
    traces, recipe = dfst.sample(task, seed=SEED), dfst.recipe("fast", task)
    model, history = dfst.fit(traces, recipe=recipe, hidden_dim=task.hidden_dim, seed=SEED)
    return task, traces, model, history.final_loss


def row(name: str, rehearsing: bool) -> dict:
    """What one way to extract came to."""
    task, traces, model, loss = learned(name)
    machine = dfst.extract(model, traces, rehearsing=rehearsing).machine
    began = time.process_time()
    verdict = dfst.compare(task, machine, seconds=SECONDS)
    cpu = time.process_time() - began
    proof = verdict.proof
    scope = None if proof is None else checker.verify(certificate(task.machine, machine, proof))["scope"]
    return {
        "name": name,
        "teacher_sha256": machine_hash(task.machine),
        "states": len(task.machine.states),
        "loss": loss,
        "rehearsing": rehearsing,
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
    """All machines that are asked for (every one by default), without rehearsal and with it."""
    keys = product(names or sorted(path.stem for path in FOLDER.glob("*.dfst")), (False, True))
    add_rows(out, ("name", "rehearsing"), keys, row, quiet=("teacher_sha256", "where"))


if __name__ == "__main__":
    main(*asked())
