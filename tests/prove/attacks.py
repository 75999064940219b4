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

from dfst.prove import checker
from dfst.prove.certificate import certificate
from dfst.prove.compare import compare
from dfst.teachers.find import find_task
from dfst.world.machine_file import parse_machine
from tests.fuzz.mutate import edited
from tests.prove.concrete import Members, configurations
from tests.prove.learners import split
from tests.small import header

INCREMENT = (
    header("increment")
    + """---
walk  digit -> = R walk
walk  _     -> = L add
add   1     -> 0 L add
add   0,_   -> 1 S halt
"""
)


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


def edit(content, used, rng) -> str:
    """Change something at one place, and say where; every key is as likely, so that large lists are not all there is.

    Of the tables, mostly entries that the proof uses are changed: of one of the machines, or of both alike.
    """
    key = rng.choice(sorted(set(content) - {"hashes", "digest"}))
    if key not in ("teacher", "learner"):
        content[key] = edited(content[key], rng)
    elif rng.random() < 0.3:
        what = rng.choice(("table", "start"))
        content[key][what] = edited(content[key][what], rng)
    else:
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
