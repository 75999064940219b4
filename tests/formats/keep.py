"""Keep one file of every kind: python -m tests.formats.keep NUMBER

Done when a format gets a new version; what is kept is never written again.
"""

import sys
from pathlib import Path

import dfst
from dfst.names import find_policy
from dfst.runs.run_config import RunConfig
from dfst.study.certification import certify
from dfst.teachers.find import find_task

HERE = Path(__file__).parent


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
    certify(find_policy(str(run.path)), task.machine, out=run.path)
    (run.path / "certification.json").unlink()  # a report with paths of this machine, which nobody loads


if __name__ == "__main__":
    target = HERE / sys.argv[1]
    if target.exists():
        sys.exit(f"{target.name} is kept already")
    keep(target)
