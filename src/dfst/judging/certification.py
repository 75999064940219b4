"""From a policy to a certificate in one call: extract, compare, write the proof, and look at the raw model.

What is certified is the *extracted* machine (and its one-hot weights). The float model it was extracted from is another
thing: it drifts, and its own horizon is reported beside.
"""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dfst.effort import Effort
from dfst.errors import FileFormatError, InputError, printable
from dfst.explained import Explained
from dfst.extraction.pipeline import Extraction, extract
from dfst.files import make_folder, remove_file, write_atomically
from dfst.judging.checking import check_certificate, known_teacher, whose_teacher
from dfst.judging.lengths import measure_lengths
from dfst.judging.network import CERTIFICATE, NETWORK, NetworkVerdict, prove_network
from dfst.lock import check_no_links
from dfst.manifest import manifest
from dfst.names import is_rounded, learner_in, machine_of, sha256_of, source_of, traces_of
from dfst.prove import checker
from dfst.prove.certificate import load_certificate, machine_hash
from dfst.prove.compare import compare
from dfst.prove.network_checker import MAX_NUMBERS
from dfst.prove.reference import check_reference
from dfst.prove.verdict import Verdict
from dfst.records import checked
from dfst.teachers.task import Task
from dfst.traces.consistency import check_alphabet
from dfst.traces.traces import Traces
from dfst.training.model import DFST, from_machine
from dfst.training.weights import MODEL_FILE, ROUNDED
from dfst.world.machine import GridMachine
from dfst.world.policy import Policy
from dfst.world.worlds import borrowed_layout, in_order_of, in_world_of

RAW_LENGTH = 100
"""The raw model's own RLG is measured up to this many digits."""

_ROUNDED = "rounded network"

OWN_RAW_LENGTH = 10
"""The same for a policy in Python, each step of which is a call."""

MACHINE, ONE_HOT, RECORD = "machine.dfst", "one_hot.safetensors", "certification.json"
"""What is written to a folder; the machine and the record whatever the verdict is."""


@dataclass(frozen=True, repr=False)
class Certification(Explained):
    """What ``certify`` found out: the verdict, what the machine was extracted from, and every fact for JSON.

    ``network`` is the verdict on a model itself with its hidden state rounded, if its machine is exact.
    ``facts["machine"]``, ``["certificate"]`` and so on are the files that were written.
    """

    verdict: Verdict
    extraction: Extraction | None
    facts: Mapping[str, Any]
    network: NetworkVerdict | None = None

    @property
    def exact(self) -> bool:
        """Proven equal to the teacher on every input; if files were written, the certificate was checked."""
        return self.verdict.exact

    @property
    def proven(self) -> bool:
        """Proven in the verdict's scope: exact, or exact until the teacher is stuck."""
        return self.verdict.proven

    def to_json(self) -> dict[str, Any]:
        """Everything, for a program."""
        return dict(self.facts)

    def explain(self) -> str:
        """Verdict, teacher, proof and the raw model's own horizon, a line each."""
        facts = self.facts
        subject = "the machine" if self.extraction is None else "the extracted machine"
        lines = [f"{subject} ({facts['states']} state{'s' * (facts['states'] != 1)}) is {self.verdict.explain()}."]
        if self.extraction is not None and self.extraction.gave_up:
            lines.append(f"the extraction gave up: {self.extraction.gave_up}.")
        whose = whose_teacher(facts["teacher_known_as"], facts["task"])
        lines.append(f"teacher: {whose}; SHA-256 {facts['teacher_sha256']}.")
        if "layout" in facts:
            lines.append(f"layout: {facts['layout']}.")
        if self.proven and "certificate" in facts:
            size = f"{facts['configurations']} abstract configurations"
            lines.append(f"proof: {size}, {facts['certificate']}; the independent checker agrees.")
        elif "machine" in facts:
            lines.append(f"machine: {facts['machine']}, not proven; there is no certificate.")
        if self.network is not None:
            file = facts["network"].get("network")
            by = f", {file}; the independent checker agrees" if file else ""
            lines.append(f"{self.network.explain()}{by}.")
        if raw := facts.get("raw"):
            reached = f"{'at least ' * (raw['rlg'] >= raw['measured_to'])}{raw['rlg']}"
            is_not = f"the {raw.get('kind', 'raw float model')} is not what is certified"
            if self.network is not None and self.network.proven:
                rounded = raw.get("kind") == _ROUNDED
                is_not = "measured, too" if rounded else "nothing is proven about it without rounding"
            scope = f", {raw['scope']}" if "scope" in raw else ""
            lines.append(f"{is_not}: its own RLG is {reached} digits{scope}.")
        return "\n".join(map(printable, lines))


@checked
def certify(
    policy: Policy,
    task: Task,
    *,
    traces: Traces | None = None,
    made: tuple[Extraction | None, Verdict | None] = (None, None),
    out: Path | None = None,
    raw_length: int = RAW_LENGTH,
    seconds: float | None = None,
    teacher_layout: bool = False,
    say: Callable[[str], None] = lambda text: None,
) -> Certification:
    """Prove that what ``policy`` has learned acts like the teacher of ``task`` on every input of every length.

    A float model needs the ``traces`` it was trained on (a run folder knows them); a machine is compared as it is. An
    extraction, and the verdict on it, that were ``made`` already are not made again. If the machine is exact, the model
    itself is tried with its hidden state rounded, and its own horizon without rounding is measured up to ``raw_length``
    digits (0: neither). Extraction and comparison together end after ``seconds``; without it their work is counted, so
    that any computer finds the same.

    Its world must be the teacher's. With ``teacher_layout`` only the symbols must be the same, and what is judged (and
    written) has the teacher's layout: for a model that knows its layout only from bare traces.

    machine.dfst and certification.json are written to ``out`` whatever the verdict is. If it is exact, so are
    one_hot.safetensors and certificate.json, if the network is, too, network.json and rounded.safetensors, and the
    independent checkers have read them again; if not, those of an earlier verdict are removed.

    >>> from dfst.names import find_policy, find_teacher
    >>> certify(find_policy("add2:machine"), find_teacher("add2")).exact
    True
    """
    teacher, (extraction, verdict) = task.machine, made
    check_reference(teacher)
    given = traces if extraction is None else extraction.evidence.traces
    given = _checked(policy, teacher, given, teacher_layout)
    if out is not None:
        make_room(out, policy)
    begin, effort = time.perf_counter(), Effort(math.inf, seconds)
    if extraction is None and given is not None:
        extraction = extract(learner_in(policy), given, seconds=seconds, progress=say)
    learner = machine_of(policy) if extraction is None else extraction.machine
    learner = in_world_of(teacher, learner, teacher_layout=teacher_layout)
    extracted = time.perf_counter()
    if verdict is None:
        say(f"comparing {len(learner.states)} states with the teacher's {len(teacher.states)}")
        verdict = compare(teacher, learner, seconds=effort.left, progress=say)
    record: dict[str, Any] = {
        "model": source_of(policy),
        "task": teacher.name,
        "verdict": verdict.conclusion.value,
        "explanation": verdict.explain(),
        "states": len(learner.states),
        "teacher_states": len(teacher.states),
        "teacher_sha256": machine_hash(teacher),
        "teacher_known_as": known_teacher(machine_hash(teacher), len(teacher.alphabet)),
        "scope": verdict.scope,
        "teacher_never_stuck": verdict.teacher_never_stuck,
        "configurations": verdict.size,
        "refinements": list(verdict.tried),
        "extract_seconds": round(extracted - begin, 2) if extraction else None,
        "prove_seconds": round(verdict.seconds, 2),
    }
    if verdict.counterexample is not None:
        record["counterexample"] = list(verdict.counterexample.operands)
    if (layout := borrowed_layout(policy, teacher)) is not None:
        record["layout"] = layout
    if extraction is not None:
        record |= _evidence(extraction)
    if out is not None:
        record |= _write(out, verdict, policy, None if extraction is None else extraction.evidence.traces)
    network, model = None, policy if raw_length and verdict.proven and isinstance(policy, DFST) else None
    if given is not None and model is not None and model.h0.dtype == "float32" and model.parameters <= MAX_NUMBERS:
        content = verdict.certificate().content if out is None else load_certificate(out / CERTIFICATE)
        subject = in_world_of(teacher, model, teacher_layout=teacher_layout)
        network = prove_network(subject, content, in_order_of(teacher.world, given), teacher, say)
        if network is None:
            say("the network itself: with its hidden state rounded it does not do what its traces show")
        else:
            record["network"] = network.to_json()
            if out is not None and network.proven:
                record["network"] |= network.save(out)  # with its certificate, which may be a finer one
                record["configurations"] = len(network.certificate["members"])
                record |= network.certificate["claim"]
    if raw_length and not isinstance(policy, GridMachine):
        say("looking how far it gets itself, not its machine")
        record["raw"] = _own_horizon(in_world_of(teacher, policy, teacher_layout=teacher_layout), task, raw_length)
    record["manifest"] = manifest(agent_sha256=sha256_of(policy))
    if out is not None:
        write_atomically(out / RECORD, (json.dumps(record, indent=2) + "\n").encode())
    return Certification(verdict, extraction, record, network)


def _checked(policy: Policy, teacher: GridMachine, traces: Traces | None, teacher_layout: bool) -> Traces | None:
    """The traces of the model (None for a machine), after everything that can be refused without any work."""
    is_machine = isinstance(policy, GridMachine)
    if is_machine and traces is not None:
        raise InputError("it is a machine, which needs no traces", where=source_of(policy), do="Leave --traces out.")
    in_world_of(teacher, policy, teacher_layout=teacher_layout, where=source_of(policy))
    if is_machine:
        return None
    traces = traces_of(policy, traces)
    check_alphabet(learner_in(policy), traces)
    return traces


def _evidence(extraction: Extraction) -> dict[str, Any]:
    evidence = extraction.evidence
    return {
        "traces": len(evidence.traces),
        "traces_followed": evidence.followed,
        "rehearsals": len(evidence.rehearsed),
        "open_probes": evidence.open_probes,
        "gave_up": extraction.gave_up,
        **({"own_runs": extraction.own_runs} if extraction.own_runs else {}),
        "weakest_merges": [join.explain() for join in evidence.joins[:3]],
    }


def _write(out: Path, verdict: Verdict, policy: Policy, traces: Traces | None) -> dict[str, Any]:
    """The machine, and the proof if there is one: the certificate comes when the files it is about are there."""
    assert verdict.machines is not None
    teacher, learner = verdict.machines
    paths = {"machine": write_machine(out, learner), "one_hot": out / ONE_HOT, "certificate": out / CERTIFICATE}
    if not verdict.proven:
        return {"machine": str(paths["machine"])}
    one_hot = from_machine(learner)
    hashes = {"model": sha256_of(policy)} if isinstance(policy, DFST) else {}
    hashes |= {"machine": sha256_of(learner), "one_hot": sha256_of(one_hot)}
    if traces is not None:
        hashes["traces"] = traces.sha256
    one_hot.save(paths["one_hot"])
    verdict.certificate(hashes).save(paths["certificate"])
    try:
        check_certificate(paths["certificate"], teacher=teacher, weights=paths["one_hot"], machine=paths["machine"])
    except checker.Rejected as reason:
        remove_file(paths["certificate"])
        what = f"the proof was written, but what was read again is not what was written ({reason})"
        raise FileFormatError(what, where=str(out), do="Check the disk, and call it once more.") from None
    return {what: str(path) for what, path in paths.items()} | {"checked": True}


def write_machine(out: Path, machine: GridMachine) -> Path:
    """Write ``machine`` to the folder ``out``. Nothing of an older verdict stays beside it, not even after a crash.

    So the old verdict goes first, then its certificate, then the files that it is about.
    """
    for name in (RECORD, NETWORK, ROUNDED, CERTIFICATE, ONE_HOT):
        remove_file(out / name)
    machine.save(out / MACHINE)
    return out / MACHINE


def make_room(out: Path, policy: Policy) -> None:
    """Make the folder ``out`` for what is found out about ``policy``, which must not be written over or removed."""
    _check_folder(out, policy)
    if out == policy.origin.folder:  # somebody else may have made it
        check_no_links(out)
    make_folder(out)


def _check_folder(out: Path, policy: Policy) -> None:
    """Refuse to write over, or to remove, what is to be certified."""
    source, folder = Path(source_of(policy)), policy.origin.folder
    mine = [source / MODEL_FILE, source / ONE_HOT] if source.is_dir() and folder is None else [source]
    if folder is not None and (isinstance(policy, GridMachine) or source.name.endswith(":rounded")):  # or RUN:machine
        mine = [folder / MACHINE, folder / ROUNDED]
    for name in (MACHINE, ONE_HOT, CERTIFICATE, RECORD, NETWORK, ROUNDED):
        if any(path.is_file() and (out / name).exists() and path.samefile(out / name) for path in mine):
            what = f"it is to be certified, but the files of the proof would replace it in {out}"
            raise InputError(what, where=source_of(policy), do="Give another folder with --out.")


def _own_horizon(policy: Policy, task: Task, to: int) -> dict[str, Any]:
    """How far a policy gets itself, as measured."""
    known = {"kind": _ROUNDED} if is_rounded(policy) else {}
    if not policy.compiled:
        known, to = {"kind": "policy itself"}, min(to, OWN_RAW_LENGTH)
    lengths = measure_lengths(policy, task, to=to)
    known |= {"scope": lengths.scope} if lengths.scope else {}
    return known | {
        "rlg": lengths.rlg, "plg": lengths.plg, "measured_to": lengths.to, "tested": [rung.m for rung in lengths.rungs]
    }  # fmt: skip
