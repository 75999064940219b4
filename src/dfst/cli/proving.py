"""Verbs for certainty: extract, certify, check."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from dfst.cli.app import PROVE, Json, Teacher, TeacherLayout, app
from dfst.cli.output import complain, note, print_json, show_rows, status_line
from dfst.errors import InputError, MachineError, Mistake, RejectedError, printable

if TYPE_CHECKING:
    from dfst.prove.rocq import RocqChecked
    from dfst.teachers.task import Task

_SHOWN = 10
"""Wrong answers that are shown; a machine that is wrong on one problem is often wrong on all."""

_STEPS = 10**6
"""How far a machine that gives no answer is run again to say why."""


@app.command(name="extract", group=PROVE)
def extract_machine(
    policy: str,
    *,
    traces: Path | None = None,
    suggestions: int = 3,
    seconds: float | None = None,
    out: Path | None = None,
    json: Json = False,
) -> None:
    """Extract a finite-state machine from a trained model.

    The command reports the evidence for it; it uses no teacher.

    Parameters
    ----------
    policy
        A run folder, a name such as add2:raw, or a .safetensors file together with --traces.
    traces
        The traces the model was trained on (.jsonl or .parquet); by default those of the run folder.
    suggestions
        How many problems to suggest whose traces would settle the weakest merges.
    seconds
        Stop after this many seconds; by default dfst limits the work instead, so that any computer finds the same
        machine.
    out
        Write the machine to this file.

    """
    from dfst.api import extract
    from dfst.extraction.report import describe, report
    from dfst.files import check_output

    if suggestions < 0:
        raise InputError(f"{suggestions} cannot be used", where="--suggestions", do="Give 0 or more.")
    if out is not None:
        check_output(out, ".dfst", what="a machine file")
    with status_line("extracting") as say:
        extraction = extract(policy, traces, seconds=seconds, progress=say)
    if out is not None:
        extraction.machine.save(out)
        note(f"wrote {out}")
    facts = report(extraction, suggestions=suggestions)
    if json:
        print_json({"model": policy} | facts)
    else:
        print(describe(facts))
    sys.exit(0 if facts["followed"] == facts["traces"] else 1)


@app.command(group=PROVE)
def certify(
    *policies: str,
    teacher: Teacher = None,
    traces: Path | None = None,
    out: Path | None = None,
    raw_to: int = 100,
    seconds: float | None = None,
    teacher_layout: TeacherLayout = False,
    json: Json = False,
) -> None:
    """Prove that what was learned acts like its teacher, or refute it.

    The command compares the extracted machine with the teacher on every input of every length. It writes the machine
    whatever the verdict. Exit code 0: exact, and the certificate was checked; 1: refuted or undecided.

    Parameters
    ----------
    policies
        Run folders, names such as add2:raw, machine files, or a .safetensors file together with --traces; several are
        shown in one table.
    traces
        The traces the model was trained on; by default those of the run folder.
    out
        The folder for certificate.json, machine.dfst and one_hot.safetensors; the run folder by default.
    raw_to
        Measure the raw float model's own RLG up to this many digits (0: not at all).
    seconds
        Stop the extraction and the comparison each after this many seconds; by default dfst limits the work instead, so
        that any computer reaches the same verdict.

    """
    from dfst.api import certify as prove
    from dfst.judging.tested import Tested
    from dfst.own import named

    if not policies:
        raise InputError("missing argument POLICY", do="Name a run folder, or a model such as add2:raw.")
    if out is not None and len(policies) > 1:
        raise InputError("several certificates cannot go to one folder", where="--out", do="Leave it out.")
    known = {policy: named(policy, teacher) for policy in policies}  # all of them, before anything is written
    folders = {
        policy: out
        or (who.run.path if who.run and who.policy.as_table() is None else Path(f"{_file_name(policy)}-certified"))
        for policy, who in known.items()
    }
    if len(set(folders.values())) < len(policies):
        raise InputError("two of the proofs would go to the same folder", do="Certify one at a time, with --out.")
    found = []
    for policy, folder in folders.items():
        with status_line(f"certifying {policy}") as say:
            options = {"raw_length": raw_to, "seconds": seconds, "teacher_layout": teacher_layout, "say": say}
            found.append(prove(known[policy], teacher, traces=traces, out=folder, **options))
    if json:
        print_json([each.to_json() for each in found] if len(found) > 1 else found[0].to_json())
    elif len(found) == 1 or isinstance(found[0], Tested):
        print("\n".join(map(str, found)))
    else:
        rows = [
            {"policy": policy, "verdict": each.verdict.conclusion.value, "states": each.facts["states"]}
            for policy, each in zip(policies, found, strict=True)
        ]
        show_rows(rows, title=f"{sum(each.exact for each in found)} of {len(found)} are proven exact")
    sys.exit(0 if all(each.exact for each in found) else 1)


def _file_name(policy: str) -> str:
    """What a folder beside it may be called."""
    return Path(policy.replace(":", "-")).name.removesuffix(".dfst").removesuffix(".safetensors")


@app.command(name="check", group=PROVE)
def check_file(
    subject: str,
    *,
    teacher: Teacher = None,
    weights: Path | None = None,
    machine: Path | None = None,
    rocq: Annotated[bool, Parameter(negative="")] = False,
    json: Json = False,
) -> None:
    """Check a certificate independently, or check a machine file.

    The checker re-derives everything and trusts nothing. The command prints which teacher the proof is about, what is
    claimed, and which files it compared: those that you name, and in a folder its own machine and weights. For a
    machine file, it lists every mistake with its line and tests the correct answers that come with it; for a model
    file, it prints a description. Exit code 0: verified, and every file compared belongs to it; 1: rejected.

    Parameters
    ----------
    subject
        A task's name such as add10, a run folder, a certificate (.json or .json.gz), a .dfst or .safetensors file.
    weights
        A .safetensors file: are its one-hot weights those of the certified machine, in the same world?
    machine
        A machine file: is it the certified machine?
    rocq
        Also have the proof assistant Rocq (coqc) prove it, with a checker that is itself proven correct.

    """
    from dfst.teachers.find import is_own_name

    if not is_own_name(subject) and subject.endswith((".dfst", ".safetensors")):
        if (teacher, weights, machine, rocq) != (None, None, None, False):
            raise InputError("only a certificate is compared with others", where=subject, do="Give a certificate.")
        (_check_machine if subject.endswith(".dfst") else _describe_model)(subject, json)
        return
    from dfst.api import check
    from dfst.judging.checking import NotTheSame
    from dfst.prove import checker

    try:
        checked = check(subject, teacher=teacher, weights=weights, machine=machine)
        proven = _proven(subject) if rocq else None
    except (RejectedError, checker.Rejected) as rejected:
        reason = rejected.__cause__ or rejected
        wrong, do = subject, "It proves nothing as it is; dfst certify makes a certificate."
        if isinstance(reason, NotTheSame):
            wrong, do = reason.file or subject, _BELONGS[reason.what]
        if json:
            print_json({"verified": False, "file": printable(str(wrong)), "reason": printable(str(reason))})
        else:
            complain(printable(f"{wrong}: rejected: {reason}. {do}"))
        sys.exit(1)
    if json:
        print_json(checked.to_json() | ({} if proven is None else {"rocq": proven.to_json()}))
    else:
        print(f"{printable(subject)}: {checked}")
        if not checked.compared:
            more = "--teacher TASK --weights FILE --machine FILE"
            note(printable(f"compare your own with it: dfst check {shlex.quote(subject)} {more}"))
        if proven is not None:
            print(proven.explain())


_BELONGS = {
    "teacher": "Name the teacher it was made for; without --teacher, the check says which one dfst recognises.",
    "weights": "Give the one_hot.safetensors that dfst certify wrote with the certificate.",
    "machine": "Give the machine.dfst that dfst certify wrote with the certificate.",
    "model": "The certificate is about a machine that was extracted from other weights; certify these.",
}


def _proven(subject: str) -> RocqChecked:
    from dfst.names import find_certificate
    from dfst.prove.rocq import check_with_rocq

    with status_line("Rocq compiles its checker the first time, which takes a while"):
        return check_with_rocq(find_certificate(subject))


def _check_machine(file: str, json: bool) -> None:
    from dfst.teachers.task_file import load_task

    try:
        task = load_task(file)
        _check_answers(task, file)
    except MachineError as error:
        if not json:
            raise
        print_json({"ok": False, "mistakes": [{"line": m.line, "what": m.what, "do": m.do} for m in error.mistakes]})
        sys.exit(1)
    states, symbols = len(task.machine.states), len(task.machine.alphabet)
    rules = sum(1 for _ in task.machine.rules())
    if json:
        print_json(
            {"ok": True, "name": task.name, "states": states, "symbols": symbols, "rules": rules, "mistakes": []}
        )
    else:
        print(printable(f"{file}: fine. {task.name}: {states} states, {symbols} symbols, {rules} rules."))


def _check_answers(task: Task, file: str) -> None:
    """Refuse a machine that does not give the right answers that its table [task] names."""
    from dfst.world.rollout import Outcome

    wrong, do = task.wrong_answers(), "Change the rules, or the answers."
    mistakes = []
    for operands, said in list(wrong.items())[:_SHOWN]:
        says = f"it says {said}"
        if said is None:
            ended = task.machine.run(*operands, step_limit=_STEPS)
            why = ended.explain() if ended.outcome != Outcome.HALTED else "its row holds something else"
            says = f"it gives no answer ({why})"
        mistakes.append(Mistake(f"on {' '.join(operands)} {says}, not {task.answers[operands]}", do))
    if len(wrong) > _SHOWN:
        mistakes.append(Mistake(f"{len(wrong) - _SHOWN} more answers are wrong", do))
    if mistakes:
        raise MachineError(mistakes, where=file)


def _describe_model(file: str, json: bool) -> None:
    from dfst.training.weights import load_model

    model = load_model(file)
    summary = {"name": model.name, "symbols": " ".join(model.alphabet.symbols), "hidden_dim": model.hidden_dim}
    summary |= {"parameters": model.parameters, "dtype": str(model.h0.dtype)}
    if json:
        print_json(summary)
    else:
        show_rows([summary], upright=True)
