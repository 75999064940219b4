"""Verbs that measure and compare: eval, diff."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from dfst.cli.app import MEASURE, Json, Teacher, TeacherLayout, app
from dfst.cli.inputs import read_problem
from dfst.cli.output import note, print_json, progress_bar, show_rows, status_line
from dfst.errors import InputError, printable


@app.command(name="eval", group=MEASURE)
def evaluate(
    *policies: str,
    to: int | None = None,
    rlg: Annotated[bool, Parameter(negative="")] = False,
    hard: Annotated[bool, Parameter(negative="")] = False,
    teacher: Teacher = None,
    teacher_layout: TeacherLayout = False,
    seed: int = 0,
    out: Path | None = None,
    verbose: Annotated[bool, Parameter(negative="")] = False,
    json: Json = False,
) -> None:
    """Measure up to which length a policy does what its teacher does.

    PLG and RLG are defined as in the paper. The result for a run folder is written to its eval folder; an interrupted
    evaluation resumes.

    Parameters
    ----------
    policies
        Names such as add10:raw, run folders, model or machine files, or FILE.py:Name for a policy of your own in
        Python; several are shown in one table.
    to
        The largest length to test; the paper's by default.
    rlg
        Also test all same-digit pairs.
    hard
        Also test deliberately hard inputs, at the largest length that passed.
    seed
        The seed of the random problems.
    out
        Write the result to this file (and every attempt beside it).
    verbose
        Show every length that was tested.

    """
    from dfst.api import evaluate as measure
    from dfst.own import named

    if not policies:
        raise InputError("missing argument POLICY", do="Name a policy, such as add10:raw or a run folder.")
    if out is not None and len(policies) > 1:
        raise InputError("several results cannot go to one file", where="--out", do="Leave it out, or measure one.")
    found, known = [], {policy: named(policy, teacher) for policy in policies}  # a mistake in any of them comes first
    for policy in policies:
        with progress_bar("") as advance:
            result = measure(
                known[policy], teacher, to=to, rlg=rlg, hard=hard, seed=seed,
                out=out, teacher_layout=teacher_layout,
                progress=lambda m, done, total, advance=advance: advance(done, total, f"{m} digits"),
            )  # fmt: skip
        found.append(result)
        if not json and len(policies) == 1:
            if verbose:
                print(result.lengths.table())
            print(result)
    if json:
        print_json([each.to_json() for each in found] if len(found) > 1 else found[0].to_json())
    elif len(found) > 1:
        rows = [
            {
                "policy": printable(policy),
                "result": each.lengths.explain().partition("\n")[0],
                "tested to": f"{each.lengths.to:,}",
            }
            for policy, each in zip(policies, found, strict=True)
        ]
        show_rows(rows, title="Every action is the teacher's, up to how many digits?")
        for policy, each in zip(policies, found, strict=True):
            if each.not_measured:
                note(printable(f"{policy}: {each.not_measured}"))


@app.command(group=MEASURE)
def diff(
    policy: str,
    *problem: str,
    teacher: Teacher = None,
    to: int = 100,
    teacher_layout: TeacherLayout = False,
    json: Json = False,
) -> None:
    """Find the first step where a policy and its teacher differ.

    Exit code 0: no difference found; 1: difference found.

    Parameters
    ----------
    policy
        A name such as add10:raw, a run folder, a model or machine file, or FILE.py:Name for a policy in Python.
    problem
        The problem to compare on; by default dfst looks for a short one (for machines by proof, otherwise by testing).
    to
        Test a float model up to this many digits.

    """
    from dfst.judging.difference import find_difference
    from dfst.own import judged_on, named, split_problem
    from dfst.world.same import beside, borrowed_layout

    who = named(policy, teacher)
    task = judged_on(who, teacher)
    judged = beside(task.machine, who.policy, teacher_layout=teacher_layout, where=policy)
    given = split_problem(task.machine, read_problem(problem, task.machine))
    with status_line("looking") as say:
        found = find_difference(judged, task, given or None, to=to, say=say)
    if (layout := borrowed_layout(who.policy, task.machine)) is not None:
        note(f"layout: {layout}.")
    if json:
        print_json(found.to_json())
    else:
        print(found)
    sys.exit(1 if found.found else 0)
