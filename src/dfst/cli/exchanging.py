"""Doors to other tools: import, export."""

from __future__ import annotations

import sys
from pathlib import Path

from dfst.cli.app import EXCHANGE, app
from dfst.cli.output import note
from dfst.errors import InputError


@app.command(group=EXCHANGE, name="import")
def import_machine(
    file: Path,
    *,
    teacher: str | None = None,
    blank: str | None = None,
    out: Path | None = None,
) -> None:
    """Import a machine from AALpy, Graphviz or the Automata Wiki.

    A Mealy machine becomes a task: to answer any word of its inputs. It may be partial.

    Parameters
    ----------
    file
        The machine: a .dot or .gv file. Arrows are labelled "input / output", or "seen/written move".
    teacher
        A task or machine file that gives the alphabet, layout and name, which a graph does not contain.
        Without it, the input is one word of any symbols but the blank. A Mealy machine needs none.
    blank
        The blank, if no teacher is given; _ by default.
    out
        Write to this file instead of stdout.

    """
    from dfst.exchange.dot import parse_dot
    from dfst.files import check_output, read_text, write_atomically
    from dfst.own import as_task
    from dfst.teachers.mealy_dot import task_text
    from dfst.world.conversation import answers_one_by_one
    from dfst.world.machine_file import dump_machine

    if out is not None:
        check_output(out, ".dfst", what="a machine file")
    if file.suffix not in (".dot", ".gv"):
        known = file.suffix == ".dfst"
        do = "Use it as it is." if known else "Write the machine as a .dfst file, which every command reads."
        raise InputError("this command reads graphs (.dot or .gv)", where=str(file), do=do)
    like = None if teacher is None else as_task(teacher).machine
    if like is not None and blank is not None:
        raise InputError("the teacher knows its blank", where="--blank", do="Leave it out.")
    machine = parse_dot(read_text(file), like, blank="_" if blank is None else blank, name=file.stem, source=str(file))
    text = task_text(machine) if answers_one_by_one(machine) else dump_machine(machine)
    if out is None:
        sys.stdout.write(text)
    else:
        write_atomically(out, text.encode())
        note(f"wrote {out}")


@app.command(group=EXCHANGE)
def export(policy: str, *, out: Path | None = None) -> None:
    """Print a machine, draw it, or write it for another tool.

    Parameters
    ----------
    policy
        A name such as add10 or teacher:gcd, a run folder, a machine file.
    out
        What to write, by its ending: .dfst a machine file, .svg, .png or .pdf a drawing, .dot or .gv a graph,
        .safetensors weights (for a machine, one-hot weights, as in the paper's Theorem 1).

    """
    from dfst.api import export as write

    text = write(policy, out)
    sys.stdout.write(text) if out is None else note(text)
