"""How cost grows: python -m experiments.scale OUT.json [QUANTITY ...]

Small configurations are measured and a cost model is fitted to them. Then its predictions are held against
configurations that it was not fitted to; most of those are real tasks and trained models. docs/scale.md shows it all.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from experiments.cost_model import Measured, Quantity, Sizes, fastest, measured, predict, traced
from experiments.extraction_costs import EXTRACT
from experiments.measuring import asked, kept, save

import dfst
from dfst.llvm import PAD
from dfst.manifest import manifest
from dfst.runs.options import Options
from dfst.shipped import shipped_model
from dfst.sweep.sweep_file import parse_sweep
from dfst.sweep.trial import run_trial, trials
from dfst.teachers.find import find_task
from dfst.teachers.task import Task
from dfst.training.engine import Schedule, TrainState
from dfst.training.fused import FusedEngine
from dfst.training.model import identity_model
from dfst.training.size import MOVES
from dfst.world.alphabet import Alphabet
from dfst.world.worlds import World


def padded(n: float) -> float:
    return -(-n // PAD) * PAD


# Training


def train_synthetic(d: int, steps: int, symbols: int, batch: int, n: int = 100) -> tuple[Sizes, Measured]:
    """Random traces, all of one length."""
    rng = np.random.default_rng(0)
    alphabet = Alphabet(tuple(chr(ord("A") + i) for i in range(symbols)), "A")
    seen, written, moves = (rng.integers(0, high, n * steps, np.uint8) for high in (symbols, symbols, MOVES))
    return train(dfst.Traces(World(alphabet), seen, written, moves, np.arange(n + 1) * steps), d, batch)


def train_task(name: str) -> tuple[Sizes, Measured]:
    """A task as it is trained, every trace at full length."""
    task = find_task(name)
    return train(dfst.sample(task), task.hidden_dim, 32)


def train(traces: dfst.Traces, d: int, batch: int) -> tuple[Sizes, Measured]:
    recipe = dfst.recipe("fast").changed(growth=0.0, iterations=10**6, batch=batch)
    start = TrainState.start(identity_model(traces.world, d))
    with traced() as peak:
        engine = FusedEngine(start, traces, recipe, seed=1)
    engine.advance(1)
    seconds = fastest(lambda: engine.advance(1), many=True)
    sizes = {"d": d, "T": float(traces.lengths.mean()), "K": len(traces.alphabet), "b": batch}
    sizes |= {"longest": float(traces.lengths.max()), "N": float(traces.lengths.sum())}
    return sizes, {"seconds": seconds, "bytes": peak[0]}


def seen(s: Sizes) -> float:
    return s["b"] * s["T"]


def rows(s: Sizes) -> float:
    return padded(s["d"]) + padded(s["K"] + MOVES)


TRAIN = Quantity(
    train_synthetic,
    {
        "seconds": {
            "1": lambda s: 1,
            "b T": seen,
            "b T P": lambda s: seen(s) * padded(s["d"]),
            "b T P (P + H)": lambda s: seen(s) * padded(s["d"]) * rows(s),
            "K P (P + H)": lambda s: s["K"] * padded(s["d"]) * rows(s),
        },
        "bytes": {
            "1": lambda s: 1,
            "b T P": lambda s: s["b"] * s["longest"] * padded(s["d"]),
            "b T": lambda s: s["b"] * s["longest"],
            "K P (P + H)": lambda s: s["K"] * padded(s["d"]) * rows(s),
            "n T": lambda s: s["N"],
        },
    },
    [
        *((d, 60, 4, 32) for d in (6, 12, 16, 24, 48, 96, 160)),
        *((d, 300, 4, 32) for d in (8, 32, 64)),
        *((d, 60, 12, 32) for d in (8, 20, 40, 100)),
        *((d, 200, 20, 32) for d in (16, 80)),
        *((32, steps, 8, 32) for steps in (10, 30, 600)),
        *((24, 100, 6, batch) for batch in (4, 8, 128)),
        *((24, 100, 6, 32, n) for n in (10, 1000, 5000)),
        (128, 400, 8, 32),
    ],
    [("add10",), ("mult2",), ("mult10",), ("compare",)],
    train_task,
)

# Acting


def problem(task: Task, digits: int) -> tuple[str, str]:
    symbols = task.machine.alphabet.classes["digit"]
    chosen = np.random.default_rng(digits).integers(0, len(symbols), 2 * digits)
    text = "".join(symbols[i] for i in chosen)
    return text[:digits], text[digits:]


def act_model(name: str, digits: int, d: int | None = None) -> tuple[Sizes, Measured]:
    """The one-hot model of a teacher in ``d`` dimensions, or the trained model that ships, on random numbers."""
    task = dfst.task(name)
    model = dfst.load(shipped_model(name).raw) if d is None else dfst.from_machine(task.machine, d)
    operands = problem(task, digits)
    with traced() as peak:
        done = dfst.solve(model, *operands)
    seconds = fastest(lambda: dfst.solve(model, *operands))
    sizes = {"d": model.hidden_dim, "K": len(model.alphabet), "digits": digits, "steps": done.steps}
    return sizes, {"seconds": seconds / done.steps, "bytes": peak[0]}


ACT = Quantity(
    act_model,
    {
        "seconds": {
            "1": lambda s: 1,
            "P": lambda s: padded(s["d"]),
            "P (P + H)": lambda s: padded(s["d"]) * rows(s),
        },
        "bytes": {
            "1": lambda s: 1,
            "digits": lambda s: s["digits"],
            "K P (P + H)": lambda s: s["K"] * padded(s["d"]) * rows(s),
        },
    },
    [
        *(("add2", 300, d) for d in (11, 16, 32, 64, 128)),
        *(("add10", 300, d) for d in (24, 48, 96)),
        *(("mult2", 100, d) for d in (40, 80)),
        *(("add2", digits, 16) for digits in (100, 1000)),
    ],
    [("add10", 400), ("mult2", 150), ("mult10", 20)],
)


def act_machine(name: str, digits: int) -> tuple[Sizes, Measured]:
    """A machine on random numbers; the answer is checked by Python's integers."""
    task = dfst.task(name)
    operands, runs = problem(task, digits), []
    with traced() as peak:
        begin = time.perf_counter()
        runs.append(task.machine.run(*operands, step_limit=10**15))
        seconds = time.perf_counter() - begin
    if seconds < 5:
        seconds = fastest(lambda: task.machine.run(*operands))
    base = len(task.machine.alphabet.classes["digit"])
    x, y = (int(operand, base) for operand in operands)
    assert int(runs[0].answer.text or "", base) == (x + y if name.startswith("add") else x * y)
    return {"digits": digits, "steps": runs[0].steps}, {"seconds": seconds, "bytes": peak[0]}


def of_digits(power: int) -> Callable[[Sizes], float]:
    return lambda s: s["digits"] ** power


ADD = Quantity(
    act_machine,
    {
        "seconds": {"1": lambda s: 1, "digits": of_digits(1), "digits²": of_digits(2)},
        "bytes": {"1": lambda s: 1, "digits": of_digits(1)},
    },
    [("add2", digits) for digits in (1_000, 3_000, 10_000, 30_000, 100_000, 400_000)],
    [("add2", 200_000), ("add10", 300_000), ("add2", 1_000_000)],
)

MULTIPLY = Quantity(
    act_machine,
    ADD.terms,
    [("mult2", digits) for digits in (300, 600, 1_000, 2_000, 4_000)],
    [("mult10", 3_000), ("mult2", 8_000), ("mult10", 12_000)],
)

# Whole runs


def whole_run(name: str, factors: dict[str, float]) -> dict[str, Any]:
    """One finished, certified trial of a task: what it took, what the model says of its training, what it left."""
    (trial,) = trials(parse_sweep({"trial": {"task": name, "seed": 42}}))
    predicted = predicted_training(trial.options, factors)
    with tempfile.TemporaryDirectory() as folder:
        row = run_trial(trial, Path(folder))
        files = [path for path in (Path(folder) / "runs" / trial.name).rglob("*") if path.is_file()]
        sizes = {path.name: path.stat().st_size for path in files}
    record = {
        **{"task": name, "verdict": row["verdict"], "predicted_train_seconds": round(predicted, 2)},
        **{name: row[name] for name in ("train_seconds", "certify_seconds")},
        **{"files": len(files), "bytes": sum(sizes.values())},
        "largest": dict(sorted(sizes.items(), key=lambda item: -item[1])[:3]),
    }
    print(record, flush=True)
    return record


def predicted_training(config: Options, factors: dict[str, float]) -> float:
    """The sum over all iterations: what is visible of the traces grows."""
    lengths, recipe = dfst.sample(find_task(config.task), config.sampling).lengths, config.training
    schedule = Schedule(recipe, seed=config.seed, traces=len(lengths), longest=int(lengths.max()))
    visible, times = np.unique(schedule.plan(0, recipe.iterations).visible, return_counts=True)
    sizes = {"d": config.hidden_dim, "K": len(find_task(config.task).machine.alphabet), "b": recipe.batch}
    seconds = (
        predict(TRAIN.terms["seconds"], factors, sizes | {"T": float(np.minimum(lengths, shown).mean())})
        for shown in visible
    )
    return sum(count * second for count, second in zip(times.tolist(), seconds, strict=True))


QUANTITIES = {"train": TRAIN, "act": ACT, "add": ADD, "multiply": MULTIPLY, "extract": EXTRACT}
WHOLE_RUNS = ("add2", "add10", "mult2", "compare", "mult10")


def main(out: str, *wanted: str) -> None:
    record = kept(out, {})
    jobs: dict[str, Callable[[], Any]] = {
        **{name: lambda name=name, q=quantity: measured(name, q) for name, quantity in QUANTITIES.items()},
        "runs": lambda: [whole_run(name, record["train"]["record"]["factors"]["seconds"]) for name in WHOLE_RUNS],
    }
    sys.set_int_max_str_digits(0)
    for name in wanted or jobs:
        load = round(os.getloadavg()[0], 2)
        record[name] = {"load_before": load, "record": jobs[name](), "manifest": manifest()}
        save(out, record)


if __name__ == "__main__":
    main(*asked())
