"""What a sweep costs: python -m experiments.sweep_bench OUT.json [TRIALS] [ITERATIONS] [TURNS]

The same independent trials in a bare loop, with one worker and with two, in turns, so that a machine that is
not quiet shows. The first trial of every process loads compiled code and is not counted; the whole time is beside it.
What a sweep adds to a trial is too little to be seen there: it is measured on trials of a single iteration.
"""

import os
import statistics
import tempfile
import time
from datetime import datetime
from pathlib import Path

from experiments.measuring import asked, save

from dfst.manifest import manifest
from dfst.sweep.run import run_sweep
from dfst.sweep.sweep_file import Sweep, parse_sweep
from dfst.sweep.trial import run_trial, trials

EMPTY = 100


def bare(sweep: Sweep, folder: Path) -> dict:
    """A loop in this process."""
    ends, begin = [], time.perf_counter()
    for trial in trials(sweep):
        run_trial(trial, folder)
        ends.append(time.perf_counter())
    return {"per_minute": rate(ends), "whole_seconds": round(ends[-1] - begin, 2)}


def swept(sweep: Sweep, folder: Path, workers: int) -> dict:
    """The sweep itself; the times are those of its rows."""
    begin = time.perf_counter()
    rows = run_sweep(sweep, folder, workers=workers)
    assert all(row["status"] == "done" for row in rows)
    whole = time.perf_counter() - begin
    ends = [datetime.fromisoformat(row["finished"]).timestamp() for row in rows]
    return {"per_minute": rate(ends, workers), "whole_seconds": round(whole, 2)}


def rate(ends: list[float], workers: int = 1) -> float:
    """Trials per minute of all workers together, each after its first trial."""
    ends = sorted(ends)[workers - 1 :]
    return round(60 * (len(ends) - 1) / (ends[-1] - ends[0]), 2)


def sweep_of(count: int, iterations: int) -> Sweep:
    table = {"task": "add2", "seed": f"0:{count}", "iterations": iterations}
    return parse_sweep({"certify": False, "trial": table})


def main(out: str, count: str = "16", iterations: str = "6000", turns: str = "4") -> None:
    sweep, empty, rows, overheads = sweep_of(int(count), int(iterations)), sweep_of(EMPTY, 1), [], []
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(int(turns)):
            for workers in (0, 1, 2):
                place = Path(folder) / f"{turn}-{workers}"
                load = os.getloadavg()[0]
                facts = swept(sweep, place, workers) if workers else bare(sweep, place)
                rows.append({"workers": workers, "load_before": round(load, 2)} | facts)
                print(*(f"{name}={value}" for name, value in rows[-1].items()), flush=True)
            place = Path(folder) / f"{turn}-empty"
            loop, worker = bare(empty, place / "bare"), swept(empty, place / "swept", 1)
            overheads.append(60 / worker["per_minute"] - 60 / loop["per_minute"])
    best = {workers: max(row["per_minute"] for row in rows if row["workers"] == workers) for workers in (0, 1, 2)}
    mean = {w: statistics.mean(60 / row["per_minute"] for row in rows if row["workers"] == w) for w in (0, 1, 2)}
    record = {
        "trials": int(count),
        "iterations": int(iterations),
        "rows": rows,
        "two_workers_to_twice_one": round(mean[1] / (2 * mean[2]), 3),
        "two_workers_to_twice_one_best": round(best[2] / (2 * best[1]), 3),
        "seconds_per_trial": {"bare": round(mean[0], 3), "one worker": round(mean[1], 3)},
        "overhead_seconds_per_trial": round(statistics.median(overheads), 4),
        "overhead_measured_on": f"{EMPTY} trials of one iteration, {turns} times",
        "manifest": manifest(),
    }
    print({name: value for name, value in record.items() if name not in ("rows", "manifest")})
    save(out, record)


if __name__ == "__main__":
    main(*asked())
