"""Doors to other tools: import, export."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from dfst.cli.app import EXCHANGE, app
from dfst.cli.inputs import check_left_out
from dfst.cli.output import check_ending, note, write_text
from dfst.errors import InputError

_GRAPHS = (".dot", ".gv")


@app.command(group=EXCHANGE, name="import")
def import_machine(
    file: Path,
    *,
    teacher: Annotated[str | None, Parameter()] = None,
    blank: str | None = None,
    out: Path | None = None,
) -> None:
    """Import a machine from AALpy or Graphviz.

    Parameters
    ----------
    file
        The machine: a .dot or .gv file.
    teacher
        A task or machine file that gives the alphabet, layout and name, which a graph does not contain.
        Without it, the input is one word of any symbols but the blank.
    blank
        The blank, if no teacher is given; _ by default.
    out
        Write to this file instead of stdout.

    """
    from dfst.exchange.dot import parse_dot
    from dfst.files import read_text
    from dfst.own import as_task
    from dfst.world.machine_file import dump_machine

    if out is not None:
        check_ending(out, (".dfst",), "Call it machine.dfst.")
    if file.suffix not in _GRAPHS:
        known = file.suffix == ".dfst"
        do = "Use it as it is." if known else "Write the machine as a .dfst file, which every command reads."
        raise InputError("this command reads graphs (.dot or .gv)", where=str(file), do=do)
    like = None if teacher is None else as_task(teacher).machine
    if like is not None:
        check_left_out({"--blank": blank}, "the teacher knows its blank")
    machine = parse_dot(read_text(file), like, blank="_" if blank is None else blank, name=file.stem, source=str(file))
    write_text(dump_machine(machine), out)


@app.command(group=EXCHANGE)
def export(
    policy: str,
    *,
    out: Path | None = None,
    aalpy: Annotated[bool, Parameter(negative="")] = False,
    complete: Annotated[bool, Parameter(negative="")] = False,
    hidden_dim: int | None = None,
) -> None:
    """Print a machine, or write it for another tool.

    Parameters
    ----------
    policy
        A name such as add10 or teacher:gcd, a run folder, a machine file.
    out
        What to write, by its ending: .dfst a machine file, .dot or .gv a graph, .safetensors weights (for a machine,
        one-hot weights, as in the paper's Theorem 1).
    aalpy
        Write the graph as a Mealy machine in AALpy's format (extra arena).
    complete
        With --aalpy: make every pair without a rule lead to a state "stuck" instead of nowhere.
    hidden_dim
        With .safetensors: at least the number of states, which is the default.

    """
    from dfst.own import named

    who = named(policy)
    if out is not None:
        check_ending(out, (".dfst", *_GRAPHS, ".safetensors"), "Use .dfst, .dot, .gv or .safetensors.")
    if aalpy and out is not None and out.suffix not in _GRAPHS:
        raise InputError("AALpy's format is a graph", where="--aalpy", do="Write to a .dot file.")
    if complete and not aalpy:
        raise InputError("--complete is about AALpy's format", do="Add --aalpy.")
    if out is None or out.suffix != ".safetensors":
        check_left_out({"--hidden-dim": hidden_dim}, "it is for weights (.safetensors), and none are written")
    if out is not None and out.suffix == ".safetensors":
        from dfst.training.model import from_machine

        pass
        from dfst.world.machine import GridMachine

        if hidden_dim is not None and not isinstance(who.policy, GridMachine):
            do = f"Leave it out, or export {policy}:machine." if who.home is not None else "Leave it out."
            raise InputError("a model has its dimension already", where="--hidden-dim", do=do)
        model = from_machine(who.policy, hidden_dim) if isinstance(who.policy, GridMachine) else who.model()
        model.save(out)
        note(f"wrote {out}: {model.parameters} parameters, hidden dimension {model.hidden_dim}")
        return
    machine = who.machine()
    if aalpy:
        from dfst.exchange.mealy import to_mealy

        write_text(str(to_mealy(machine, complete=complete)), out)
    elif out is not None and out.suffix in _GRAPHS:
        from dfst.exchange.dot import to_dot

        write_text(to_dot(machine), out)
    else:
        from dfst.world.machine_file import dump_machine

        write_text(dump_machine(machine), out)
