"""Learning until proven: from a task, traces or a program to a certificate in one go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dfst.errors import InputError
from dfst.extraction.pipeline import extract
from dfst.files import read_text
from dfst.judging.certification import MACHINE, certify, write_machine
from dfst.judging.tested import try_out
from dfst.prove.certificate import machine_hash
from dfst.prove.reference import check_reference
from dfst.runs.folder_files import CHANGES, HELD_OUT, NOISY_TRACES
from dfst.runs.folder_files import kept as kept_iteration
from dfst.runs.options import Options
from dfst.runs.run_folder import RunFolder, Say, Watch, quiet
from dfst.teachers.task import Task
from dfst.traces.files import load_traces
from dfst.traces.logs import only_conversations
from dfst.traces.traces import Traces
from dfst.until_proven.asking import Asking
from dfst.until_proven.choices import looks_like_choice
from dfst.until_proven.correcting import Corrected, correct
from dfst.until_proven.held_out import Choice, HeldOut, Kept, keep_back, otherwise
from dfst.until_proven.learned import Learned
from dfst.until_proven.looking import Limit, Look, look_while_training
from dfst.until_proven.merging import MERGING, NETWORK, MergedLog, never_shown
from dfst.until_proven.train import Subject, asking_options, planned, program_of, run_path, subject_of
from dfst.world.machine import GridMachine
from dfst.world.machine_file import load_machine
from dfst.world.worlds import in_order_of

_NO_REFERENCE = "no reference; dfst doctor says what to record next"


def prepared(
    task: Subject, options: Options, *, teacher: Task | None = None, ask: bool = False, noisy: bool = False
) -> tuple[Task | Traces, Task | None, RunFolder, Kept | None]:
    """What is learned from, whose teacher it is compared with, and the run folder, which is still to be made if new.

    Of a log without a teacher, also what is kept back of it. Every mistake in what is asked for is said here, before
    anything is begun.
    """
    if ask and noisy:
        raise InputError("--ask and --noisy exclude each other", do="Leave one out.")
    subject = subject_of(task, options, noisy=noisy, teacher=teacher)
    if subject.machine is not None:
        if teacher is not None:
            do = "Leave it out, or give traces to learn from."
            raise InputError("a task is its own teacher", where="--teacher", do=do)
        teacher = subject
    if teacher is not None:
        check_reference(teacher.machine)
    if ask and (program := program_of(task)) is not None:
        do = "Leave --ask out, and it is learned from its traces; or write it as a machine file."
        raise InputError("a program can only be watched: its rules cannot be asked for", where=program.name, do=do)
    if ask:
        if subject.machine is None:
            raise InputError("traces answer no questions", do="Give a task or a machine file with --ask.")
        path = run_path(subject, options, "quick")
        return subject, teacher, RunFolder(path, asking_options(path, subject, options)), None
    kept = keep_back(subject) if subject.machine is None and teacher is None else None
    subject = subject if kept is None else kept.learn
    if noisy:
        chosen = options.on(subject if teacher is None else teacher)
        if subject.machine is not None:
            subject = subject.sample(chosen.sampling, seed=chosen.data_seed)
        given = replace(options, n=None, digits=None, p=None, data_seed=None)  # these chose the traces
        run = planned(subject, given, noisy=True)
        if run.is_new:
            run = RunFolder(run.path, replace(chosen, task=subject.task, p=0, digits=0, n=len(subject)))
        return subject, teacher, run, kept
    if subject.machine is None and teacher is not None and options.hidden_dim is None and not options.resume:
        options = replace(options, hidden_dim=teacher.hidden_dim)  # traces alone do not tell how many are needed
    return subject, teacher, planned(subject, options, recipe="quick"), kept


def learn(
    task: Subject,
    options: Options,
    *,
    teacher: Task | None = None,
    ask: bool = False,
    noisy: bool = False,
    seconds: float | None = None,
    watch: Watch = quiet,
    say: Say = quiet,
) -> Learned:
    """Learn ``task`` until a machine is proven equal to its teacher, or to the end, or for so many ``seconds``.

    The model, machine, certificate and card go to the run folder. The options are those of :func:`dfst.learn`.
    """
    limit = Limit(seconds)
    subject, judge, run, kept = prepared(task, options, teacher=teacher, ask=ask, noisy=noisy)
    teacher_sha256 = None if judge is None else machine_hash(judge.machine)
    if ask and judge is not None:
        asking = Asking(run, judge, limit, watch=watch, say=say)
        proven, why = asking.until_proven()
        certification = None if proven is None else asking.certified(proven)
        by_merging = proven is not None and not run.model_path.is_file()
        return Learned(
            run.path, run.options.seed, 0 if proven is None or proven[1] is None else proven[1].iterations,
            limit.passed, tuple(asking.looks), certification, asking.traces, why,
            rounds=asking.rounds, learner=MERGING if by_merging else NETWORK, teacher_sha256=teacher_sha256,
        )  # fmt: skip
    corrected: Corrected | None = None
    if run.is_new and noisy and subject.machine is None:
        corrected = correct(subject, run.options, limit=limit, watch=watch, say=say)
        run = corrected.begin(run, subject, judge, say)
    elif run.is_new:
        run = RunFolder.create(run.path, run.options, subject)
    if kept is not None:
        _, first, second = kept
        back = Traces.of(first.alphabet, [*first, *second], cases=[*first.cases, *second.cases])
        back.save(run.path / HELD_OUT)
    merged: MergedLog | None = None
    if not noisy and subject.machine is None and only_conversations(subject):
        if judge is not None and (gaps := never_shown(judge, subject)):
            say(gaps)
        merged = MergedLog.of(subject, judge, kept, limit, say)
    if merged is not None and merged.enough:
        return _merged(run, merged, judge, kept, limit)
    looks: list[Look] = []
    choice = None if kept is None else Choice(kept.choose)
    ended = kept_iteration(run.path) is not None
    choose = None if choice is None else choice.look
    found, why = look_while_training(run, judge, looks, choose=choose, limit=limit, watch=watch, say=say)
    if found is None and limit.late and choice is not None and (choice.best or merged):
        say("the time was up, so the best machine so far is taken")
    found = found if choice is None or choice.best is None else choice.best
    if merged is not None and choice is not None and merged.right > choice.right and not ended:
        return _merged(run, merged, judge, kept, limit, looks)
    certification, tested, held_out, machine = None, None, None, None
    iterations = run.records()[-1].iteration if run.records() else 0
    if found is not None:
        iterations = found.iterations
        if found.extraction is not None:
            run.keep(found.model, iterations)
        if judge is not None:
            made = found.extraction, found.verdict
            certification = certify(run.model(), judge, made=made, out=run.path, raw_length=0, seconds=limit.left)
        else:
            if ended and kept is not None and (run.path / MACHINE).is_file():
                machine = load_machine(run.path / MACHINE)
            else:
                made = found.extraction or extract(run.model(), run.traces(), also=run.explains(), seconds=limit.left)
                machine = made.machine
                write_machine(run.path, machine)
            if kept is not None:
                held_out = HeldOut.of(machine, run.model(), kept.judge, kept.choose)
            why = _NO_REFERENCE if kept is not None else "no teacher; dfst extract reports the evidence for the machine"
            if (program := program_of(task)) is not None:
                tested = try_out(machine.with_origin(str(run.path / MACHINE)), program)
    if certification is not None and certification.verdict.machines is not None:
        machine = certification.verdict.machines[1]
    changed, dropped, changes = None, 0, run.path / CHANGES
    if corrected is not None:
        changed, dropped, iterations = len(corrected.changes), len(corrected.dropped), iterations + corrected.iterations
    elif noisy and changes.exists():
        changed = read_text(changes).count("\n")  # before the run was resumed
    return Learned(
        run.path, run.options.seed, iterations, limit.passed, tuple(looks), certification, run.traces(), why,
        corrected=changed, dropped=dropped, tested=tested, teacher_sha256=teacher_sha256, held_out=held_out,
        merged="" if merged is None else merged.explain(), states=None if machine is None else len(machine.states),
        against=_against(run.traces(), machine), doubt=_doubt(run) if noisy else "",
    )  # fmt: skip


def _merged(
    run: RunFolder, merged: MergedLog, judge: Task | None, kept: Kept | None, limit: Limit, looks: Sequence[Look] = ()
) -> Learned:
    """State merging has found the machine; no network is kept."""
    machine, certification, held_out, why = merged.machine.with_origin(f"{run.path}:machine"), None, None, ""
    if judge is not None:
        certification = certify(machine, judge, made=(None, merged.verdict), out=run.path, raw_length=0)
    else:
        write_machine(run.path, machine)
        held_out, why = None if kept is None else HeldOut.of(machine, None, kept.judge, kept.choose), _NO_REFERENCE
    return Learned(
        run.path, run.options.seed, 0, limit.passed, tuple(looks), certification, run.traces(), why, learner=MERGING,
        teacher_sha256=None if judge is None else machine_hash(judge.machine), held_out=held_out,
        merged=merged.explain(), states=len(machine.states), against=_against(run.traces(), machine),
    )  # fmt: skip


def _against(log: Traces, machine: GridMachine | None) -> tuple[str, ...]:
    """The conversations of ``log`` that the ``machine``, if there is one, answers otherwise."""
    return () if machine is None or not only_conversations(log) else otherwise(machine, in_order_of(machine.world, log))


def _doubt(run: RunFolder) -> str:
    """Why the corrections of its log look like choices of the system, if they do."""
    if not (known := run.explains()):
        return ""
    noisy, now = (in_order_of(known[0].world, each) for each in (load_traces(run.path / NOISY_TRACES), run.traces()))
    return looks_like_choice(noisy, now, known[0])
