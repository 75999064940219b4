"""Keep one file of every kind, and the public signatures, of the release at hand: python -m tests.releases.keep

Done once for a release; what a release has kept is never written again.
"""

import inspect
import json
import sys
from enum import EnumType
from pathlib import Path
from typing import Any

import dfst
from dfst.experts.find import find_task
from dfst.learn.run_config import RunConfig
from dfst.study.certification import certify

HERE = Path(__file__).parent


def signatures() -> dict[str, list[str]]:
    """Every public function or class, with the names of its parameters in order; of an enumeration, its members."""
    return {name: shape(value) for name in dfst.__all__ if callable(value := getattr(dfst, name))}


def shape(value: Any) -> list[str]:
    """What a caller writes in parentheses, or behind the dot of an enumeration."""
    if isinstance(value, EnumType):
        return [*value.__members__]
    try:
        return [*inspect.signature(value).parameters]
    except ValueError:
        return []


def keep(folder: Path) -> None:
    """Write everything into ``folder``."""
    folder.mkdir()
    task = find_task("increment")
    (folder / "task.dfst").write_text(task.text)
    dfst.save_machine(task.machine, folder / "machine.dfst")
    traces = dfst.sample(task)
    dfst.save_traces(traces, folder / "traces.jsonl")
    dfst.save_traces(traces, folder / "traces.parquet")
    recipe = dfst.recipe("fast", task.name).changed(iterations=20_000)
    run = dfst.RunFolder.create(folder / "run", RunConfig(task.name, recipe, task.sampling, 4), task=task.text)
    run.train()
    certify(dfst.find_agent(str(run.path)), task.machine, out=run.path)
    (run.path / "certification.json").unlink()  # a report with paths of this machine, which nobody loads
    (folder / "signatures.json").write_text(json.dumps(signatures(), indent=1) + "\n")


if __name__ == "__main__":
    target = HERE / dfst.__version__
    if target.exists():
        sys.exit(f"{target.name} is kept already")
    keep(target)
