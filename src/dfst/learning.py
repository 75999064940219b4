"""What people call to learn: from traces to weights, and from a task to a certificate."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from dfst.errors import InputError
from dfst.resolve import as_task, text_of, understood

if TYPE_CHECKING:
    from dfst.lesson.begin import Subject
    from dfst.lesson.learned import Learned
    from dfst.resolve import AnyTask, AnyTraces, Name
    from dfst.teachers.program import ProgramTask
    from dfst.traces.traces import Traces
    from dfst.training.fit import EngineName, History, Progress
    from dfst.training.model import DFST
    from dfst.training.recipes import Recipe


def fit(
    traces: AnyTraces,
    *,
    model: DFST | None = None,
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

    if model is not None and hidden_dim not in (None, model.hidden_dim):
        what = f"the model has {model.hidden_dim} dimensions, and hidden_dim = {hidden_dim}"
        raise InputError(what, do="Give one of the two.")
    data = understood(traces)
    asked = OPTIONS | {"hidden_dim": hidden_dim, "engine": engine}
    asked |= {"recipe": recipe} if isinstance(recipe, str) else {}
    config = run_config(data, seed, asked)
    start = identity_model(data.alphabet, config.hidden_dim, seed=seed) if model is None else model
    chosen = config.recipe if isinstance(recipe, str) else recipe
    if chosen.name == "lasting":
        do = 'Run dfst train --recipe lasting; or fit with "fast", then use dfst.reduce and fit again.'
        raise InputError("the recipe lasting has several stages", where="recipe", do=do)
    return train(start, data, chosen, seed=seed, engine=engine, threads=threads, callbacks=callbacks)


def learn(
    task: AnyTask | Traces | ProgramTask,
    *,
    seed: int = 42,
    data_seed: int = 42,
    n: int | None = None,
    digits: int | None = None,
    hidden_dim: int | None = None,
    ask: bool = False,
    black_box: bool = False,
    prefer: Literal["traces", "steps"] | None = None,
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
    counterexamples to what was learned so far, with numbers of up to ``digits`` (with ``black_box`` for neither: the
    machine itself names what to ask for); ``prefer="steps"`` asks for short ones. ``say`` gets a sentence for every
    machine examined.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     learned = learn("increment", seed=3, out=f"{folder}/run")
    >>> learned.exact, learned.iterations
    (True, 500)
    """
    from dfst.effort import check_seconds
    from dfst.lesson.learned import quiet
    from dfst.lesson.planned import plan_lessons
    from dfst.runs.run_options import OPTIONS

    check_seconds(seconds)
    given: dict[str, Any] = dict.fromkeys(OPTIONS) | {"data_seed": data_seed, "n": n, "digits": digits}
    given |= {"hidden_dim": hidden_dim, "seed": seed}
    judge = None if teacher is None else as_task(teacher)
    folder = None if out is None else Path(text_of(out, "a path to write to"))
    options: dict[str, Any] = {
        "teacher": judge,
        "noisy": noisy,
        "ask": ask,
        "black_box": black_box,
        "prefer": prefer,
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
