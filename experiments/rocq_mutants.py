"""Certificates changed in one place, for checker.py and for the verified checker: do both accept the same?

A mutant is the changed certificate for Python, and for Rocq a term that makes the same change to the data of the
certificate it was made from; so a file of many mutants is small. What each proves is one number: 0 nothing, 1 both
stuck together and the teacher never, 2 both stuck together, 3 only up to where the teacher is stuck.
"""

import copy
import random
from typing import Any

from dfst.prove import checker, rocq_file

CLAIMS = {1: (False, True), 2: (False, False), 3: (True, False)}
"""For each number: (apart, the teacher is never stuck)."""

PREAMBLE = """
From Dfst Require Import checker.Tree files.Agent.
Definition unread : agent := Agent 0 0 [] 0 0 0 0 [].
Definition t0 : agent := Eval vm_compute in match read teacher_text with Some a => a | None => unread end.
Definition l0 : agent := Eval vm_compute in match read learner_text with Some a => a | None => unread end.
Definition move_head (a : agent) (x y : Z) : agent :=
  Agent (symbols a) (blank a) (parts a) x y (answer_row a) (start a) (rules a).
Definition with_row (a : agent) (q : nat) (row : list (option (action N))) : agent :=
  Agent (symbols a) (blank a) (parts a) (head_x a) (head_y a) (answer_row a) (start a) (set_nth q row (rules a)).
Definition number (v : option (bool * bool)) : N :=
  match v with None => 0 | Some (true, true) => 1 | Some (true, false) => 2 | Some (false, _) => 3 end.
Definition apart (l : list (nat * N * N)) : list nat :=
  map (fun p => fst (fst p)) (filter (fun p => negb (snd (fst p) =? snd p)) l).
"""


def proven(given: dict[str, Any]) -> int:
    """What checker.py finds proven, whatever the certificate claims."""
    for number, (apart, never) in CLAIMS.items():
        given["claim"] = {"scope": checker.CLAIM[apart], "teacher_never_stuck": never}
        given["digest"] = checker.sha256({key: value for key, value in given.items() if key != "digest"})
        try:
            checker.verify(given)
        except checker.Rejected as reason:
            if str(reason) != "it claims what it does not prove":
                return 0
        else:
            return number
    return 0


def bisimilar(given: dict[str, Any]) -> dict[str, Any]:
    """A certificate that the teacher equals itself, made of members that stand for any grid."""
    table = given["teacher"]["table"]
    steps = [[entry[0] for entry in row if entry is not None and entry[2] != 4] for row in table]
    members = [[q, q] for q in range(len(table))]
    made = {"learner": given["teacher"], "members": members, "steps": steps, "starts": [given["teacher"]["start"]]}
    return given | made


def mutant(given: dict[str, Any], draw: random.Random) -> tuple[dict[str, Any], str]:
    """A changed certificate, and the call of the verified checker with the same change."""
    made, low = dict(given), given["rows"][0]
    height = given["rows"][1] - low + 1
    term = {"t": "t0", "l": "l0", "low": f"({low})", "columns": "columns_", "halves": "halves_", "members": "members_"}
    n = len(given["members"])
    kind = draw.choice(["hint", "hint", "hints", "member", "member", "any", *"tllcchhsr"])
    if kind in ("hint", "hints", "member", "any"):
        i = draw.randrange(n)
        listed, hints = list(given["members"][i]), list(given["steps"][i])
        if kind == "hint" and hints:
            hints[draw.randrange(len(hints))] = draw.randrange(n + 1)
        elif kind == "hints":
            hints = hints[:-1] if draw.random() < 0.5 else [*hints, 0]
        elif kind == "any":
            listed = listed[:2]
        else:
            sizes = [len(given[what]["table"]) for what in ("teacher", "learner")]
            sizes += [height, len(given["halves"]), len(given["columns"]), len(given["halves"])]
            field = draw.randrange(len(listed))
            listed[field] = draw.randrange(sizes[field] + (draw.random() < 0.1))
        made["members"], made["steps"] = _set(given["members"], i, listed), _set(given["steps"], i, hints)
        term["members"] = f"(set_nth {i} ({rocq_file.member(listed, hints)}) members_)"
    elif kind in "tl":
        what = "teacher" if kind == "t" else "learner"
        table = copy.deepcopy(given[what]["table"])
        q, move = draw.randrange(len(table)), draw.randrange(5)
        following = -1 if move == 4 else draw.randrange(len(table) + (draw.random() < 0.1))
        written = draw.randrange(len(given["symbols"]) + (draw.random() < 0.1))
        entry = None if draw.random() < 0.4 else [following, written, move]
        table[q][draw.randrange(len(given["symbols"]))] = entry
        made[what] = given[what] | {"table": table}
        term[kind] = f"(with_row {kind}0 {q} [{'; '.join(map(rocq_entry, table[q]))}])"
    elif kind == "c" and given["columns"]:
        i = draw.randrange(len(given["columns"]))
        column = list(given["columns"][i])
        column[draw.randrange(height)] = draw.randrange(len(given["sets"]))
        made["columns"] = _set(given["columns"], i, column)
        masks = ";".join(str(sum({1 << x for x in given["sets"][number]})) for number in column)
        term["columns"] = f"(set_nth {i} [{masks}] columns_)"
    elif kind == "h" and given["halves"]:
        i = draw.randrange(len(given["halves"]))
        half = copy.deepcopy(given["halves"][i])
        if half:
            at, how = draw.randrange(len(half)), draw.randrange(4)
            if how == 0:
                half[at][1] ^= 1
            elif how == 1:
                half[at][0] = draw.randrange(len(given["columns"]) + (draw.random() < 0.1))
            elif how == 2:
                half.insert(at, list(half[at]))
            else:
                del half[at]
        made["halves"] = _set(given["halves"], i, half)
        runs = ";".join(f"({column},{'true' if many else 'false'})" for column, many in half)
        term["halves"] = f"(set_nth {i} [{runs}] halves_)"
    elif kind == "s":
        made["starts"] = [draw.randrange(n + (draw.random() < 0.1)) for _ in range(draw.randrange(3))]
        if draw.random() < 0.5:
            x, y = draw.randrange(-2, 5), given["layout"]["head"][1] + draw.randrange(-1, 2)
            made["layout"] = given["layout"] | {"head": [x, y]}
            term |= {"t": f"(move_head t0 ({x}) ({y}))", "l": f"(move_head l0 ({x}) ({y}))"}
    else:
        low += draw.choice([-1, 1])
        made["rows"], term["low"] = [low, low + height - 1], f"({low})"
    starts = "[" + ";".join(map(str, made["starts"])) + "]"
    evidence = f"(Evidence {term['low']} {height} {term['columns']} {term['halves']} {starts} {term['members']})"
    return made, f"number (Check.verdict {term['t']} {term['l']} {evidence})"


def rocq_text(given: dict[str, Any], calls: list[tuple[str, int]]) -> str:
    """A file that computes every call, and prints the numbers of those whose result is not the one given."""
    out, names = [rocq_file.data(given), PREAMBLE], []
    for at in range(0, len(calls), 100):
        rows = ";\n".join(f"({at + i}%nat, {call}, {want})" for i, (call, want) in enumerate(calls[at : at + 100]))
        names.append(f"tests{at}")
        out.append(f"Definition {names[-1]} : list nat := Eval vm_compute in apart [\n{rows}].\n")
    return "".join(out) + f"Eval vm_compute in (length ({' ++ '.join(names)}), {' ++ '.join(names)}).\n"


def _set(values: list[Any], at: int, value: Any) -> list[Any]:
    return [*values[:at], value, *values[at + 1 :]]


def rocq_entry(entry: list[int] | None) -> str:
    return "None" if entry is None else f"Some (act {max(entry[0], 0)} {entry[1]} {MOVES[entry[2]]})"


MOVES = ("Up", "Down", "Left", "Right", "Stay")
