"""What people call: each verb resolves names, calls one core function, and returns its record.

Wherever a task, a policy or a machine is expected, its name will do: a text or a path means here what it means on the
command line (:mod:`dfst.study.names`). The core functions are strict, and import nothing from here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from dfst.errors import RejectedError
from dfst.resolve import as_any_task, as_task, as_traces, named, problem_of, text_of, with_layout, with_path

if TYPE_CHECKING:
    from dfst.extraction.pipeline import Extraction
    from dfst.prove.verdict import Verdict
    from dfst.resolve import AnyPolicy, AnyTask, AnyTraces, Name
    from dfst.study.certification import Certification
    from dfst.study.checking import Checked
    from dfst.study.doctor.finding import Finding
    from dfst.study.tested import Tested
    from dfst.teachers.program import ProgramTask
    from dfst.teachers.sampling import Sampling
    from dfst.teachers.task import Task
    from dfst.traces.traces import Traces
    from dfst.training.model import DFST
    from dfst.world.machine import GridMachine


def task(name: Name) -> Task:
    """The task called ``name``: addR or multR for a radix R from 2 to 36, one of the gallery, or a machine file.

    >>> task("add10").machine
    GridMachine('add10', 19 states, 12 symbols, 191 rules)
    """
    from dfst.study.names import find_teacher

    return find_teacher(text_of(name, "the name of a task, such as 'add10', or the path of a machine file"))


def sample(task: AnyTask | ProgramTask, sampling: Sampling | None = None, *, seed: int = 42) -> Traces:
    """The traces of a task's teacher on the problems of ``sampling`` (the task's own by default), for ever the same.

    >>> len(sample("add2", seed=42))
    20
    """
    return as_any_task(task).sample(sampling, seed=seed)


def load(name: Name) -> DFST | GridMachine:
    """The model or machine called ``name``: add10, add10:raw, teacher:add10, a run folder, a file.

    >>> load("add10:raw").hidden_dim, load("teacher:add2")
    (20, GridMachine('add2', 11 states, 4 symbols, 31 rules))
    """
    from dfst.world.machine import GridMachine

    who = named(name)
    return who.policy if isinstance(who.policy, GridMachine) else who.model()


def load_model(name: Name) -> DFST:
    """The weights called ``name``: a .safetensors file, a folder with one, or a name such as add10:raw.

    Nothing is ever downloaded; a damaged file is refused.

    >>> load_model("add10").hidden_dim
    30
    """
    return named(name).model()


def load_machine(name: Name) -> GridMachine:
    """The machine called ``name``: a machine file, add10:machine, teacher:add10, or a run folder's extracted one.

    >>> load_machine("teacher:reverse").name
    'reverse'
    """
    return named(name).machine()


def record(
    teacher: AnyTask | ProgramTask, problems: Iterable[Sequence[str]], *, step_limit: int | None = None
) -> Traces:
    """What can be observed of ``teacher`` on ``problems``: seen, written, moved.

    ``step_limit`` is the longest trace of a machine; by default ten million steps, and more for long problems. A
    program has a limit of its own (:func:`dfst.teacher`).

    >>> record("add2", [("1", "1"), ("10", "1")]).lengths
    array([30, 29])
    """
    from dfst.teachers.program import ProgramTask
    from dfst.traces.record import record as observe

    found = as_any_task(teacher)
    given = [problem_of(problem) for problem in problems]
    if isinstance(found, ProgramTask):
        return found.record(given)
    return observe(found.machine, given, step_limit=step_limit)


def extract(
    model: AnyPolicy,
    traces: AnyTraces | None = None,
    *,
    rehearsing: bool = True,
    seconds: float | None = None,
    progress: Callable[[str], None] | None = None,
) -> Extraction:
    """The finite machine that a model or any policy has learned, and the evidence for it; no teacher is used.

    ``traces`` are those it was trained on; a run folder and a model that comes with dfst know their own. A policy of
    your own should have states that can be copied (``copy.deepcopy``); otherwise its history is replayed. Where it does
    not do what was recorded, its own rollouts on those problems replace the traces.

    >>> import dfst
    >>> extract("add2:raw").machine
    GridMachine('add2', 15 states, 4 symbols, 35 rules)
    """
    from dfst.extraction.pipeline import extract as read_out

    given = None if traces is None else as_traces(traces)
    who = named(model, traces=given)
    learner = who.learner()
    data = who.traces(given)
    data = with_layout(learner, data)
    return read_out(learner, data, rehearsing=rehearsing, seconds=seconds, progress=progress)


def compare(teacher: AnyTask, machine: GridMachine | Name, **limits: Any) -> Verdict:
    """Does ``machine`` act like ``teacher`` on every input of every length? Proof, counterexample, or undecided.

    ``limits`` are those of :func:`dfst.prove.compare.compare`.

    >>> compare("add2", "add2:machine")
    <Verdict: exact: on every input of every length the learner acts like the teacher>
    """
    from dfst.prove.compare import compare as prove

    return prove(as_task(teacher).machine, named(machine).machine(), **limits)


_OF_PROOFS = ("raw_length", "teacher_layout")
"""What only a proof can be asked for."""


@overload
def certify(policy: AnyPolicy, teacher: ProgramTask, *, traces: AnyTraces | None = None, **options: Any) -> Tested: ...


@overload
def certify(
    policy: AnyPolicy, teacher: AnyTask | None = None, *, traces: AnyTraces | None = None, **options: Any
) -> Certification: ...


def certify(
    policy: AnyPolicy,
    teacher: AnyTask | ProgramTask | None = None,
    *,
    traces: AnyTraces | None = None,
    **options: Any,
) -> Certification | Tested:
    """Extract a machine and prove that it acts like the teacher on every input of every length, or refute it.

    ``options`` are those of :func:`dfst.study.certification.certify`: ``out``, a folder for machine and certificate,
    ``raw_length``, up to which the float model itself is measured, ``seconds``, ``teacher_layout``, ``say``.

    If the teacher is a Python program, its machine is unknown: the extracted machine is then tested against it, not
    proven, and ``options`` are those of ``dfst.study.tested.try_out``, such as ``number`` and ``to``.

    >>> certify("add2:raw", raw_length=0).exact
    True
    """
    from dfst.study.certification import certify as prove
    from dfst.study.tested import try_out
    from dfst.teachers.program import ProgramTask

    who = named(policy, teacher)
    given = None if traces is None else as_traces(traces)
    judge = who.task() if teacher is None else as_any_task(teacher)
    if isinstance(judge, ProgramTask):
        options = {name: value for name, value in with_path(options).items() if name not in _OF_PROOFS}
        return try_out(who, judge, traces=given, **options)
    return prove(who, judge, traces=given, **with_path(options))


def check(
    certificate: Name, *, teacher: AnyTask | None = None, weights: Name | None = None, machine: Name | None = None
) -> Checked:
    """Verify a certificate with the independent checker, and compare it with what is given.

    The certificate in a folder is also compared with the machine and the weights there.

    >>> check("add10").known_as
    'add10'
    """
    from dfst.prove import checker
    from dfst.study.checking import check_certificate, check_folder
    from dfst.study.names import find_certificate

    name = text_of(certificate, "a certificate's file, a run folder, or a name such as 'add10'")
    path = find_certificate(name)
    asked = None if teacher is None else as_task(teacher).machine
    one_hot, table = (None if file is None else Path(text_of(file, "a file")) for file in (weights, machine))
    try:
        if path == Path(name) / path.name:
            return check_folder(path.parent, teacher=asked, weights=one_hot, machine=table)
        return check_certificate(path, teacher=asked, weights=one_hot, machine=table)
    except checker.Rejected as reason:
        do = "It proves nothing as it is; dfst certify makes a certificate."
        raise RejectedError(f"rejected: {reason}", where=str(path), do=do) from reason


def doctor(subject: Name, *, seed: int = 42, say: Callable[[str], None] = lambda text: None) -> list[Finding]:
    """Why does it not learn? What is wrong with a task, a file of traces or a run folder, the likeliest cause first.

    >>> doctor("reverse")
    []
    """
    from dfst.study.doctor.doctor import doctor as examine

    return examine(text_of(subject, "a task's name, a file of traces, or a run folder"), seed=seed, say=say)
