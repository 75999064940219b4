"""dfst draw: pictures of runs, data and models."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from dfst.cli.app import draw_app
from dfst.cli.inputs import read_operand
from dfst.errors import InputError

if TYPE_CHECKING:
    from dfst.study.agents import NamedAgent
    from dfst.traces.traces import Traces
    from dfst.world.machine import GridMachine


@draw_app.command
def margins(model: str, *operands: str, out: Path = Path("margins.png"), task: str | None = None) -> None:
    """Draw how clearly a float model takes the teacher's action at every step, until it leaves it (extra plot).

    Parameters
    ----------
    model
        A run folder, a .safetensors file, or a shipped model such as add10:raw.
    operands
        The problem; @FILE reads an operand from a file.
    out
        The picture: .png, .svg or .pdf.
    task
        The teacher to compare with, if the model does not say.

    """
    from dfst.act.rollout import rollout
    from dfst.learn.model import DFST
    from dfst.show.margin_plot import draw_margins
    from dfst.show.recording import first_difference, record_both
    from dfst.study.agents import find_agent

    named = find_agent(model)
    given = [read_operand(text, named.agent) for text in operands]
    teacher = named.expert(task).machine
    both = record_both(named.agent, teacher, *given, name=model)
    difference, error = first_difference(both), None
    if isinstance(named.agent, DFST) and difference is not None:
        drift = rollout(named.agent, *given, teacher=teacher, drift=True, step_limit=difference + 1).drift
        error = None if drift is None else drift.error
    least = draw_margins(both[0], out, difference, error)
    where = "" if error is None else f" where it leaves its teacher, at step {difference:,}"
    print(f"wrote {out}: the smallest margin of the teacher's action is {least:.3g}{where}; {both[0].ending}")


@draw_app.command
def coverage(
    task: str, *, out: Path = Path("coverage.png"), seed: int = 42, n: int | None = None, traces: Path | None = None
) -> None:
    """How often the training traces use every rule of the teacher (extra plot).

    Parameters
    ----------
    task
        A teacher's name, such as add10, or a machine file.
    out
        The picture: .png, .svg or .pdf.
    seed
        The seed of the traces.
    n
        The number of traces, if not the task's.
    traces
        Traces that were saved (.jsonl or .parquet), instead of new ones.

    """
    from dataclasses import replace

    from dfst.show.coverage_map import draw_coverage
    from dfst.teachers.find import find_task
    from dfst.traces.files import load_traces
    from dfst.traces.sampler import sample

    teacher = find_task(task)
    sampling = teacher.sampling if n is None else replace(teacher.sampling, n=n)
    data = load_traces(traces) if traces is not None else sample(teacher, sampling, seed=seed)
    used, rules = draw_coverage(teacher.machine, data, out)
    print(f"wrote {out}: {used} of {rules} rules are used")


@draw_app.command
def atlas(
    model: str, *, out: Path = Path("atlas.png"), machine: Path | None = None, traces: Path | None = None
) -> None:
    """Which prefixes of the training traces became which state, and where they lie in hidden space (extra plot).

    Parameters
    ----------
    model
        A run folder, a .safetensors file, or a shipped model such as add10:raw.
    out
        The picture: .png, .svg or .pdf.
    machine
        The machine whose states are shown; by default the one extracted from the model, or else its teacher.
    traces
        The traces it was trained on (.jsonl or .parquet); a run folder knows its own.

    """
    from dfst.learn.model import DFST
    from dfst.show.state_atlas import draw_atlas
    from dfst.study.agents import find_agent
    from dfst.traces.files import load_traces

    named = find_agent(model)
    if not isinstance(named.agent, DFST):
        raise InputError(
            "it is a machine, which has no hidden space", where=model, do="Give a model, such as add2:raw."
        )
    data = load_traces(traces) if traces is not None else _training_traces(named)
    states = draw_atlas(named.agent, _machine_of(named, machine), data, out)
    print(f"wrote {out}: {len(data.seen):,} prefixes in {states} states")


def _training_traces(named: NamedAgent) -> Traces:
    """Those of the run folder, or else the task's own (on which the shipped models were trained)."""
    from dfst.traces.sampler import sample

    return named.run.traces() if named.run is not None else sample(named.expert(), seed=42)


def _machine_of(named: NamedAgent, given: Path | None) -> GridMachine:
    """The machine that was extracted from it, or else its teacher."""
    from dfst.study.shipped import shipped_models
    from dfst.teachers.find import is_own_name
    from dfst.world.machine_file import load_machine

    if given is not None:
        return load_machine(given)
    if named.run is not None:
        path = named.run.path / "machine.dfst"
        return load_machine(path) if path.exists() else named.run.task().machine
    for model in shipped_models():
        if is_own_name(named.source) and named.source.split(":")[0] == model.task:
            return load_machine(model.machine)
    return named.expert().machine
