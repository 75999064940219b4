"""Writes a certificate as Rocq text: python -I rocq_file.py CERTIFICATE [--weights FILE] [--theorem] > File.v

Nothing that this file writes has to be trusted. The two machines go out as their canonical text, the one whose SHA-256
``dfst check`` prints; Rocq computes that hash, reads the text, and its theorem names both. All the rest (columns,
halves, members) is evidence, which the verified checker checks. Nothing but Python's standard library is needed, so
that the proofs can be built without installing dfst.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

Json = dict[str, Any]

WORLD, MACHINE = ("symbols", "blank", "classes", "layout"), ("start", "table")
PIECE = 400
"""Characters in one literal: Rocq's reader takes quadratic time for long ones."""
PIECES = 1000
"""Entries in one list: its reader is recursive."""

HEAD = """\
(** Made by dfst (rocq_file.py) from a certificate. *)
From Coq Require Import ZArith NArith List Bool.
From Dfst Require Import Statement checker.Check files.Json.
Import ListNotations.
Local Open Scope N_scope.

"""

THEOREM = """
From Dfst Require Import files.Agent files.Sha256 files.Certified.

(** The verified checker accepts. ([vm_cast_no_check]: only the kernel computes, once, at [Qed].) *)
Lemma judged : judge teacher_text learner_text teacher_hash learner_hash the_evidence = Some ({together}, {never}).
Proof. vm_cast_no_check (eq_refl (Some ({together}, {never}))). Qed.

(** {sentence} *)
Theorem certified : of_texts teacher_text learner_text teacher_hash learner_hash {claim}.
Proof. exact ({lemma} judged). Qed.
Print Assumptions certified.
"""
NEVER_STUCK = """
(** The teacher always has a rule. *)
Theorem never_stuck : of_texts teacher_text learner_text teacher_hash learner_hash (fun t _ =>
  forall w, matches (parts t) w -> forall n, run (lookup (rules t)) n (begins t w) <> Stuck).
Proof. exact (judged_never_stuck _ _ _ _ _ _ judged). Qed.
Print Assumptions never_stuck.
"""


def canonical(given: Json, what: str) -> str:
    """The text of the machine ``what`` ("teacher" or "learner"), in the form that is hashed.

    >>> world = {"symbols": ["0", "_"], "blank": "_", "classes": {}, "layout": {}}
    >>> canonical(world | {"teacher": {"start": 0, "table": [], "name": "idle"}}, "teacher")
    '{"blank":"_","classes":{},"layout":{},"start":0,"symbols":["0","_"],"table":[]}'
    """
    core = {key: given[key] for key in WORLD} | {key: given[what][key] for key in MACHINE}
    return json.dumps(core, sort_keys=True, separators=(",", ":"))


def data(given: Json) -> str:
    """The machines as text and the evidence as data: definitions only."""
    return HEAD + machines(given) + evidence(given)


def theorem(given: Json) -> str:
    """What the certificate claims, to be put after its :func:`data`: Rocq computes the check and states the theorem."""
    together, never = claim(given)
    strong = "On every input, after any number of steps, the learner is where the teacher is."
    weak = "The same, up to where the teacher gets stuck."
    stated = THEOREM.format(
        together=_boolean(together),
        never=_boolean(never),
        sentence=strong if together else weak,
        claim="equal" if together else "equal_until_stuck",
        lemma="judged_equal _ _ _ _ _ _" if together else "judged_until_stuck _ _ _ _ _ _ _",
    )
    return stated + NEVER_STUCK * never


def claim(given: Json) -> tuple[bool, bool]:
    """(whether both get stuck together, whether the teacher never does): what the certificate claims."""
    return given["claim"]["scope"] == "on every input", given["claim"]["teacher_never_stuck"] is True


def machines(given: Json) -> str:
    """Text and hash of teacher and learner."""
    lines = []
    for what in ("teacher", "learner"):
        plain = canonical(given, what)
        lines.append(f"Definition {what}_text : text := {literal(plain)}.\n")
        lines.append(f"Definition {what}_hash : N := 0x{hashlib.sha256(plain.encode()).hexdigest()}.\n")
    return "".join(lines)


def evidence(given: Json) -> str:
    """Rows, columns, halves, starts and members."""
    low, high = given["rows"]
    sets = [sum({1 << symbol for symbol in listed}) for listed in given["sets"]]
    columns = [_numbers(sets[number] for number in column) for column in given["columns"]]
    halves = ["[" + ";".join(f"({column},{_boolean(many)})" for column, many in half) + "]" for half in given["halves"]]
    members = [member(listed, hints) for listed, hints in zip(given["members"], given["steps"], strict=True)]
    return "".join(
        [
            _lists("columns_", "column", columns),
            _lists("halves_", "(list (N * bool))", halves),
            _lists("members_", "listed", members),
            f"Definition the_evidence : evidence :=\n  Evidence ({low}) {high - low + 1}",
            f" columns_ halves_ {_numbers(given['starts'])} members_.\n",
        ]
    )


def member(listed: list[int], hints: list[int]) -> str:
    """One member with its hints.

    >>> member([1, 2, 0, 5, 6, 7], [3]), member([1, 2], [])
    ('mem 1 2 0 5 6 7 [3]', 'any 1 2 []')
    """
    return " ".join(["mem" if len(listed) == 6 else "any", *map(str, listed), _numbers(hints)])


def weights(content: bytes) -> str:
    """What has to be known of a file of one-hot weights: its header as text, its hash, the hidden dimension."""
    length = int.from_bytes(content[:8], "little")
    header = content[8 : 8 + length].decode()
    (dimension,) = json.loads(header)["h0"]["shape"]
    digest = hashlib.sha256(content).hexdigest()
    return (
        f"\nDefinition weights_header : text := {literal(header)}.\n"
        f"Definition weights_hash : N := 0x{digest}.\nDefinition dimension : nat := {dimension}.\n"
    )


def literal(plain: str) -> str:
    """A text as Rocq literals, piece by piece; a quote is written twice.

    >>> literal('a"b')
    'flat_map codes ["a""b"]%text'
    """
    pieces = [plain[at : at + PIECE].replace('"', '""') for at in range(0, len(plain), PIECE)]
    return "flat_map codes [" + ";\n  ".join(f'"{piece}"' for piece in pieces) + "]%text"


def _lists(name: str, kind: str, entries: list[str]) -> str:
    out, names = [], []
    for at in range(0, len(entries), PIECES):
        names.append(f"{name}{at // PIECES}")
        out.append(f"Definition {names[-1]} : list {kind} := [\n" + ";\n".join(entries[at : at + PIECES]) + "].\n")
    return "".join(out) + f"Definition {name} : list {kind} := {' ++ '.join(names) or '[]'}.\n"


def _numbers(values: Iterable[int]) -> str:
    return "[" + ";".join(map(str, values)) + "]"


def _boolean(flag: bool | int) -> str:
    return "true" if flag else "false"


def main() -> None:
    """Print the Rocq text of the certificate that the command line names."""
    parser = argparse.ArgumentParser(description="Write a certificate as Rocq text.")
    parser.add_argument("certificate", type=Path)
    parser.add_argument("--weights", type=Path, help="the file of one-hot weights: its header and hash as well")
    parser.add_argument("--theorem", action="store_true", help="end with the theorem that the certificate proves")
    asked = parser.parse_args()
    content = asked.certificate.read_bytes()
    given = json.loads(gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content)
    print(data(given), end="")
    if asked.weights:
        print(weights(asked.weights.read_bytes()), end="")
    if asked.theorem:
        print(theorem(given), end="")


if __name__ == "__main__":
    main()
