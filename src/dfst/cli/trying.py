"""Verbs that let a policy act: solve, view, eval, diff."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from dfst.cli.app import MEASURE, TRY, Json, Teacher, TeacherLayout, app, check_left_out, read_problem
from dfst.cli.output import check_ending, note, print_answer, print_json, progress_bar, show_rows, status_line
from dfst.errors import InputError, printable

if TYPE_CHECKING:
    from dfst.show.recording import Recording


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

    who = named(policy, problem=lambda world: read_problem(problem, world))
    result = solved(who, *read_problem(problem, who.policy), step_limit=step_limit, reach=reach)
    note(printable(f"{policy}: {who.who}."))
    print_answer({"policy": policy, "who": who.who}, result, json)


@app.command(group=TRY)
def view(
    policy: str,
    *problem: str,
    out: Path = Path("view.html"),
    terminal: Annotated[bool, Parameter(negative="")] = False,
    speed: float | None = None,
    alone: Annotated[bool, Parameter(negative="")] = False,
    teacher: Teacher = None,
    steps: int | None = None,
    browser: Annotated[bool, Parameter(name="--open", negative="")] = False,
) -> None:
    """Watch a problem being solved, as a page or film, or on the terminal.

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
    terminal
        Play it on the terminal instead; Ctrl-C ends it.
    speed
        With --terminal: steps per second; 5 by default.
    alone
        Show the learned policy without its teacher.
    steps
        Show at most this many steps; 5 million by default.
    browser
        Open what was written in the browser.

    """
    from dfst.files import write_atomically

    check_ending(out, (".html", ".svg"), "Use .html for a page, .svg for a film.")
    if not terminal:
        check_left_out({"--speed": speed}, "it is for --terminal")
    if speed is not None and not 0 < speed < float("inf"):
        raise InputError(f"{speed} steps per second are none", where="--speed", do="Give more than 0, such as 5.")
    if out.suffix == ".svg" and not terminal:
        if alone or teacher is not None or steps is not None:
            do = "Leave --alone, --teacher and --steps out, or write .html."
            raise InputError("a film shows the machine alone, to its end", where=str(out), do=do)
        _film(policy, problem, out)
        _show(out, browser)
        return
    recordings = _record(policy, problem, alone, teacher, steps)
    if terminal:
        from dfst.show.terminal_film import play

        play(recordings, 5.0 if speed is None else speed)
        return
    from dfst.show.viewer import viewer_page

    write_atomically(out, viewer_page(recordings).encode())
    print(out)
    note(f"{len(recordings[0]):,} steps; {recordings[0].rollout.explain()}")
    _show(out, browser)


def _show(out: Path, browser: bool) -> None:
    """Open the file, if that was asked for and there is a browser."""
    import webbrowser

    if browser and not webbrowser.open(out.resolve().as_uri()):
        note(f"No browser was found: open {out} in one.")


def _film(policy: str, problem: tuple[str, ...], out: Path) -> None:
    """The machine alone, as an animated picture that needs no script."""
    from dfst.cli.output import write_text
    from dfst.own import named, split_problem
    from dfst.show.film import film

    machine = named(policy).machine()
    write_text(film(machine, *split_problem(machine, read_problem(problem, machine))), out)


def _record(
    policy: str, problem: tuple[str, ...], alone: bool, teacher: str | None, steps: int | None
) -> list[Recording]:
    """The rollout of ``policy``; that of a model or a policy of one's own beside its teacher's."""
    from dfst.api import recordings
    from dfst.own import named

    if alone and teacher is not None:
        raise InputError("--alone and --teacher exclude each other", do="Leave one out.")
    who = named(policy, teacher, problem=lambda world: read_problem(problem, world))
    with status_line("running"):
        return recordings(who, read_problem(problem, who.policy), teacher, alone=alone, steps=steps, say=note)


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
