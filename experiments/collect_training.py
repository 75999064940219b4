"""Run folders to one table: python collect_training.py RUNS RESULTS.json."""

import json
import sys
from pathlib import Path

from dfst import DfstError, RunFolder
from dfst.learn.fused import FusedEngine
from dfst.learn.state import TrainState


def row(run: RunFolder) -> dict:
    """What one run came to; the loss is computed anew, on all traces at full length."""
    records, config = run.records(), run.config
    facts = {"task": config.task, "recipe": config.recipe.name, "seed": config.seed, "threads": config.threads}
    facts |= {"iterations": records[-1].iteration if records else 0, "of": config.recipe.iterations}
    facts |= {
        "seconds": records[-1].seconds if records else 0.0,
        "nonfinite": records[-1].nonfinite if records else None,
    }
    try:
        engine = FusedEngine(TrainState.start(run.model()), run.traces(), config.recipe, seed=config.seed)
        facts["loss"] = engine.loss()
    except DfstError:
        facts["loss"] = None  # the run stopped: no model
    return facts | {"manifest": json.loads((run.path / "manifest.json").read_text())}


def main(runs: str, out: str) -> None:
    """Collect every run below ``runs``."""
    rows = [row(RunFolder.open(path.parent)) for path in sorted(Path(runs).glob("*/config.toml"))]
    Path(out).write_text(json.dumps(rows, indent=1) + "\n")
    for facts in rows:
        print(*(f"{name}={value}" for name, value in facts.items() if name != "manifest"))


if __name__ == "__main__":
    main(*sys.argv[1:])
