"""The verbs train, from traces to weights, and learn, from a task to a certificate."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfst.cli.app import LEARN, Flag, Json, app
from dfst.cli.output import complain, note, print_json, proven_title, show, show_rows, status_line
from dfst.errors import DfstError, InputError, interrupted, printable

if TYPE_CHECKING:
    from dfst.runs.options import Options
    from dfst.runs.run_folder import RunFolder
    from dfst.until_proven.learned import Learned
    from dfst.until_proven.train import Trained

_MAX_SEEDS = 1000

_BRIEF = ("run", "verdict", "iterations", "seconds", "states", "traces")
"""What a table of several seeds has room for on 80 columns; a run is named after its seed."""


@app.command(group=LEARN)
def train(
    task: str,
    *,
    recipe: str | None = None,
    iterations: int | None = None,
    n: int | None = None,
    digits: int | None = None,
    data_seed: int | None = None,
    hidden_dim: int | None = None,
    seed: int | None = None,
    seeds: str | None = None,
    engine: str | None = None,
    threads: int | None = None,
    config: Path | None = None,
    out: Path | None = None,
    resume: Flag = False,
    json: Json = False,
) -> None:
    """Train a DFST on the traces of a task, or on a file of traces.

    Everything is kept in a run folder, which can be watched, stopped and resumed.

    Parameters
    ----------
    task
        A teacher's name such as add2, a name of the gallery, a machine file, a file of traces (.jsonl) whose
        teacher is unknown, or FILE.py:name for a Python program (dfst.teacher).
    recipe
        fast (ours, the default), quick (that of dfst learn), lasting (fast, then fewer dimensions and steady walks: a
        float model that follows its teacher for longer) or paper (exactly the paper's).
    iterations
        Adam steps, if not the recipe's; for the recipe lasting, those of refits and polishing.
    n
        The number of traces, if not the paper's.
    digits
        The longest numbers in them, if not the paper's.
    data_seed
        The seed of the training traces; 42 by default.
    hidden_dim
        The hidden dimension, if not the paper's.
    seed
        The root seed of the initial weights and of the batches; 42 by default.
    seeds
        Several training runs, such as 0:8 for seeds 0 to 7; as many at a time as there are threads.
    engine
        fused (numba, the default), jax, or associative (jax by the paper's log-parallel scan, for accelerators).
    threads
        Threads for one training run, or training runs at a time with --seeds; by default as many as speed it up.
    config
        A TOML file with these options and more (docs: Training); the command line takes precedence.
    out
        The run folder; runs/TASK-RECIPE-sSEED by default.
    resume
        Resume the training run in that folder from its newest checkpoint.

    """
    from dfst import api
    from dfst.manifest import cores_allowed
    from dfst.runs.options import Options
    from dfst.show.progress import StoppedError, Watching
    from dfst.until_proven.train import planned, subject_of

    asked = {"recipe": recipe, "iterations": iterations, "n": n, "digits": digits, "data_seed": data_seed}
    asked |= {"hidden_dim": hidden_dim, "engine": engine, "threads": threads, "out": out, "resume": resume or None}
    each = _for_each_seed(Options.read(config, **asked, seed=seed), seeds)
    subject = subject_of(task, each[0])
    runs = [planned(subject, options) for options in each]  # all of them, before the first is made
    workers = min(len(each), (each[0].threads or cores_allowed()) if seeds is not None else 1)
    each = each if seeds is None else [replace(options, threads=1) for options in each]
    with Watching(note) as watching:

        def one(options: Options, run: RunFolder) -> Trained | str:
            try:
                return api.train(subject, options, watch=watching.of(run.path.name, run.options.iterations), say=note)
            except StoppedError:
                return "stopped"
            except DfstError as error:
                if seeds is None and run.is_new:
                    raise  # nothing was begun
                return error.sentence

        with ThreadPoolExecutor(workers) as pool:
            futures = [pool.submit(one, *each) for each in zip(each, runs, strict=True)]
            try:
                results = [future.result() for future in futures]
            except KeyboardInterrupt:
                watching.stop.set()
                pool.shutdown(cancel_futures=True)
                note("stopped; everything is saved. The same command with --resume continues from here.")
                raise
    rows = [_row(run.path, run.options.seed, result) for run, result in zip(runs, results, strict=True)]
    trained = [result for result in results if not isinstance(result, str)]
    if json:
        print_json(rows if seeds is not None else rows[0])
    elif seeds is not None:
        _show(rows, trained, runs[0].options.task)
    for result in results if seeds is None and not json else ():
        complain(result) if isinstance(result, str) else print(result)
    sys.exit(0 if len(trained) == len(results) else 1)


@app.command(group=LEARN)
def learn(
    task: str,
    *,
    ask: Flag = False,
    noisy: Flag = False,
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
    resume: Flag = False,
    json: Json = False,
) -> None:
    """Learn a task until it is proven: train, extract, prove, stop.

    Another core examines snapshots during training; training stops at the first one proven equal to the teacher. The
    run folder holds the model, machine, certificate and card. Exit code 0: proven (exact, or exact until the teacher is
    stuck), or learned where there is no teacher to compare with; 1: refuted, undecided or not learned, or the machine
    contradicts what it learned from.

    Parameters
    ----------
    task
        A task's name such as add2, a machine file or Mealy machine (.dot), a file of traces (.jsonl), a log of
        conversations (.csv with the columns case, input and output, or .jsonl; ? is an unknown output), or FILE.py:name
        for a Python program (dfst.teacher). From traces and programs alone nothing can be proven: training then stops
        when the machine leaves nothing to ask, and it is tested beside the program.
    ask
        Have every rule of the teacher shown, then ask for counterexamples to what was learned so far, by state
        merging (extra arena) or by a network. The fewest traces.
    noisy
        The records may hold mistakes: first correct the steps with which a model trained on them does not agree. The
        corrected steps are listed, and written to the run folder (changes.jsonl).
    teacher
        The teacher of given traces, if it is known: a task's name, a machine file, a Mealy machine (.dot). Then the
        result can be proven.
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
        Stop each seed after this many seconds. It may take two more, besides reading or recording what it learns from.
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
    each = _for_each_seed(Options.read(config, **asked, out=out, resume=resume or None), seeds)
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
            except (KeyboardInterrupt, SystemError) as error:
                if interrupted(error) and run.path.exists():
                    note("stopped; everything is saved. The same command with --resume continues from here.")
                raise
            except DfstError as error:
                if len(each) == 1:
                    raise
                note(f"{name}: {error.sentence}")
    brief = lambda each: {name: value for name, value in each.to_json().items() if name in _BRIEF}  # noqa: E731
    show(found[0] if seeds is None else found, json, title=proven_title(found, len(each), "seeds "), row=brief)
    for learned in found if seeds is not None and not json else ():
        if learned.why:
            print(printable(f"{learned.path}: {learned.why}."))
    sys.exit(0 if len(found) == len(each) and not any(learned.failed for learned in found) else 1)


def _for_each_seed(options: Options, seeds: str | None) -> list[Options]:
    """The options for each of the seeds, in a folder of its own below ``out``."""
    from dfst.runs.options import parse_seeds

    if seeds is None:
        return [options]
    if options.seed is not None:
        raise InputError("--seed and --seeds were both given", do="Give one of them.")
    numbers = parse_seeds(seeds, where="--seeds", most=_MAX_SEEDS)
    out, alone = options.out, len(numbers) == 1
    return [replace(options, seed=k, out=out if out is None or alone else out / f"s{k}") for k in numbers]


def _row(path: Path, seed: int, result: Trained | str) -> dict[str, Any]:
    """How a run ended; of one that failed, why."""
    if not isinstance(result, str):
        return result.to_json()
    row = {"run": str(path), "seed": seed, "loss": None, "seconds": None, "problem": result}
    return row | {"learned": None, "explanation": "", "next": ""}


def _show(rows: list[dict[str, Any]], trained: list[Trained], name: str) -> None:
    """How several runs ended: a table, and what to do with the best that learned its traces."""
    from dfst.judging.lengths import reached_text

    shown = []
    for row in rows:
        line = {"run": row["run"], "seed": row["seed"]}
        if not row["problem"]:
            wrong = f"{row['wrong_steps']:,} of {row['steps']:,}"
            line |= {"loss": f"{row['loss']:.2e}", "seconds": row["seconds"]}
            line |= {"learned": "yes" if row["learned"] else "no", "wrong steps": wrong}
        if "agrees" in row:
            own = reached_text(row["agrees"], row["looked_to"])
            line |= {"d": str(row["hidden_dim"]), "agrees with itself to": own}
        shown.append(line | ({"problem": row["problem"]} if row["problem"] else {}))
    show_rows(shown, title=f"{name}: loss and actions on all traces, at full length")
    learned = [each for each in trained if each.recall.learned]
    print(f"{len(learned)} of {len(rows)} learned their traces.")
    if trained:
        agrees = lambda each: (-(each.stage.agrees or 0) if each.stage else 0, each.hidden_dim)  # noqa: E731
        print(min(learned, key=agrees).advice() if learned else trained[0].advice())
