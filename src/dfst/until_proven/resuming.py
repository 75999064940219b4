"""A run folder that is to be resumed: whether it is the training run that is asked for, or another one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from dfst.errors import InputError
from dfst.lock import check_no_links
from dfst.prove.certificate import machine_hash
from dfst.runs.new_folder import NOISY_TRACES
from dfst.runs.run_folder import RunFolder
from dfst.teachers.task import Task
from dfst.traces.files import load_traces
from dfst.traces.traces import Traces
from dfst.traces.understand import understand

_AGAIN = "Ask for what it is, or begin another training run with another --out."


def resumed(
    path: Path, subject: Task | Traces, given: Mapping[str, Any], *, threads: int | None = None, noisy: bool = False
) -> RunFolder:
    """The run in ``path``, on so many threads; refuses another subject than its own, and options that it has not.

    The ``subject`` is the task or the traces that are to be learned, in ``noisy`` records as they were given.
    """
    folder = RunFolder.open(path)
    check_no_links(path)
    config = folder.config
    have = asdict(config.recipe) | {"recipe": config.recipe.name, "n": config.sampling.n, "digits": config.sampling.q}
    have |= {"task": config.task, "hidden_dim": config.hidden_dim, "data_seed": config.data_seed}
    have |= {"engine": config.engine, "seed": config.seed}
    name = subject.task if isinstance(subject, Traces) else subject.name
    check_options(path, have, {"task": name} | dict(given))
    if noisy != (path / NOISY_TRACES).exists():
        what = "it was not begun with --noisy" if noisy else "it was begun with --noisy"
        raise InputError(what, where=str(path), do=_AGAIN)
    if isinstance(subject, Task):
        _check_teacher(folder, subject)
    else:
        _check_traces(folder, subject, noisy)
    if threads is None:
        return folder
    from dfst.training.fused import check_threads  # numba

    return replace(folder, config=replace(config, threads=check_threads(threads)))


def check_options(path: Path, have: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
    """Refuse an option that was given, and is another than the one the folder ``path`` was made with."""
    for name, value in asked.items():
        if value is not None and name in have and value != have[name]:
            called = {"n": "number of traces", "digits": "number of digits"}.get(name, name.replace("_", " "))
            what = f"its {called} is {have[name]}, not {value}"
            raise InputError(what, where=str(path), do=_AGAIN)


def check_same_teacher(path: Path, have: Any, task: Task) -> None:
    """Refuse another teacher than the one with the hash ``have``, whatever the two are called."""
    if have != (wanted := machine_hash(task.machine)):
        what = f"its teacher {task.name!r} is another machine than the one given: SHA-256 {have}, not {wanted}"
        raise InputError(what, where=str(path), do=_AGAIN)


def _check_teacher(folder: RunFolder, task: Task) -> None:
    if folder.has_own_traces:
        what = f"it learns from traces that were given to it, not from the teacher {task.name!r}"
        raise InputError(what, where=str(folder.path), do=_AGAIN)
    check_same_teacher(folder.path, machine_hash(folder.task().machine), task)


def _check_traces(folder: RunFolder, traces: Traces, noisy: bool) -> None:
    if not folder.has_own_traces:
        what = f"it learns from the teacher {folder.config.task!r}, not from traces that are given"
        raise InputError(what, where=str(folder.path), do=_AGAIN)
    have, wanted = (load_traces(folder.path / NOISY_TRACES), traces) if noisy else (folder.traces(), understand(traces))
    if have.sha256 != wanted.sha256:
        what = f"it was begun with other traces than those given: SHA-256 {have.sha256}, not {wanted.sha256}"
        raise InputError(what, where=str(folder.path), do=_AGAIN)
