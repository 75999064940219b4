"""Writes a certificate as numbers for Rocq: python -I rocq_file.py CERTIFICATE [--weights FILE] > File.v

Nothing that this file writes has to be trusted, and no text of a certificate becomes Rocq text: only whole numbers are
written, and anything else is refused. The two machines go out as the bytes of their canonical text, the one whose
SHA-256 ``dfst check`` prints; Rocq computes that hash and reads the text, and its theorem names both. All the rest
(columns, halves, members) is evidence, which the verified checker checks. Nothing but Python's standard library is
needed, so that the proofs can be built without installing dfst.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Json = dict[str, Any]

WORLD, MACHINE = ("symbols", "blank", "classes", "layout"), ("start", "table")
PIECE = 200
"""Entries in one list: Rocq's reader is recursive, and slower for long ones."""
LARGEST, SYMBOLS, ROWS, DIMENSION = 2**32, 250, 2000, 2000
"""The largest numbers that are written: of anything, of a symbol, of a row, of hidden dimensions. Rocq counts the last
two in unary."""

HEAD = """\
(** Numbers only: made from a certificate by rocq_file.py, at every build. *)
From Coq Require Import ZArith NArith List Bool.
From Dfst Require Import Statement checker.Check files.Json files.Certified.
Import ListNotations.
Local Open Scope N_scope.

"""


class Refused(ValueError):
    """The certificate holds something that must not reach Rocq; the message says what and where."""


def whole(value: Any, where: str, most: int = LARGEST, least: int = 0) -> int:
    """``value``, if it is a whole number from ``least`` to ``most``; True and 1.0 are none."""
    if type(value) is not int:
        shown = f"a {type(value).__name__}" if isinstance(value, (list, dict)) else ascii(value)
        shown = shown if len(shown) <= 40 else f"{shown[:37]}..."
        raise Refused(f"{where} is not a whole number but {shown}; only whole numbers are exported")
    if not least <= value <= most:
        raise Refused(f"{where} is not a whole number from {least} to {most}")
    return value


def canonical(given: Json, what: str) -> str:
    """The text of the machine ``what`` ("teacher" or "learner"), in the form that is hashed."""
    core = {key: given[key] for key in WORLD} | {key: given[what][key] for key in MACHINE}
    _plain(core, what)
    return json.dumps(core, sort_keys=True, separators=(",", ":"))


def data(given: Json) -> str:
    """The machines and the evidence of a certificate: definitions of numbers only."""
    return HEAD + numbers(given)


def numbers(given: Json) -> str:
    """Machines and evidence, without the first lines of the file."""
    lines = []
    for what in ("teacher", "learner"):
        plain = canonical(given, what).encode()
        lines += [text(f"{what}_text", plain), f"Definition {what}_hash : N := 0x{sha256(plain)}.\n"]
    given_line = "Definition given : certificate := Given teacher_text learner_text teacher_hash learner_hash"
    return "".join([*lines, evidence(given), f"{given_line} the_evidence.\n"])


def text(name: str, content: bytes) -> str:
    """A text as the numbers of its bytes."""
    return _lists(name, "N", list(map(str, content)), ";")


def evidence(given: Json) -> str:
    """Rows, columns, halves, starts and members."""
    low, high = (whole(n, f"rows[{i}]", ROWS, -ROWS) for i, n in enumerate(_list(given["rows"], "rows", 2)))
    height = whole(high - low + 1, "the number of rows", ROWS)
    sets = [
        sum({1 << whole(symbol, f"sets[{i}][{j}]", SYMBOLS) for j, symbol in enumerate(_list(listed, f"sets[{i}]"))})
        for i, listed in enumerate(_list(given["sets"], "sets"))
    ]
    columns = [
        _numbers(sets[whole(n, f"columns[{i}][{j}]", len(sets) - 1)] for j, n in enumerate(_list(c, f"columns[{i}]")))
        for i, c in enumerate(_list(given["columns"], "columns"))
    ]
    halves = [
        "[" + ";".join(_run(run, f"halves[{i}][{j}]") for j, run in enumerate(_list(half, f"halves[{i}]"))) + "]"
        for i, half in enumerate(_list(given["halves"], "halves"))
    ]
    steps = _list(given["steps"], "steps", len(_list(given["members"], "members")))
    members = [member(listed, steps[i], f"[{i}]") for i, listed in enumerate(given["members"])]
    starts = [whole(n, f"starts[{i}]") for i, n in enumerate(_list(given["starts"], "starts"))]
    return "".join(
        [
            _lists("columns_", "column", columns),
            _lists("halves_", "(list (N * bool))", halves),
            _lists("members_", "listed", members),
            f"Definition the_evidence : evidence :=\n  Evidence ({low}) {height}",
            f" columns_ halves_ {_numbers(starts)} members_.\n",
        ]
    )


def member(listed: list[int], hints: list[int], which: str = "") -> str:
    """One member with its hints."""
    word = {6: "mem", 2: "any"}.get(len(_list(listed, f"members{which}")))
    if word is None:
        raise Refused(f"members{which} has {len(listed)} entries; a member has 2 or 6")
    fields = [whole(n, f"members{which}[{i}]", ROWS if i == 2 else LARGEST) for i, n in enumerate(listed)]
    return f"{word} {' '.join(map(str, fields))} " + _numbers(
        whole(n, f"steps{which}[{i}]") for i, n in enumerate(_list(hints, f"steps{which}"))
    )


def weights(content: bytes) -> str:
    """What has to be known of a file of one-hot weights: its header as numbers, its hash, the hidden dimension."""
    header = content[8 : 8 + int.from_bytes(content[:8], "little")]
    try:
        (dimension,) = json.loads(header)["h0"]["shape"]
    except (ValueError, KeyError, TypeError, RecursionError):
        raise Refused("the header of the weights does not give the shape of h0") from None
    whole(dimension, "the shape of h0", DIMENSION)
    hashed = f"Definition weights_hash : N := 0x{sha256(content)}.\nDefinition dimension : nat := {dimension}.\n"
    return text("header", header) + hashed


def trained(content: bytes) -> str:
    """A file of trained weights: all its bytes, which Rocq reads and hashes itself."""
    return text("trained", content) + f"Definition trained_hash : N := 0x{sha256(content)}.\n"


def _plain(value: Any, where: str) -> None:
    """Refuse what is neither a text, a whole number, nor null, however deep it lies."""
    if type(value) in (list, dict):
        for key, inner in value.items() if type(value) is dict else enumerate(value):
            _plain(inner, f"{where}[{ascii(key)[:40]}]")
    elif value is not None and type(value) is not str:
        whole(value, where, LARGEST, -LARGEST)


def _list(value: Any, where: str, length: int | None = None) -> list[Any]:
    if type(value) is not list or length not in (None, len(value)):
        of = "" if length is None else f" of {length} entries"
        raise Refused(f"{where} is not a list{of}")
    return value


def _run(run: Any, where: str) -> str:
    column, many = _list(run, where, 2)
    return f"({whole(column, f'{where}[0]')},{boolean(whole(many, f'{where}[1]', 1))})"


def _lists(name: str, kind: str, entries: list[str], between: str = ";\n") -> str:
    out, names = [], []
    for at in range(0, len(entries), PIECE):
        names.append(f"{name}{at // PIECE}")
        out.append(f"Definition {names[-1]} : list {kind} := [\n" + between.join(entries[at : at + PIECE]) + "].\n")
    return "".join(out) + f"Definition {name} : list {kind} := {' ++ '.join(names) or '[]'}.\n"


def _numbers(values: Iterable[int]) -> str:
    return "[" + ";".join(map(str, values)) + "]"


def boolean(flag: bool | int) -> str:
    """As Rocq writes it."""
    return "true" if flag else "false"


def sha256(content: bytes) -> str:
    """The hash of a file or a text."""
    return hashlib.sha256(content).hexdigest()


def main() -> None:
    """Print the numbers of the certificate that the command line names, or say why that is refused."""
    parser = argparse.ArgumentParser(description="Write a certificate as numbers for Rocq.")
    parser.add_argument("certificate", type=Path)
    parser.add_argument("--weights", type=Path, help="the file of one-hot weights: its header and hash as well")
    parser.add_argument("--trained", type=Path, help="the file of trained weights: all its bytes as well")
    asked = parser.parse_args()
    try:
        content = asked.certificate.read_bytes()
        given = json.loads(gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content)
        made = data(given) + (weights(asked.weights.read_bytes()) if asked.weights else "")
        made += trained(asked.trained.read_bytes()) if asked.trained else ""
    except Refused as reason:
        sys.exit(f"{asked.certificate}: {reason}.")
    except OSError as error:
        sys.exit(f"{error.filename or asked.certificate}: {error.strerror or error}.")
    except (ValueError, KeyError, TypeError, EOFError, RecursionError) as error:
        sys.exit(f"{asked.certificate}: this is not a certificate ({type(error).__name__}).")
    print(made, end="")


if __name__ == "__main__":
    main()
