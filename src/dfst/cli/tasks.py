"""Verbs about tasks: what there is, a new one, its teacher at work, its traces."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Literal

from dfst.cli.app import Json, app
from dfst.cli.inputs import machine_named, read_operand
from dfst.cli.output import lengths_text, note, print_answer, print_json, progress_bar, show_rows, status_line


@app.command
def experts(*, json: Json = False) -> None:
    """List the teachers of the paper's four tasks (addR and multR exist for every radix from 2 to 36)."""
    from dfst.learn.model import parameter_count
    from dfst.teachers.expert import expert
    from dfst.teachers.lessons import PAPER_TASKS

    rows = [
        {
            "name": teacher.name,
            "states": len(teacher.machine.states),
            "symbols": len(teacher.machine.alphabet),
            "hidden_dim": teacher.hidden_dim,
            "parameters": parameter_count(len(teacher.machine.alphabet), teacher.hidden_dim),
        }
        for teacher in map(expert, PAPER_TASKS)
    ]
    show_rows(rows, json, title="Teachers")


@app.command
def new(name: str) -> None:
    """Begin a task of your own: a folder with a working machine file to change, and right answers beside it.

    Parameters
    ----------
    name
        Its name, such as my-task.

    """
    from dfst.teachers.scaffold import new_task

    for path in new_task(name, Path(name)):
        print(path)
    note(f"next: dfst machine check {name}/{name}.dfst")


@app.command(name="gallery")
def show_gallery(*, json: Json = False) -> None:
    """List the tasks of the gallery: what each needs to be learned, and whether a certificate comes with it.

    A certificate proves that a machine that was learned does what the task's own machine does, on every input. It may
    show, too, that the task's machine never gets stuck: that it has a rule for everything it meets.
    """
    from dfst.study.gallery import gallery_rows

    rows = gallery_rows()
    if not json:
        for row in rows:
            stuck = {None: "no", True: "yes, never stuck", False: "yes, may get stuck"}
            row["certified"] = stuck[row.pop("teacher_never_stuck")]
            row["seconds"] = "–" if row["seconds"] is None else row["seconds"]
    show_rows(rows, json, title="Gallery (dfst machine show NAME prints one)")


@app.command
def run(
    task: str,
    *operands: str,
    json: Json = False,
    step_limit: int = 10**12,
    engine: Literal["auto", "reference", "compiled", "skipping"] = "auto",
) -> None:
    """Let a teacher (or a machine file) solve one problem.

    Parameters
    ----------
    task
        A teacher's name (add10, mult16, …) or a machine file.
    operands
        The numbers, in the task's radix; @FILE reads one from a file.
    step_limit
        Stop after so many steps.
    engine
        auto, reference (plain Python), compiled, or skipping (compiled, whole walks at once); all make the same run.

    """
    from dfst.world.run import run as run_machine

    machine = machine_named(task)
    given = [read_operand(text, machine) for text in operands]
    result = run_machine(machine, *given, step_limit=step_limit, engine=engine)
    print_answer({"task": task}, result, json)


@app.command
def data(
    task: str,
    *,
    seed: int = 42,
    p: int | None = None,
    q: int | None = None,
    n: int | None = None,
    out: Path | None = None,
    json: Json = False,
) -> None:
    """Record a teacher's training traces with the paper's sampler, and report what they cover.

    Parameters
    ----------
    task
        A teacher's name, such as add2.
    seed
        The same seed gives the same traces, for ever.
    p
        All pairs of up to p digits are included.
    q
        All same-digit pairs of q digits, and random pairs of up to q digits.
    n
        The number of traces.
    out
        Write the traces to this .jsonl or .parquet file.

    """
    from dataclasses import replace

    from dfst.files import check_output
    from dfst.teachers.find import find_task
    from dfst.traces.coverage import coverage
    from dfst.traces.files import save_traces
    from dfst.traces.sampler import sample

    if out is not None:
        check_output(out, ".jsonl", ".parquet", what="traces")
    teacher = find_task(task)
    given = {name: value for name, value in (("p", p), ("q", q), ("n", n)) if value is not None}
    with progress_bar("recording") as advance:
        traces = sample(teacher, replace(teacher.sampling, **given), seed=seed, progress=advance)
    report = coverage(teacher.machine, traces)
    if out is not None:
        save_traces(traces, out)
        note(f"wrote {out}")
    loops = [
        {"state": loop.state, "move": loop.move.name, "symbols": list(loop.symbols), "lengths": loop.lengths}
        for loop in report.loops
    ]
    summary = {
        "task": task,
        "seed": seed,
        "traces": len(traces),
        "steps": len(traces.seen),
        "max_length": int(traces.lengths.max()),
        "sha256": traces.sha256,
        "uncovered": [list(pair) for pair in report.uncovered],
    }
    if json:
        print_json(summary | {"loops": loops})
        return
    uncovered = " ".join(f"({state}, {symbol})" for state, symbol in report.uncovered)
    show_rows([summary | {"uncovered": uncovered or "none: every rule of the teacher is used"}], False, upright=True)
    rows = [
        {
            "state": loop.state,
            "move": loop.move.name,
            "on": " ".join(loop.symbols),
            "seen at lengths": lengths_text(loop.lengths),
        }
        for loop in report.loops
    ]
    show_rows(rows, False, title="Loops: how far the teacher walks in one state")


@app.command(name="doctor")
def examine(subject: str, *, seed: int = 42, json: Json = False) -> None:
    """Why does it not learn? Look at a task, at traces or at a run, and say what to change. Exit code 1: something.

    Parameters
    ----------
    subject
        A task's name or file, a file of traces, or a run folder.
    seed
        The seed of a task's training traces.

    """
    from dataclasses import asdict

    from dfst.study.doctor.doctor import doctor

    with status_line("looking") as say:
        found = doctor(subject, seed=seed, say=say)
    if json:
        print_json([asdict(finding) for finding in found])
    elif not found:
        print(f"{subject}: nothing wrong was found.")
    for number, finding in enumerate([] if json else found, 1):
        print(f"{number}. {finding}")
    sys.exit(1 if any(finding.severity == "problem" for finding in found) else 0)
