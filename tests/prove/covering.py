"""Random machines on random inputs: python -m tests.prove.covering RUNS SEED.

Every concrete configuration of every run lies in the abstract set, under random precisions, and the checker verifies
that set. Membership is decided by regular expressions (concrete.py). Prints what was covered.
"""

import collections
import random
import sys
from dataclasses import replace

from dfst.prove import checker
from dfst.prove.abstraction import Precision
from dfst.prove.certificate import certificate, closed_set
from dfst.prove.closure import EdgeOfRows, close
from dfst.world.layout import Layout
from dfst.world.worlds import World
from tests.cases import random_machine
from tests.prove.concrete import Members, configurations
from tests.prove.learners import renumbered

LAYOUTS = (
    ("digit+",),
    ("digit+", "#", "digit+"),
    ("digit", "digit+"),
    ("#", "digit+", "#"),
    ("digit", "digit"),
    ("#",),
)


def closure_of(teacher, learner, rng):
    """A closure under a random precision, or None if it does not become finite soon."""
    head = teacher.layout.head[1]
    pairs = [(q, x) for q in range(len(teacher.states)) for x in range(len(teacher.alphabet))]
    tracked = frozenset((*rng.choice(pairs), rng.randrange(1, 16)) for _ in range(rng.choice((0, 0, 3, 30))))
    runs, apart = rng.choice((2, 3, 5)), rng.choice((1, 1, 2, 3))
    states = range(len(teacher.states))
    flow, wide = (frozenset(rng.choice(((), states, rng.sample(states, len(states) // 2)))) for _ in range(2))
    near, most, least = rng.choice((0, 0, 1, 2)), rng.choice((0, 0, 2, 3)), rng.choice((0, 0, 1, 3))
    precision = Precision(min(0, head), max(0, head), tracked, runs, apart, near, flow, wide, most, least)
    while precision.high - precision.low < 5:
        try:
            found = close(teacher, learner, precision, limit=1500)
            return None if found.cut or found.disagreements else found
        except EdgeOfRows as edge:
            precision = replace(precision, low=precision.low - (not edge.up), high=precision.high + edge.up)
    return None


def covering(runs: int, seed: int) -> collections.Counter:
    rng, count = random.Random(seed), collections.Counter()
    while count["runs"] < runs:
        machine = random_machine(rng)
        head = (rng.randint(-4, 6), rng.randint(-1, 1))
        machine = replace(machine, world=World(machine.alphabet, Layout(rng.choice(LAYOUTS), head)))
        learner = renumbered(machine, rng)
        closure = closure_of(machine, learner, rng)
        if closure is None:
            count["machines without a small closure"] += 1
            continue
        content = certificate(machine, learner, closed_set(closure))
        checker.verify(content)
        members = Members(content)
        count["machines"] += 1
        count["members"] += len(content["members"])
        parts = machine.world.operands
        for _ in range(5):
            lengths = [rng.randint(1, 7) if part.many else 1 for part in parts]
            operands = ["".join(rng.choices("01", k=n)) for n in lengths]
            count["runs"] += 1
            for q, s, grid, cell in configurations(machine, learner, operands, 60):
                count["configurations"] += 1
                assert members.hold(q, s, grid, cell), (machine, operands, grid.text(), cell, closure.shapes.precision)
    return count


if __name__ == "__main__":
    for what, number in covering(int(sys.argv[1]), int(sys.argv[2])).items():
        print(f"{what}: {number}")
