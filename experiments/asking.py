"""How many traces until a checked certificate, if they are asked for: python -m experiments.asking OUT.json TASK...

It is dfst.learn(task, ask=True), where the prover says on which problem the learner is wrong.
"""

import tempfile
from itertools import product
from pathlib import Path
from typing import Any

from experiments.measuring import add_rows, asked

import dfst

SEEDS = range(5)
SECONDS = {"mult10": 3600.0}
"""For one row; ten minutes if it is not here."""

DIGITS = {"mult10": 3}
"""The longest numbers in counterexamples, if not a digit more than by default: long runs are learned slowly."""


def row(name: str, seed: int) -> dict:
    """Ask until it is proven."""
    task, digits = dfst.task(name), DIGITS.get(name)
    longest: dict[str, Any] = {} if digits is None else {"digits": digits}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        options = dfst.Options(seed=seed, out=out, **longest)
        learned = dfst.learn(task, options, ask=True, seconds=SECONDS.get(name, 600.0))
        checked = learned.exact and dfst.check(out, teacher=task).known_as
    return {
        "task": name,
        "seed": seed,
        "default_traces": task.sampling.n,
        "digits": digits,
        "traces": len(learned.traces),
        "steps": len(learned.traces.seen),
        "rounds": learned.rounds,
        "learner": learned.learner,
        "exact": learned.exact,
        "checked": bool(checked),
        "seconds": round(learned.seconds, 1),
        "why": learned.why,
    }


def main(out: str, *tasks: str) -> None:
    """All seeds of the tasks named."""
    add_rows(out, ("task", "seed"), product(tasks, SEEDS), row)


if __name__ == "__main__":
    main(*asked())
