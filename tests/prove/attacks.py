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


ODD = (True, False, None, -1, -2, 10**30, "1", "", [], {}, [[]], 2**16)


def places(node, path=()):
    """Every place in a certificate that holds a number, a text or a list: (path, what is there)."""
    for key, value in node.items() if isinstance(node, dict) else enumerate(node):
        yield (*path, key), value
        if isinstance(value, list | dict):
            yield from places(value, (*path, key))


def edit(content, used, rng) -> str:
    """Change something at one place, and say where; every key is as likely, so that large lists are not all there is.

    A number becomes another one nearby, a list loses, doubles or exchanges entries, anything becomes something odd. Of
    the tables, mostly entries that the proof uses are changed: of one of the machines, or of both alike.
    """
    key = rng.choice(sorted(set(content) - {"hashes", "digest"}))
    if key in ("teacher", "learner") and rng.random() < 0.7:
        both = rng.random() < 0.3
        q, x = rng.choice(sorted(used["teacher"] & used["learner"] if both else used[key]))
        which, by = rng.randrange(3), rng.randint(1, 3)
        for what in ("teacher", "learner") if both else (key,):
            table = content[what]["table"]
            if table[q][x] is None or rng.random() < 0.2:
                table[q][x] = None
            else:
                table[q][x][which] = (table[q][x][which] + by) % (len(table), len(table[0]), 5)[which]
        return key
    path, value = rng.choice([((key,), content[key]), *places({key: content[key]})])
    if path[-1] in ("name", "states") or "states" in path:
        path, value = ("rows",), content["rows"]
    node = content
    for each in path[:-1]:
        node = node[each]
    kind = rng.random()
    if isinstance(value, list) and value and kind < 0.7:
        i, j = rng.randrange(len(value)), rng.randrange(len(value))
        node[path[-1]] = rng.choice((value[:i] + value[i + 1 :], [*value, value[i]], swapped(value, i, j)))
    elif isinstance(value, dict) and value and kind < 0.7:
        gone = rng.choice(sorted(value))
        node[path[-1]] = {name: each for name, each in value.items() if name != gone}
    elif type(value) is int and kind < 0.7:
        node[path[-1]] = value + rng.choice((-2, -1, 1, 2))
    elif isinstance(value, str) and kind < 0.7:
        node[path[-1]] = rng.choice((value + "x", value[:-1], *map(str, content["symbols"])))
    else:
        node[path[-1]] = rng.choice(ODD)
    return key


def swapped(values, i, j):
    values = list(values)
    values[i], values[j] = values[j], values[i]
    return values


def attacked(rng) -> str:
    """What became of one edit; raises if the checker accepts what is not a proof."""
    original, teacher, learner, problems, used = rng.choice(certificates())
    content = copy.deepcopy(original)
    key = edit(content, used, rng)
    if content == original and repr(content) == repr(original):
        return "no edit"
    content["digest"] = checker.sha256({key: value for key, value in content.items() if key != "digest"})
    known = [checker.sha256(checker.core(original, original[what])) for what in ("teacher", "learner")]
    try:
        report = checker.verify(content)
        checker.need([report["teacher"], report["learner"]] == known, "another teacher or learner")
    except checker.Rejected:
        return f"{key}: rejected"
    assert key in ("members", "starts", "steps", "halves", "columns", "sets", "rows"), (
        f"accepted after {key}: {content}"
    )
    members = Members(content)
    for problem in problems:
        for q, s, grid, cell in configurations(teacher, learner, problem, 200):
            assert members.hold(q, s, grid, cell), f"accepted after a change of {key}, but {problem} is not covered"
    return f"{key}: still a proof"


def attacks(count: int, seed: int) -> collections.Counter:
    rng = random.Random(seed)
    return collections.Counter(attacked(rng) for _ in range(count))


if __name__ == "__main__":
    for what, number in sorted(attacks(int(sys.argv[1]), int(sys.argv[2])).items()):
        print(f"{what}: {number}")
