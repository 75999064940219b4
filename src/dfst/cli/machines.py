"""dfst machine: check, show, draw and import machines written as text."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from dfst.cli.app import Json, machine_app
from dfst.cli.inputs import machine_named, read_operand
from dfst.cli.output import check_ending, print_json, write_text
from dfst.errors import MachineError

_SHOWN = 10
"""Wrong answers that are shown; a machine that is wrong on one problem is often wrong on all."""


@machine_app.command
def check(file: Path, *, json: Json = False) -> None:
    """Check a machine file; every problem is listed with its line, and the exit code is 1 if there are any.

    If its table [task] names right answers, it has to give them.

    Parameters
    ----------
    file
        The machine file.

    """
    from dfst.errors import Problem
    from dfst.teachers.task_file import load_task

    try:
        task = load_task(file)
        machine, wrong = task.machine, task.wrong_answers()
        if wrong:
            do = "Change the rules, or the answers."
            raise MachineError(
                [
                    Problem(f"on {' '.join(operands)} it says {said}, not {task.answers[operands]}", do)
                    for operands, said in list(wrong.items())[:_SHOWN]
                ]
                + [Problem(f"{len(wrong) - _SHOWN} more answers are wrong", do)] * (len(wrong) > _SHOWN),
                where=str(file),
            )
    except MachineError as error:
        if not json:
            raise
        print_json({"ok": False, "problems": [{"line": p.line, "what": p.what, "do": p.do} for p in error.problems]})
        sys.exit(1)
    rules = sum(1 for _ in machine.rules())
    summary = {"ok": True, "name": machine.name, "states": len(machine.states), "symbols": len(machine.alphabet)}
    if json:
        print_json(summary | {"rules": rules, "problems": []})
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

    write_text(dump_machine(machine_named(task)), out)


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
    from dfst.exchange.to_dot import to_dot

    if out is not None:
        check_ending(out, (".dot", ".gv"), "Call it machine.dot; dfst machine draw makes a picture.")
    write_text(to_dot(machine_named(task)), out)


@machine_app.command
def draw(
    agent: str, *, out: Path = Path("machine.svg"), states: Annotated[bool, Parameter(negative="")] = False
) -> None:
    """Draw a machine: a teacher, a machine file, or what was extracted in a run folder (extra plot).

    Parameters
    ----------
    agent
        A teacher's name, a machine file, or a run folder that was certified.
    out
        The picture: .svg, .png or .pdf.
    states
        Draw every state of a large machine, too, and not only its phases.

    """
    from dfst.show.machine_drawing import draw_machine
    from dfst.teachers.find import is_own_name

    folder = Path(agent)
    if folder.is_dir() and not is_own_name(agent):
        agent = str(folder / "machine.dfst")
    machine = machine_named(agent)
    nodes = draw_machine(machine, out, by_phase=False if states else None)
    print(f"wrote {out}: {len(machine.states)} states in {nodes} nodes")


@machine_app.command
def film(task: str, *operands: str, out: Path = Path("film.svg")) -> None:
    """A run as an animated SVG picture, for browsers, slides and READMEs.

    Parameters
    ----------
    task
        A teacher's name or a machine file.
    operands
        The problem.
    out
        The picture, .svg.

    """
    from dfst.show.film import film as filmed

    check_ending(out, (".svg",), "Call it film.svg; dfst view with --gif FILE.gif writes an animated GIF.")
    machine = machine_named(task)
    write_text(filmed(machine, *(read_operand(text, machine) for text in operands)), out)


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
    from dfst.exchange.morphett import parse_morphett
    from dfst.files import read_text
    from dfst.world.machine_file import dump_machine

    machine = parse_morphett(read_text(file), start=start, name=file.stem, extra_symbols=symbols, source=str(file))
    write_text(dump_machine(machine), out)


@machine_app.command
def aalpy(task: str, *, out: Path | None = None, complete: Annotated[bool, Parameter(negative="")] = False) -> None:
    """Print a teacher or a machine file as a Mealy machine in AALpy's dot format (extra baselines).

    Parameters
    ----------
    task
        A teacher's name or a machine file.
    out
        Write to this file instead.
    complete
        Let every pair without a rule lead to a state "stuck", instead of nowhere.

    """
    from dfst.exchange.mealy import to_mealy

    if out is not None:
        check_ending(out, (".dot", ".gv"), "Call it machine.dot; dfst machine draw makes a picture.")
    write_text(str(to_mealy(machine_named(task), complete=complete)), out)


@machine_app.command
def from_dot(file: Path, *, like: str | None = None, blank: str = "_", out: Path | None = None) -> None:
    """Import a machine from a dot file, written by AALpy or by dfst machine dot, as a machine file (extra baselines).

    Parameters
    ----------
    file
        The dot file.
    like
        A teacher's name or a machine file, for what a drawing does not say: alphabet, layout, name. Without it, the
        input is one word of all symbols but the blank.
    blank
        The blank, if there is nothing to be like.
    out
        Write to this file instead of stdout.

    """
    from dfst.exchange.dot_file import parse_dot
    from dfst.files import read_text
    from dfst.world.machine_file import dump_machine

    model = None if like is None else machine_named(like)
    machine = parse_dot(read_text(file), model, blank=blank, name=file.stem, source=str(file))
    write_text(dump_machine(machine), out)
