"""What a sweep costs beside its trials: the plan, the rows, the driver. Part of experiments/scale.py."""

import tempfile
import time
from pathlib import Path

from experiments.cost_model import Measured, Quantity, Sizes, Terms, traced

from dfst.sweep.rows import ResultSet
from dfst.sweep.run import run_sweep
from dfst.sweep.sweep_file import Sweep, parse_sweep
from dfst.sweep.trial import trials


def plan(count: int) -> tuple[Sizes, Measured]:
    """Trials on paper."""
    sweep = tiny(count)
    with traced() as peak:
        planned = trials(sweep)
        {trial.name for trial in planned}
    begin = time.perf_counter()
    {trial.name for trial in trials(sweep)}
    return {"trials": count}, {"seconds": time.perf_counter() - begin, "bytes": peak[0]}


def results(count: int) -> tuple[Sizes, Measured]:
    """Rows written, counted and read again."""
    template = trials(tiny(1))[0]
    row = template.row("done") | {"verdict": "exact", "exact": True, "loss": 1e-6, "attempts": 1}
    with tempfile.TemporaryDirectory() as folder:
        kept = ResultSet(Path(folder))
        begin = time.perf_counter()
        for i in range(count):
            kept.add(row | {"trial": f"add2-s{i}-{i:016x}"})
        write = time.perf_counter() - begin
        begin = time.perf_counter()
        assert len(kept.names()) == count
        name = time.perf_counter() - begin
        begin = time.perf_counter()
        assert len(kept.rows()) == count
        read = time.perf_counter() - begin
        size = sum(path.stat().st_size for path in kept.path.iterdir())
    return {"trials": count}, {"seconds": write, "names_seconds": name, "read_seconds": read, "bytes": size}


PER_TRIAL: Terms = {"1": lambda s: 1, "trials": lambda s: s["trials"]}
PLAN = Quantity(
    plan,
    {"seconds": PER_TRIAL, "bytes": PER_TRIAL},
    [(100,), (1_000,), (3_000,)],
    [(10_000,), (30_000,), (100_000,)],
)
RESULTS = Quantity(
    results,
    {name: PER_TRIAL for name in ("seconds", "names_seconds", "read_seconds", "bytes")},
    [(100,), (300,), (1_000,)],
    [(3_000,), (10_000,), (20_000,)],
)


def tiny(count: int) -> Sweep:
    table = {"task": "add2", "seed": f"0:{count}", "iterations": 1}
    return parse_sweep({"certify": False, "trial": table})


def drive() -> dict[str, float]:
    """Trials of nearly no work: what is left is what the driver costs; and a look at Ray's tasks."""
    count, few = 300, 20
    with tempfile.TemporaryDirectory() as folder:
        used = [time.process_time()]
        for name, trials_made in (("start", few), ("sweep", count)):
            run_sweep(tiny(trials_made), Path(folder) / name, workers=2)
            used.append(time.process_time())
    import ray

    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    waiting = [ray.remote(num_cpus=2)(tiny).remote(1) for _ in range(2000)]  # there is one CPU: none ever begins
    begin = time.perf_counter()
    for _ in range(20):
        ray.wait(waiting, timeout=0)
    wait = (time.perf_counter() - begin) / 20 / len(waiting)
    ray.shutdown()
    more = (used[2] - used[1]) - (used[1] - used[0])
    return {"driver_seconds_per_trial": more / (count - few), "wait_seconds_per_worker": wait}
