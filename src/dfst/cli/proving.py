"""Verbs for certainty: extract, certify, check."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from dfst.cli.app import PROVE, Flag, Json, Teacher, TeacherLayout, app
from dfst.cli.output import note, print_json, proven_title, show, show_rows, status_line
from dfst.errors import InputError, MachineError, RejectedError, printable


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
        The traces the model was trained on (.jsonl); by default those of the run folder.
    suggestions
        How many problems to suggest whose traces would settle the weakest merges.
    seconds
        Stop after this many seconds; by default dfst limits the work instead, so that any computer finds the same
        machine.
    out
        Write the machine to this file.

    """
    from dfst.api import extract
    from dfst.extraction.report import report
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
    found = report(extraction, suggestions=suggestions)
    show(found, json, model=policy)
    sys.exit(0 if found.consistent else 1)


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
    whatever the verdict. If the machine is exact, the command also tries to prove the network itself, with its hidden
    state rounded. Where the teacher is stuck and the machine is not, nothing is claimed: the verdict is then "exact
    until the teacher is stuck". Exit code 0: proven, and the certificate was checked; 1: refuted or undecided.

    Parameters
    ----------
    policies
        Run folders, names such as add2:raw, machine files, or a .safetensors file together with --traces; several are
        shown in one table.
    traces
        The traces the model was trained on; by default those of the run folder.
    out
        The folder for certificate.json, machine.dfst and one_hot.safetensors, and for network.json and
        rounded.safetensors if the network itself is proven; the run folder by default.
    raw_to
        Measure the network's own RLG, without rounding, up to this many digits (0: leave the network itself alone).
    seconds
        Stop extracting and comparing after this many seconds; --raw-to and writing come on top. By default dfst limits
        the work instead, so that any computer reaches the same verdict.

    """
    from dfst.api import certify as prove
    from dfst.own import named
    from dfst.world.machine import GridMachine

    if not policies:
        raise InputError("missing argument POLICY", do="Name a run folder, or a model such as add2:raw.")
    if out is not None and len(policies) > 1:
        raise InputError("several certificates cannot go to one folder", where="--out", do="Leave it out.")
    known = {policy: named(policy, teacher) for policy in policies}  # all of them, before anything is written
    folders = {}
    for policy, who in known.items():
        name = Path(policy.replace(":", "-")).name.removesuffix(".dfst").removesuffix(".safetensors")
        own = None if isinstance(who, GridMachine) else who.origin.folder
        folders[policy] = out or own or Path(f"{name}-certified")
    if len(set(folders.values())) < len(policies):
        raise InputError("two of the proofs would go to the same folder", do="Certify one at a time, with --out.")
    found = []
    for policy, folder in folders.items():
        with status_line(f"certifying {policy}") as say:
            options = {"raw_length": raw_to, "seconds": seconds, "teacher_layout": teacher_layout, "say": say}
            found.append(prove(known[policy], teacher, traces=traces, out=folder, **options))
    columns = ("model", "program", "verdict", "passed", "states")  # of proofs, and of tests beside a program
    show(
        found if len(found) > 1 else found[0],
        json,
        title=proven_title(found, len(found)),
        row=lambda each: {name: value for name, value in each.to_json().items() if name in columns},
    )
    sys.exit(0 if all(each.proven for each in found) else 1)


@app.command(name="check", group=PROVE)
def check_file(
    subject: str,
    *,
    teacher: Teacher = None,
    weights: Path | None = None,
    machine: Path | None = None,
    rocq: Flag = False,
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
    from dfst.api import check
    from dfst.teachers.find import is_own_name

    is_certificate = is_own_name(subject) or not subject.endswith((".dfst", ".safetensors"))
    if not is_certificate and (teacher, weights, machine, rocq) != (None, None, None, False):
        raise InputError("only a certificate is compared with others", where=subject, do="Give a certificate.")
    try:
        if not is_certificate:
            (_check_machine if subject.endswith(".dfst") else _describe_model)(subject, json)
            return
        with status_line("Rocq compiles its checker the first time, which takes a while" if rocq else "checking"):
            checked = check(subject, teacher=teacher, weights=weights, machine=machine, rocq=rocq)
    except (MachineError, RejectedError) as error:
        if not json:
            raise
        print_json(error.to_json())
        sys.exit(1)
    show(checked, json, before=f"{printable(subject)}: ")
    if not checked.compared and not json:
        more = "--teacher TASK --weights FILE --machine FILE"
        note(f"compare your own with it: dfst check {shlex.quote(subject)} {more}")


def _check_machine(file: str, json: bool) -> None:
    """Read it, and test the right answers that its table [task] names."""
    from dfst.teachers.task_file import load_task

    task = load_task(file)
    task.check_answers(file)
    machine = task.machine
    facts = {"states": len(machine.states), "symbols": len(machine.alphabet), "rules": sum(1 for _ in machine.rules())}
    if json:
        print_json({"ok": True, "name": task.name} | facts | {"mistakes": []})
    else:
        counts = ", ".join(f"{number} {what}" for what, number in facts.items())
        print(printable(f"{file}: fine. {task.name}: {counts}."))


def _describe_model(file: str, json: bool) -> None:
    from dfst.training.weights import load_model

    model = load_model(file)
    summary = {"name": model.name, "symbols": " ".join(model.alphabet.symbols), "hidden_dim": model.hidden_dim}
    summary |= {"parameters": model.parameters, "dtype": str(model.h0.dtype)}
    if json:
        print_json(summary)
    else:
        show_rows([summary], upright=True)
