import random

import numpy as np
import pytest
from experiments.random_machines import random_input, random_machine

from dfst import InputError, Outcome, from_machine, record, sample
from dfst.teachers.find import find_task
from dfst.traces.record import observe
from dfst.traces.states import states_along
from dfst.traces.traces import Trace
from dfst.training.hidden import hidden_along
from dfst.training.model import loss, step
from dfst.world.run import run
from tests.cases import CASES
from tests.training.replay import replay


@pytest.mark.parametrize("case", [case for case in CASES if case.teacher.radix < 16], ids=str)
def test_the_one_hot_model_replays_its_machine(case):
    machine = case.teacher.machine
    result = replay(from_machine(machine), record(machine, [(case.a, case.b)])[0])
    assert result.exact
    assert result.margin == 1.0


def test_its_hidden_states_are_the_machines_states():
    task = find_task("add2")
    traces = sample(task)
    hidden = hidden_along(from_machine(task.machine), traces)
    assert (hidden.argmax(axis=1) == states_along(task.machine, traces)).all()


@pytest.mark.parametrize("task", ["add2", "add10", "mult2", "mult10"])
def test_two_hundred_digits_in_float32(task):
    teacher, rng = find_task(task), random.Random(7)
    digits = teacher.machine.alphabet.classes["digit"]
    a, b = ("".join(rng.choices(digits, k=200)) for _ in range(2))
    model = from_machine(teacher.machine, teacher.hidden_dim)
    result = replay(model, record(teacher.machine, [(a, b)])[0])
    assert model.h0.dtype == np.float32
    assert result.exact
    assert result.steps > 80_000


def test_random_machines_including_where_they_get_stuck():
    rng, stuck = random.Random(8), 0
    for _ in range(300):
        machine = random_machine(rng)
        result = run(machine, random_input(rng), step_limit=60, record=True)
        assert result.pairs is not None
        trace, model = observe(machine, result.pairs), from_machine(machine)
        if result.outcome == Outcome.STUCK:  # one more symbol, on which there is no rule
            stuck += 1
            zero = np.zeros(1, np.uint8)
            here = np.array([result.grid[result.cell]], np.uint8)
            longer = Trace(np.concatenate([trace.seen, here]), np.concatenate([trace.written, zero]),
                           np.concatenate([trace.moves, zero]))  # fmt: skip
            replayed = replay(model, longer)
            assert (replayed.agreed, replayed.stuck) == (len(trace.seen), True)
        else:
            assert replay(model, trace).exact
    assert stuck > 30


def test_after_an_undefined_pair_h_is_zero():
    machine = find_task("add2").machine
    model = from_machine(machine)
    h, symbols, moves = step(model, np.eye(11, dtype=np.float32)[machine.states.index("rise")], 2)
    assert not h.any()
    assert not symbols.any()
    assert not moves.any()


def test_a_wrong_action_is_noticed():
    machine = find_task("add2").machine
    trace = record(machine, [("1", "1")])[0]
    moves = trace.moves.copy()
    moves[5] ^= 1
    assert replay(from_machine(machine), trace._replace(moves=moves)).agreed == 5


def test_room_to_spare_and_too_little():
    machine = find_task("add2").machine
    traces = record(machine, [("1", "1")])
    assert loss(from_machine(machine, 12), traces) == 0.0
    with pytest.raises(InputError, match="11 states do not fit into 10"):
        from_machine(machine, 10)
