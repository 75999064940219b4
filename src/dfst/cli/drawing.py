"""dfst draw: pictures of machines, models, data and training runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from dfst.cli.app import LOOK, Teacher, app
from dfst.cli.inputs import check_left_out, read_problem
from dfst.errors import InputError

draw_app = App(name="draw", help="Draw machines, models, data and training runs.", group=LOOK)
app.command(draw_app)


@draw_app.command
def machine(
    policy: str, *, out: Path = Path("machine.svg"), states: Annotated[bool, Parameter(negative="")] = False
) -> None:
    """Draw a machine as a graph of states.

    Parameters
    ----------
    policy
        A name such as add10 or teacher:add10, a machine file, or a certified run folder.
    out
        The picture: .svg, .png or .pdf.
    states
        Draw every state of a large machine, not only its phases.

    """
    from dfst.resolve import named
    from dfst.show.machine_drawing import draw_machine

    drawn = named(policy).machine()
    nodes = draw_machine(drawn, out, by_phase=False if states else None)
    print(f"wrote {out}: {len(drawn.states)} states in {nodes} nodes")


@draw_app.command
def margins(policy: str, *problem: str, out: Path = Path("margins.png"), teacher: Teacher = None) -> None:
    """Draw how clearly a float model chooses the teacher's action at every step, until they differ.

    Parameters
    ----------
    policy
        A run folder, a .safetensors file, or a name such as add10:raw.
    problem
        The operands; @FILE reads one from a file.
    out
        The picture: .png, .svg or .pdf.

    """
    from dfst.act.rollout import rollout
    from dfst.resolve import judged_on, named, split_problem
    from dfst.show.margin_plot import draw_margins
    from dfst.show.recording import differing_step, record_both
    from dfst.training.model import DFST

    who = named(policy, teacher)
    given = split_problem(who.policy, read_problem(problem, who.policy))
    judge = judged_on(who, teacher).machine
    both = record_both(who.policy, judge, *given, name=policy)
    difference, error = differing_step(both), None
    if isinstance(who.policy, DFST) and difference is not None:
        drift = rollout(who.policy, *given, teacher=judge, drift=True, step_limit=difference + 1).drift
        error = None if drift is None else drift.error
    least = draw_margins(both[0], out, difference, error)
    where = "" if error is None else f" where it leaves its teacher, at step {difference:,}"
    print(f"wrote {out}: the smallest margin of the teacher's action is {least:.3g}{where}; {both[0].ending}")


@draw_app.command
def coverage(
    task: str,
    *,
    out: Path = Path("coverage.png"),
    seed: int | None = None,
    n: int | None = None,
    traces: Path | None = None,
) -> None:
    """Draw how often the training traces use each rule of the teacher.

    Parameters
    ----------
    task
        A task's name, such as add10, or a machine file.
    out
        The picture: .png, .svg or .pdf.
    seed
        The seed of the traces; 42 by default.
    n
        The number of traces, if not the task's.
    traces
        Saved traces (.jsonl or .parquet), instead of new ones.

    """
    from dataclasses import replace

    from dfst.resolve import as_task, as_traces
    from dfst.show.coverage_map import draw_coverage

    found = as_task(task)
    if traces is not None:
        check_left_out({"--n": n, "--seed": seed}, "it chooses new traces, and saved ones were given")
    sampling = found.sampling if n is None else replace(found.sampling, n=n)
    data = as_traces(traces) if traces is not None else found.sample(sampling, seed=42 if seed is None else seed)
    used, rules = draw_coverage(found.machine, data, out)
    print(f"wrote {out}: {used} of {rules} rules are used")


@draw_app.command
def atlas(
    policy: str, *, out: Path = Path("atlas.png"), machine: Path | None = None, traces: Path | None = None
) -> None:
    """Draw the state that each prefix of the training traces became, and its place in hidden space.

    Parameters
    ----------
    policy
        A run folder, a .safetensors file, or a name such as add10:raw.
    out
        The picture: .png, .svg or .pdf.
    machine
        The machine whose states are shown; by default the one extracted from the model, or else its teacher.
    traces
        The traces the model was trained on (.jsonl or .parquet); by default those of the run folder.

    """
    from dfst.resolve import as_traces, named
    from dfst.show.state_atlas import draw_atlas

    who = named(policy)
    model = who.model()
    data = who.traces(None if traces is None else as_traces(traces))
    if machine is not None:
        shown = named(machine).machine()
    else:
        try:
            shown = who.machine() if who.home is None else named(f"{who.home.name}:machine").machine()
        except InputError:
            shown = who.task().machine
    states = draw_atlas(model, shown, data, out)
    print(f"wrote {out}: {len(data.seen):,} prefixes in {states} states")


@draw_app.command
def losses(*runs: Path, out: Path = Path("loss.png")) -> None:
    """Draw the loss curves of training runs.

    Parameters
    ----------
    runs
        Run folders.
    out
        The picture: .png, .svg or .pdf.

    """
    from dfst.runs.run_folder import RunFolder
    from dfst.show.loss_curves import draw_losses

    if not runs:
        raise InputError("missing argument RUNS", do="Give one or more run folders, such as runs/add2-fast-s42.")
    draw_losses([RunFolder.open(run) for run in runs], out)
    print(f"wrote {out}")
