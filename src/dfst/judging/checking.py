"""What a certificate shows, for someone who has only the file: whose teacher, what is claimed, what was compared."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from dfst.errors import InputError, printable, quoted
from dfst.explained import Explained
from dfst.files import read_bytes
from dfst.judging.network import NETWORK
from dfst.prove import checker, network_checker
from dfst.prove.certificate import machine_hash
from dfst.prove.rocq import RocqChecked
from dfst.teachers.arithmetic import is_arithmetic
from dfst.teachers.find import gallery, is_own_name, named_task
from dfst.training.weights import MODEL_FILE, ROUNDED, load_model
from dfst.world.machine import GridMachine
from dfst.world.machine_file import load_machine
from dfst.world.worlds import in_order_of

FILES = {
    "teacher": "Name the teacher it was made for; without --teacher, the check says which one dfst recognises.",
    "weights": "Give the one_hot.safetensors that dfst certify wrote with the certificate.",
    "machine": "Give the machine.dfst that dfst certify wrote with the certificate.",
    "model": "The certificate is about a machine that was extracted from other weights; certify these.",
    "network": "dfst certify proves a network again, and writes network.json and rounded.safetensors.",
}
"""What a certificate can be compared with, and what to do if it is about another."""

IN_ROCQ = {
    **dict.fromkeys(("add2", "add10"), "a + b"),
    **dict.fromkeys(("mult2", "mult10"), "a · b"),
    **{"increment": "x + 1", "double": "2 x", "halve": "x / 2, rounded down"},
}
"""The teachers of ours that are proven correct in proofs/, and what they compute."""

CERTIFICATE_NAME = re.compile(r"certificate\.json(\.gz)?$")


@dataclass(frozen=True, repr=False)
class Checked(Explained):
    """A certificate that the independent checker verified, and what else was found out about it.

    ``known_as`` is the name of the teacher among those that come with dfst, found by its hash, or None; ``label`` is
    what the file calls it, which anyone can write. ``up_to_stuck``: the machine is free where the teacher gets stuck.
    ``compared`` lists what the certificate was compared with, and found to speak of; ``unnamed`` is a model beside it
    of which it says nothing. ``network`` is what the second checker says of the network beside it, which is proven with
    its hidden state rounded; ``rocq`` is what Rocq says of the certificate.
    """

    teacher_sha256: str
    learner_sha256: str
    known_as: str | None
    label: str
    states: int
    members: int
    scope: str
    up_to_stuck: bool
    teacher_never_stuck: bool
    compared: tuple[str, ...]
    unnamed: str = ""
    network: Mapping[str, Any] = field(default_factory=dict)
    rocq: RocqChecked | None = None

    def explain(self) -> str:
        """A few lines for a stranger: what is proven first."""
        subject = f"the certified machine ({self.states} state{'s' * (self.states != 1)})"
        until = ", up to where the teacher gets stuck" * self.up_to_stuck
        lines = [
            f"verified: on every input of every length{until}, {subject} does exactly what its teacher does.",
            f"teacher: {whose_teacher(self.known_as, self.label)}; SHA-256 {self.teacher_sha256}.",
            *self._answers(),
        ]
        if self.compared:
            lines.append(f"compared: {' and '.join(self.compared)}: the same as certified.")
        if self.unnamed:
            lines.append(f"not compared: {self.unnamed}, since the certificate does not say from which model it comes.")
        if self.network:
            bits = f"{self.network['bits']} bit{'s' * (self.network['bits'] != 1)}"
            who = f"the network itself, hidden state rounded to {bits}, does what its teacher does"
            size = f"{self.network['vectors']:,} hidden vectors, {self.network['pairs']:,} pairs"
            until = self.network["scope"].removeprefix(checker.CLAIM[False])
            lines.append(f"verified: on every input of every length{until}, {who} ({size}).")
            lines.append(f"its weights: SHA-256 {self.network['weights']}.")
        return "\n".join([*map(printable, lines), *([] if self.rocq is None else [self.rocq.explain()])])

    def to_json(self) -> dict[str, Any]:
        """The same facts for a program."""
        left_out = ("label", "up_to_stuck", "compared", "unnamed", "rocq")
        facts = {key: value for key, value in asdict(self).items() if key not in left_out}
        compared = {what: "same" if what in self.compared else "not compared" for what in FILES if what != "network"}
        claims = {"claims_termination": False, "claims_correct_answers": False}  # by the certificate alone
        claims |= {"teacher_proven_correct_in_rocq": self.known_as in IN_ROCQ}  # so it is never stuck, either
        facts |= {"teacher_label": printable(self.label)} | claims | {"compared": compared}
        facts["network"] = dict(self.network) or None
        return {"verified": True} | facts | ({} if self.rocq is None else {"rocq": self.rocq.to_json()})

    def _answers(self) -> tuple[str, ...]:
        """What is known of the teacher's answers: a theorem, or only whether it gets stuck."""
        if self.known_as in IN_ROCQ:
            leaves = f"never gets stuck, halts and leaves {IN_ROCQ[self.known_as]}, for all non-empty digit strings"
            return (f"correct: Rocq proves that this teacher {leaves} (proofs/Theorems.v); so the machine does, too.",)
        stuck = "the teacher is proven never to get stuck; it always has a rule"
        if not self.teacher_never_stuck:
            then = "the machine may do anything" if self.up_to_stuck else "so does the machine"
            stuck = f"it is not proven that the teacher always has a rule; where it gets stuck, {then}"
        unclaimed = "not part of the claim: that the teacher ever halts (termination), or that its answers are correct."
        return f"stuck: {stuck}.", unclaimed


class NotTheSame(checker.Rejected):
    """What the certificate was compared with is something else; ``what`` it is (:data:`FILES`), and which ``file``."""

    def __init__(self, what: str, reason: str, file: str | Path | None = None) -> None:
        self.what, self.file = what, file
        super().__init__(reason)


def check_certificate(
    path: str | Path,
    *,
    teacher: GridMachine | None = None,
    weights: str | Path | None = None,
    machine: str | Path | None = None,
    model: str | Path | None = None,
) -> Checked:
    """Let the independent checker verify the certificate in ``path``, and compare it with what is given.

    ``weights`` are one-hot; ``model`` is what the machine was extracted from, which only a certificate that names its
    hash can be compared with. Raises ``checker.Rejected`` with the reason if it proves nothing, :class:`NotTheSame` if
    it speaks of another teacher or of other files.
    """
    given = checker.parse(checker.unzipped(read_bytes(path, limit=checker.MAX_BYTES)))
    if isinstance(given, dict) and given.get("format") == network_checker.FORMAT:
        do = "Check its folder, or the certificate beside it with network_checker.py."
        raise InputError("it is a proof about a network, along a certificate", where=str(path), do=do)
    report = checker.verify(given)
    if teacher is not None and machine_hash(teacher) != report["teacher"]:
        raise NotTheSame("teacher", "it speaks of another teacher than the one given")
    unnamed = model if "model" not in given["hashes"] else None
    compared = {"teacher": teacher, "weights": weights, "machine": machine, "model": None if unnamed else model}
    for what, file in compared.items():
        try:
            if what != "teacher" and file is not None:
                _check_file(what, file, given, report)
        except checker.Rejected as reason:
            raise NotTheSame(what, str(reason), file) from None
    return Checked(
        teacher_sha256=report["teacher"],
        learner_sha256=report["learner"],
        known_as=known_teacher(report["teacher"], len(given["symbols"])),
        label=given["teacher"]["name"],
        states=len(given["learner"]["table"]),
        members=report["members"],
        scope=report["scope"],
        up_to_stuck=report["scope"] == checker.CLAIM[True],
        teacher_never_stuck=report["teacher_never_stuck"],
        compared=tuple(what for what, file in compared.items() if file is not None),
        unnamed="" if unnamed is None else Path(unnamed).name,
    )


def check_folder(folder: Path, *, teacher: GridMachine | None = None, **files: Path | None) -> Checked:
    """The same for the certificate in a folder, which is also compared with the folder's own machine and weights.

    Other ``files`` than its own are compared instead, if they are given.
    """
    own = {"weights": folder / "one_hot.safetensors", "machine": folder / "machine.dfst", "model": folder / MODEL_FILE}
    files = {what: files.get(what) or (path if path.exists() else None) for what, path in own.items()}
    checked = check_certificate(folder / "certificate.json", teacher=teacher, **files)
    network, rounded = check_network(folder / "certificate.json"), folder / ROUNDED
    if network and own["model"].exists():
        of_model, of_network = (load_model(path) for path in (own["model"], rounded))
        of_model = in_order_of(of_network.world, of_model)
        if any(not np.array_equal(*pair) for pair in zip(of_model.weights, of_network.weights, strict=True)):
            raise NotTheSame("network", f"its weights are not those of {MODEL_FILE}", rounded)
    return replace(checked, network=network)


def check_network(certificate: Path) -> dict[str, Any]:
    """What the second checker says of the network beside a certificate; nothing if no proof of one is there."""
    network = certificate.with_name(CERTIFICATE_NAME.sub(NETWORK, certificate.name))
    if network == certificate or not network.exists():
        return {}
    try:
        return network_checker.verify(read_bytes(certificate, limit=checker.MAX_BYTES), *network_beside(certificate))
    except network_checker.Rejected as reason:
        raise NotTheSame("network", str(reason), network) from None


def network_beside(certificate: Path) -> tuple[bytes, bytes]:
    """The proof about a network that lies beside a certificate, and the network's weights."""
    paths = [certificate.with_name(CERTIFICATE_NAME.sub(name, certificate.name)) for name in (NETWORK, ROUNDED)]
    if missing := [path for path in paths if not path.is_file()]:
        raise NotTheSame("network", "it is missing", missing[0])
    network, weights = (read_bytes(path, limit=checker.MAX_BYTES) for path in paths)
    return network, weights


def _check_file(what: str, path: str | Path, given: dict[str, Any], report: dict[str, Any]) -> None:
    """Reject a file that is not the certified one: by its content, to say what differs, then by its bytes, if named."""
    if what == "weights":
        return checker.check_weights(read_bytes(path), given)
    if what == "machine" and machine_hash(load_machine(path)) != report["learner"]:
        raise checker.Rejected("its rules or its world are not those of the certified machine")
    try:
        if what in given["hashes"]:
            checker.check_file(read_bytes(path), given, what)
    except checker.Rejected as reason:
        same = "it has the rules of the certified machine, but " * (what == "machine")
        raise checker.Rejected(f"{same}{reason}") from None


def whose_teacher(known_as: str | None, label: str) -> str:
    """In words: the teacher of ours that it is, or what a file calls a teacher that is none of ours."""
    if known_as is not None:
        return f"dfst's own {known_as}, recognised by its hash"
    ours = f", but it is not dfst's {label}" if ":" not in label and is_own_name(label) else ""
    return f"a teacher that dfst does not know (the file calls it {quoted(label)}{ours})"


def known_teacher(sha256: str, symbols: int) -> str | None:
    """The teacher of ours with that hash; only those of the right radix are built, as a large one takes its time."""
    names = [*filter(is_arithmetic, (f"add{symbols - 2}", f"mult{symbols - 2}")), *gallery()]
    return next((name for name in names if machine_hash(named_task(name).machine) == sha256), None)
