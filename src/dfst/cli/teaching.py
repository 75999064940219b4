"""Verbs about tasks: begin one, list them, record their traces, and find out why one is not learned."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dfst.cli.app import TEACH, Json, app
from dfst.cli.output import note, print_json, progress_bar, show_rows, status_line

if TYPE_CHECKING:
    from dfst.shipped import Offer


@app.command(group=TEACH)
def tasks(*, json: Json = False) -> None:
    """List the tasks that come with dfst: what each does, what was learned of it, and inputs to try.

    addR and multR exist for every radix R from 2 to 36. A certificate proves that the learned machine does what the
    task's teacher does, on every input of every length.
    """
    from dfst.shipped import catalogue

    found = catalogue()
    if json:
        print_json([each.to_json() for each in found])
        return
    width = max(len(each.name) for each in found)
    for each in found:
        stuck = " (may get stuck)" * each.may_get_stuck
        print(f"{each.name:{width}}  {each.about}{stuck}\n{'':{width}}  {each.example}")
    unproven = [each.name for each in found if not each.certified]
    who = {kind: _which(found, kind) for kind in ("raw", "lasting", "rounded")}
    print(f"""
NAME          the learned machine, proven equal to its teacher{" but for " * bool(unproven)}{", ".join(unproven)}
NAME:raw      the network as trained, not proven: {who["raw"]}
NAME:lasting  a network of the recipe lasting, not proven: {who["lasting"]}
NAME:rounded  a network that is proven itself, rounded: {who["rounded"]}
teacher:NAME  the teacher: dfst export teacher:NAME prints it
May get stuck: the proof does not rule out that the teacher meets a symbol for which it has no rule. The learned machine
then stops at the same step.""")


def _which(tasks: list[Offer], kind: str) -> str:
    """The tasks that come with a network of that kind; if most do, those that come without."""
    there, not_there = ([each.name for each in tasks if (kind in each.models) == has] for has in (True, False))
    if len(there) <= len(not_there):
        return ", ".join(there)
    return f"each{' but ' * bool(not_there)}{', '.join(not_there)}"


@app.command(group=TEACH)
def new(name: str) -> None:
    """Create a task of your own: a machine file to edit.

    The machine works as it is; correct answers to test it with are beside it.

    Parameters
    ----------
    name
        The name of the task, such as my-task.

    """
    from dfst.teachers.scaffold import new_task

    for path in new_task(name, Path(name)):
        print(path)
    note(f"next: dfst check {name}/{name}.dfst")


@app.command(group=TEACH)
def data(
    task: str,
    *,
    seed: int = 42,
    p: int | None = None,
    q: int | None = None,
    n: int | None = None,
    noise: float = 0.0,
    out: Path | None = None,
    json: Json = False,
) -> None:
    """Record a teacher's training traces and report what they cover.

    The problems come from the paper's sampler.

    Parameters
    ----------
    task
        A task's name, such as add2, a machine file, or file.py:name for a Python program (dfst.teacher).
    seed
        The same seed always gives the same traces.
    p
        Include all problems of up to p symbols.
    q
        Include all problems that repeat one symbol q times, and random ones of up to q symbols.
    n
        The number of traces.
    noise
        Record this share of the steps wrongly, such as 0.01: another symbol written, or another move.
    out
        Write the traces to this .jsonl file.

    """
    from dataclasses import replace

    from dfst.files import check_output
    from dfst.own import as_any_task
    from dfst.traces.coverage import coverage
    from dfst.traces.record import check_share, corrupted

    check_share(noise)
    if out is not None:
        check_output(out, ".jsonl", what="traces")
    found = as_any_task(task)
    given = {name: value for name, value in (("p", p), ("q", q), ("n", n)) if value is not None}
    sampling = replace(found.sampling, **given)
    if found.machine is None:  # nobody knows its rules, so nobody can say which of them are covered
        traces, report = found.sample(sampling, seed=seed), None
    else:
        with progress_bar("recording") as advance:
            traces = found.sample(sampling, seed=seed, progress=advance)
        report = coverage(found.machine, traces)
    traces = corrupted(traces, noise, seed=seed)
    if out is not None:
        traces.save(out)
        note(f"wrote {out}")
    facts = {"task": task, "seed": seed, "traces": len(traces), "steps": len(traces.seen)}
    facts |= {"max_length": int(traces.lengths.max()), "sha256": traces.sha256}
    if json:
        print_json(facts | ({} if report is None else report.to_json()))
        return
    if report is not None:
        uncovered = " ".join(f"({state}, {symbol})" for state, symbol in report.uncovered)
        facts["uncovered"] = uncovered or "none: every rule of the teacher is used"
    show_rows([facts], upright=True)
    if report is not None and not found.world.is_conversation:
        loops = [
            {
                "state": loop.state,
                "move": loop.move.name,
                "on": " ".join(loop.symbols),
                "seen at lengths": " ".join(f"{n} (×{times})" for n, times in loop.lengths.items()) or "never",
            }
            for loop in report.loops
        ]
        show_rows(loops, title="Loops: how far the teacher walks in one state")


@app.command(name="doctor", group=TEACH)
def examine(subject: str, *, seed: int = 42, seconds: float = 5, json: Json = False) -> None:
    """Find out why something is not learned, and what to change.

    Of a log it says which conversations to record next. Exit code 0: nothing, or only warnings; 1: otherwise.

    Parameters
    ----------
    subject
        A task's name or file, a file of traces, or a run folder.
    seed
        The seed of a task's training traces.
    seconds
        Merge the states of a log for at most this many seconds.

    """
    from dataclasses import asdict

    from dfst.api import doctor

    with status_line("looking") as say:
        found = doctor(subject, seed=seed, seconds=seconds, say=say)
    if json:
        print_json([asdict(finding) for finding in found])
    else:
        lines = [f"{number}. {finding}" for number, finding in enumerate(found, 1)]
        print("\n".join(lines) or f"{subject}: nothing wrong was found.")
    sys.exit(1 if any(finding.severity == "problem" for finding in found) else 0)
