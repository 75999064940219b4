"""What people call: each function resolves names, calls one core function, and returns its record.

Wherever a task, a policy or a machine is expected, its name will do: a text or a path means here what it means on the
command line (:mod:`dfst.names`). The core functions are strict, and import nothing from here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from dfst.act.own import acts_in_a_world
from dfst.errors import InputError, RejectedError
from dfst.files import check_output, write_atomically
from dfst.names import find_certificate, find_teacher, learner_in, machine_of, model_of, source_of, task_of, traces_of
from dfst.own import (
    as_any_task,
    as_task,
    as_traces,
    judged_on,
    named,
    problem_of,
    split_problem,
    text_of,
    understood,
    with_layout,
    with_path,
)
from dfst.prove import checker
from dfst.records import checked
from dfst.runs.options import Options
from dfst.runs.run_folder import quiet
from dfst.teachers.find import is_own_name
from dfst.teachers.program import PROGRAM, ProgramTask
from dfst.traces.files import is_file_of_traces
from dfst.traces.traces import Traces
from dfst.training.fit import fit as train_from
from dfst.training.model import from_machine as one_hot
from dfst.training.model import identity_model
from dfst.training.model import rounded as with_rounding
from dfst.world.machine import GridMachine
from dfst.world.machine_file import dump_machine
from dfst.world.worlds import World, borrowed_layout, in_world_of

if TYPE_CHECKING:
    from dfst.extraction.pipeline import Extraction
    from dfst.judging.certification import Certification
    from dfst.judging.checking import Checked
    from dfst.judging.difference import Difference
    from dfst.judging.evaluation import Evaluation
    from dfst.judging.examine import Finding
    from dfst.judging.lengths import Lengths
    from dfst.judging.tested import Tested
    from dfst.own import AnyPolicy, AnyTask, AnyTraces, Name
    from dfst.prove.verdict import Verdict
    from dfst.teachers.sampling import Sampling
    from dfst.teachers.task import Task
    from dfst.training.fit import EngineName, History, Progress
    from dfst.training.model import DFST
    from dfst.training.recipes import Recipe
    from dfst.until_proven.learned import Learned
    from dfst.until_proven.train import Subject, Trained
    from dfst.world.rollout import Rollout


def task(name: Name) -> Task:
    """The task called ``name``: addR or multR for a radix R from 2 to 36, one of the gallery, or a machine file.

    >>> task("add10").machine
    GridMachine('add10', 19 states, 12 symbols, 191 rules)
    """
    return find_teacher(text_of(name, "the name of a task, such as 'add10', or the path of a machine file"))


@checked
def sample(task: AnyTask | ProgramTask, sampling: Sampling | None = None, *, seed: int = 42) -> Traces:
    """The traces of a task's teacher on the problems of ``sampling`` (the task's own by default), for ever the same.

    >>> len(sample("add2", seed=42))
    20
    """
    return as_any_task(task).sample(sampling, seed=seed)


def load(name: Name) -> Any:
    """The model, the machine or the traces called ``name``: add10, add10:raw, teacher:add10, a run folder, a file.

    Nothing is ever downloaded; a damaged file is refused. Each has a method ``save``.

    >>> load("add10:raw").hidden_dim, load("teacher:add2")
    (20, GridMachine('add2', 11 states, 4 symbols, 31 rules))
    """
    text = text_of(name, "the name of a model or a machine, such as 'add10', or the path of a file")
    if is_file_of_traces(text):
        return as_traces(text)
    who = named(text)
    return who if isinstance(who, GridMachine) else model_of(who)


@checked
def record(
    teacher: AnyTask | ProgramTask, problems: Iterable[Sequence[str]], *, step_limit: int | None = None
) -> Traces:
    """What can be observed of ``teacher`` on ``problems``: seen, written, moved.

    ``step_limit`` is the longest trace of a machine; by default ten million steps, and more for long problems. A
    program has a limit of its own (:func:`dfst.teacher`).

    >>> record("add2", [("1", "1"), ("10", "1")]).lengths
    array([30, 29])
    """
    return as_any_task(teacher).record([problem_of(problem) for problem in problems], step_limit=step_limit)


@checked
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
    learner = learner_in(named(model, traces=given))
    data = with_layout(learner, traces_of(learner, given))
    return read_out(learner, data, rehearsing=rehearsing, seconds=seconds, progress=progress)


def compare(teacher: AnyTask, machine: GridMachine | Name, **limits: Any) -> Verdict:
    """Does ``machine`` act like ``teacher`` on every input of every length? Proof, counterexample, or undecided.

    ``limits`` are those of :func:`dfst.prove.compare.compare`.

    >>> compare("add2", "add2:machine")
    <Verdict: exact: on every input of every length the learner acts like the teacher>
    """
    from dfst.prove.compare import compare as prove
    from dfst.prove.reference import check_reference

    learner = named(machine)
    if not isinstance(learner, GridMachine) and (folder := learner.origin.folder) is not None:
        do = f"Compare {folder}:machine, which was extracted from it; dfst.certify judges both."
        raise InputError("it is a trained network, not a machine", where=source_of(learner), do=do)
    check_reference(judge := as_task(teacher).machine)
    return prove(judge, machine_of(learner), **limits)


@overload
def certify(policy: AnyPolicy, teacher: ProgramTask, *, traces: AnyTraces | None = None, **options: Any) -> Tested: ...


@overload
def certify(
    policy: AnyPolicy, teacher: AnyTask | None = None, *, traces: AnyTraces | None = None, **options: Any
) -> Certification: ...


@checked
def certify(
    policy: AnyPolicy,
    teacher: AnyTask | ProgramTask | None = None,
    *,
    traces: AnyTraces | None = None,
    raw_length: int = 100,
    teacher_layout: bool = False,
    **options: Any,
) -> Certification | Tested:
    """Extract a machine and prove that it acts like the teacher on every input of every length, or refute it.

    ``options`` are those of :func:`dfst.judging.certification.certify`: ``out``, a folder for machine and certificate,
    ``raw_length``, up to which the float model itself is measured, ``seconds``, ``teacher_layout``, ``say``.

    If the teacher is a Python program, its machine is unknown: the extracted machine is then tested against it, not
    proven, and ``options`` are those of ``dfst.judging.tested.try_out``, such as ``number`` and ``to``.

    >>> certify("add2:raw", raw_length=0).exact
    True
    """
    from dfst.judging.certification import certify as prove
    from dfst.judging.test_sets import check_length
    from dfst.judging.tested import try_out

    if raw_length:
        check_length(raw_length)
    who = named(policy, teacher)
    given = None if traces is None else as_traces(traces)
    judge = judged_on(who, teacher)
    if judge.machine is None:
        return try_out(who, judge, traces=given, **with_path(options))
    how: Any = {"raw_length": raw_length, "teacher_layout": teacher_layout}
    return prove(who, judge, traces=given, **how, **with_path(options))


@checked
def check(
    certificate: Name,
    *,
    teacher: AnyTask | None = None,
    weights: Name | None = None,
    machine: Name | None = None,
    rocq: bool = False,
) -> Checked:
    """Verify a certificate with the independent checker, and compare it with what is given.

    The certificate in a folder is also compared with the machine and the weights there, and the proof about the network
    itself, if there is one, is checked as well, as that of add2:rounded is. With ``rocq``, the proof assistant Rocq
    (coqc) has to prove the certificate, too, and what is checked about the network.

    >>> check("add10").known_as
    'add10'
    """
    from dfst.judging.checking import FILES, NotTheSame, check_certificate, check_folder, check_network, network_beside
    from dfst.prove.rocq import check_with_rocq

    name = text_of(certificate, "a certificate's file, a run folder, or a name such as 'add10'")
    path = find_certificate(name)
    asked = None if teacher is None else as_task(teacher).machine
    one_hot, table = (None if file is None else Path(text_of(file, "a file")) for file in (weights, machine))
    try:
        if not is_own_name(name) and path != Path(name):  # a folder, or what is in it
            checked = check_folder(path.parent, teacher=asked, weights=one_hot, machine=table)
        else:
            checked = check_certificate(path, teacher=asked, weights=one_hot, machine=table)
        if is_own_name(name) and name.endswith(":rounded"):
            checked = replace(checked, network=check_network(path))
        network = (network_beside(path)[1], checked.network["bits"]) if checked.network else None
        return replace(checked, rocq=check_with_rocq(path, network=network)) if rocq else checked
    except NotTheSame as reason:
        raise RejectedError(f"rejected: {reason}", where=str(reason.file or name), do=FILES[reason.what]) from reason
    except checker.Rejected as reason:
        do = "It proves nothing as it is; dfst certify makes a certificate."
        raise RejectedError(f"rejected: {reason}", where=name, do=do) from reason


@checked
def doctor(
    subject: Name, *, seed: int = 42, seconds: float = 5, say: Callable[[str], None] = lambda text: None
) -> list[Finding]:
    """Why does it not learn? What is wrong with a task, a file of traces or a run folder, the likeliest cause first.

    The states of a log are merged for so many ``seconds``, to find out what it leaves open.

    >>> doctor("reverse")
    []
    """
    from dfst.judging.doctor import doctor as examine

    return examine(
        text_of(subject, "a task's name, a file of traces, or a run folder"), seed=seed, seconds=seconds, say=say
    )


def solve(policy: AnyPolicy, *operands: str, beside: AnyTask | ProgramTask | None = None, **options: Any) -> Rollout:
    """Run a model, a machine or a policy on one problem; the result's ``answer`` is what it left.

    In step with the teacher ``beside`` it, the rollout ends where the two first differ. ``options`` are those of
    :meth:`dfst.Policy.run`: ``record`` to keep the steps, ``step_limit``, ``reach``; of a model also ``drift``.

    >>> print(solve("add10", "58", "67").answer)
    125
    >>> print(solve("mult2", "101×11").answer)
    1111
    >>> solve("add2:raw", "1011", "110", beside="add2").divergence is None
    True
    """
    who = named(policy, beside, problem=lambda world: operands)
    given = split_problem(who, operands)
    teacher: Any = beside
    if beside is not None and not acts_in_a_world(beside):
        task = as_any_task(beside)
        teacher = task.machine or task.show(*given).policy
    return who.run(*given, beside=teacher, **options)


def evaluate(policy: AnyPolicy, teacher: AnyTask | None = None, **options: Any) -> Evaluation:
    """Measure up to which length a policy does what its teacher does, and keep the record (PLG, RLG).

    ``options`` are those of :func:`dfst.judging.evaluation.evaluate`, such as ``to``, ``rlg``, ``out``.

    >>> print(evaluate("add2:machine", to=5, rlg=True))
    add2:machine: PLG at least 5, RLG at least 5
    """
    from dfst.judging.evaluation import evaluate as measure

    who = named(policy, teacher)
    return measure(who, as_task(judged_on(who, teacher)), **with_path(options))


@checked
def measure_lengths(
    policy: AnyPolicy, teacher: AnyTask | ProgramTask | None = None, *, to: int, **options: Any
) -> Lengths:
    """PLG and RLG of a model, a machine or any object with ``begin`` and ``act``, up to ``to`` digits.

    >>> measure_lengths("add2", to=4)
    <Lengths: PLG at least 4, RLG at least 4>
    """
    from dfst.judging.lengths import measure_lengths as measure

    who = named(policy, teacher)
    return measure(who, judged_on(who, teacher), to=to, **options)


@checked
def diff(
    policy: AnyPolicy,
    *operands: str,
    teacher: AnyTask | None = None,
    to: int = 100,
    teacher_layout: bool = False,
    say: Callable[[str], None] = lambda text: None,
) -> Difference:
    """Where a policy and its teacher first differ, on ``operands`` or on the shortest problem that is found.

    A policy whose own layout was only guessed from traces acts on the teacher's with ``teacher_layout``.

    >>> diff("add2:raw", to=30).found
    True
    """
    from dfst.judging.difference import find_difference

    who = named(policy, teacher)
    task = as_task(judged_on(who, teacher))
    judged = in_world_of(task.machine, who, teacher_layout=teacher_layout, where=source_of(who))
    found = find_difference(judged, task, split_problem(task.machine, operands) or None, to=to, say=say)
    return replace(found, layout=borrowed_layout(who, task.machine) or "")


@checked
def view(
    policy: AnyPolicy,
    *operands: str,
    teacher: AnyTask | None = None,
    out: Name = "view.html",
    alone: bool = False,
    steps: int | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> Path:
    """Write a page on which one can step through a rollout, beside the teacher's if there is one; its path.

    If ``out`` ends in .svg, it is a film of the machine alone. Of a conversation it is a table of inputs and outputs.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     view("add2:raw", "1", "1", out=f"{folder}/sum.html").name
    'sum.html'
    """
    from dfst.show.conversation_view import conversation_page, talks
    from dfst.show.film import film
    from dfst.show.recording import VIEW_STEPS, record_both, record_run
    from dfst.show.viewer import viewer_page

    path = Path(text_of(out, "the path of a page, such as 'view.html'"))
    check_output(path, ".html", ".svg", what="a page or a film")
    if path.suffix == ".svg":
        if alone or teacher is not None or steps is not None:
            do = "Leave --alone, --teacher and --steps out, or write .html."
            raise InputError("a film shows the machine alone, to its end", where=str(path), do=do)
        machine = machine_of(named(policy))
        text = film(machine, *split_problem(machine, operands))
    else:
        who = named(policy, teacher, problem=lambda world: operands)
        if alone and teacher is not None:
            raise InputError("--alone and --teacher exclude each other", do="Leave one out.")
        judge = None if teacher is None else as_task(teacher).machine
        if not alone and teacher is None and not isinstance(who, GridMachine) and who.origin.who != PROGRAM:
            try:
                judge = task_of(who).machine
            except InputError as error:
                say(f"shown without a teacher: {error.sentence}")
        given = split_problem(who, operands)
        how: Any = {"name": source_of(who), "step_limit": VIEW_STEPS if steps is None else steps}
        shown = [record_run(who, *given, **how)] if judge is None else record_both(who, judge, *given, **how)
        text = conversation_page(shown) if talks(shown) else viewer_page(shown)
        say(f"{len(shown[0]):,} steps; " * (not talks(shown)) + shown[0].rollout.explain())
    write_atomically(path, text.encode())
    return path


_GRAPHS, _PICTURES = (".dot", ".gv"), (".svg", ".png", ".pdf")


def export(policy: AnyPolicy, out: Name | None = None) -> str:
    """A machine as text, for ``out`` is None; else write ``out``, whose ending decides, and say what was written.

    .dfst is a machine file, .svg, .png or .pdf a drawing, .dot or .gv a graph, .safetensors weights (of a machine,
    one-hot weights).

    >>> print(export("teacher:increment").splitlines()[1])
    name = "increment"
    """
    from dfst.exchange.dot import to_dot
    from dfst.show.machine_drawing import draw_machine

    who = named(policy)
    if out is None:
        return dump_machine(machine_of(who))
    path = Path(text_of(out, "a path to write to"))
    check_output(path, ".dfst", *_GRAPHS, *_PICTURES, ".safetensors", what="an export")
    if path.suffix == ".safetensors":
        table = who if isinstance(who, GridMachine) else None
        model = model_of(who) if table is None else one_hot(table)
        model.save(path)
        return f"wrote {path}: {model.parameters} parameters, hidden dimension {model.hidden_dim}"
    machine = machine_of(who)
    if path.suffix in _PICTURES:
        nodes = draw_machine(machine, path)
        return f"wrote {path}: {len(machine.states)} states in {nodes} nodes"
    text = to_dot(machine) if path.suffix in _GRAPHS else dump_machine(machine)
    write_atomically(path, text.encode())
    return f"wrote {path}"


@checked
def fit(
    traces: AnyTraces,
    *,
    model: DFST | Name | None = None,
    recipe: Recipe | str = "fast",
    hidden_dim: int | None = None,
    seed: int = 42,
    engine: EngineName = "fused",
    threads: int = 0,
    callbacks: Sequence[Callable[[Progress], None]] = (),
) -> tuple[DFST, History]:
    """Train a DFST on ``traces``: (the trained model, what happened).

    Without ``model`` it starts from the identity, with the hidden dimension and the recipe of the task that the traces
    name; if they name none, with 32 dimensions. ``callbacks`` are called after every block with a progress record;
    evaluation, plots and early stopping (by raising) come in that way. ``threads`` (0: as many as speed it up) change
    no bit of the result.

    >>> import dfst
    >>> model, history = fit(dfst.sample("add2"), recipe=dfst.recipe("fast", "add2").changed(iterations=300))
    >>> model.hidden_dim, history.final_loss < 0.5
    (12, True)
    """
    given = None if model is None else model_of(named(model))
    if given is not None and hidden_dim not in (None, given.hidden_dim):
        what = f"the model has {given.hidden_dim} dimensions, and hidden_dim = {hidden_dim}"
        raise InputError(what, do="Give one of the two.")
    data, name = understood(traces), recipe if isinstance(recipe, str) else None
    options = Options.read(None, recipe=name, hidden_dim=hidden_dim, engine=engine, seed=seed).on(data)
    start = identity_model(World(data.alphabet), options.hidden_dim, seed=seed) if given is None else given
    chosen = options.training if isinstance(recipe, str) else recipe
    if chosen.name == "lasting":
        do = 'Use dfst.train(task, dfst.Options(recipe="lasting")), or dfst train --recipe lasting.'
        raise InputError("the recipe lasting has several stages", where="recipe", do=do)
    return train_from(start, data, chosen, seed=seed, engine=engine, threads=threads, callbacks=callbacks)


@checked
def from_machine(machine: GridMachine | Name, hidden_dim: int | None = None) -> DFST:
    """The one-hot DFST of ``machine``, in float32; ``hidden_dim`` may be larger than the number of states.

    >>> from_machine("teacher:mult10", hidden_dim=108)
    DFST('mult10', K=12, d=108, float32)
    """
    return one_hot(machine_of(named(machine)), hidden_dim)


@checked
def rounded(model: DFST | Name, bits: int) -> DFST:
    """``model`` with its hidden state rounded to ``bits`` bits after every step: it cannot drift, and may be proven.

    Its weights stay as they are. Scores and roundings are exact; where one is a tie, it is stuck.

    >>> print(solve(rounded("add2:lasting", 5), "1011", "110").answer)
    10001
    """
    return with_rounding(model_of(named(model)), bits)


@checked
def reduce(model: DFST | Name, traces: AnyTraces, hidden_dim: int) -> DFST:
    """``model`` with only the ``hidden_dim`` directions of its hidden state that matter most along ``traces``.

    There are fewer if fewer matter. What is left out was used for something, so train the result again (:func:`fit`).

    >>> import dfst
    >>> reduce("add2:raw", dfst.sample("add2"), 9).hidden_dim
    9
    """
    from dfst.training.reduce import reduce as narrow

    return narrow(model_of(named(model)), as_traces(traces), hidden_dim)


def steady(model: DFST | Name) -> DFST:
    """``model``, with every A[x] the identity, up to rounding, on the directions that it nearly leaves as they are.

    Those are the directions of its eigenvalues within 0.03 of 1; the other eigenvalues stay.
    Whether the result still does what was recorded should be looked at (``dfst.training.recall``).

    >>> steady("add2:lasting").hidden_dim
    8
    """
    from dfst.training.reduce import steady as make_steady

    return make_steady(model_of(named(model)))


def train(
    task: AnyTask | Traces | ProgramTask,
    options: Options | None = None,
    *,
    watch: Callable[[Progress], None] | None = None,
    say: Callable[[str], None] | None = None,
) -> Trained:
    """Train a DFST on the traces of ``task``, or on traces alone, in a run folder that can be stopped and resumed.

    ``watch`` is called after every block with a progress record, ``say`` with sentences for people.

    >>> import tempfile, dfst
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     trained = train("add2", dfst.Options(iterations=300, seed=3, out=f"{folder}/run"))
    >>> trained.run.options.seed, trained.recall.learned, trained.hidden_dim
    (3, False, 12)
    """
    from dfst.until_proven.train import begin, subject_of, train_run

    options = options or Options()
    run = begin(subject_of(_subject(task), options), options)
    return train_run(run, watch=watch or quiet, say=say or quiet)


@checked
def learn(
    task: AnyTask | Traces | ProgramTask,
    options: Options | None = None,
    *,
    ask: bool = False,
    noisy: bool = False,
    teacher: AnyTask | None = None,
    seconds: float | None = None,
    watch: Callable[[Progress], None] | None = None,
    say: Callable[[str], None] | None = None,
) -> Learned:
    """Learn ``task`` until it is proven: train, extract, prove, stop. The files go to a run folder (``out``).

    ``task`` is a task, a machine, the name or file of one, or traces, or a file of them. From traces alone nothing is
    proven unless their ``teacher`` is given; against a program (:func:`dfst.teacher`) the machine is only tested. With
    ``noisy``, wrongly recorded steps are corrected first. With ``ask``, the learner asks for traces instead, as few as
    possible: for every rule of the teacher, then for counterexamples to what was learned so far, with numbers of up to
    ``digits``. ``say`` gets a sentence for every machine examined.

    >>> import tempfile, dfst
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     learned = learn("increment", dfst.Options(seed=3, out=f"{folder}/run"))
    >>> learned.exact, learned.iterations
    (True, 500)
    """
    from dfst.until_proven.learn import learn as until_proven

    how = {"teacher": None if teacher is None else as_task(teacher), "ask": ask, "noisy": noisy, "seconds": seconds}
    return until_proven(_subject(task), options or Options(), **how, watch=watch or quiet, say=say or quiet)


def _subject(task: AnyTask | Traces | ProgramTask) -> Subject:
    """What is to be learned; a text stays one, as it may name traces."""
    if isinstance(task, (str, os.PathLike)):
        return os.fspath(task)
    wanted = "a task, traces, or the name or file of one, such as 'add2'"
    return task if isinstance(task, Traces) else as_any_task(task, wanted)
