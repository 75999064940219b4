"""Why does it not learn? The doctor looks at a task, at bare traces or at a run, and names causes in plain words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from dfst.judging.doctor.finding import Finding
from dfst.judging.doctor.of_run import examine_run
from dfst.judging.doctor.of_task import examine_task, examine_traces
from dfst.own import find_in_python
from dfst.runs.run_folder import RunFolder
from dfst.teachers.find import find_task, is_own_name
from dfst.teachers.program import ProgramTask
from dfst.traces.files import load_traces
from dfst.traces.understand import understand


def doctor(subject: str, *, seed: int = 42, say: Callable[[str], None] = lambda text: None) -> list[Finding]:
    """What is wrong with ``subject``, the likeliest cause first: a run folder, a file of traces, a task or a program.

    >>> doctor("reverse")
    []
    """
    path, own = Path(subject), is_own_name(subject)
    if not own and path.is_dir():
        found = examine_run(RunFolder.open(path), say)
    elif not own and path.suffix in (".jsonl", ".parquet"):
        traces = load_traces(path)
        found = examine_traces(traces)
        found = found or examine_traces(understand(traces))
    elif isinstance(program := find_in_python(subject), ProgramTask):
        found = examine_traces(program.sample(seed=seed))
    else:
        found = examine_task(find_task(subject), seed)
    return sorted(found, key=lambda finding: finding.severity != "problem")
