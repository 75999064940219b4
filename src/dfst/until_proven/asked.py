"""A folder in which somebody has asked before: whether that can go on, and what it came to if it has ended."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from dfst.errors import DfstError, FileFormatError, InputError, printable
from dfst.names import NamedPolicy
from dfst.prove import checker
from dfst.prove.certificate import machine_hash
from dfst.runs.new_folder import TRACES, check_new, is_begun
from dfst.runs.run_config import RunConfig
from dfst.runs.run_manifest import MANIFEST, made_with, write_manifest
from dfst.study.certification import MACHINE, RECORD, certify
from dfst.study.checking import check_folder
from dfst.teachers.task import Task
from dfst.traces.files import load_traces
from dfst.traces.traces import Traces
from dfst.training.weights import MODEL_FILE
from dfst.until_proven.learned import MERGING, NETWORK, Learned, Say
from dfst.until_proven.resuming import check_options, check_same_teacher
from dfst.world.machine_file import load_machine

_OPTIONS = ("seed", "hidden_dim", "digits")
"""What questions are asked with."""


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


def asked_before(path: Path, given: dict[str, Any]) -> dict[str, Any]:
    """``given``, with the options that the questions in ``path`` were asked with where none are given."""
    made = made_with(path)
    if wrong := next((name for name in _OPTIONS if type(made.get(name, 0)) is not int), None):
        do = "Choose another folder with --out."
        raise FileFormatError(f"its {wrong} is no whole number", where=str(path / MANIFEST), do=do)
    return given | {name: made.get(name) for name in _OPTIONS if given[name] is None}


def note_asker(path: Path, config: RunConfig, task: Task, longest: int, traces: Traces | None = None) -> None:
    """Keep in the folder whose traces these are, and with what options they are asked for."""
    teacher = machine_hash(task.machine)
    write_manifest(path, config, traces, teacher_sha256=teacher, hidden_dim=config.hidden_dim, digits=longest)


def check_asked(path: Path, config: RunConfig, task: Task, longest: int) -> None:
    """Refuse to go on in the folder of another teacher, or with other options."""
    made = made_with(path)
    if "digits" not in made or "teacher_sha256" not in made:
        what = f"its {MANIFEST} does not say whose traces these are"
        raise FileFormatError(what, where=str(path), do="Choose another folder with --out.")
    have = {name: made.get(name) for name in ("task", *_OPTIONS)}
    asked = {"task": task.name, "seed": config.seed, "hidden_dim": config.hidden_dim, "digits": longest}
    check_options(path, have, asked)
    check_same_teacher(path, made["teacher_sha256"], task)


def shown_before(path: Path, task: Task) -> Traces:
    """The traces that were asked for in a folder."""
    traces = load_traces(path / TRACES)
    if (traces.task, traces.alphabet, len(traces.problems)) != (task.name, task.machine.alphabet, len(traces)):
        do = "Choose another folder with --out."
        raise FileFormatError("its traces are not those that were asked for", where=str(path / TRACES), do=do)
    return traces


def judged_again(path: Path, config: RunConfig, task: Task, say: Say) -> Learned:
    """What was learned by asking in a folder, and has been judged before: it is proven again, its certificate checked.

    If that is lost, or is not about this teacher and the machine in the folder, it is written anew.
    """
    began, traces, out = time.monotonic(), shown_before(path, task), None
    try:
        check_folder(path, teacher=task.machine)
    except (checker.Rejected, DfstError) as reason:
        why = reason.sentence if isinstance(reason, DfstError) else reason
        say(printable(f"the certificate in {path} does not hold, so it is made anew: {why}"))
        out = path
    certification = certify(NamedPolicy(load_machine(path / MACHINE), f"{path}:machine"), task, raw_length=0, out=out)
    learner = NETWORK if (path / MODEL_FILE).is_file() else MERGING
    facts = {"rounds": 0, "learner": learner, "teacher_sha256": certification.facts["teacher_sha256"]}
    return Learned(path, config.seed, 0, time.monotonic() - began, (), certification, traces, **facts)
