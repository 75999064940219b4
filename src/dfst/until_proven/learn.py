"""Learning until proven: from a task, traces or a program to a certificate in one go."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import replace

from dfst.errors import InputError
from dfst.extraction.pipeline import extract
from dfst.files import read_text
from dfst.judging.certification import MACHINE, certify
from dfst.judging.tested import try_out
from dfst.names import NamedPolicy
from dfst.prove.certificate import machine_hash
from dfst.runs.new_folder import CHANGES
from dfst.runs.options import Options
from dfst.runs.run_folder import RunFolder, Say, Watch, quiet
from dfst.teachers.task import Task
from dfst.traces.traces import Traces
from dfst.until_proven.asking import Asking, Shows
from dfst.until_proven.begin import Subject, asking_options, planned, program_of, run_path, subject_of
from dfst.until_proven.correcting import Corrected, correct
from dfst.until_proven.learned import Learned, Look
from dfst.until_proven.looking import Limit, look_while_training


def prepared(
    task: Subject, options: Options, *, teacher: Task | None = None, ask: bool = False, noisy: bool = False
) -> tuple[Task | Traces, Task | None, RunFolder]:
    """What is learned from, whose teacher it is compared with, and the run folder, which is still to be made if new.

    Every mistake in what is asked for is said here, before anything is begun.
    """
    if ask and noisy:
        raise InputError("--ask and --noisy exclude each other", do="Leave one out.")
    subject = subject_of(task, options, noisy=noisy, teacher=teacher)
    if isinstance(subject, Task):
        if teacher is not None:
            do = "Leave it out, or give traces to learn from."
            raise InputError("a task is its own teacher", where="--teacher", do=do)
        teacher = subject
    if ask and (program := program_of(task)) is not None:
        do = "Leave --ask out, and it is learned from its traces; or write it as a machine file."
        raise InputError("a program can only be watched: its rules cannot be asked for", where=program.name, do=do)
    if ask:
        if isinstance(subject, Traces):
            raise InputError("traces answer no questions", do="Give a task or a machine file with --ask.")
        path = run_path(subject, options, "quick")
        return subject, teacher, RunFolder(path, asking_options(path, subject, options))
    if noisy:
        chosen = options.on(subject if teacher is None else teacher)
        if isinstance(subject, Task):
            subject = subject.sample(chosen.sampling, seed=chosen.data_seed)
        given = replace(options, n=None, digits=None, p=None, data_seed=None)  # these chose the traces
        run = planned(subject, given, noisy=True)
        if run.is_new:
            run = RunFolder(run.path, replace(chosen, task=subject.task, p=0, digits=0, n=len(subject)))
        return subject, teacher, run
    if isinstance(subject, Traces) and teacher is not None and options.hidden_dim is None:
        options = replace(options, hidden_dim=teacher.hidden_dim)  # traces alone do not tell how many are needed
    return subject, teacher, planned(subject, options, recipe="quick")


def learn(
    task: Subject,
    options: Options,
    *,
    teacher: Task | None = None,
    ask: bool = False,
    noisy: bool = False,
    seconds: float | None = None,
    shows: Shows | None = None,
    watch: Watch = quiet,
    say: Say = quiet,
) -> Learned:
    """Learn ``task`` until a machine is proven equal to its teacher, or to the end, or for so many ``seconds``.

    The model, machine, certificate and card go to the run folder. Given traces may be given their ``teacher``; without
    one nothing can be proven, and it ends when the extracted machine leaves nothing to ask. With ``noisy`` the records
    may hold mistakes, which are corrected first. With ``ask`` the traces are asked for, one after another; ``shows``
    answers, by default the task's teacher.
    """
    limit, looks = Limit(seconds), list[Look]()
    subject, judge, run = prepared(task, options, teacher=teacher, ask=ask, noisy=noisy)
    asking = Asking(run, judge, looks, limit, shows) if ask and judge is not None else None
    corrected: Corrected | None = None
    found, proven, why = None, None, ""
    with nullcontext() if asking is None else asking.alone():
        while found is None and proven is None and not why:
            if asking is not None:
                proven, why = asking.ask_and_look(watch, say)
            elif noisy and run.is_new and isinstance(subject, Traces):
                corrected = correct(subject, run.options, limit=limit, watch=watch, say=say)
                run = corrected.begin(run, subject, judge, say)
            else:
                run = RunFolder.create(run.path, run.options, subject) if run.is_new else run
                found, why = look_while_training(run, judge, looks, limit=limit, watch=watch, say=say)
    if asking is not None:
        return asking.ended(proven, why, say)
    certification, tested, iterations = None, None, run.records()[-1].iteration if run.records() else 0
    if found is not None:
        iterations = found.iterations
        if found.extraction is not None:
            run.keep(found.model, iterations)
        if judge is not None:
            known = {"extraction": found.extraction, "verdict": found.verdict, "seconds": limit.left}
            named = NamedPolicy(run.model(), str(run.path), run=run)
            certification = certify(named, judge, out=run.path, raw_length=0, **known)
        else:
            machine = (found.extraction or extract(run.model(), run.traces(), seconds=limit.left)).machine
            machine.save(run.path / MACHINE)
            why = "no teacher; dfst extract reports the evidence for the machine"
            if (program := program_of(task)) is not None:
                tested = try_out(NamedPolicy(machine, str(run.path / MACHINE)), program)
    changed, dropped = _changes(run) if noisy else None, 0
    if corrected is not None:
        changed, dropped, iterations = len(corrected.changes), len(corrected.dropped), iterations + corrected.iterations
    return Learned(
        run.path, run.options.seed, iterations, limit.passed, tuple(looks), certification, run.traces(), why,
        corrected=changed, dropped=dropped, tested=tested,
        teacher_sha256=None if judge is None else machine_hash(judge.machine),
    )  # fmt: skip


def _changes(run: RunFolder) -> int | None:
    """How many steps were corrected before the run was resumed, if that is known."""
    path = run.path / CHANGES
    return read_text(path).count("\n") if path.exists() else None
