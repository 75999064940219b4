"""Every engine makes the same run: reference, compiled, skipping, and the one-hot float model.

Usage: python -m tests.act.agreement PAIRS
"""

import random
import sys

from dfst import Move, from_machine, solve
from dfst.world.machine import GridMachine
from tests.cases import random_input, random_machine


def with_walks(rng: random.Random, machine: GridMachine) -> GridMachine:
    """The same machine with some rules turned into walks, which random rules seldom are."""
    rules = []
    for rule in machine.rules():
        if rule.move != Move.S and rng.random() < 0.4:
            rule = rule._replace(written=rule.seen, move=rng.choice([Move.L, Move.R]), next=rule.state)
        rules.append(rule)
    start = machine.states[machine.start]
    return GridMachine.from_rules(rules, alphabet=machine.alphabet, layout=machine.layout, start=start)


def main(pairs: int) -> None:
    rng, outcomes = random.Random(11), {}
    for _ in range(pairs):
        machine = with_walks(rng, random_machine(rng))
        word = random_input(rng) * rng.choice([1, 1, 30])
        limits = {"step_limit": rng.choice([0, 3, 50, 400]), "reach": rng.choice([None, 0, 2, 70])}
        results = [machine.run(word, engine=engine, **limits) for engine in ("reference", "compiled", "skipping")]
        first = results[0]
        for other in [*results[1:], solve(from_machine(machine), word, **limits)]:
            assert (first.outcome, first.steps, first.cell) == (other.outcome, other.steps, other.cell), machine
            assert first.grid == other.grid
            assert first.answer == other.answer
            assert getattr(other, "state", first.state) == first.state
        outcomes[first.outcome.value] = outcomes.get(first.outcome.value, 0) + 1
    print(pairs, "agree:", outcomes)
    assert len(outcomes) == 4 or pairs < 100


if __name__ == "__main__":
    main(int(sys.argv[1]))
