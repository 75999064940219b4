"""Loss and RLG against iterations: python -m experiments.curves OUT.json RUN...

Every run is trained again from its own start, on its own data, beside its folder; now and then its model is let loose
on the grid. The file is written anew after every run; a run that is in it already is left out.
"""

import time
from pathlib import Path

from experiments.measuring import asked, kept, save

from dfst import RunFolder, measure_lengths
from dfst.manifest import manifest
from dfst.study.lengths import PAPER_LENGTHS
from dfst.teachers.find import find_task
from dfst.training.fit import Progress, fit

POINTS = 20
"""RLG is measured so often per run, after the first twentieth ever more rarely until the middle, then evenly."""

RAW_TO = 100


def measuring_points(iterations: int) -> list[int]:
    """Geometrically from a thousandth to a half of the run, then evenly to its end."""
    early = [iterations / 1000 * 500 ** (i / (POINTS // 2)) for i in range(POINTS // 2)]
    late = [iterations * (0.5 + 0.5 * i / (POINTS // 2)) for i in range(POINTS // 2 + 1)]
    return sorted({max(1, round(point)) for point in early + late})


def curve(run: RunFolder) -> dict:
    """Train, and look at the model on the way."""
    config, points = run.config, measuring_points(run.config.recipe.iterations)
    to = PAPER_LENGTHS[config.task] if config.practice else RAW_TO
    measured: list[dict] = []
    began = time.perf_counter()

    def look(progress: Progress) -> None:
        due = len(measured) < len(points) and progress.iteration >= points[len(measured)]
        if due:
            lengths = measure_lengths(progress.engine.state().model, find_task(config.task), to=to)
            skipped = sum(progress.iteration >= point for point in points[len(measured) :])
            here = {"iteration": progress.iteration, "rlg": lengths.rlg, "plg": lengths.plg}
            measured.extend([here] * skipped)
            print(run.path.name, here, f"{time.perf_counter() - began:.0f} s", flush=True)

    start, rules, traces = run.start(), config.recipe, run.traces()
    _, history = fit(start, traces, rules, seed=config.seed, threads=config.threads, callbacks=[look])
    return {
        "run": run.path.name,
        "task": config.task,
        "recipe": rules.name,
        "seed": config.seed,
        "final_loss": history.final_loss,
        "loss": [[record.iteration, record.loss] for record in history.records],
        "measured_to": to,
        "lengths": list({point["iteration"]: point for point in measured}.values()),
        "manifest": manifest(seed=config.seed, data_sha256=traces.sha256),
    }


def main(out: str, *runs: str) -> None:
    """All runs that are not in ``out`` yet."""
    rows = kept(out, {"rows": []})["rows"]
    for run in map(Path, runs):
        if run.name not in {row["run"] for row in rows}:
            rows.append(curve(RunFolder.open(run)))
            save(out, {"rows": rows})


if __name__ == "__main__":
    main(*asked())
