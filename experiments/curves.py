"""Loss and RLG against iterations: python -m experiments.curves OUT.json RUN...

Every run is trained again from its own start, on its own data, beside its folder; twenty times on the way its model is
let loose on the grid. The file is written anew after every run; a task, recipe and seed that is in it already is left
out.
"""

import time
from pathlib import Path

from experiments.measuring import asked, kept, save

from dfst import RunFolder, measure_lengths
from dfst.manifest import manifest
from dfst.training.fit import Progress, fit

NAMES = ("task", "recipe", "seed")
"""What tells rows apart."""

POINTS = 20
"""RLG is measured so often in a run."""

MEASURED_TO = 500
"""And to at most so many digits: to find a length of thousands takes minutes each time."""


def curve(run: RunFolder) -> dict:
    """Train, and look at the model on the way."""
    config, task = run.config, run.task()
    measured: list[dict] = []
    began = time.perf_counter()

    def look(progress: Progress) -> None:
        if progress.iteration * POINTS // config.recipe.iterations > len(measured):
            lengths = measure_lengths(progress.model(), task, to=MEASURED_TO)
            measured.append({"iteration": progress.iteration, "rlg": lengths.rlg, "plg": lengths.plg})
            print(run.path, measured[-1], f"{time.perf_counter() - began:.0f} s", flush=True)

    start, rules, traces = run.start(), config.recipe, run.traces()
    _, history = fit(start, traces, rules, seed=config.seed, threads=config.threads, callbacks=[look])
    return {
        **dict(zip(NAMES, name_of(run), strict=True)),
        "final_loss": history.final_loss,
        "loss": [[record.iteration, record.loss] for record in history.records],
        "measured_to": MEASURED_TO,
        "lengths": measured,
        "manifest": manifest(seed=config.seed, data_sha256=traces.sha256),
    }


def name_of(run: RunFolder) -> tuple[str, str, int]:
    """Its NAMES."""
    return run.config.task, run.config.recipe.name, run.config.seed


def main(out: str, *runs: str) -> None:
    """All runs that are not in ``out`` yet."""
    rows = kept(out, {"rows": []})["rows"]
    for run in (RunFolder.open(Path(path)) for path in runs):
        if name_of(run) not in {tuple(row[name] for name in NAMES) for row in rows}:
            rows.append(curve(run))
            save(out, {"rows": rows})


if __name__ == "__main__":
    main(*asked())
