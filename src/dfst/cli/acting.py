"""Verbs for agents let loose: solve, eval, diff."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from dfst.cli.app import Json, app
from dfst.cli.inputs import TeacherLayout, read_operand
from dfst.cli.output import (
    note,
    print_answer,
    print_json,
    progress_bar,
    reached_text,
    score_text,
    show_rows,
    status_line,
)
from dfst.errors import printable


@app.command
def solve(model: str, *operands: str, json: Json = False, step_limit: int = 10**12, reach: int | None = None) -> None:
    """Let an agent loose on one problem: a trained model, or any machine.

    Parameters
    ----------
    model
        A run folder, a .safetensors file, a machine file, or teacher:NAME.
    operands
        The numbers, of any length, in the task's radix; @FILE reads one from a file.
    step_limit
        Stop after so many steps.
    reach
        How many cells beyond the input the agent may go, if there is to be a limit.

    """
    from dfst.act.rollout import rollout
    from dfst.learn.model import DFST
    from dfst.study.agents import find_agent
    from dfst.world.run import run as run_machine

    named = find_agent(model)
    agent, facts = named.agent, {"model": model}
    given = [read_operand(text, agent) for text in operands]
    if isinstance(agent, DFST):
        result = rollout(agent, *given, step_limit=step_limit, reach=reach)
        facts |= {"rescales": result.rescales, "flushed": result.flushed}
    else:
        result = run_machine(agent, *given, step_limit=step_limit, reach=reach)
    if named.who:
        note(printable(f"{model}: {named.who}."))
    print_answer(facts | ({"who": named.who} if named.who else {}), result, json)


@app.command(name="eval")
def evaluate(
    model: str,
    *,
    to: int | None = None,
    rlg: Annotated[bool, Parameter(negative="")] = False,
    hard: Annotated[bool, Parameter(negative="")] = False,
    forecast: Annotated[bool, Parameter(negative="")] = False,
    task: str | None = None,
    teacher_layout: TeacherLayout = False,
    seed: int = 0,
    threads: int | None = None,
    workers: int | None = None,
    address: str | None = None,
    out: Path | None = None,
    json: Json = False,
) -> None:
    """Measure how long problems may be: PLG (and RLG), as the paper defines them, with every length that was tested.

    A result of a run folder goes to its eval folder; a measurement that was stopped goes on where it was.

    Parameters
    ----------
    model
        A run folder, a .safetensors file, a machine file, or teacher:NAME.
    to
        The largest length to test; as far as the paper by default.
    rlg
        Also test all same-digit pairs.
    hard
        Also test inputs made to be hard, at the largest length that passed.
    forecast
        Also forecast, from 5-digit problems, how far a float model gets.
    task
        The teacher to compare with, if the agent does not say.
    seed
        The seed of the random problems.
    threads
        Problems at a time; as many as there are cores by default.
    workers
        Spread the problems over so many processes instead (extra sweep).
    address
        Spread them over a Ray cluster, such as 10.0.0.1:6379.
    out
        Write the result to this file (and every attempt beside it).

    """
    from dfst.study.agents import find_agent
    from dfst.study.evaluation import evaluate as measure
    from dfst.sweep.spread_exam import spreading

    named = find_agent(model)
    with progress_bar("") as advance:
        result = measure(
            named, task=task, to=to, rlg=rlg, hard=hard, with_forecast=forecast, seed=seed, threads=threads, out=out,
            spread=spreading(address, workers, threads=threads), teacher_layout=teacher_layout,
            progress=lambda m, done, total: advance(done, total, f"{m} digits"),
        )  # fmt: skip
    if json:
        print_json(result)
        return
    kinds = ("random", "same_digit") if rlg else ("random",)
    rows = [
        {"digits": rung["m"]} | {kind.replace("_", "-"): score_text(rung[kind]) for kind in kinds}
        for rung in result["tested"]
    ]
    reached = [
        f"{name} {reached_text(result[key], result['to'])}"
        for name, key in (("PLG", "plg"), ("RLG", "rlg"))
        if result[key] is not None
    ]
    reached += [f"forecast of RLG {result['forecast_rlg']}"] if "forecast_rlg" in result else []
    show_rows(rows, False, title=printable(f"{model}: {', '.join(reached)}"))
    if "layout" in result:
        note(printable(f"layout: {result['layout']}."))
    if result["hard"]:
        print(f"hard inputs: {score_text(result['hard'])}.")
    if result["first_failure"]:
        print(f"first difference: {result['first_failure']}.")


@app.command
def diff(
    model: str,
    task: str | None = None,
    *operands: str,
    to: int = 100,
    teacher_layout: TeacherLayout = False,
    json: Json = False,
) -> None:
    """Where does an agent first act otherwise than its teacher? Exit code 0: nowhere that was looked, 1: there.

    Parameters
    ----------
    model
        A run folder, a .safetensors file, a machine file, or teacher:NAME.
    task
        The teacher, by name or as a machine file.
    operands
        The problem to look at; without one, a short one that is found (by proof for machines, else by testing).
    to
        Test a float model up to so many digits.

    """
    from dfst.study.agents import beside, find_agent
    from dfst.study.difference import first_difference
    from dfst.world.same import world_difference

    named = find_agent(model)
    expert = named.expert(task)
    teacher = expert.machine
    agent = beside(teacher, named.agent, teacher_layout=teacher_layout, where=model)
    given = tuple(read_operand(text, teacher) for text in operands)
    with status_line("looking") as say:
        found = first_difference(agent, teacher, expert, given or None, to, say)
    if (other := world_difference(named.agent, teacher)) is not None:
        note(f"layout: the teacher's, as asked for; its own and the teacher's have different {other}.")
    if json:
        print_json(found)
    else:
        print(f"{found['explanation']}.")
    sys.exit(1 if found["differs"] else 0)
