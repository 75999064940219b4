import random

import numpy as np
import pytest
from experiments.random_machines import random_input, random_machine

from dfst import InputError, MachineError, Move, Outcome
from dfst.act.lockstep import Follower
from dfst.teachers.find import find_task
from dfst.world.machine import UNDEFINED, GridMachine
from dfst.world.run import run
from tests.cases import CASES


def changed(machine, q, x, **values):
    arrays = {name: getattr(machine, name).copy() for name in ("next_state", "written", "move")}
    for name, value in values.items():
        arrays[name][q, x] = value
    return GridMachine(machine.name, machine.alphabet, machine.layout, machine.states, machine.start, **arrays)


@pytest.mark.parametrize("case", CASES[::7], ids=str)
def test_a_machine_follows_itself_to_the_end(case):
    machine = case.teacher.machine
    together, alone = Follower(machine, machine)(case.a, case.b), run(machine, case.a, case.b)
    assert (together.outcome, together.steps, together.divergence) == (Outcome.HALTED, alone.steps, None)
    assert together.answer.text == alone.answer.text == case.answer


def test_the_first_difference_is_found_and_explained():
    machine = find_task("add10").machine
    q, x = machine.states.index("take"), machine.alphabet.index["7"]
    other = changed(machine, q, x, move=Move.L)
    together = Follower(machine, other)("123", "70")
    whole = run(machine, "123", "70", record=True)
    assert together.outcome == Outcome.DIVERGED
    assert together.divergence is not None
    assert whole.pairs is not None
    assert whole.pairs[together.divergence.step] == q * len(machine.alphabet) + x
    assert (together.divergence.expected, together.divergence.done) == (("_", "U"), ("_", "L"))
    assert Follower(machine, other)("123", "1").divergence is None


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
        together = Follower(machine, other)(word, step_limit=200)
        one, two = (run(m, word, step_limit=200, record=True) for m in (machine, other))
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


def test_two_that_are_stuck_together_act_alike():
    for seed in range(200):
        machine, word = random_machine(random.Random(seed)), random_input(random.Random(seed))
        if run(machine, word, step_limit=100).outcome == Outcome.STUCK:
            together = Follower(machine, machine)(word)
            assert (together.outcome, together.divergence) == (Outcome.STUCK, None)
            return
    raise AssertionError("no machine got stuck")


def test_machines_of_different_tasks_are_refused():
    with pytest.raises(InputError, match="different symbols"):
        Follower(find_task("add2").machine, find_task("mult2").machine)
    machine = find_task("add2").machine
    moved = GridMachine(
        *(machine.name, machine.alphabet, type(machine.layout)(machine.layout.parts), machine.states, machine.start),
        *(machine.next_state, machine.written, machine.move),
    )
    with pytest.raises(InputError, match="different start cells"):
        Follower(machine, moved)
