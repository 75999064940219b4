"""A training run: what is learned, and where; resumed, if the folder is that of the same run; and what it came to."""

from __future__ import annotations

import shlex
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from dfst.errors import FileFormatError, InputError, quoted
from dfst.explained import Explained
from dfst.files import is_file_name
from dfst.judging.certification import MACHINE, RECORD
from dfst.lock import check_no_links
from dfst.names import find_teacher
from dfst.own import as_traces, find_in_python
from dfst.prove.certificate import machine_hash
from dfst.runs.folder_files import MANIFEST, NOISY_TRACES, TRACES, check_new, is_begun, made_with
from dfst.runs.options import Options
from dfst.runs.run_folder import RunFolder, Say, Watch, quiet
from dfst.teachers.program import ProgramTask
from dfst.teachers.task import Task
from dfst.traces.consistency import check_traces
from dfst.traces.files import is_file_of_traces, load_traces
from dfst.traces.logs import in_words_of, only_conversations
from dfst.traces.traces import Traces
from dfst.traces.understand import on_layout_of, understand
from dfst.training.recall import Recall, recall
from dfst.until_proven.lasting import LASTING, Stage, kept_stage, train_lasting
from dfst.world.worlds import check_same_world, in_order_of

Subject = str | Task | Traces | ProgramTask
"""What can be learned: a task, traces, a program, or the name or file of one."""

_AGAIN = "Ask for what it is, or begin another training run with another --out."
ELSEWHERE = "Choose another folder with --out."
_ASKED_WITH = ("seed", "hidden_dim", "digits")
"""The options that questions are asked with."""

_FREE = ("out", "resume", "threads", "checkpoint_seconds")
"""Options that decide no bit of the result: a resumed run may have others."""


def begin(subject: Task | Traces, options: Options) -> RunFolder:
    """The training run that ``options`` ask for: resumed, or made if it is not on disk yet."""
    run = planned(subject, options)
    return RunFolder.create(run.path, run.options, subject) if run.is_new else run


def planned(subject: Task | Traces, options: Options, *, recipe: str = "fast", noisy: bool = False) -> RunFolder:
    """The same, but nothing is made yet; ``recipe`` is the one that is meant if none is given.

    Refuses to resume another subject than the folder's own, or with options that it has not; and a new run where
    something is already.
    """
    path = run_path(subject, options, recipe)
    if not options.resume or not path.exists() or is_begun(path):
        check_new(path)
        return RunFolder(path, options.on(subject, recipe=recipe))
    run = RunFolder.open(path)
    check_no_links(path)
    free = {name: value for name in _FREE if (value := getattr(options, name)) is not None}
    name = options.task or subject.name
    asked = {"task": name} | vars(replace(options, task=name)) | dict.fromkeys(_FREE)  # the task is looked at first
    _check_options(path, vars(run.options), asked)
    if noisy != (path / NOISY_TRACES).exists():
        what = "it was not begun with --noisy" if noisy else "it was begun with --noisy"
        raise InputError(what, where=str(path), do=_AGAIN)
    _check_subject(run, subject, noisy)
    if options.threads:
        from dfst.training.fused import check_threads  # numba

        check_threads(options.threads)
    return replace(run, options=replace(run.options, **free))


def run_path(subject: Task | Traces, options: Options, recipe: str) -> Path:
    """The run folder: ``out``, by default runs/NAME-RECIPE-sSEED."""
    if options.out is not None:
        return options.out
    if not is_file_name(name := subject.name):
        raise InputError(f"its name {quoted(name)} cannot be that of a folder", do="Choose one with --out.")
    return Path("runs") / f"{name}-{options.recipe or recipe}-s{42 if options.seed is None else options.seed}"


def subject_of(task: Subject, options: Options, *, noisy: bool = False, teacher: Task | None = None) -> Task | Traces:
    """The task or the traces that ``task`` names, or is; traces are checked, unless they are ``noisy``.

    A program is what it was seen to do: traces.
    """
    if (program := program_of(task)) is not None:
        changed = {"p": options.p, "q": options.digits, "n": options.n}
        sampling = replace(program.sampling, **{name: value for name, value in changed.items() if value is not None})
        return program.sample(sampling, seed=42 if options.data_seed is None else options.data_seed)
    if isinstance(task, str) and not is_file_of_traces(task):
        task = find_teacher(task)
    if not isinstance(task, str) and task.machine is not None:
        return task
    where = task if isinstance(task, str) else ""
    for option in ("n", "digits", "p"):  # what only a teacher could do
        if getattr(options, option) is not None:
            do = f"Leave --{option} out, or name a teacher to record more."
            raise InputError("these traces are all there are", where=where, do=do)
    traces = as_traces(task)
    traces = replace(traces, task=traces.task or Path(where).stem or "traces")
    if noisy:
        talks = teacher is not None and only_conversations(traces) and teacher.machine.world.is_conversation
        return taught_by(traces, teacher) if talks else traces
    try:
        check_traces(traces)  # before anything is guessed from them
    except InputError as error:
        kind = FileFormatError if where else InputError
        raise kind(error.what, where=where, do=error.do) from None
    return taught_by(traces, teacher)


def program_of(task: Subject) -> ProgramTask | None:
    """The Python program that ``task`` is or, as file.py:Name, names; None if it is none."""
    found = find_in_python(task) if isinstance(task, str) else task
    return found if isinstance(found, ProgramTask) else None


def taught_by(traces: Traces, teacher: Task | None) -> Traces:
    """``traces`` with a layout: in the world of their ``teacher``, if that is known.

    Those of another world are refused before anything is trained.
    """
    if teacher is None:
        return understand(traces)
    if only_conversations(traces) and teacher.machine.world.is_conversation:
        return in_words_of(teacher.machine, traces)
    known = on_layout_of(in_order_of(teacher.machine.world, traces), teacher.machine)
    check_same_world(known, teacher.machine, do="Name the teacher that left these traces, or none.")
    return known


def _check_options(path: Path, have: Mapping[str, Any], asked: Mapping[str, Any]) -> None:
    """Refuse an option that was given, and is another than the one the folder ``path`` was made with."""
    for name, value in asked.items():
        if value is not None and name in have and value != have[name]:
            called = {"n": "number of traces", "digits": "number of digits"}.get(name, name.replace("_", " "))
            what = f"its {called} is {have[name]}, not {value}"
            raise InputError(what, where=str(path), do=_AGAIN)


def _check_same_teacher(path: Path, have: Any, task: Task) -> None:
    """Refuse another teacher than the one with the hash ``have``, whatever the two are called."""
    if have != (wanted := machine_hash(task.machine)):
        what = f"its teacher {task.name!r} is another machine than the one given: SHA-256 {have}, not {wanted}"
        raise InputError(what, where=str(path), do=_AGAIN)


def _check_subject(run: RunFolder, subject: Task | Traces, noisy: bool) -> None:
    """Refuse another teacher, or other traces, than the run's own; ``noisy`` ones as they were given."""
    if run.has_own_traces != (subject.machine is None):
        what = f"it learns from the teacher {run.options.task!r}, not from traces that are given"
        if subject.machine is not None:
            what = f"it learns from traces that were given to it, not from the teacher {subject.name!r}"
        raise InputError(what, where=str(run.path), do=_AGAIN)
    if subject.machine is not None:
        _check_same_teacher(run.path, machine_hash(run.task().machine), subject)
        return
    have, wanted = (load_traces(run.path / NOISY_TRACES), subject) if noisy else (run.traces(), understand(subject))
    if have.sha256 != wanted.sha256:
        what = f"it was begun with other traces than those given: SHA-256 {have.sha256}, not {wanted.sha256}"
        raise InputError(what, where=str(run.path), do=_AGAIN)


def asking_options(path: Path, task: Task, options: Options) -> Options:
    """What questions about ``task`` are asked with in the folder ``path``, which is refused if it holds something else.

    ``digits`` is about what is asked: by default one more than in the task's own traces. Where somebody has asked
    already, it is what they asked with; other options, or another teacher, are refused.
    """
    if options.n is not None:
        raise InputError("--n says how many traces there are, but --ask asks for them", do="Leave one out.")
    if options.digits is not None and options.digits < 1:
        raise InputError(f"numbers of {options.digits} digits cannot be asked about", do="Give --digits 1 or more.")
    begun = is_begun(path)
    if options.resume and not begun and not has_ended(path):
        do = "Choose another folder with --out, or leave --resume out."
        raise InputError("nothing there can go on asking", where=str(path), do=do)
    if not options.resume and begun and (path / TRACES).exists():
        do = f"Continue with --resume, or {ELSEWHERE[0].lower()}{ELSEWHERE[1:]}"
        raise InputError("somebody has begun to ask there", where=str(path), do=do)
    if not options.resume:
        check_new(path)
    longest = options.digits or task.sampling.q + 1
    if options.resume and (path / TRACES).exists():
        made = made_with(path)
        if wrong := next((name for name in _ASKED_WITH if type(made.get(name, 0)) is not int), None):
            where = str(path / MANIFEST)
            raise FileFormatError(f"its {wrong} is no whole number", where=where, do=ELSEWHERE)
        if "digits" not in made or "teacher_sha256" not in made:
            what = f"its {MANIFEST} does not say whose traces these are"
            raise FileFormatError(what, where=str(path), do=ELSEWHERE)
        asked = {"task": task.name} | {name: getattr(options, name) for name in _ASKED_WITH}
        _check_options(path, made, asked)
        _check_same_teacher(path, made["teacher_sha256"], task)
        longest = made["digits"]
        options = replace(options, seed=made.get("seed"), hidden_dim=made.get("hidden_dim"))
    return replace(replace(options, digits=None).on(task, recipe="quick"), digits=longest)


def has_ended(path: Path) -> bool:
    """Whether what was learned by asking there has been judged: the record of that is written last."""
    return all((path / name).is_file() for name in (TRACES, MACHINE, RECORD))


@dataclass(frozen=True, repr=False)
class Trained(Explained):
    """What a training run came to: its folder, its loss on all traces, the actions on them, and what it took.

    ``stage`` is the one whose model was kept, if the recipe has several.
    """

    run: RunFolder
    loss: float
    seconds: float
    recall: Recall
    hidden_dim: int
    stage: Stage | None = None

    @property
    def next(self) -> str:
        """The command to go on with."""
        verb = "extract" if self.run.has_own_traces else "certify"
        return f"dfst {verb if self.recall.learned else 'doctor'} {shlex.quote(str(self.run.path))}"

    def advice(self) -> str:
        """What to do next, in words."""
        rest = " looks for the cause; or train longer (--iterations) or with another --seed."
        return f"Next: {self.next}{'' if self.recall.learned else rest}"

    def explain(self) -> str:
        """In words."""
        verdict = "learned" if self.recall.learned else "not learned"
        took = f"(loss {self.loss:.2e}, {self.seconds:.0f} s)"
        return f"{self.run.path}: {verdict}: {self.recall.explain()} {took}.\n{self.advice()}"

    def to_json(self) -> dict[str, Any]:
        """For a program."""
        facts = {"run": str(self.run.path), "seed": self.run.options.seed, "loss": self.loss, "seconds": self.seconds}
        facts |= {"problem": "", "hidden_dim": self.hidden_dim}
        if self.stage is not None:
            facts |= {"agrees": self.stage.agrees, "looked_to": self.stage.looked_to}
        said = {"learned": self.recall.learned, "explanation": self.recall.explain()}
        return facts | said | asdict(self.recall) | {"next": self.next}


def train_run(run: RunFolder, *, watch: Watch = quiet, say: Say = quiet) -> Trained:
    """Train ``run`` as its options say, from where it was stopped if it was."""
    began, lasting = time.monotonic(), run.options.recipe == LASTING
    loss = train_lasting(run, watch=watch, say=say) if lasting else run.train(watch=watch, say=say)
    seconds, model = round(time.monotonic() - began, 1), run.model()
    stage = kept_stage(run) if lasting else None
    return Trained(run, loss, seconds, recall(model, run.traces()), model.hidden_dim, stage)
