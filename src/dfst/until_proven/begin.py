"""Beginning (or resuming) training runs: options, a config file, seeds, traces alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from dfst.errors import FileFormatError, InputError, quoted
from dfst.files import is_file_name, read_toml
from dfst.names import find_teacher
from dfst.own import find_in_python
from dfst.records import check_keys, of_kind
from dfst.runs.new_folder import check_new, is_begun
from dfst.runs.run_config import RunConfig
from dfst.runs.run_folder import RunFolder
from dfst.runs.run_options import OPTIONS, option_kind, run_config
from dfst.teachers.program import ProgramTask
from dfst.teachers.task import Task
from dfst.traces.consistency import check_traces
from dfst.traces.files import load_traces
from dfst.traces.traces import Traces
from dfst.traces.understand import on_layout_of, understand
from dfst.until_proven.resuming import resumed
from dfst.world.same import check_same_world, in_order_of

Given = dict[str, Any]
"""Every option by name; None if it was not given."""

Subject = str | Task | Traces | ProgramTask
"""What can be learned: a task, traces, a program, or the name or file of one."""

_MAX_SEEDS = 1000


def begin_runs(
    subject: Task | Traces,
    given: Given,
    seeds: list[int],
    *,
    recipe: str = "fast",
    out: Path | None = None,
    resume: bool = False,
) -> list[RunFolder]:
    """A run folder for each of the ``seeds``, ready to train: new, or resumed where it is there already.

    ``subject`` is what is learned (``subject_of``); ``given`` holds every option of ``dfst train`` by name, None
    where it was not given; ``recipe`` is the one to use then. Everything is checked before the first folder is made.
    """
    name = subject.task if isinstance(subject, Traces) else subject.name
    options = OPTIONS | {"recipe": recipe} | {name: value for name, value in given.items() if value is not None}
    paths = run_paths(name, options["recipe"], seeds, out)
    old: dict[Path, RunFolder] = {}
    new: dict[Path, RunConfig] = {}
    alone = len(seeds) == 1
    for seed, path in zip(seeds, paths, strict=True):  # all of them, before the first is made
        if resume and path.exists() and not is_begun(path):
            asked = given if alone else given | {"seed": seed}
            old[path] = resumed(path, subject, asked, threads=given["threads"] if alone else None)
        else:
            check_new(path)
            new[path] = run_config(subject, seed, options, len(seeds))
    return [old[path] if path in old else _create(path, new[path], subject) for path in paths]


def _create(path: Path, config: RunConfig, subject: Task | Traces) -> RunFolder:
    """A new run folder for ``subject``."""
    if isinstance(subject, Traces):
        return RunFolder.create_from_traces(path, config, subject)
    return RunFolder.create(path, config, task=subject.text)


def with_config(path: Path, given: Given) -> Given:
    """``given`` with what ``path`` says about options that the command line does not name."""
    where, do = str(path), "Use the long options of dfst train --help, such as iterations."
    values = {name.replace("-", "_"): value for name, value in read_toml(path).items()}
    check_keys(values, given, where=where, what="an option", do=do, error=InputError)
    found = {
        name: of_kind(name, value, option_kind(name), where=where, error=InputError) for name, value in values.items()
    }
    return given | {name: value for name, value in found.items() if given[name] is None}


def chosen_seeds(seed: int | None, seeds: str | None) -> list[int]:
    """The seeds that ``--seed`` or ``--seeds`` asks for; 42 if neither does."""
    if seeds is not None and seed is not None:
        raise InputError("--seed and --seeds were both given", do="Give one of them.")
    return seed_numbers(seeds) if seeds is not None else [42 if seed is None else seed]


def seed_numbers(text: str) -> list[int]:
    """3 or 0:8 or 1,5,7."""
    try:
        if ":" in text:
            first, last = text.split(":")
            numbers = list(range(int(first or 0), min(int(last), int(first or 0) + _MAX_SEEDS + 1)))
        else:
            numbers = [int(number) for number in text.split(",")]
    except ValueError:
        numbers = []
    if not numbers:
        raise InputError(f"{quoted(text)} names no seeds", where="--seeds", do="Write 0:8 for 0 to 7, or 1,5,7.")
    if len(numbers) > _MAX_SEEDS:
        what = f"{quoted(text)} names more than {_MAX_SEEDS} seeds"
        raise InputError(what, where="--seeds", do="Name fewer.")
    if len(set(numbers)) < len(numbers):
        raise InputError(f"{quoted(text)} names a seed twice", where="--seeds", do="Name each once.")
    return numbers


def run_paths(name: str, recipe: str, seeds: list[int], out: Path | None) -> list[Path]:
    """The run folder of each seed: ``out``, or below it if there are several; by default below runs/.

    >>> [path.as_posix() for path in run_paths("add2", "fast", [1, 2], None)]
    ['runs/add2-fast-s1', 'runs/add2-fast-s2']
    """
    if out is not None:
        return [out] if len(seeds) == 1 else [out / f"s{seed}" for seed in seeds]
    if not is_file_name(name):
        raise InputError(f"its name {quoted(name)} cannot be that of a folder", do="Choose one with --out.")
    return [Path("runs") / f"{name}-{recipe}-s{seed}" for seed in seeds]


def subject_of(task: Subject, given: Given, *, noisy: bool = False, teacher: Task | None = None) -> Task | Traces:
    """The task or the traces that ``task`` names, or is; traces are checked, unless they are ``noisy``.

    A program is what it was seen to do: traces.
    """
    if isinstance(task, Task):
        return task
    if (program := program_of(task)) is not None:
        changed = {"q": given["digits"], "n": given["n"]}
        sampling = replace(program.sampling, **{name: value for name, value in changed.items() if value is not None})
        return program.sample(sampling, seed=42 if given["data_seed"] is None else given["data_seed"])
    if isinstance(task, str) and not task.endswith((".jsonl", ".parquet")):
        return find_teacher(task)
    assert not isinstance(task, ProgramTask)
    where = task if isinstance(task, str) else ""
    for option in ("n", "digits"):  # what only a teacher could do
        if given[option] is not None:
            do = f"Leave --{option} out, or name a teacher to record more."
            raise InputError("these traces are all there are", where=where, do=do)
    traces = load_traces(task) if isinstance(task, str) else task
    traces = replace(traces, task=traces.task or Path(where).stem or "traces")
    return traces if noisy else _checked(traces, where, teacher)


def program_of(task: Subject) -> ProgramTask | None:
    """The Python program that ``task`` is or, as file.py:Name, names; None if it is none."""
    found = find_in_python(task) if isinstance(task, str) else task
    return found if isinstance(found, ProgramTask) else None


def _checked(traces: Traces, where: str, teacher: Task | None) -> Traces:
    """``traces`` with a layout, their ``teacher``'s if known, if they can be those of one deterministic policy."""
    try:
        check_traces(traces)  # before anything is guessed from them
    except InputError as error:
        kind = FileFormatError if where else InputError
        raise kind(error.what, where=where, do=error.do) from None
    return understand(traces) if teacher is None else taught_by(traces, teacher)


def taught_by(traces: Traces, teacher: Task) -> Traces:
    """``traces`` in the world of their ``teacher``; those of another world are refused before anything is trained."""
    known = on_layout_of(in_order_of(teacher.machine, traces), teacher.machine)
    check_same_world(known, teacher.machine, do="Name the teacher that left these traces, or none.")
    return known
