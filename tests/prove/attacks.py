"""Certificates changed by an attacker who recomputes the digest: python -m tests.prove.attacks COUNT SEED.

The reader knows the teacher and has the learner's weights, so both hashes are compared as ``--teacher`` and
``--weights`` do. An edit that the checker lets pass must have left a proof behind: of the same machines, and holding
every configuration of real runs (decided by regular expressions, concrete.py). Prints what became of each kind of edit.
"""

import collections
import copy
import functools
import random
import sys

from dfst import parse_machine
from dfst.prove import checker
from dfst.prove.certificate import certificate
from dfst.prove.compare import compare
from dfst.teachers.find import find_task
from tests.prove.concrete import Members, configurations
from tests.prove.learners import split

INCREMENT = """
format = 1
name = "increment"
symbols = ["0", "1", "_"]
blank = "_"
start = "walk"
[classes]
digit = ["0", "1"]
[input]
cells = ["digit+"]
head = [0, 0]
[answer]
row = 0
cells = "digit"
---
walk  digit -> = R walk
walk  _     -> = L add
add   1     -> 0 L add
add   0,_   -> 1 S halt
"""


@functools.cache
def certificates():
    """(certificate, teacher, learner, problems, pairs the proof uses) of a few comparisons."""
    rng, found = random.Random(5), []
    increment = parse_machine(INCREMENT)
    for teacher, problems in (
        (increment, [("1",), ("0110",), ("111",)]),
        (find_task("add2").machine, [("1", "1"), ("0110", "11"), ("111", "10101")]),
        (find_task("mult2").machine, [("1", "1"), ("110", "11"), ("101", "101")]),
    ):
        for learner in (teacher, split(teacher, 1, rng)):
            proof = compare(teacher, learner).proof
            assert proof is not None
            content = certificate(teacher, learner, proof)
            used = {(q, x) for q, _, *shape in content["members"] for x in seen(content, shape)}
            ours = {(s, x) for _, s, *shape in content["members"] for x in seen(content, shape)}
            found.append((content, teacher, learner, problems, {"teacher": used, "learner": ours}))
    return found


def seen(content, shape):
    """The symbols that the head of a member can see."""
    return content["sets"][content["columns"][shape[2]][shape[0]]] if shape else range(len(content["symbols"]))


def other(rng, value, low, high):
    """A whole number in the range that is not ``value``."""
    return rng.choice([n for n in range(low, high + 1) if n != value] or [high + 1])


def edit_table(content, used, rng):
    what = rng.choice(("teacher", "learner"))
    table = content[what]["table"]
    q, x = rng.choice(sorted((q, x) for q, x in used[what] if table[q][x]))
    entry, which = table[q][x], rng.randrange(4)
    if which == 3:
        table[q][x] = None
    else:
        entry[which] = other(rng, entry[which], 0, (len(table), len(table[0]), 5)[which] - 1)
        if which == 2 and rng.random() < 0.5:
            entry[0] = -1 if entry[2] == 4 else 0


def edit_both_tables(content, used, rng):
    q, x = rng.choice(sorted(used["teacher"] & used["learner"]))
    change = rng.randrange(1, 3), rng.randrange(3)
    for what in ("teacher", "learner"):
        entry = content[what]["table"][q][x]
        if entry:
            entry[change[0]] = (entry[change[0]] + 1 + change[1]) % (4 if change[0] == 2 else len(content["symbols"]))


def edit_world(content, used, rng):
    kind = rng.randrange(12)
    layout, symbols, classes = content["layout"], content["symbols"], content["classes"]
    if kind == 0:
        symbols[rng.randrange(len(symbols))] += rng.choice("xyz")
    elif kind == 1:
        i, j = rng.sample(range(len(symbols)), 2)
        symbols[i], symbols[j] = symbols[j], symbols[i]
    elif kind == 2:
        symbols.append("!")
    elif kind == 3:
        content["blank"] = rng.choice([symbol for symbol in symbols if symbol != content["blank"]])
    elif kind == 4:
        classes["digit"].pop(rng.randrange(len(classes["digit"])))
    elif kind == 5:
        classes["digit"].append(rng.choice([symbol for symbol in symbols if symbol not in classes["digit"]]))
    elif kind == 6:
        i = rng.randrange(len(layout["parts"]))
        layout["parts"][i] = rng.choice([part for part in ("digit", "digit+", "1", "0") if part != layout["parts"][i]])
    elif kind == 7:
        layout["parts"] = rng.choice((layout["parts"][:-1], [*layout["parts"], "digit+"], layout["parts"] * 2))
    elif kind == 8:
        layout["head"][rng.randrange(2)] += rng.choice((-2, -1, 1, 2))
    elif kind == 9:
        layout["answer_row"] += rng.choice((-1, 1))
    elif kind == 10:
        layout["leading"] = rng.choice([text for text in ("0", "1", None, "x") if text != layout["leading"]])
    else:
        layout[rng.choice(("answer_class", "parts"))] = rng.choice(("", [], "digits", 7))


def edit_rules(content, used, rng):
    kind = rng.randrange(7)
    if kind == 0:
        what = rng.choice(("teacher", "learner"))
        content[what]["start"] = other(rng, content[what]["start"], 0, len(content[what]["table"]) - 1)
    elif kind == 1:
        content["halting"] = rng.choice(("", "R", "L", None, ["S"], "s"))
    elif kind == 2:
        i, j = rng.sample(range(5), 2)
        content["moves"][i], content["moves"][j] = content["moves"][j], content["moves"][i]
    elif kind == 3:
        content["format"] = rng.choice(("dfst-certificate/2", "", None, 1))
    elif kind == 4:
        content["claim"] = rng.choice(({}, None, {**content["claim"], "scope": "everywhere"}))
    elif kind == 5:
        content["claim"]["teacher_never_stuck"] = rng.choice((not content["claim"]["teacher_never_stuck"], 0, 1))
    else:
        key = rng.choice(sorted(content))
        if rng.random() < 0.5:
            del content[key]
        else:
            content[key + "s"] = content.pop(key)


def edit_member(content, used, rng):
    members = content["members"]
    i = rng.randrange(len(members))
    kind = rng.randrange(4)
    if kind == 0 or len(members[i]) == 2:
        del members[i]
    elif kind == 1:
        members[i] = list(rng.choice(members))
    else:
        place = rng.randrange(6)
        tops = (
            len(content["teacher"]["table"]),
            len(content["learner"]["table"]),
            content["rows"][1] - content["rows"][0] + 1,
        )
        tops += (len(content["halves"]), len(content["columns"]), len(content["halves"]))
        members[i][place] = other(rng, members[i][place], 0, tops[place] - 1)


def edit_hint(content, used, rng):
    steps = rng.choice([step for step in content["steps"] if step] + [content["starts"]])
    kind = rng.randrange(4)
    if kind == 0:
        steps.pop(rng.randrange(len(steps)))
    elif kind == 1:
        steps.insert(rng.randrange(len(steps) + 1), rng.randrange(len(content["members"])))
    else:
        i = rng.randrange(len(steps))
        steps[i] = other(rng, steps[i], -1, len(content["members"]))


def edit_shape(content, used, rng):
    kind = rng.choice(("sets", "columns", "halves", "halves", "rows"))
    if kind == "rows":
        content["rows"][rng.randrange(2)] += rng.choice((-1, 1))
        return
    entry = rng.choice([entry for entry in content[kind] if entry])
    i = rng.randrange(len(entry))
    if rng.random() < 0.3:
        entry.pop(i)
    elif kind == "halves":
        which = rng.randrange(2)
        entry[i][which] = 1 - entry[i][1] if which else other(rng, entry[i][0], 0, len(content["columns"]) - 1)
    else:
        entry[i] = other(rng, entry[i], 0, len(content["symbols" if kind == "sets" else "sets"]) - 1)


def edit_type(content, used, rng):
    """Something of a wrong type or out of range, anywhere."""
    node, key = content, rng.choice(sorted(set(content) - {"hashes", "digest"}))
    while isinstance(node[key], list | dict) and node[key] and rng.random() < 0.9:
        node = node[key]
        key = rng.choice(sorted(node)) if isinstance(node, dict) else rng.randrange(len(node))
    if key in ("name", "states"):
        node, key = content, "rows"
    old = node[key]
    node[key] = rng.choice([new for new in (True, False, None, -1, -2, 10**30, "1", [], {}, [[]], 2**16) if new != old])


EDITS = (
    edit_table,
    edit_table,
    edit_both_tables,
    edit_world,
    edit_rules,
    edit_member,
    edit_hint,
    edit_shape,
    edit_type,
)


def attacked(rng) -> str:
    """What became of one edit; raises if the checker accepts what is not a proof."""
    original, teacher, learner, problems, used = rng.choice(certificates())
    content, edit = copy.deepcopy(original), rng.choice(EDITS)
    edit(content, used, rng)
    if content == original and repr(content) == repr(original):
        return "no edit"
    if "digest" in content:
        content["digest"] = checker.sha256({key: value for key, value in content.items() if key != "digest"})
    known = [checker.sha256(checker.core(original, original[what])) for what in ("teacher", "learner")]
    try:
        report = checker.verify(content)
        checker.need([report["teacher"], report["learner"]] == known, "another teacher or learner")
    except checker.Rejected:
        return f"{edit.__name__}: rejected"
    assert edit in (edit_member, edit_hint, edit_shape, edit_type), f"accepted after {edit.__name__}"
    members = Members(content)
    for problem in problems:
        for q, s, grid, cell in configurations(teacher, learner, problem, 200):
            assert members.hold(q, s, grid, cell), f"accepted after {edit.__name__}, but {problem} is not covered"
    return f"{edit.__name__}: still a proof"


def attacks(count: int, seed: int) -> collections.Counter:
    rng = random.Random(seed)
    return collections.Counter(attacked(rng) for _ in range(count))


if __name__ == "__main__":
    for what, number in sorted(attacks(int(sys.argv[1]), int(sys.argv[2])).items()):
        print(f"{what}: {number}")
