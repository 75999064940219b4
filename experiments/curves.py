"""Loss and RLG against iterations: python -m experiments.curves OUT.json RUN...

Every run is trained again from its own start, on its own data, beside its folder; twenty times on the way its model is
run on the grid.
"""

import time
from pathlib import Path

from experiments.measuring import add_rows, asked

from dfst import RunFolder, measure_lengths
from dfst.training.fit import Progress, fit

NAMES = ("task", "recipe", "seed")
"""What tells rows apart."""

POINTS = 20
"""RLG is measured so often in a run."""

MEASURED_TO = 500
"""And to at most so many digits: to find a length of thousands takes minutes each time."""


def curve(run: RunFolder) -> dict:
    """Train, and look at the model on the way."""
    config, task = run.options, run.task()
    measured: list[dict] = []
    began = time.perf_counter()

    def look(progress: Progress) -> None:
        if progress.iteration * POINTS // config.iterations > len(measured):
            lengths = measure_lengths(progress.model(), task, to=MEASURED_TO)
            measured.append({"iteration": progress.iteration, "rlg": lengths.rlg, "plg": lengths.plg})
            print(run.path, measured[-1], f"{time.perf_counter() - began:.0f} s", flush=True)

    start, rules, traces = run.start(), config.training, run.traces()
    _, history = fit(start, traces, rules, seed=config.seed, threads=config.threads, callbacks=[look])
    return {
        **{"task": config.task, "recipe": config.recipe, "seed": config.seed, "data_sha256": traces.sha256},
        "final_loss": history.final_loss,
        "loss": [[record.iteration, record.loss] for record in history.records],
        "measured_to": MEASURED_TO,
        "lengths": measured,
    }


def main(out: str, *runs: str) -> None:
    """All runs that are not in ``out`` yet."""
    found = {}
    for run in (RunFolder.open(Path(path)) for path in runs):
        found[run.options.task, run.options.recipe, run.options.seed] = run
    add_rows(out, NAMES, found, lambda *key: curve(found[key]), quiet=("loss", "lengths"))


if __name__ == "__main__":
    main(*asked())
