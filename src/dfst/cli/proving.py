"""Verbs for certainty: extract, certify, check."""

from __future__ import annotations

import sys
from pathlib import Path

from dfst.cli.app import Json, app
from dfst.cli.inputs import TeacherLayout, machine_named
from dfst.cli.output import complain, note, print_json, reached_text, status_line
from dfst.errors import InputError, printable


@app.command(name="extract")
def extract_machine(
    model: str, *, traces: Path | None = None, suggestions: int = 3, out: Path | None = None, json: Json = False
) -> None:
    """Read a finite machine out of a trained model, and say what speaks for it; no teacher is involved.

    Parameters
    ----------
    model
        A run folder, or a .safetensors file together with --traces.
    traces
        The traces it was trained on (.jsonl or .parquet); a run folder knows its own.
    suggestions
        How many problems to suggest whose traces would settle the weakest merges.
    out
        Write the machine to this file.

    """
    from dfst.extraction.pipeline import extract
    from dfst.extraction.report import describe, report
    from dfst.files import check_output
    from dfst.learn.model import DFST
    from dfst.study.agents import find_agent
    from dfst.study.certification import training_traces
    from dfst.traces.files import load_traces
    from dfst.world.machine_file import save_machine

    if suggestions < 0:
        raise InputError(f"{suggestions} cannot be used", where="--suggestions", do="Give 0 or more.")
    if out is not None:
        check_output(out, ".dfst", what="a machine file")
    named = find_agent(model)
    if not isinstance(named.agent, DFST):
        raise InputError("it is a machine already", where=model, do="Give a trained model.")
    given = training_traces(named, None if traces is None else load_traces(traces))
    with status_line("extracting") as say:
        extraction = extract(named.agent, given, progress=say)
    if out is not None:
        save_machine(extraction.machine, out)
        note(f"wrote {out}")
    facts = report(extraction, suggestions=suggestions)
    if json:
        print_json({"model": model} | facts)
    else:
        print(describe(facts))
    sys.exit(0 if facts["followed"] == facts["traces"] else 1)


@app.command
def certify(
    model: str,
    *,
    task: str | None = None,
    traces: Path | None = None,
    out: Path | None = None,
    raw_to: int = 100,
    teacher_layout: TeacherLayout = False,
    json: Json = False,
) -> None:
    """Extract a machine and prove that it acts like the teacher on every input of every length, or refute it.

    Exit code 0: exact, and the certificate was checked; 1: refuted or undecided. machine.dfst is written in any case.

    Parameters
    ----------
    model
        A run folder, a .safetensors file together with --traces, or a machine file.
    task
        The teacher to compare with, by name or as a machine file, if the agent does not say.
    traces
        The traces the model was trained on; a run folder knows its own.
    out
        The folder for certificate.json, machine.dfst and one_hot.safetensors; the run folder by default.
    raw_to
        Measure the raw float model's own RLG up to so many digits.

    """
    from dfst.learn.model import DFST
    from dfst.study.agents import find_agent
    from dfst.study.certification import certify as prove
    from dfst.study.checking import whose_teacher
    from dfst.traces.files import load_traces

    named = find_agent(model)
    expert = named.expert(task)
    teacher = expert.machine
    folder = out or (named.run.path if named.run else Path(f"{Path(model.replace(':', '-')).stem}-certified"))
    given = None if traces is None else load_traces(traces)
    with status_line("certifying") as say:
        record = prove(
            named, teacher, traces=given, expert=expert, out=folder, raw_length=raw_to, teacher_layout=teacher_layout,
            say=say,
        )  # fmt: skip
    if json:
        print_json(record)
    else:
        whose = "the extracted machine" if isinstance(named.agent, DFST) else "the machine"
        print(printable(f"{whose} ({record['states']} states) is {record['explanation']}."))
        whose = whose_teacher(record["teacher_known_as"], teacher.name)
        print(printable(f"teacher: {whose}; SHA-256 {record['teacher_sha256']}."))
        if "layout" in record:
            print(printable(f"layout: {record['layout']}; so it is in {record['machine']}."))
        if record["verdict"] == "exact":
            size = f"{record['configurations']} abstract configurations"
            print(printable(f"proof: {size}, {record['certificate']}; the independent checker agrees."))
        else:
            print(printable(f"machine: {record['machine']}, not proven; there is no certificate."))
        if raw := record.get("raw"):
            forecast = f"forecast from 5 digits: {raw['forecast_rlg']}"
            own = f"its own RLG is {reached_text(raw['rlg'], raw['measured_to'])} digits ({forecast})"
            print(f"the raw float model is not what is certified: {own}.")
    sys.exit(0 if record["verdict"] == "exact" else 1)


@app.command(name="check")
def check_certificate(
    certificate: Path,
    *,
    teacher: str | None = None,
    weights: Path | None = None,
    machine: Path | None = None,
    json: Json = False,
) -> None:
    """Check a certificate with the independent checker, which re-derives everything and trusts nothing.

    It says whose teacher the proof is about, what is claimed, and which of the files that you name it compared. Exit
    code 0: verified, and every file named belongs to it; 1: rejected.

    Parameters
    ----------
    certificate
        The JSON file, or the same compressed with gzip (.json.gz).
    teacher
        A teacher's name or a machine file: is it the one that the certificate speaks of?
    weights
        A .safetensors file: do its one-hot weights say the same as the certified machine, in the same world?
    machine
        A machine file: is it the certified machine?

    """
    from dfst.prove import checker
    from dfst.study.checking import NotTheSame
    from dfst.study.checking import check_certificate as check

    named = None if teacher is None else machine_named(teacher)
    try:
        checked = check(certificate, teacher=named, weights=weights, machine=machine)
    except checker.Rejected as reason:
        subject, do = certificate, "It proves nothing as it is; dfst certify makes a certificate."
        if isinstance(reason, NotTheSame):
            subject = {"teacher": certificate, "weights": weights, "machine": machine}[reason.what]
            do = _BELONGS[reason.what]
        if json:
            print_json({"verified": False, "file": printable(str(subject)), "reason": printable(str(reason))})
        else:
            complain(printable(f"{subject}: rejected: {reason}. {do}"))
        sys.exit(1)
    if json:
        print_json(checked.to_json())
    else:
        print(f"{printable(str(certificate))}: {checked.explain()}")


_BELONGS = {
    "teacher": "Name the teacher it was made for; without --teacher, the check says which one dfst recognises.",
    "weights": "Give the one_hot.safetensors that dfst certify wrote with the certificate.",
    "machine": "Give the machine.dfst that dfst certify wrote with the certificate.",
}
