"""What dfst train was asked for: options, a config file, seeds, a run to resume, a run to practise with."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from dfst.errors import FileFormatError, InputError, quoted

if TYPE_CHECKING:
    from dfst.learn.model import DFST
    from dfst.runs.run_folder import RunFolder
    from dfst.traces.traces import Traces
    from dfst.world.machine import GridMachine

Given = dict[str, Any]
"""Every option by name; None if it was not given."""

_MAX_SEEDS = 1000


def with_config(path: Path, given: Given) -> Given:
    """``given`` with what ``path`` says about options that the command line does not name."""
    from difflib import get_close_matches

    from dfst.files import read_toml

    found: Given = {}
    for name, value in read_toml(path).items():
        key = name.replace("-", "_")
        if key not in given:
            close = get_close_matches(key, given, 1)
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
        found[key] = value
    return given | {key: value for key, value in found.items() if given[key] is None}


def seed_numbers(text: str) -> list[int]:
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


def traces_alone(path: Path, given: Given) -> Traces:
    """The traces in a file, named after it if they have no name; what only a teacher could do is refused."""
    from dataclasses import replace

    from dfst.traces.consistency import check_traces
    from dfst.traces.files import load_traces
    from dfst.traces.understand import understand

    for option in ("n", "digits"):
        if given[option] is not None:
            do = f"Leave --{option} out, or name a teacher to record more."
            raise InputError("these traces are all there are", where=str(path), do=do)
    traces = load_traces(path)
    try:
        check_traces(traces)  # before anything is guessed from them
    except InputError as error:
        raise FileFormatError(error.what, where=str(path), do=error.do) from None
    traces = understand(traces)
    return replace(traces, task=traces.task or path.stem)


def resumed(path: Path, task: str, given: Given, *, threads: int | None) -> RunFolder:
    """The run in ``path``, on so many threads; refuses options that ask for another run than it is."""
    from dataclasses import asdict, replace

    from dfst.runs.run_folder import RunFolder

    folder = RunFolder.open(path)
    config = folder.config
    have = asdict(config.recipe) | {"recipe": config.recipe.name, "n": config.sampling.n, "digits": config.sampling.q}
    have |= {"task": config.task, "hidden_dim": config.hidden_dim, "data_seed": config.data_seed}
    have |= {"engine": config.engine, "seed": config.seed, "longest": config.sampling.p}
    asked = {name: value for name, value in given.items() if name in have and value is not None}
    for name, value in ({"task": task} | asked).items():
        if value != have[name]:
            do = "Ask for what it is, or begin another run with another --out."
            what = f"its {name.replace('_', ' ')} is {have[name]}, not {value}"
            raise InputError(what, where=str(path), do=do)
    if threads is None:
        return folder
    from dfst.learn.fused import check_threads  # numba

    return replace(folder, config=replace(config, threads=check_threads(threads)))


def taught(run: Path, task: str, given: Given) -> tuple[DFST, GridMachine]:
    """The trained model of ``run`` and the machine that was extracted from it."""
    from dfst.runs.run_folder import RunFolder
    from dfst.world.machine_file import load_machine

    if given["recipe"] not in (None, "practice") or given["hidden_dim"] is not None:
        name = "--recipe" if given["hidden_dim"] is None else "--hidden-dim"
        raise InputError(f"{name} cannot be chosen with --practice", do="Leave it out; the run decides it.")

    folder, machine = RunFolder.open(run), run / "machine.dfst"
    if folder.config.task != task:
        raise InputError(f"it is a run of {folder.config.task}", where=str(run), do=f"Give a run of {task}.")
    if not folder.model_path.exists() or not machine.exists():
        do = f"Finish its training, then extract its machine with dfst extract {run} --out {machine}."
        raise InputError("it has no model.safetensors or no machine.dfst yet", where=str(run), do=do)
    return folder.model(), load_machine(machine)
