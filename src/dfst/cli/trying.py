"""Verbs that let a policy act: solve, view, eval, diff."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from dfst.cli.app import MEASURE, TRY, Flag, Json, Teacher, TeacherLayout, app, read_problem
from dfst.cli.output import complain, note, print_json, progress_bar, show, status_line
from dfst.errors import InputError


@app.command(group=TRY)
def solve(
    policy: str, *problem: str, json: Json = False, step_limit: int | None = None, reach: int | None = None
) -> None:
    """Solve a problem with a learned model or machine, or with its teacher.

    Parameters
    ----------
    policy
        Who solves it: a task's name such as add10, add10:raw, teacher:add10, a run folder, a model or machine file.
    problem
        The operands, such as 58 67 or 58+67, of any length; @FILE reads one from a file.
    step_limit
        Stop after this many steps; by default after a number that you can wait for.
    reach
        How many cells beyond the input the policy may move; no limit by default.

    """
    from dfst.api import solve as solved
    from dfst.own import named
    from dfst.world.rollout import Outcome

    who = named(policy, problem=lambda world: read_problem(problem, world))
    result = solved(who, *read_problem(problem, who), step_limit=step_limit, reach=reach)
    answer, halted = result.answer, result.outcome == Outcome.HALTED
    called = who.origin.who or who.describe()
    note(f"{policy}: {called}.")
    if answer.text is None and not json:
        why = "the answer's row holds something else" if halted else "it did not halt"
        why += "; --step-limit allows more steps" * (result.outcome == Outcome.STEP_LIMIT)
        rest = (
            "its answers, and the inputs it did not answer" if who.world.is_conversation else "what is left on the grid"
        )
        complain(f"there is no answer ({why}); the text shown is {rest}.")
    if json:
        print_json({"policy": policy, "who": called} | result.to_json())
    else:
        print(f"{answer.cells if answer.text is None else answer.text}\n{result.explain()}.")
    sys.exit(0 if halted else 1)


@app.command(group=TRY)
def view(
    policy: str,
    *problem: str,
    out: Path = Path("view.html"),
    alone: Flag = False,
    teacher: Teacher = None,
    steps: int | None = None,
    browser: Annotated[bool, Parameter(name="--open", negative="")] = False,
) -> None:
    """Watch a problem being solved, as a page or film.

    The learned policy is shown beside its teacher, with the first step at which they differ.

    Parameters
    ----------
    policy
        Who solves it: a task's name such as add10, add10:raw, teacher:add10, a run folder, a model or machine file, or
        FILE.py:Name for a policy of your own in Python.
    problem
        The operands, such as 58 67 or 58+67; @FILE reads one from a file.
    out
        What to write, by its ending: .html a page, .svg a film.
    alone
        Show the learned policy without its teacher.
    steps
        Show at most this many steps; 5 million by default.
    browser
        Open what was written in the browser.

    """
    from dfst import api
    from dfst.own import named

    who = named(policy, teacher, problem=lambda world: read_problem(problem, world))
    given = read_problem(problem, who)
    with status_line("running"):
        path = api.view(who, *given, teacher=teacher, out=out, alone=alone, steps=steps, say=note)
    print(path)
    if browser:
        import webbrowser

        if not webbrowser.open(path.resolve().as_uri()):
            note(f"No browser was found: open {out} in one.")


@app.command(name="eval", group=MEASURE)
def evaluate(
    *policies: str,
    to: int | None = None,
    rlg: Flag = False,
    teacher: Teacher = None,
    teacher_layout: TeacherLayout = False,
    seed: int = 0,
    out: Path | None = None,
    verbose: Flag = False,
    json: Json = False,
) -> None:
    """Measure up to which length a policy does what its teacher does.

    The problems of PLG and RLG are the paper's, which asks for equal answers; dfst asks for equal actions, which is
    more. The result for a run folder is written to its eval folder; an interrupted evaluation resumes.

    Parameters
    ----------
    policies
        Names such as add10:raw, run folders, model or machine files, or FILE.py:Name for a policy of your own in
        Python; several are shown in one table.
    to
        The largest length to test; the paper's by default.
    rlg
        Also test all same-digit pairs.
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
                known[policy], teacher, to=to, rlg=rlg, seed=seed, out=out, teacher_layout=teacher_layout,
                progress=lambda m, done, total, advance=advance: advance(done, total, f"{m} digits"),
            )  # fmt: skip
        found.append(result)
    if verbose and len(found) == 1 and not json:
        print(found[0].lengths.table())
    show(
        found if len(found) > 1 else found[0],
        json,
        title="Every action is the teacher's, up to how many digits?",
        row=lambda each: {
            "policy": each.facts["model"],
            "result": each.lengths.explain().partition("\n")[0],
            "tested to": f"{each.lengths.to:,}",
        },
    )


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

    Where the teacher is stuck, nothing is compared. Exit code 0: no difference found; 1: difference found.

    Parameters
    ----------
    policy
        A name such as add10:raw, a run folder, a model or machine file, or FILE.py:Name for a policy in Python.
    problem
        The problem to compare on; by default dfst looks for a short one (for machines by proof, otherwise by testing).
    to
        Test a float model up to this many digits.

    """
    from dfst import api
    from dfst.own import named

    who = named(policy, teacher)
    with status_line("looking") as say:
        given = read_problem(problem, who)
        found = api.diff(who, *given, teacher=teacher, to=to, teacher_layout=teacher_layout, say=say)
    show(found, json)
    sys.exit(1 if found.found else 0)
