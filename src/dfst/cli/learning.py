"""The verb learn: from a task to a certificate in one command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from dfst.cli.app import LEARN, Json, app
from dfst.cli.output import note, print_json, show_rows, status_line
from dfst.cli.training import for_each_seed
from dfst.errors import DfstError, printable

if TYPE_CHECKING:
    from dfst.until_proven.learned import Learned


@app.command(group=LEARN)
def learn(
    task: str,
    *,
    ask: Annotated[bool, Parameter(negative="")] = False,
    noisy: Annotated[bool, Parameter(negative="")] = False,
    teacher: str | None = None,
    n: int | None = None,
    digits: int | None = None,
    data_seed: int | None = None,
    hidden_dim: int | None = None,
    seed: int | None = None,
    seeds: str | None = None,
    seconds: float | None = None,
    config: Path | None = None,
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
    ask
        Have every rule of the teacher shown, then ask for counterexamples to what was learned so far, by state
        merging (extra arena) or by a network. The fewest traces.
    noisy
        The records may hold mistakes: first correct the steps with which a model trained on them does not agree. The
        corrected steps are listed, and written to the run folder (changes.jsonl).
    teacher
        The teacher of given traces, if it is known: a task's name or a machine file. Then the result can be proven.
    n
        The number of traces, if not the task's.
    digits
        The longest numbers in them, if not the task's; with --ask, the longest in counterexamples, by default a digit
        more.
    data_seed
        The seed of the training traces; 42 by default.
    hidden_dim
        The hidden dimension, if not the task's.
    seed
        The root seed of the initial weights and of the batches; 42 by default.
    seeds
        Several seeds, such as 0:10 for seeds 0 to 9, one after another; the results are shown in one table.
    seconds
        Stop each seed after this many seconds.
    config
        A TOML file with the options of dfst train (docs: Training); the command line takes precedence.
    out
        The run folder; runs/TASK-quick-sSEED by default (with --noisy TASK-fast-sSEED).
    resume
        Continue what was begun in that folder.

    """
    from dfst import api
    from dfst.effort import check_seconds
    from dfst.own import as_task
    from dfst.runs.options import Options
    from dfst.show.progress import COMPILES
    from dfst.until_proven.learn import prepared

    check_seconds(seconds)
    asked = {"n": n, "digits": digits, "data_seed": data_seed, "hidden_dim": hidden_dim, "seed": seed}
    each = for_each_seed(Options.read(config, **asked, out=out, resume=resume or None), seeds)
    how = {"teacher": None if teacher is None else as_task(teacher), "ask": ask, "noisy": noisy}
    runs = [prepared(task, options, **how)[2] for options in each]  # all of them, before the first begins
    found: list[Learned] = []
    note(COMPILES)
    for options, run in zip(each, runs, strict=True):
        name = run.path.name
        with status_line(f"{name}: training") as say:
            watch = lambda p, name=name, say=say: say(f"{name}: iteration {p.iteration:,}, loss {p.loss:.2e}")  # noqa: E731
            try:
                found.append(api.learn(task, options, **how, seconds=seconds, watch=watch, say=note))
            except KeyboardInterrupt:
                note("stopped; everything is saved. The same command with --resume continues from here.")
                raise
            except DfstError as error:
                if len(each) == 1:
                    raise
                note(printable(f"{name}: {error.sentence}"))
    rows = [learned.to_json() for learned in found]
    if json:
        print_json(rows if seeds is not None else rows[0])
    elif seeds is None:
        print(found[0])
    else:
        show_rows(rows, title=f"{sum(learned.exact for learned in found)} of {len(each)} seeds are proven exact")
    sys.exit(0 if len(found) == len(each) and all(learned.exact for learned in found) else 1)
