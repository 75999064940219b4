"""The proof itself, a closed set of abstract configurations; and as a file that anyone can check (certificates.md)."""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from dfst.errors import FileFormatError
from dfst.explained import Explained
from dfst.files import read_bytes, write_atomically
from dfst.prove import checker
from dfst.prove.abstraction import Mask, bits
from dfst.prove.closure import ANYWHERE, Abstract, Closure, Kind
from dfst.world.machine import UNDEFINED, GridMachine
from dfst.world.moves import MOVE_NAMES

Json = dict[str, Any]

Member = tuple[int, ...]
"""(teacher state, learner state, row, left half, column, right half), or only the two states: on any grid at all."""


@dataclass(frozen=True)
class ClosedSet:
    """Members that hold every start and are closed under steps, with the member that covers each of them.

    Sets, columns and halves are numbered tables, so that members are a few integers. ``starts`` and ``steps`` are
    hints: a checker verifies them and trusts nothing. ``stuck``: in some member the teacher meets a pair without a
    rule; ``apart``: and there the learner has one.
    """

    rows: tuple[int, int]
    sets: tuple[Mask, ...]
    columns: tuple[tuple[int, ...], ...]
    halves: tuple[tuple[tuple[int, int], ...], ...]
    starts: tuple[int, ...]
    members: tuple[Member, ...]
    steps: tuple[tuple[int, ...], ...]
    stuck: bool
    apart: bool

    def __len__(self) -> int:
        return len(self.members)


class _Numbers(dict[Any, int]):
    """Numbers things in the order in which they are asked for."""

    def __missing__(self, key: Any) -> int:
        self[key] = len(self)
        return self[key]


@dataclass(frozen=True, repr=False)
class Certificate(Explained):
    """A proof as data; docs/certificates.md says what its ``content`` means, ``dfst.check`` verifies it."""

    content: Json

    def save(self, path: str | Path) -> None:
        """Write it to ``path``, compressed if the name ends in .gz; the same one always gives the same bytes."""
        save_certificate(self.content, path)

    def explain(self) -> str:
        """What it claims, unchecked."""
        teacher, learner = self.content["teacher"], self.content["learner"]
        count, members = len(learner["states"]), len(self.content["members"])
        return f"a machine of {count} states acts like its teacher {teacher['name']!r} ({members} members)"


def closed_set(closure: Closure) -> ClosedSet:
    """The proof that a finished closure is; what only the prover remembers of a column is left out.

    Configurations that differ in nothing else become one member. Rows that no head visits and no input needs go, too.
    """
    shapes, precision = closure.shapes, closure.shapes.precision
    used = [precision.low + configuration.row for configuration in closure.configurations if configuration.row >= 0]
    used += [0, shapes.head[1]]  # the input, and where the head starts, even if no member says so
    low, high = min(used), max(used)
    rows = slice(low - precision.low, high - precision.low + 1)
    sets, columns, halves, members = _Numbers(), _Numbers(), _Numbers(), _Numbers()

    def column(number: int) -> int:
        return columns[tuple(sets[mask] for mask in shapes.columns[number][rows])]

    def half(number: int) -> int:
        return halves[tuple((column(run), int(many)) for run, many in shapes.halves[number])]

    def member(configuration: Abstract) -> Member:
        teacher, learner, row, left, known, _, right = configuration
        if row == ANYWHERE:
            return teacher, learner
        return teacher, learner, row + precision.low - low, half(left), column(known), half(right)

    steps: list[tuple[int, ...]] = []
    numbers = [members[member(configuration)] for configuration in closure.configurations]
    for number, edges in zip(numbers, closure.edges, strict=True):
        if number == len(steps):
            steps.append(tuple(numbers[edge.to] for edge in edges))
    apart = closure.apart or any(found.kind == Kind.TEACHER_STUCK for found in closure.disagreements)
    starts = tuple(dict.fromkeys(numbers[start] for start in closure.starts))
    tables = (tuple(sets), tuple(columns), tuple(halves))
    return ClosedSet((low, high), *tables, starts, tuple(members), tuple(steps), apart or closure.stuck, apart)


def certificate(
    teacher: GridMachine, learner: GridMachine, proof: ClosedSet, hashes: Mapping[str, str] | None = None
) -> Json:
    """The certificate that ``learner`` acts like ``teacher``, ready for JSON; ``hashes`` name what it was made from."""
    content = {
        "format": checker.FORMAT,
        **teacher.world.header(),
        "moves": [*MOVE_NAMES],
        "halting": "S",
        "teacher": _table(teacher),
        "learner": _table(learner),
        "rows": list(proof.rows),
        "sets": [bits(mask) for mask in proof.sets],
        "columns": [list(column) for column in proof.columns],
        "halves": [[list(run) for run in half] for half in proof.halves],
        "starts": list(proof.starts),
        "members": [list(member) for member in proof.members],
        "steps": [list(step) for step in proof.steps],
        "claim": {"scope": checker.CLAIM[proof.apart], "teacher_never_stuck": not proof.stuck},
        "hashes": dict(hashes or {}),
    }
    return content | {"digest": checker.sha256(content)}


def machine_json(machine: GridMachine) -> Json:
    """``machine`` as the checker reads it (``--teacher``): tables of integers, no library needed."""
    return {"format": "dfst-machine/1", **machine.world.header(), **_table(machine)}


def machine_hash(machine: GridMachine) -> str:
    """SHA-256 of the machine's alphabet, layout, start and table: what the checker prints, without names."""
    whole = machine_json(machine)
    return checker.sha256(checker.core(whole, whole))


def save_certificate(content: Json, path: str | Path) -> None:
    """Write a certificate, atomically, compressed if the name ends in .gz; the same one always gives the same bytes."""
    lines = [
        f"{json.dumps(key)}:{json.dumps(value, separators=(',', ':'), ensure_ascii=False)}"
        for key, value in content.items()
    ]
    plain = ("{\n" + ",\n".join(lines) + "\n}\n").encode()
    if Path(path).suffix == ".gz":
        packed = gzip.compress(plain, mtime=0)
        plain = packed[:9] + b"\x03" + packed[10:]  # the system, which each version of Python names otherwise
    write_atomically(path, plain)


def load_certificate(path: str | Path) -> Json:
    """The certificate in ``path``, compressed or not; refuses what is no JSON object, the rest is the checker's to say.

    >>> import dfst
    >>> from dfst.shipped import shipped_model
    >>> load_certificate(shipped_model("add2").certificate)["format"]
    'dfst-certificate/1'
    """
    try:
        content = checker.parse(checker.unzipped(read_bytes(path, limit=checker.MAX_BYTES)))
    except checker.Rejected as reason:
        raise FileFormatError(str(reason), where=str(path), do="A certificate is written by dfst itself.") from None
    if not isinstance(content, dict):
        raise FileFormatError("it is not a certificate", where=str(path))
    return content


def learner_of(content: Json, teacher: GridMachine) -> GridMachine:
    """The certified machine, in the world of its ``teacher``."""
    learner = content["learner"]
    rows = [[(UNDEFINED, 0, 0) if entry is None else entry for entry in row] for row in learner["table"]]
    next_state, written, move = np.moveaxis(np.array(rows, np.int32), 2, 0)
    return replace(
        teacher,
        states=tuple(learner["states"]),
        start=learner["start"],
        next_state=np.ascontiguousarray(next_state),
        written=written.astype(np.uint8),
        move=move.astype(np.uint8),
        about="",
    )


def file_hash(path: str | Path) -> str:
    """SHA-256 of a file, for the certificate's ``hashes``."""
    return hashlib.sha256(read_bytes(path)).hexdigest()


def _table(machine: GridMachine) -> Json:
    table = [[None if entry is None else list(entry) for entry in row] for row in machine.table]
    return {"name": machine.name, "states": list(machine.states), "start": machine.start, "table": table}
