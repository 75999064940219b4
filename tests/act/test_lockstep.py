"""A rollout beside a teacher ends where the two runs, made apart, first differ."""

import random

import numpy as np

from dfst.errors import MachineError
from dfst.world.machine import UNDEFINED, GridMachine
from tests.cases import random_input, random_machine


def changed(machine, q, x, **values):
    arrays = {name: getattr(machine, name).copy() for name in ("next_state", "written", "move")}
    for name, value in values.items():
        arrays[name][q, x] = value
    return GridMachine(machine.name, machine.world, machine.states, machine.start, **arrays)


def test_lockstep_agrees_with_comparing_the_two_runs():
    rng, kinds = random.Random(5), set()
    for _ in range(400):
        machine, word = random_machine(rng), random_input(rng)
        defined = np.argwhere(machine.next_state >= 0)
        if not len(defined):
            continue
        q, x = rng.choice(defined.tolist())
        how = rng.choice(["written", "move", "next_state", "undefined"])
        value = {
            "written": rng.randrange(4),
            "move": rng.randrange(4),
            "next_state": rng.randrange(len(machine.states)),
        }
        try:
            other = changed(machine, q, x, **({"next_state": UNDEFINED} if how == "undefined" else {how: value[how]}))
        except MachineError:  # a state without rules
            continue
        together = other.run(word, step_limit=200, beside=machine)
        one, two = (m.run(word, step_limit=200, record=True) for m in (machine, other))
        acts = []
        for m, result in ((machine, one), (other, two)):
            pairs = result.pairs
            acts.append(list(zip(m.written.ravel()[pairs].tolist(), m.move.ravel()[pairs].tolist(), strict=True)))
        shared = next((i for i, (a, b) in enumerate(zip(*acts, strict=False)) if a != b), min(map(len, acts)))
        alike = acts[0] == acts[1] and one.outcome == two.outcome
        assert (together.divergence is None) == alike
        assert together.steps == shared
        kinds.add((how, alike))
    assert len(kinds) >= 7
