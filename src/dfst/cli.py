"""The command line: one thin verb per stage; each parses, calls the library, and prints.

Results go to stdout, messages and progress to stderr; exit 0 success, 1 a check failed, 2 a mistake in the call.
Commands import what they need themselves, so that ``dfst --help`` stays fast.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import App, Parameter

from dfst import __version__
from dfst.errors import DfstError, InputError, MachineError

if TYPE_CHECKING:
    from dfst.experts.expert import Expert
    from dfst.world.machine import GridMachine

app = App(name="dfst", help="Learn algorithms exactly, by watching them run.", version=__version__)
machine_app = App(name="machine", help="Check, show, draw and import machines written as text.")
model_app = App(name="model", help="Make, describe and test models (weights).")
app.command(machine_app)
app.command(model_app)

Json = Annotated[bool, Parameter(name="--json", negative="", help="Print JSON for machines instead of a table.")]


def main() -> None:
    """The entry point: a user's mistake becomes a sentence on stderr, never a traceback."""
    try:
        app(sys.argv[1:], exit_on_error=False, print_error=False)
    except DfstError as error:
        _complain(str(error))
        sys.exit(1 if isinstance(error, MachineError) else 2)
    except KeyboardInterrupt:
        _complain("stopped.")
        sys.exit(130)
    except BrokenPipeError:  # `dfst … | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except Exception as error:
        from cyclopts import CycloptsError

        if not isinstance(error, CycloptsError):
            raise
        _complain(f"{error} Try --help.")
        sys.exit(2)


@app.command
def experts(*, json: Json = False) -> None:
    """List the teachers of the paper's four tasks (addR and multR exist for every radix from 2 to 36)."""
    from dfst.experts.expert import PAPER_TASKS, expert
    from dfst.learn.model import parameter_count

    rows = [
        {
            "name": teacher.name,
            "states": len(teacher.machine.states),
            "symbols": len(teacher.machine.alphabet),
            "hidden_dim": teacher.hidden_dim,
            "parameters": parameter_count(len(teacher.machine.alphabet), teacher.hidden_dim),
        }
        for teacher in map(expert, PAPER_TASKS)
    ]
    _show(rows, json, title="Teachers")


@app.command
def run(
    task: str,
    *operands: str,
    json: Json = False,
    step_limit: int = 10**10,
    engine: str = "auto",
) -> None:
    """Let a teacher (or a machine file) solve one problem.

    Parameters
    ----------
    task
        A teacher's name (add10, mult16, …) or a machine file.
    operands
        The numbers, in the task's radix; @FILE reads one from a file.
    step_limit
        Stop after so many steps.
    engine
        auto, reference or compiled.

    """
    from dfst.world.run import Outcome
    from dfst.world.run import run as run_machine

    if engine not in ("auto", "reference", "compiled"):
        raise InputError(f"there is no engine {engine!r}", where="--engine", do="Use auto, reference or compiled.")
    machine = _machine(task)
    result = run_machine(machine, *map(_operand, operands), step_limit=step_limit, engine=engine)
    answer = result.answer
    if json:
        record = {"task": task, "answer": answer.text, "cells": answer.cells, "steps": result.steps}
        _print_json(record | {"outcome": result.outcome.value, "only_answer_left": answer.only_answer_left})
    else:
        print(answer.text if answer.text is not None else answer.cells)
        if answer.text is None:
            _complain(
                f"the grid holds no clean answer in row {machine.layout.answer_row}; shown is all that stands on it."
            )
        print(f"{result.explain()}.")
    sys.exit(0 if result.outcome == Outcome.HALTED else 1)


@app.command
def data(
    task: str,
    *,
    seed: int = 42,
    p: int | None = None,
    q: int | None = None,
    n: int | None = None,
    out: Path | None = None,
    json: Json = False,
) -> None:
    """Record a teacher's training traces with the paper's sampler, and report what they cover.

    Parameters
    ----------
    task
        A teacher's name, such as add2.
    seed
        The same seed gives the same traces, for ever.
    p
        All pairs of up to p digits are included.
    q
        All same-digit pairs of q digits, and random pairs of up to q digits.
    n
        The number of traces.
    out
        Write the traces to this .jsonl or .parquet file.

    """
    from dataclasses import replace

    from dfst.experts.expert import expert
    from dfst.traces.coverage import coverage
    from dfst.traces.files import save_traces
    from dfst.traces.sampler import paper_sampling, sample

    teacher = expert(task)
    given = {name: value for name, value in (("p", p), ("q", q), ("n", n)) if value is not None}
    with _progress("recording") as advance:
        traces = sample(teacher, replace(paper_sampling(teacher), **given), seed=seed, progress=advance)
    report = coverage(teacher.machine, traces)
    if out is not None:
        save_traces(traces, out)
        _note(f"wrote {out}")
    loops = [
        {"state": loop.state, "move": loop.move.name, "symbols": list(loop.symbols), "lengths": loop.lengths}
        for loop in report.loops
    ]
    summary = {
        "task": task,
        "seed": seed,
        "traces": len(traces),
        "steps": len(traces.seen),
        "max_length": int(traces.lengths.max()),
        "sha256": traces.sha256,
        "uncovered": [list(pair) for pair in report.uncovered],
    }
    if json:
        _print_json(summary | {"loops": loops})
        return
    uncovered = " ".join(f"({state}, {symbol})" for state, symbol in report.uncovered)
    _show([summary | {"uncovered": uncovered or "none: every rule of the teacher is used"}], False, upright=True)
    rows = [
        {
            "state": loop.state,
            "move": loop.move.name,
            "on": " ".join(loop.symbols),
            "seen at lengths": _lengths(loop.lengths),
        }
        for loop in report.loops
    ]
    _show(rows, False, title="Loops: how far the teacher walks in one state")


@machine_app.command
def check(file: Path, *, json: Json = False) -> None:
    """Check a machine file; every problem is listed with its line, and the exit code is 1 if there are any.

    Parameters
    ----------
    file
        The machine file.

    """
    from dfst.world.machine_file import load_machine

    try:
        machine = load_machine(file)
    except MachineError as error:
        if not json:
            raise
        _print_json({"ok": False, "problems": [{"line": p.line, "what": p.what, "do": p.do} for p in error.problems]})
        sys.exit(1)
    rules = sum(1 for _ in machine.rules())
    summary = {"ok": True, "name": machine.name, "states": len(machine.states), "symbols": len(machine.alphabet)}
    if json:
        _print_json(summary | {"rules": rules, "problems": []})
    else:
        size = f"{len(machine.states)} states, {len(machine.alphabet)} symbols, {rules} rules"
        print(f"{file}: fine. {machine.name}: {size}.")


@machine_app.command
def show(task: str, *, out: Path | None = None) -> None:
    """Print a teacher or a machine file in the machine-file format.

    Parameters
    ----------
    task
        A teacher's name or a machine file.
    out
        Write to this file instead.

    """
    from dfst.world.machine_file import dump_machine

    _write(dump_machine(_machine(task)), out)


@machine_app.command
def dot(task: str, *, out: Path | None = None) -> None:
    """Print a teacher or a machine file as a graph in Graphviz's dot language.

    Parameters
    ----------
    task
        A teacher's name or a machine file.
    out
        Write to this file instead.

    """
    from dfst.world.dot import to_dot

    _write(to_dot(_machine(task)), out)


@machine_app.command
def morphett(file: Path, *, start: str = "0", symbols: str = "", out: Path | None = None) -> None:
    """Import a program written for Morphett's Turing machine simulator, as a machine file.

    Parameters
    ----------
    file
        The program.
    start
        Its initial state.
    symbols
        Symbols that may stand on the tape though the program does not name them.
    out
        Write to this file instead of stdout.

    """
    from dfst.files import read_text
    from dfst.world.machine_file import dump_machine
    from dfst.world.morphett import parse_morphett

    machine = parse_morphett(read_text(file), start=start, name=file.stem, extra_symbols=symbols, source=str(file))
    _write(dump_machine(machine), out)


@model_app.command
def one_hot(task: str, *, out: Path, hidden_dim: int | None = None) -> None:
    """Write a teacher or a machine file as a DFST with one-hot weights (the paper's Theorem 1).

    Parameters
    ----------
    task
        A teacher's name or a machine file.
    out
        The .safetensors file to write.
    hidden_dim
        At least the number of states, which is the default.

    """
    from dfst.learn.one_hot import from_machine
    from dfst.learn.weights import save_model

    model = from_machine(_machine(task), hidden_dim)
    save_model(model, out)
    print(f"{out}: {model.parameters} parameters, hidden dimension {model.hidden_dim}.")


@model_app.command
def info(file: Path, *, json: Json = False) -> None:
    """Describe a model file, after checking that it is whole.

    Parameters
    ----------
    file
        A .safetensors file.

    """
    from dfst.learn.weights import load_model

    model = load_model(file)
    summary = {"name": model.name, "symbols": " ".join(model.alphabet.symbols), "hidden_dim": model.hidden_dim}
    summary |= {"parameters": model.parameters, "dtype": str(model.h0.dtype)}
    _show([summary], json, upright=True)


@model_app.command
def replay(file: Path, task: str, *operands: str, json: Json = False) -> None:
    """Does a model follow the teacher's run on one problem, step for step? Exit code 1 if not.

    Parameters
    ----------
    file
        A .safetensors file.
    task
        A teacher's name or a machine file.
    operands
        The numbers, in the task's radix; @FILE reads one from a file.

    """
    from dfst.learn.one_hot import replay as follow
    from dfst.learn.weights import load_model
    from dfst.traces.record import record

    model, machine = load_model(file), _machine(task)
    if model.alphabet.symbols != machine.alphabet.symbols:
        do = f"The model's symbols are {' '.join(model.alphabet.symbols)}."
        raise InputError(f"the model and {task} have different symbols", where=str(file), do=do)
    result = follow(model, record(machine, [tuple(map(_operand, operands))])[0])
    if json:
        _print_json({"exact": result.exact, "agreed": result.agreed, "steps": result.steps, "stuck": result.stuck})
    elif result.exact:
        print(f"exact: all {result.steps} steps agree, smallest margin {result.margin:.3g}.")
    else:
        how = "the model has nothing to say" if result.stuck else "the model acts otherwise"
        print(f"{result.agreed} of {result.steps} steps agree; then {how}.")
    sys.exit(0 if result.exact else 1)


# What the verbs share


def _machine(task: str) -> GridMachine:
    """A teacher by name, or a machine file by path."""
    from dfst.world.machine_file import load_machine

    if os.path.exists(task) or task.endswith(".dfst") or os.sep in task:
        return load_machine(task)
    return _expert(task).machine


def _expert(task: str) -> Expert:
    from dfst.experts.expert import expert

    try:
        return expert(task)
    except InputError as error:
        raise InputError(
            error.what, where=error.where, do=f"{error.do} A path to a machine file works as well."
        ) from None


def _operand(text: str) -> str:
    """An operand as given, or the content of the file named behind @ (white space and line ends do not count)."""
    from dfst.files import read_text

    return "".join(read_text(text[1:]).split()) if text.startswith("@") and len(text) > 1 else text


def _write(text: str, out: Path | None) -> None:
    from dfst.files import write_atomically

    if out is None:
        sys.stdout.write(text)
    else:
        write_atomically(out, text.encode())
        _note(f"wrote {out}")


def _print_json(value: Any) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))


def _show(rows: list[dict[str, Any]], as_json: bool, *, title: str = "", upright: bool = False) -> None:
    """Rows as a table for people, or as JSON; ``upright`` shows a single row as name and value."""
    if as_json:
        _print_json(rows[0] if upright else rows)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title or None, title_justify="left", show_header=not upright)
    if upright:
        table.add_column(style="bold")
        table.add_column(overflow="fold")
        for name, value in rows[0].items():
            table.add_row(name, Text(str(value)))
    else:
        for name in rows[0]:
            numeric = isinstance(rows[0][name], int)
            table.add_column(name, justify="right" if numeric else "left", overflow="fold")
        for row in rows:
            table.add_row(*(Text(str(value)) for value in row.values()))
    Console().print(table)


def _lengths(lengths: Any) -> str:
    return " ".join(f"{length} (×{count})" for length, count in lengths.items()) or "never"


@contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on stderr; it gives a function to call with (done, total)."""
    from rich.console import Console
    from rich.progress import Progress

    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(what, total=None)
        yield lambda done, total: progress.update(bar, completed=done, total=total)


def _note(text: str) -> None:
    print(text, file=sys.stderr)


def _complain(text: str) -> None:
    print(f"dfst: {text}", file=sys.stderr)
