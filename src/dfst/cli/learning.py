"""The verb learn: from a task to a certificate in one command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from dfst.cli.app import LEARN, Json, app
from dfst.cli.output import note, print_json, show_rows, status_line
from dfst.errors import DfstError, printable

if TYPE_CHECKING:
    from dfst.until_proven.learned import Learned


@app.command(group=LEARN)
def learn(
    task: str,
    *,
    seed: int | None = None,
    seeds: str | None = None,
    data_seed: int | None = None,
    n: int | None = None,
    digits: int | None = None,
    hidden_dim: int | None = None,
    ask: Annotated[bool, Parameter(negative="")] = False,
    noisy: Annotated[bool, Parameter(negative="")] = False,
    teacher: str | None = None,
    seconds: float | None = None,
    out: Path | None = None,
    resume: Annotated[bool, Parameter(negative="")] = False,
    json: Json = False,
) -> None:
    """Learn a task until it is proven: train, extract, prove, stop.

    Another core examines snapshots during training; training stops at the first one proven equal to the teacher. The
    run folder holds the model, machine, certificate and card. Exit code 0: exact, and the certificate was checked; 1:
    not proven.

    Parameters
    ----------
    task
        A task's name such as add2, a machine file, a file of traces (.jsonl, .parquet), or FILE.py:name for a Python
        program (dfst.teacher). From traces and programs alone nothing can be proven: training then stops when the
        machine leaves nothing to ask, and it is tested beside the program.
    seed
        The root seed of the initial weights and of the batches; 42 by default.
    seeds
        Several seeds, such as 0:10 for seeds 0 to 9, one after another; the results are shown in one table.
    data_seed
        The seed of the training traces; 42 by default.
    n
        The number of traces, if not the task's.
    digits
        The longest numbers in them, if not the task's; with --ask, the longest in counterexamples, by default a digit
        more.
    hidden_dim
        The hidden dimension, if not the task's.
    ask
        Have every rule of the teacher shown, then ask for counterexamples to what was learned so far, by state
        merging (extra arena) or by a network. The fewest traces.
    noisy
        The records may hold mistakes: first correct the steps with which a model trained on them does not agree. The
        corrected steps are listed, and written to the run folder (changes.jsonl).
    teacher
        The teacher of given traces, if it is known: a task's name or a machine file. Then the result can be proven.
    seconds
        Stop each seed after this many seconds.
    out
        The run folder; runs/TASK-quick-sSEED by default (with --noisy TASK-fast-sSEED).
    resume
        Continue what was begun in that folder.

    """
    from dfst.effort import check_seconds
    from dfst.own import as_task
    from dfst.runs.run_options import OPTIONS
    from dfst.show.progress import COMPILES
    from dfst.until_proven.begin import chosen_seeds
    from dfst.until_proven.planned import plan_lessons

    check_seconds(seconds)
    given: dict[str, Any] = dict.fromkeys(OPTIONS) | {"data_seed": data_seed, "n": n, "digits": digits}
    given |= {"hidden_dim": hidden_dim, "seed": seed}
    numbers = chosen_seeds(seed, seeds)
    judge = None if teacher is None else as_task(teacher)
    options = {
        "teacher": judge,
        "noisy": noisy,
        "ask": ask,
        "seconds": seconds,
        "out": out,
        "resume": resume,
    }
    found: list[Learned] = []
    lessons = plan_lessons(task, given, numbers, **options)
    note(COMPILES)
    for lesson in lessons:
        name = lesson.path.name
        with status_line(f"{name}: training") as say:
            try:
                watch = lambda p, name=name, say=say: say(f"{name}: iteration {p.iteration:,}, loss {p.loss:.2e}")  # noqa: E731
                found.append(lesson.begin(watch, note))
            except KeyboardInterrupt:
                note("stopped; everything is saved. The same command with --resume continues from here.")
                raise
            except DfstError as error:
                if len(numbers) == 1:
                    raise
                note(printable(f"{name}: {error.sentence}"))
    rows = [each.to_json() for each in found]
    if json:
        print_json(rows if seeds is not None else rows[0])
    elif seeds is None:
        print(found[0])
    else:
        title = f"{sum(each.exact for each in found)} of {len(numbers)} seeds are proven exact"
        show_rows(rows, title=title)
    sys.exit(0 if len(found) == len(numbers) and all(each.exact for each in found) else 1)
