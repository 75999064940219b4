"""The verb train, and plot: from traces to weights."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from cyclopts import Parameter

from dfst.cli.app import Json, app
from dfst.cli.output import complain, note, print_json, show_rows
from dfst.errors import FileFormatError, InputError, quoted

if TYPE_CHECKING:
    from dfst.learn.model import DFST
    from dfst.learn.run_folder import RunFolder
    from dfst.traces.traces import Traces
    from dfst.world.machine import GridMachine

_MAX_SEEDS = 1000


@app.command
def train(
    task: str,
    *,
    recipe: str = "fast",
    seed: int = 42,
    seeds: str | None = None,
    data_seed: int = 42,
    n: int | None = None,
    digits: int | None = None,
    hidden_dim: int | None = None,
    practice: Path | None = None,
    longest: int | None = None,
    out: Path | None = None,
    resume: Annotated[bool, Parameter(negative="")] = False,
    config: Path | None = None,
    engine: str = "fused",
    threads: int | None = None,
    checkpoint_seconds: float = 30.0,
    iterations: int | None = None,
    learning_rate: float | None = None,
    batch: int | None = None,
    clip: float | None = None,
    growth: float | None = None,
    first_visible: int | None = None,
    on_nonfinite: Literal["skip", "stop"] | None = None,
    json: Json = False,
) -> None:
    """Train a DFST on traces, a teacher's or a file of them, in a run folder that can be watched, stopped and resumed.

    Parameters
    ----------
    task
        A teacher's name such as add2, a name of the gallery, a machine file, or a file of traces (.jsonl, .parquet)
        whose teacher nobody knows.
    recipe
        fast (ours) or paper (the paper's, to the letter); with --practice it is practice.
    seed
        The root seed of the initial weights and of the batches.
    seeds
        Several runs, such as 0:8 for seeds 0 to 7; as many at a time as there are threads.
    data_seed
        The seed of the training traces.
    n
        The number of traces, if not the paper's.
    digits
        The longest numbers in them, if not the paper's.
    hidden_dim
        The hidden dimension, if not the paper's.
    practice
        A finished run: go on from its weights, on longer traces that the machine extracted from it (its machine.dfst;
        see dfst extract and dfst certify) makes itself. No teacher is asked.
    longest
        With --practice: one of the numbers may be so long, if the others are short enough to make up for it.
    out
        The run folder; runs/TASK-RECIPE-sSEED by default.
    resume
        Continue the run in that folder from its newest checkpoint.
    config
        A TOML file with any of these options; options on the command line go first.
    engine
        fused (numba) or jax.
    threads
        Threads for one run, or runs at a time with --seeds; by default as many as pay.
    checkpoint_seconds
        Save a checkpoint this often.
    iterations
        Adam steps, if not the recipe's.
    learning_rate
        At the start; it decays along a cosine.
    batch
        Traces per step.
    clip
        The largest gradient norm; inf never clips.
    growth
        The share of the run during which the visible prefix of every trace grows.
    first_visible
        The steps visible at the start of that.
    on_nonfinite
        After a gradient that is not finite: skip it, or stop.

    """
    from dfst.experts.find import find_task
    from dfst.files import is_file_name
    from dfst.learn.run_folder import RunFolder
    from dfst.learn.run_options import run_config
    from dfst.show.progress import watch_runs
    from dfst.traces.traces import Traces

    recipe_fields = {
        "iterations": iterations, "learning_rate": learning_rate, "batch": batch, "clip": clip, "growth": growth,
        "first_visible": first_visible, "on_nonfinite": on_nonfinite,
    }  # fmt: skip
    options = {
        "recipe": recipe, "data_seed": data_seed, "n": n, "digits": digits, "longest": longest,
        "hidden_dim": hidden_dim, "engine": engine, "threads": threads, **recipe_fields,
    }  # fmt: skip
    if config is not None:
        options = _with_config(config, options)
    if not checkpoint_seconds >= 0:
        raise InputError(f"{checkpoint_seconds} cannot be used", where="--checkpoint-seconds", do="Give 0 or more.")
    if seeds is not None and seed != 42:
        raise InputError("--seed and --seeds were both given", do="Give one of them.")
    subject = _traces_alone(Path(task), options) if task.endswith((".jsonl", ".parquet")) else find_task(task)
    name = subject.task if isinstance(subject, Traces) else subject.name
    taught = None if practice is None else _taught(practice, name, options)
    if taught is not None:
        options |= {"recipe": "practice", "hidden_dim": taught[0].hidden_dim}
    elif options["longest"] is not None:
        raise InputError("--longest is about practice", do="Name a finished run with --practice RUN, or leave it out.")
    elif options["recipe"] == "practice":
        raise InputError("there is nothing to practise with", do="Name a finished run with --practice RUN.")
    numbers = _seeds(seeds) if seeds is not None else [seed]
    if out is None and not is_file_name(name):
        raise InputError(f"its name {quoted(name)} cannot be that of a folder", where=task, do="Choose one with --out.")
    paths = [out or Path("runs") / f"{name}-{options['recipe']}-s{number}" for number in numbers]
    if out and len(numbers) > 1:
        paths = [out / f"s{number}" for number in numbers]
    resumed = [path for path in paths if resume and path.exists() and not RunFolder.is_begun(path)]
    for path in paths:  # all of them, before the first is made
        if path not in resumed:
            RunFolder.check_new(path)
    folders = []
    for number, path in zip(numbers, paths, strict=True):
        if path in resumed:
            folders.append(_resumed(path, name, options | {"seed": number}))
            continue
        settings = run_config(subject, number, options, len(numbers), practice=taught is not None)
        if taught is not None:
            text = "" if isinstance(subject, Traces) else subject.text
            folders.append(RunFolder.create_practice(path, settings, *taught, task=text))
        elif isinstance(subject, Traces):
            folders.append(RunFolder.create_from_traces(path, settings, subject))
        else:
            folders.append(RunFolder.create(path, settings, task=subject.text))
    results = watch_runs(folders, at_a_time=options["threads"], checkpoint_seconds=checkpoint_seconds, note=note)
    rows = [
        {"run": str(folder.path), "seed": folder.config.seed, "loss": loss, "seconds": seconds, "problem": problem}
        for folder, (loss, seconds, problem) in zip(folders, results, strict=True)
    ]
    if json:
        print_json(rows if seeds is not None else rows[0])
    elif seeds is None and rows[0]["problem"]:
        complain(rows[0]["problem"])
    else:
        shown = [row | {"loss": "–" if row["loss"] is None else f"{row['loss']:.2e}"} for row in rows]
        show_rows(shown, False, title=f"{name}: loss on all traces, at full length")
    sys.exit(1 if any(row["problem"] for row in rows) else 0)


@app.command
def plot(*runs: Path, out: Path = Path("loss.png")) -> None:
    """Draw the loss curves of runs (extra plot).

    Parameters
    ----------
    runs
        Run folders.
    out
        The picture: .png, .svg or .pdf.

    """
    from dfst.learn.run_folder import RunFolder
    from dfst.show.loss_curves import draw_losses

    if not runs:
        raise InputError("no run folder was given", do="Give one or more, such as runs/add2-fast-s42.")
    draw_losses([RunFolder.open(run) for run in runs], out)
    print(f"wrote {out}")


def _traces_alone(path: Path, options: dict[str, Any]) -> Traces:
    """The traces in a file, named after it if they have no name; what only a teacher could do is refused."""
    from dataclasses import replace

    from dfst.traces.consistency import check_traces
    from dfst.traces.files import load_traces
    from dfst.traces.understand import understand

    for option in ("n", "digits"):
        if options[option] is not None:
            do = f"Leave --{option} out, or name a teacher to record more."
            raise InputError("these traces are all there are", where=str(path), do=do)
    traces = load_traces(path)
    try:
        check_traces(traces)  # before anything is guessed from them
    except InputError as error:
        raise FileFormatError(error.what, where=str(path), do=error.do) from None
    traces = understand(traces)
    return replace(traces, task=traces.task or path.stem)


def _resumed(path: Path, task: str, options: dict[str, Any]) -> RunFolder:
    """The run in ``path``; refuses options that ask for another one, instead of leaving them out silently."""
    import inspect
    from dataclasses import asdict

    from dfst.learn.run_folder import RunFolder

    folder = RunFolder.open(path)
    config = folder.config
    have = asdict(config.recipe) | {"recipe": config.recipe.name, "n": config.sampling.n, "digits": config.sampling.q}
    have |= {"task": config.task, "hidden_dim": config.hidden_dim, "data_seed": config.data_seed}
    have |= {"engine": config.engine, "seed": config.seed, "longest": config.sampling.p}
    defaults = {name: parameter.default for name, parameter in inspect.signature(train).parameters.items()}
    asked = {name: value for name, value in options.items() if name in have and value != defaults[name]}
    for name, value in ({"task": task} | asked).items():
        if value != have[name]:
            do = "Ask for what it is, or begin another run with another --out."
            what = f"its {name.replace('_', ' ')} is {have[name]}, not {value}"
            raise InputError(what, where=str(path), do=do)
    return folder


def _taught(run: Path, task: str, options: dict[str, Any]) -> tuple[DFST, GridMachine]:
    """The trained model of ``run`` and the machine that was extracted from it."""
    from dfst.learn.run_folder import RunFolder
    from dfst.world.machine_file import load_machine

    if options["recipe"] not in ("fast", "practice") or options["hidden_dim"] is not None:
        name = "--recipe" if options["hidden_dim"] is None else "--hidden-dim"
        raise InputError(f"{name} cannot be chosen with --practice", do="Leave it out; the run decides it.")

    folder, machine = RunFolder.open(run), run / "machine.dfst"
    if folder.config.task != task:
        raise InputError(f"it is a run of {folder.config.task}", where=str(run), do=f"Give a run of {task}.")
    if not folder.model_path.exists() or not machine.exists():
        do = f"Finish its training, then extract its machine with dfst extract {run} --out {machine}."
        raise InputError("it has no model.safetensors or no machine.dfst yet", where=str(run), do=do)
    return folder.model(), load_machine(machine)


def _with_config(path: Path, options: dict[str, Any]) -> dict[str, Any]:
    """``options`` with what ``path`` says where the command line kept the default."""
    import inspect
    from difflib import get_close_matches

    from dfst.files import read_toml

    values = read_toml(path)
    defaults = {name: parameter.default for name, parameter in inspect.signature(train).parameters.items()}
    for name, value in values.items():
        key = name.replace("-", "_")
        if key not in options:
            close = get_close_matches(key, options, 1)
            do = (
                f"Did you mean {close[0]}?"
                if close
                else "Use the long options of dfst train --help, such as iterations."
            )
            raise InputError(f"{name!r} is not an option", where=str(path), do=do)
        kind = str if key in ("recipe", "engine", "on_nonfinite") else int
        kind = float if key in ("learning_rate", "clip", "growth") else kind
        if isinstance(value, bool) or not isinstance(value, (int, float) if kind is float else kind):
            what = "a text" if kind is str else "a number" if kind is float else "a whole number"
            raise InputError(f"{name} = {value!r} has the wrong kind of value", where=str(path), do=f"Write {what}.")
        if options[key] == defaults[key]:
            options[key] = value
    return options


def _seeds(text: str) -> list[int]:
    """3 or 0:8 or 1,5,7."""
    try:
        if ":" in text:
            first, last = text.split(":")
            numbers = list(range(int(first or 0), min(int(last), int(first or 0) + _MAX_SEEDS + 1)))
        else:
            numbers = [int(number) for number in text.split(",")]
    except ValueError:
        numbers = []
    if not numbers:
        raise InputError(f"{quoted(text)} names no seeds", where="--seeds", do="Write 0:8 for 0 to 7, or 1,5,7.")
    if len(numbers) > _MAX_SEEDS:
        what = f"{quoted(text)} names more than {_MAX_SEEDS} seeds"
        raise InputError(what, where="--seeds", do="Name fewer.")
    if len(set(numbers)) < len(numbers):
        raise InputError(f"{quoted(text)} names a seed twice", where="--seeds", do="Name each once.")
    return numbers
