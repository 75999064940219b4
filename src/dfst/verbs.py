"""What people call: each verb resolves names, calls one core function, and returns its record.

Wherever a task, a policy or a machine is expected, its name will do: a text or a path means here what it means on the
command line (:mod:`dfst.study.names`). The core functions are strict, and import nothing from here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfst.errors import InputError, RejectedError
from dfst.resolve import as_task, as_traces, judged_on, named, operand_of, problem_of, split_problem, text_of, with_path

if TYPE_CHECKING:
    from dfst.act.rollout import Rollout
    from dfst.extraction.pipeline import Extraction
    from dfst.prove.verdict import Verdict
    from dfst.resolve import AnyPolicy, AnyTask, AnyTraces, Name
    from dfst.study.certification import Certification
    from dfst.study.checking import Checked
    from dfst.study.difference import Difference
    from dfst.study.doctor.finding import Finding
    from dfst.study.evaluation import Evaluation
    from dfst.study.lengths import Lengths
    from dfst.teachers.sampling import Sampling
    from dfst.teachers.task import Task
    from dfst.traces.traces import Traces
    from dfst.training.model import DFST
    from dfst.world.machine import GridMachine
    from dfst.world.outcome import Run


def task(name: Name) -> Task:
    """The task called ``name``: addR or multR for a radix R from 2 to 36, one of the gallery, or a machine file.

    >>> task("add10").machine
    GridMachine('add10', 19 states, 12 symbols, 191 rules)
    """
    from dfst.study.names import find_teacher

    return find_teacher(text_of(name, "the name of a task, such as 'add10', or the path of a machine file"))


def sample(task: AnyTask, sampling: Sampling | None = None, *, seed: int = 42) -> Traces:
    """The traces of a task's teacher on the problems of ``sampling`` (the task's own by default), for ever the same.

    >>> len(sample("add2", seed=42))
    20
    """
    return as_task(task).sample(sampling, seed=seed)


def load(name: Name) -> DFST | GridMachine:
    """The model or machine called ``name``: add10, add10:raw, teacher:add10, a run folder, a file.

    >>> load("add10:raw").hidden_dim, load("teacher:add2")
    (20, GridMachine('add2', 11 states, 4 symbols, 31 rules))
    """
    return named(name).policy


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


def solve(policy: AnyPolicy, *operands: str, step_limit: int = 10**12, reach: int | None = None) -> Run | Rollout:
    """Let a model or a machine work on one problem by itself; ``answer`` of what comes back is what it left.

    >>> print(solve("add10", "58", "67").answer)
    125
    >>> print(solve("mult2", "101×11").answer)
    1111
    """
    from dfst.act.rollout import rollout
    from dfst.training.model import DFST
    from dfst.world.run import run

    who = named(policy).policy
    given = split_problem(who, [*map(operand_of, operands)])
    if isinstance(who, DFST):
        return rollout(who, *given, step_limit=step_limit, reach=reach)
    return run(who, *given, step_limit=step_limit, reach=reach)


def rollout(model: DFST | Name, *operands: str, teacher: AnyTask | None = None, **options: Any) -> Rollout:
    """Let a model work on one problem, on its own or in step with ``teacher`` until the two differ.

    ``options`` are those of :func:`dfst.act.rollout.rollout`, such as ``drift``.

    >>> rollout("add2:raw", "1011", "110", teacher="add2").divergence is None
    True
    """
    from dfst.act.rollout import rollout as act

    judge = None if teacher is None else as_task(teacher).machine
    weights = named(model).model()
    return act(weights, *split_problem(weights, [*map(operand_of, operands)]), teacher=judge, **options)


def record(teacher: AnyTask, problems: Iterable[Sequence[str]]) -> Traces:
    """What can be observed of ``teacher`` on ``problems``: seen, written, moved.

    >>> record("add2", [("1", "1"), ("10", "1")]).lengths
    array([30, 29])
    """
    from dfst.traces.record import record as observe

    machine = as_task(teacher).machine
    return observe(machine, [problem_of(problem) for problem in problems])


def extract(
    model: DFST | Name,
    traces: AnyTraces | None = None,
    *,
    rehearsing: bool = True,
    seconds: float | None = None,
    progress: Callable[[str], None] | None = None,
) -> Extraction:
    """The finite machine that ``model`` has learned, and the evidence for it; the teacher is never looked at.

    ``traces`` are those it was trained on; a run folder and a model that comes with dfst know their own.

    >>> import dfst
    >>> extract("add2:raw").machine
    GridMachine('add2', 16 states, 4 symbols, 38 rules)
    """
    from dfst.extraction.pipeline import extract as read_out

    who = named(model)
    weights = who.model()
    data = who.traces(None if traces is None else as_traces(traces))
    return read_out(weights, data, rehearsing=rehearsing, seconds=seconds, progress=progress)


def compare(teacher: AnyTask, machine: GridMachine | Name, **limits: Any) -> Verdict:
    """Does ``machine`` act like ``teacher`` on every input of every length? Proof, counterexample, or undecided.

    ``limits`` are those of :func:`dfst.prove.compare.compare`.

    >>> compare("add2", "add2:machine")
    <Verdict: exact: on every input of every length the learner acts like the teacher>
    """
    from dfst.prove.compare import compare as prove

    return prove(as_task(teacher).machine, named(machine).machine(), **limits)


def certify(
    policy: AnyPolicy, teacher: AnyTask | None = None, *, traces: AnyTraces | None = None, **options: Any
) -> Certification:
    """Extract a machine and prove that it acts like the teacher on every input of every length, or refute it.

    ``options`` are those of :func:`dfst.study.certification.certify`: ``out``, a folder for machine and certificate,
    ``raw_length``, up to which the float model itself is measured, ``seconds``, ``teacher_layout``, ``say``.

    >>> certify("add2:raw", raw_length=0).exact
    True
    """
    from dfst.study.certification import certify as prove

    who = named(policy)
    given = None if traces is None else as_traces(traces)
    return prove(who, judged_on(who, teacher), traces=given, **with_path(options))


def evaluate(policy: AnyPolicy, teacher: AnyTask | None = None, **options: Any) -> Evaluation:
    """Measure up to which length a policy does what its teacher does, and keep the record (PLG, RLG).

    ``options`` are those of :func:`dfst.study.evaluation.evaluate`, such as ``to``, ``rlg``, ``out``.

    >>> print(evaluate("add2:machine", to=5))
    add2:machine: PLG at least 5, RLG at least 5
    """
    from dfst.study.evaluation import evaluate as measure

    who = named(policy)
    return measure(who, judged_on(who, teacher), **with_path(options))


def measure_lengths(policy: Any, teacher: AnyTask | None = None, *, to: int, **options: Any) -> Lengths:
    """PLG and RLG of a model, a machine or any object with ``begin`` and ``act``, up to ``to`` digits.

    >>> measure_lengths("add2", to=4)
    <Lengths: PLG at least 4, RLG at least 4>
    """
    from dfst.act.policy import Policy
    from dfst.study.lengths import measure_lengths as measure

    if isinstance(policy, Policy):
        if teacher is None:
            raise InputError("a policy of your own does not say which task it is for", do="Give the task as well.")
        return measure(policy, as_task(teacher), to=to, **options)
    who = named(policy)
    return measure(who.policy, judged_on(who, teacher), to=to, **options)


def diff(policy: AnyPolicy, *operands: str, teacher: AnyTask | None = None, to: int = 100) -> Difference:
    """Where a policy and its teacher first differ, on ``operands`` or on the shortest problem that is found.

    >>> diff("add2:raw", to=30).found
    True
    """
    from dfst.study.difference import find_difference

    who = named(policy)
    judged = judged_on(who, teacher)
    return find_difference(who.policy, judged, split_problem(judged.machine, operands) or None, to=to)


def check(
    certificate: Name, *, teacher: AnyTask | None = None, weights: Name | None = None, machine: Name | None = None
) -> Checked:
    """Verify a certificate with the independent checker, and compare it with what is given.

    >>> check("add10").known_as
    'add10'
    """
    from dfst.prove import checker
    from dfst.study.checking import check_certificate
    from dfst.study.names import find_certificate

    path = find_certificate(text_of(certificate, "a certificate's file, a run folder, or a name such as 'add10'"))
    asked = None if teacher is None else as_task(teacher).machine
    one_hot, table = (None if file is None else Path(text_of(file, "a file")) for file in (weights, machine))
    try:
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
