"""How long raw float models last: python -m experiments.raw_lengths OUT.json RUN...

A row for every model that a run ended with; for the first seeds of the recipe lasting, also one for every stage that
fitted the traces, as it was trained and as the run looked at it, and for the first stage with steady walks. RLG and PLG
are those against the teacher, to the paper's lengths, or as far as the kept model was looked at. ``agrees`` is how far
a model does what the machine extracted from it does: 0 if it does not act as its traces say, None for a stage that
nobody looked at. Where that machine is proven equal to the teacher, it is the RLG, and is not measured twice.
``fewest`` are the dimensions with which the run could still fit the traces, ``too_few`` those with which it could not,
and the loss. A run without a model is gone on with; if that fails, its row has the length 0 and the cause. Rows already
in the file are kept; it is written anew after every row.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from experiments.measuring import asked, kept, made, save

from dfst import DFST, GridMachine, RunFolder, extract, measure_lengths
from dfst.errors import DfstError
from dfst.judging.certification import MACHINE
from dfst.judging.lengths import own_length, self_agreement
from dfst.manifest import manifest
from dfst.prove.compare import compare
from dfst.training.fit import DivergedError
from dfst.training.model import loss
from dfst.training.recall import recall
from dfst.until_proven.lasting import LASTING, POLISH, Stage, kept_stage, stages_of
from dfst.until_proven.train import train_run
from dfst.world.machine_file import load_machine

NAMES = ("task", "recipe", "seed", "data_seed", "stage", "steady")
"""What tells rows apart."""

UNIT = 1e-3
"""An eigenvalue counts as 1 if its modulus is this near to it."""

STAGES_OF = 3
"""The stages of so many seeds have rows."""


def models(run: RunFolder) -> list[Stage | None]:
    """What the run left: the stage it ended with and others, or only None for a run that has no stages."""
    if run.options.recipe != LASTING:
        return [None]
    stages, found = stages_of(run), [kept_stage(run)]
    if run.options.seed < STAGES_OF:
        found += [stage for stage in stages if stage.agrees is not None]
        found += [replace(stage, steady=False, agrees=None) for stage in stages if stage.fits]
        found.append(replace(stages[0], steady=True, agrees=None))
    first: dict[tuple, Stage | None] = {}
    for stage in found:
        first.setdefault(name_of(stage), stage)
    return [*first.values()]


def lengths(run: RunFolder, stage: Stage | None, model: DFST) -> dict:
    """How far the model gets."""
    task, to = run.task(), own_length(run.options.task)
    if run.options.recipe == LASTING:
        to = kept_stage(run).looked_to or to
    machine = own_machine(run, stage, model)
    exact = None if machine is None else compare(task.machine, machine).exact
    if stage is not None and exact:
        rlg, plg = stage.agrees, stage.agrees_random
    else:
        found = measure_lengths(model, task, to=to)
        rlg, plg = found.rlg, found.plg
    if stage is not None:
        agrees = stage.agrees
    elif machine is None:
        agrees = 0
    else:
        agrees = rlg if exact else self_agreement(model, replace(task, machine=machine)).rlg
    return {"rlg": rlg, "plg": plg, "measured_to": to, "agrees": agrees, "exact": exact}


def own_machine(run: RunFolder, stage: Stage | None, model: DFST) -> GridMachine | None:
    """The one that was extracted from the model: by the run itself, if it looked; if it has no stages, just now."""
    if stage is not None:
        return None if stage.agrees is None else load_machine(stage.folder(run).path / MACHINE)
    traces = run.traces()
    return extract(model, traces).machine if recall(model, traces).learned else None


def spectrum(model: DFST) -> dict:
    """The moduli of the eigenvalues of A[blank], the largest first, and how many are 1 for every symbol."""
    symbols = zip(model.alphabet.symbols, model.A, strict=True)
    moduli = {symbol: np.sort(np.abs(np.linalg.eigvals(A)))[::-1] for symbol, A in symbols}
    blank = [round(float(value), 4) for value in moduli[model.alphabet.blank]]
    return {"blank": blank, "ones": {symbol: int((abs(v - 1) < UNIT).sum()) for symbol, v in moduli.items()}}


def facts(run: RunFolder, stage: Stage | None, model: DFST) -> dict:
    """Which model it is."""
    config = run.options
    return {
        **{"task": config.task, "recipe": config.recipe, "seed": config.seed, "data_seed": config.data_seed},
        **dict(zip(("stage", "steady"), name_of(stage), strict=True)),
        **{"hidden_dim": model.hidden_dim, "parameters": model.parameters},
    }


def row(run: RunFolder, stage: Stage | None) -> dict:
    """One model: how it was made, and how far it gets."""
    kept = stage is None or stage == kept_stage(run)
    folder = run if stage is None else stage.folder(run)
    model = run.model() if stage is None or kept else stage.model(run)
    return {
        **facts(run, stage, model),
        **{"kept": kept, **narrowest(run)},
        **{"iterations": folder.options.iterations, "seconds": folder.seconds},
        **{"run_seconds": run.seconds, "loss": loss(model, folder.traces())},
        **lengths(run, stage, model),
        **{"spectrum": spectrum(model), "trained": made(folder.path)},
    }


def narrowest(run: RunFolder) -> dict:
    """The fewest dimensions with which its stages fitted the traces, and the most with which one did not."""
    stages = [stage for stage in stages_of(run) if not stage.name.startswith(POLISH)]
    fits = [stage.hidden_dim for stage in stages if stage.fits]
    fails = [(stage.hidden_dim, stage.loss) for stage in stages if not stage.fits]
    return {"fewest": min(fits, default=None), "too_few": max(fails, default=None)}


def failed(run: RunFolder) -> str | None:
    """Why the run cannot be trained to its end, if it cannot; a lock or a damaged file is no such reason."""
    if not run.model_path.exists():
        try:
            train_run(run)
        except DfstError as error:
            if type(error) not in (DfstError, DivergedError):
                raise
            return error.what
    return None


def row_of_failure(run: RunFolder, cause: str) -> dict:
    """A run that left no model: it counts among the seeds, with the length 0."""
    config, start = run.options, run.start()
    return {
        **facts(run, None, start),
        **{"kept": True, "fewest": None, "too_few": None, "failed": cause, "iterations": config.iterations},
        **{"seconds": run.seconds, "run_seconds": run.seconds, "loss": None},
        **{"rlg": 0, "plg": 0, "measured_to": own_length(config.task), "agrees": 0, "exact": None},
        **{"spectrum": None, "trained": made(run.path)},
    }


def name_of(stage: Stage | None) -> tuple[str, bool]:
    """Its name, nothing for a run that has no stages; and whether its walks were made steady."""
    return ("", False) if stage is None else (stage.name, stage.steady)


def rows_of(run: RunFolder, done: set[tuple]) -> Iterator[dict]:
    """A row for each of its models that is not among ``done``; and one if it left none."""
    cause = failed(run)
    if cause is not None:
        yield row_of_failure(run, cause)
    for stage in models(run) if cause is None else ():
        if (*name_of_run(run), *name_of(stage)) not in done:
            yield row(run, stage)


def name_of_run(run: RunFolder) -> tuple:
    """The first of NAMES."""
    return run.options.task, run.options.recipe, run.options.seed, run.options.data_seed


def name_of_row(row: dict) -> tuple:
    """Its NAMES."""
    return tuple(row[name] for name in NAMES)


def main(out: str, *folders: str) -> None:
    """Every model that is not there yet."""
    rows = kept(out, {"rows": []})["rows"]
    for run in (RunFolder.open(Path(path)) for path in folders):
        rows = [row for row in rows if "failed" not in row or name_of_row(row)[:4] != name_of_run(run)]  # tried again
        for found in rows_of(run, {name_of_row(row) for row in rows}):
            rows.append(found | {"manifest": manifest()})
            shown = (*NAMES, "hidden_dim", "loss", "agrees", "rlg", "plg", "kept")
            print(*(f"{name}={found[name]}" for name in shown), flush=True)
            save(out, {"rows": rows})


if __name__ == "__main__":
    main(*asked())
