"""What a sweep costs beside its trials: the plan, the rows, the driver, the files. Part of experiments/scale.py."""

import os
import pickle
import shutil
import tempfile
import time
from pathlib import Path

from experiments.cost_model import Measured, Quantity, Sizes, traced

from dfst.sweep.rows import ResultSet
from dfst.sweep.run import run_sweep
from dfst.sweep.sweep_file import Sweep, parse_sweep
from dfst.sweep.trial import run_trial, trials


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


def of_trials(s: Sizes) -> float:
    return s["trials"]


PER_TRIAL = {"1": lambda s: 1, "trials": of_trials}
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
    """Trials of nearly no work: what is left is what the driver and the run folders cost; and a look at Ray's tasks."""
    count = 300
    with tempfile.TemporaryDirectory() as folder:
        used, begin = time.process_time(), time.perf_counter()
        run_sweep(tiny(20), Path(folder) / "start", workers=2)
        start_used, start = time.process_time() - used, time.perf_counter() - begin
        used, begin = time.process_time(), time.perf_counter()
        run_sweep(tiny(count), Path(folder) / "sweep", workers=2)
        used, seconds = time.process_time() - used, time.perf_counter() - begin
    with tempfile.TemporaryDirectory() as folder:
        planned = trials(tiny(100))
        run_trial(planned[0], Path(folder))
        begin = time.perf_counter()
        for trial in planned[1:]:
            run_trial(trial, Path(folder))
        bare = (time.perf_counter() - begin) / (len(planned) - 1)
    import ray

    ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
    waiting = [ray.remote(num_cpus=2)(tiny).remote(1) for _ in range(2000)]  # there is one CPU: none ever begins
    begin = time.perf_counter()
    for _ in range(20):
        ray.wait(waiting, timeout=0)
    wait = (time.perf_counter() - begin) / 20 / len(waiting)
    ray.shutdown()
    more = count - 20
    message = len(pickle.dumps(planned[0])) + len(pickle.dumps(planned[0].row("done")))
    return {
        "trials_per_second": more / (seconds - start),
        "driver_seconds_per_trial": (used - start_used) / more,
        "bare_seconds_per_trial": bare,
        "wait_seconds_per_worker": wait,
        "message_bytes": message,
    }


def open_files(count: int = 20_000) -> dict[str, float]:
    """What this file system makes of many small files: the floor under all of the above."""
    folder = Path(tempfile.mkdtemp())
    begin = time.perf_counter()
    for i in range(count):
        (folder / str(i)).write_bytes(b"x" * 1000)
    made = time.perf_counter() - begin
    begin = time.perf_counter()
    names = sum(1 for _ in os.scandir(folder))
    listed = time.perf_counter() - begin
    begin = time.perf_counter()
    for i in range(100):
        with (folder / f"flushed{i}").open("wb") as file:
            file.write(b"x" * 1000)
            os.fsync(file.fileno())
    flushed = time.perf_counter() - begin
    shutil.rmtree(folder)
    assert names == count
    return {"write_seconds": made / count, "list_seconds": listed / count, "flush_seconds": flushed / 100}
