"""How many traces until a checked certificate, if they are asked for: python -m experiments.asking OUT.json TASK...

Two columns, never mixed. With counterexamples: dfst.learn(task, ask=True), where the prover says on which problem the
learner is wrong. As a black box: dfst.learn(task, ask=True, black_box=True), where nobody says so until the learner has
nothing left to ask; a stop is false if its machine is then not proven. Rows already in the file are kept; the file is
written anew after every row.
"""

import tempfile
from pathlib import Path

from experiments.measuring import asked, kept, save

import dfst
from dfst.manifest import manifest

SEEDS = range(5)
SECONDS = {"mult10": 3600.0}
"""For one row; ten minutes if it is not here."""

DIGITS = {"mult10": 3}
"""The longest numbers in counterexamples, if not a digit more than by default: long runs are learned slowly."""

COLUMNS = ("counterexamples", "black box")


def row(name: str, column: str, seed: int) -> dict:
    """Ask until it is proven, or until nothing is left to ask."""
    task, black_box = dfst.task(name), column == "black box"
    facts = {"task": name, "column": column, "seed": seed}
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "run"
        digits = None if black_box else DIGITS.get(name)
        options = {"seed": seed, "seconds": SECONDS.get(name, 600.0), "digits": digits}
        learned = dfst.learn(task, ask=True, black_box=black_box, out=out, **options)
        checked = learned.exact and dfst.check(out, teacher=task).known_as
    return facts | {
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
    """Both columns and all seeds of the tasks named; TASK:counterexamples is one column only."""
    rows, facts = kept(out, {"rows": []})["rows"], manifest()
    done = {(each["task"], each["column"], each["seed"]) for each in rows}
    named = [task.partition(":")[::2] for task in tasks]
    todo = [
        (name, column, seed) for column in COLUMNS for seed in SEEDS for name, only in named if only in ("", column)
    ]
    for name, column, seed in todo:
        if (name, column, seed) not in done:
            rows.append(row(name, column, seed) | {"manifest": facts})
            shown = {key: value for key, value in rows[-1].items() if key != "manifest"}
            print(*(f"{key}={value}" for key, value in shown.items()), flush=True)
            save(out, {"rows": rows})


if __name__ == "__main__":
    main(*asked())
