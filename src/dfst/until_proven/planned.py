"""Lessons that are ready to begin: everything is checked, and for each seed there is a folder to learn into."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from dfst.errors import InputError
from dfst.files import read_text
from dfst.names import NamedPolicy
from dfst.runs.new_folder import CHANGES, check_new, is_begun
from dfst.runs.run_config import RunConfig
from dfst.runs.run_folder import RunFolder
from dfst.runs.run_options import OPTIONS, run_config
from dfst.study.certification import MACHINE
from dfst.study.tested import try_out
from dfst.teachers.program import ProgramTask
from dfst.teachers.sampling import Sampling
from dfst.teachers.task import Task
from dfst.traces.traces import Traces
from dfst.traces.understand import understand
from dfst.until_proven.asked import asked_before, check_can_ask
from dfst.until_proven.asking import learn_asking
from dfst.until_proven.begin import Given, Subject, begin_runs, program_of, run_paths, subject_of, taught_by
from dfst.until_proven.correcting import corrected
from dfst.until_proven.learned import Learned, Say, quiet
from dfst.until_proven.looks import Watch
from dfst.until_proven.resuming import resumed
from dfst.until_proven.snapshots import learn_run
from dfst.world.machine_file import load_machine

SHOWN = 20
"""Corrected steps that are said one by one; all of them are in the run folder."""


@dataclass(frozen=True)
class Planned:
    """A lesson for one seed; ``begin`` takes what watches the training and what gets sentences for people."""

    path: Path
    begin: Callable[[Watch | None, Say], Learned]


def plan_lessons(
    task: Subject,
    given: Given,
    seeds: list[int],
    *,
    teacher: Task | None = None,
    noisy: bool = False,
    ask: bool = False,
    seconds: float | None = None,
    out: Path | None = None,
    resume: bool = False,
) -> list[Planned]:
    """A lesson for each of the ``seeds``; what is wrong with ``task`` or with the options is said before any begins.

    ``teacher`` is the one of given traces; a task has its own. With ``noisy`` the records may hold mistakes. With
    ``ask`` the traces are asked for one after another.
    """
    if ask and noisy:
        raise InputError("--ask and --noisy exclude each other", do="Leave one out.")
    subject = subject_of(task, given, noisy=noisy, teacher=teacher)
    if teacher is not None and isinstance(subject, Task):
        raise InputError(
            "a task is its own teacher", where="--teacher", do="Leave it out, or give traces to learn from."
        )
    program = program_of(task)
    if ask and program is not None:
        do = "Leave --ask out, and it is learned from its traces; or write it as a machine file."
        raise InputError("a program can only be watched: its rules cannot be asked for", where=program.name, do=do)
    if ask:
        return _asking(subject, given, seeds, seconds, out, resume)
    if noisy:
        return _noisy(subject, given, seeds, teacher, seconds, out, resume)
    if teacher is not None and given["hidden_dim"] is None:
        given = given | {"hidden_dim": teacher.hidden_dim}  # the traces alone do not tell how many are needed

    def lesson(run: RunFolder) -> Callable[[Watch | None, Say], Learned]:
        options = {"teacher": teacher, "seconds": seconds}
        return lambda watch, say: _tried(learn_run(run, **options, watch=watch, say=say), program)

    return [
        Planned(run.path, lesson(run))
        for run in begin_runs(subject, given, seeds, recipe="quick", out=out, resume=resume)
    ]


def _tried(learned: Learned, program: ProgramTask | None) -> Learned:
    """With what its machine does beside the program that it was learned from, if there is one."""
    machine = learned.path / MACHINE
    if program is None or learned.certification is not None or not machine.exists():
        return learned
    return replace(learned, tested=try_out(NamedPolicy(load_machine(machine), str(machine)), program))


def _asking(
    subject: Task | Traces,
    given: Given,
    seeds: list[int],
    seconds: float | None,
    out: Path | None,
    resume: bool,
) -> list[Planned]:
    if isinstance(subject, Traces):
        raise InputError("traces answer no questions", do="Give a task or a machine file with --ask.")
    if given["n"] is not None:
        raise InputError("--n says how many traces there are, but --ask asks for them", do="Leave one out.")
    if given["digits"] is not None and given["digits"] < 1:
        raise InputError(f"numbers of {given['digits']} digits cannot be asked about", do="Give --digits 1 or more.")
    paths = run_paths(subject.name, "quick", seeds, out)
    for path in paths:
        check_can_ask(path, resume)

    def lesson(path: Path, asked: Given) -> Callable[[Watch | None, Say], Learned]:
        options = OPTIONS | {"recipe": "quick"} | {name: value for name, value in asked.items() if value is not None}
        options["digits"] = None  # it is about what is asked, not about the task's own traces
        config = run_config(subject, asked["seed"], options, len(seeds))
        facts = {"longest": asked["digits"], "seconds": seconds, "resume": resume}
        return lambda watch, say: learn_asking(path, config, subject, **facts, watch=watch, say=say)

    asked = [given if len(seeds) == 1 else given | {"seed": seed} for seed in seeds]
    if resume:
        asked = [asked_before(path, each) for path, each in zip(paths, asked, strict=True)]
    return [
        Planned(path, lesson(path, each | {"seed": seed if each["seed"] is None else each["seed"]}))
        for path, each, seed in zip(paths, asked, seeds, strict=True)
    ]


def _noisy(
    subject: Task | Traces,
    given: Given,
    seeds: list[int],
    teacher: Task | None,
    seconds: float | None,
    out: Path | None,
    resume: bool,
) -> list[Planned]:
    options = OPTIONS | {name: value for name, value in given.items() if value is not None}
    configs = [run_config(subject if teacher is None else teacher, seed, options, len(seeds)) for seed in seeds]
    if isinstance(subject, Task):
        teacher, subject = subject, subject.sample(configs[0].sampling, seed=configs[0].data_seed)
    traces = subject
    configs = [replace(config, task=traces.task, sampling=Sampling(0, 0, len(traces))) for config in configs]
    paths = run_paths(traces.task, options["recipe"], seeds, out)
    again: dict[Path, RunFolder] = {}
    for path, seed in zip(paths, seeds, strict=True):
        if resume and path.exists() and not is_begun(path):
            asked = given | dict.fromkeys(("n", "digits", "data_seed"))  # these chose the traces, which are compared
            again[path] = resumed(path, traces, asked if len(seeds) == 1 else asked | {"seed": seed}, noisy=True)
        else:
            check_new(path)

    def lesson(path: Path, config: RunConfig) -> Callable[[Watch | None, Say], Learned]:
        if path in again:
            return lambda watch, say: _resumed(again[path], teacher, seconds, watch, say)
        return lambda watch, say: learn_noisy(path, config, traces, teacher, seconds=seconds, watch=watch, say=say)

    return [Planned(path, lesson(path, config)) for path, config in zip(paths, configs, strict=True)]


def learn_noisy(
    path: Path,
    config: RunConfig,
    traces: Traces,
    teacher: Task | None = None,
    *,
    seconds: float | None = None,
    watch: Watch | None = None,
    say: Say = quiet,
) -> Learned:
    """Correct ``traces``, say which steps were wrong, then learn from what is left in a new run folder at ``path``.

    The training goes on from the weights with which the mistakes were found.
    """
    began = time.monotonic()
    found = corrected(traces, config, seconds=seconds, watch=watch, say=say)
    for change in found.changes[:SHOWN]:
        say(change.line())
    if len(found.changes) > SHOWN:
        say(f"and {len(found.changes) - SHOWN:,} more: {path / CHANGES}")
    known = understand(found.traces) if teacher is None else taught_by(found.traces, teacher)
    config = replace(config, sampling=Sampling(0, 0, len(known)))
    start = replace(found.model, name=config.task, layout=known.layout, alphabet=known.alphabet)
    run = RunFolder.create_from_traces(path, config, known, start=start, also=lambda: found.save(path, traces))
    left = None if seconds is None else max(1.0, seconds - (time.monotonic() - began))
    learned = learn_run(run, teacher=teacher, seconds=left, watch=watch, say=say)
    took = {"seconds": time.monotonic() - began, "iterations": found.iterations + learned.iterations}
    return replace(learned, corrected=len(found.changes), dropped=len(found.dropped), **took)


def _resumed(run: RunFolder, teacher: Task | None, seconds: float | None, watch: Watch | None, say: Say) -> Learned:
    learned = learn_run(run, teacher=teacher, seconds=seconds, watch=watch, say=say)
    changes = run.path / CHANGES
    return replace(learned, corrected=read_text(changes).count("\n") if changes.exists() else None)
