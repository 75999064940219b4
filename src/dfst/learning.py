"""What people call to learn: from traces to weights, and from a task to a certificate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfst.errors import InputError
from dfst.resolve import as_task, as_traces, named, text_of, understood

if TYPE_CHECKING:
    from dfst.resolve import AnyTask, AnyTraces, Name
    from dfst.teachers.program import ProgramTask
    from dfst.traces.traces import Traces
    from dfst.training.fit import EngineName, History, Progress
    from dfst.training.model import DFST
    from dfst.training.recipes import Recipe
    from dfst.until_proven.begin import Subject
    from dfst.until_proven.learned import Learned
    from dfst.world.machine import GridMachine


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
    from dfst.runs.run_options import OPTIONS, run_config
    from dfst.training.fit import fit as train
    from dfst.training.model import identity_model

    given = None if model is None else named(model).model()
    if given is not None and hidden_dim not in (None, given.hidden_dim):
        what = f"the model has {given.hidden_dim} dimensions, and hidden_dim = {hidden_dim}"
        raise InputError(what, do="Give one of the two.")
    data = understood(traces)
    asked = OPTIONS | {"hidden_dim": hidden_dim, "engine": engine}
    asked |= {"recipe": recipe} if isinstance(recipe, str) else {}
    config = run_config(data, seed, asked)
    start = identity_model(data.alphabet, config.hidden_dim, seed=seed) if given is None else given
    chosen = config.recipe if isinstance(recipe, str) else recipe
    if chosen.name == "lasting":
        do = 'Run dfst train --recipe lasting; or fit with "fast", then use dfst.reduce and fit again.'
        raise InputError("the recipe lasting has several stages", where="recipe", do=do)
    return train(start, data, chosen, seed=seed, engine=engine, threads=threads, callbacks=callbacks)


def from_machine(machine: GridMachine | Name, hidden_dim: int | None = None) -> DFST:
    """The one-hot DFST of ``machine``, in float32; ``hidden_dim`` may be larger than the number of states.

    >>> from_machine("teacher:mult10", hidden_dim=108)
    DFST('mult10', K=12, d=108, float32)
    """
    from dfst.training.one_hot import from_machine as one_hot

    return one_hot(named(machine).machine(), hidden_dim)


def reduce(model: DFST | Name, traces: AnyTraces, hidden_dim: int) -> DFST:
    """``model`` with only the ``hidden_dim`` directions of its hidden state that matter most along ``traces``.

    There are fewer if fewer matter. What is left out was used for something, so train the result again (:func:`fit`).

    >>> import dfst
    >>> reduce("add2:raw", dfst.sample("add2"), 9).hidden_dim
    9
    """
    from dfst.training.reduce import reduce as narrow

    return narrow(named(model).model(), as_traces(traces), hidden_dim)


def steady(model: DFST | Name, near: float | None = None) -> DFST:
    """``model``, with every A[x] the identity, up to rounding, on the directions that it nearly leaves as they are.

    Those are the directions of its eigenvalues within ``near`` of 1 (0.03, if not given); the other eigenvalues stay.
    Whether the result still does what was recorded should be looked at (``dfst.act.recall``).

    >>> steady("add2:lasting").hidden_dim
    8
    """
    from dfst.training.steady import NEAR
    from dfst.training.steady import steady as make_steady

    return make_steady(named(model).model(), NEAR if near is None else near)


def learn(
    task: AnyTask | Traces | ProgramTask,
    *,
    seed: int = 42,
    data_seed: int = 42,
    n: int | None = None,
    digits: int | None = None,
    hidden_dim: int | None = None,
    ask: bool = False,
    noisy: bool = False,
    teacher: AnyTask | None = None,
    seconds: float | None = None,
    out: Name | None = None,
    resume: bool = False,
    say: Callable[[str], None] | None = None,
) -> Learned:
    """Learn ``task`` until it is proven: train, extract, prove, stop. The files go to ``out``, a new run folder.

    ``task`` is a task, a machine, the name or file of one, or traces, or a file of them. From traces alone nothing is
    proven unless their ``teacher`` is given; against a program (:func:`dfst.teacher`) the machine is only tested. With
    ``noisy``, wrongly recorded steps are corrected first. ``n``, ``digits`` and ``data_seed`` choose a task's traces.
    With ``ask``, the learner asks for traces instead, as few as possible: for every rule of the teacher, then for
    counterexamples to what was learned so far, with numbers of up to ``digits``. ``say`` gets a sentence for
    every machine examined.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     learned = learn("increment", seed=3, out=f"{folder}/run")
    >>> learned.exact, learned.iterations
    (True, 500)
    """
    from dfst.effort import check_seconds
    from dfst.runs.run_options import OPTIONS
    from dfst.until_proven.learned import quiet
    from dfst.until_proven.planned import plan_lessons

    check_seconds(seconds)
    given: dict[str, Any] = dict.fromkeys(OPTIONS) | {"data_seed": data_seed, "n": n, "digits": digits}
    given |= {"hidden_dim": hidden_dim, "seed": seed}
    judge = None if teacher is None else as_task(teacher)
    folder = None if out is None else Path(text_of(out, "a path to write to"))
    options: dict[str, Any] = {
        "teacher": judge,
        "noisy": noisy,
        "ask": ask,
        "seconds": seconds,
        "out": folder,
        "resume": resume,
    }
    (lesson,) = plan_lessons(_subject(task), given, [seed], **options)
    return lesson.begin(None, say or quiet)


def _subject(task: AnyTask | Traces | ProgramTask) -> Subject:
    """What is to be learned; a text stays one, as it may name traces."""
    from dfst.teachers.program import ProgramTask
    from dfst.teachers.task import Task
    from dfst.traces.traces import Traces
    from dfst.world.machine import GridMachine

    if isinstance(task, GridMachine):
        return as_task(task)
    if isinstance(task, (Task, Traces, ProgramTask)):
        return task
    return text_of(task, "a task, traces, or the name or file of one, such as 'add2'")
