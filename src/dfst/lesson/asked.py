"""A folder in which somebody has asked before: whether that can go on, and what it came to if it has ended."""

from __future__ import annotations

import time
from pathlib import Path

from dfst.errors import InputError
from dfst.lesson.learned import MERGING, NETWORK, Learned
from dfst.runs.new_folder import TRACES, check_new, is_begun
from dfst.runs.run_config import RunConfig
from dfst.study.certification import MACHINE, RECORD, certify
from dfst.study.names import NamedPolicy
from dfst.teachers.task import Task
from dfst.traces.files import load_traces
from dfst.traces.traces import Traces
from dfst.training.weights import MODEL_FILE
from dfst.world.machine_file import load_machine


def check_can_ask(path: Path, resume: bool) -> None:
    """Refuse a folder in which something else is, or, unless that is to ``resume``, somebody has asked already."""
    if resume and has_ended(path):
        return
    if resume and path.exists() and not is_begun(path):
        do = "Choose another folder with --out, or leave --resume out."
        raise InputError("nothing there can go on asking", where=str(path), do=do)
    if not resume and is_begun(path) and (path / TRACES).exists():
        do = "Continue with --resume, or choose another folder with --out."
        raise InputError("somebody has begun to ask there", where=str(path), do=do)
    check_new(path)


def has_ended(path: Path) -> bool:
    """Whether what was learned by asking there has been judged: the record of that is written last."""
    return all((path / name).is_file() for name in (TRACES, MACHINE, RECORD))


def judged_again(path: Path, config: RunConfig, task: Task) -> Learned:
    """What was learned by asking in a folder, and has been judged before."""
    began, traces = time.monotonic(), load_traces(path / TRACES)
    check_asked(traces, task, path)
    certification = certify(NamedPolicy(load_machine(path / MACHINE), str(path)), task, raw_length=0)
    learner = NETWORK if (path / MODEL_FILE).is_file() else MERGING
    took = time.monotonic() - began
    return Learned(path, config.seed, 0, took, (), certification, traces, rounds=0, learner=learner)


def check_asked(traces: Traces, task: Task, path: Path) -> None:
    """Refuse the traces of another task."""
    if (traces.task, traces.alphabet) != (task.name, task.machine.alphabet):
        do = "Resume that task, or choose another folder with --out."
        raise InputError(f"its traces are those of {traces.task!r}", where=str(path), do=do)
