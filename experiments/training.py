"""How trainings went, from their run folders: python -m experiments.training OUT.json RUN..."""

from pathlib import Path

from experiments.measuring import asked, made, save

from dfst import DfstError, RunFolder, loss
from dfst.manifest import manifest


def row(run: RunFolder) -> dict:
    """What one training came to; the loss is computed anew, on all traces at full length."""
    records, config = run.records(), run.config
    facts = {"task": config.task, "recipe": config.recipe.name, "seed": config.seed, "data_seed": config.data_seed}
    facts |= {"threads": config.threads, "iterations": records[-1].iteration if records else 0}
    facts |= {"of": config.recipe.iterations, "seconds": records[-1].seconds if records else 0.0}
    facts |= {"nonfinite": records[-1].nonfinite if records else None}
    try:
        facts["loss"] = loss(run.model(), run.traces())
    except DfstError:
        facts["loss"] = None  # the training stopped: no model
    return facts | {"trained": made(run.path)}


def main(out: str, *runs: str) -> None:
    """A row for every run folder."""
    rows = [row(RunFolder.open(Path(path))) for path in runs]
    save(out, {"manifest": manifest(), "rows": rows})
    for facts in rows:
        print(*(f"{name}={value}" for name, value in facts.items() if name != "trained"))


if __name__ == "__main__":
    main(*asked())
