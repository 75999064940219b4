"""A one-hot model makes its machine's run, and rescaling a hidden state changes no action and no bit."""

import random
import subprocess
import sys
from dataclasses import replace
from string import ascii_letters

import numpy as np
import pytest

from dfst import DFST, Move, from_machine, solve
from dfst.act.float_kernels import FLUSHED, HALF, RESCALED
from dfst.act.floats import FloatRunner
from dfst.act.weights import Weights
from dfst.extraction.kernels import leader
from dfst.teachers.find import find_task
from dfst.traces.traces import Traces
from dfst.training.recall import actions_along
from dfst.world.alphabet import Alphabet
from dfst.world.grid import Window
from dfst.world.layout import Layout
from dfst.world.rollout import Outcome
from dfst.world.worlds import World
from tests.act.extended import extended_rollout
from tests.cases import ALPHABET, CASES, random_input, random_machine

ADD2 = find_task("add2")


def noisy(machine, size, seed=0, hidden_dim=None):
    """The one-hot model in another basis, and a little wrong."""
    plain, rng = from_machine(machine, hidden_dim), np.random.default_rng(seed)
    d = plain.hidden_dim
    mix = np.linalg.qr(rng.normal(size=(d, d)))[0]
    parts = Weights(mix @ plain.A @ mix.T, plain.B @ mix.T, plain.C @ mix.T, mix @ plain.h0)
    parts = parts._replace(A=parts.A + size * rng.normal(size=parts.A.shape))
    return replace(plain, weights=parts.astype(np.float32))


def random_model(seed, growth, d=7):
    rng, k = np.random.default_rng(seed), len(ALPHABET)
    A = (rng.normal(size=(k, d, d)) * growth / d**0.5).astype(np.float32)
    B, C = (rng.normal(size=(k, rows, d)).astype(np.float32) for rows in (k, 5))
    C[:, Move.S] = C[:, :4].mean(axis=1)  # never the largest of five: the policy does not halt
    return DFST(World(ALPHABET, Layout(("digit+",))), Weights(A, B, C, rng.normal(size=d).astype(np.float32)), "random")


@pytest.mark.parametrize("case", CASES, ids=str)
def test_the_one_hot_model_makes_the_machines_run(case):
    machine = case.teacher.machine
    whole = machine.run(case.a, case.b)
    models = [from_machine(machine)]
    if models[0].hidden_dim < 200:  # mixing 800 states takes seconds
        models += [models[0].astype(np.float64), noisy(machine, 0.0)]
    for model in models:
        result = solve(model, case.a, case.b, beside=machine)
        assert (result.outcome, result.steps, result.cell) == (Outcome.HALTED, whole.steps, whole.cell)
        assert result.grid == whole.grid
        assert result.answer.text == case.answer


def test_the_one_hot_model_of_a_random_machine_makes_its_run():
    rng, outcomes = random.Random(11), set()
    for _ in range(300):
        machine, word = random_machine(rng), random_input(rng) * rng.choice([1, 1, 30])
        limits = {"step_limit": rng.choice([0, 3, 50, 400]), "reach": rng.choice([None, 0, 2, 70])}
        one, other = (policy.run(word, **limits) for policy in (machine, from_machine(machine)))
        assert (one.outcome, one.steps, one.cell, one.answer) == (other.outcome, other.steps, other.cell, other.answer)
        assert one.grid == other.grid
        outcomes.add(one.outcome)
    assert len(outcomes) == 4


@pytest.mark.parametrize("growth", [0.3, 1.0, 5.0, 1e4])
def test_rescaling_changes_no_action_and_no_bit(growth):
    compared = 0
    for seed in range(12):
        model = random_model(seed, growth)
        runner = FloatRunner(model.weights)
        window = Window(World(ALPHABET), model.world.place(["0110"]))
        outcome, steps, cell = runner.roll(window, model.layout.head, 150)
        actions, _, h = extended_rollout(model, ["0110"], steps)
        assert len(actions) == steps
        x, y = model.layout.head
        for _, move in actions:
            x, y = x + {2: -1, 3: 1}.get(move, 0), y + {0: 1, 1: -1}.get(move, 0)
        assert cell == (x, y)
        if outcome == Outcome.STEP_LIMIT and not runner._state[FLUSHED]:
            start = int(runner._state[HALF]) * runner._shape.stride
            ours = runner._buffer[start : start + runner._shape.d].astype(np.float64)
            one, two = (np.ldexp(v, -int(np.frexp(np.abs(v).max())[1])) for v in (ours, h))
            assert np.array_equal(one, two)
            assert runner._state[RESCALED] > 0
            compared += 1
    assert compared >= 4


def test_what_falls_below_the_last_bit_for_ever_is_flushed_and_counted():
    plain = from_machine(ADD2.machine, 12)
    A, h0 = plain.A.copy(), plain.h0.copy()
    A[:, 11, 11], h0[11] = 0.5, 1
    model = replace(plain, weights=plain.weights._replace(A=A, h0=h0))
    runner, window = FloatRunner(model.weights), Window(model.world, model.place(["1" * 9, "1" * 9]))
    outcome, _, _ = runner.roll(window, model.layout.head, 10**6)
    assert (outcome, runner._state[FLUSHED]) == (Outcome.HALTED, 1)


def test_a_model_without_an_opinion_is_stuck():
    plain = from_machine(ADD2.machine)
    silent = solve(replace(plain, weights=plain.weights._replace(C=np.zeros_like(plain.C))), "1", "1")
    assert (silent.outcome, silent.steps, silent.answer.text) == (Outcome.STUCK, 0, None)
    assert "two symbols or moves tie for the highest score" in silent.explain()
    huge = plain.weights._replace(A=plain.A * np.float32(3e38), B=plain.B * np.float32(3e38))
    overflowing = solve(replace(plain, weights=huge), "111", "111")
    assert overflowing.outcome == Outcome.STUCK


_NUMBERS = [np.float32, np.float64]


@pytest.mark.parametrize("dtype", _NUMBERS)
@pytest.mark.parametrize("k", [4, 12, 40])
@pytest.mark.parametrize("sign", [1, -1])
def test_where_a_score_is_nan_none_is_the_highest_whatever_its_sign(k, sign, dtype):
    def written(scores):
        """What a network with these scores of symbols writes; None if it is stuck."""
        B, C = np.tile(np.array(scores, dtype)[:, None], (k, 1, 1)), np.zeros((k, 5, 1), dtype)
        C[:, Move.R] = 1
        action = FloatRunner(Weights(np.ones((k, 1, 1), dtype), B, C, np.ones(1, dtype))).act(0)
        return None if action is None else action[1]

    plain = np.linspace(-3, 2, k)[np.random.default_rng(k).permutation(k)]
    assert written(plain) == plain.argmax()
    for at in range(k):
        with_nan = plain.copy()
        with_nan[at] = np.copysign(np.nan, sign)
        assert written(with_nan) is None
        assert leader(with_nan) == -1
        infinite = np.full(k, -np.inf)
        assert written(infinite) is None
        infinite[at] = -1
        assert written(infinite) == at


@pytest.mark.parametrize("dtype", _NUMBERS)
@pytest.mark.parametrize("k", [4, 12, 40])
def test_every_engine_is_stuck_where_scores_overflow_to_nan(k, dtype):
    symbols = tuple(ascii_letters[: k - 1])
    alphabet = Alphabet((*symbols, "_"), "_", {"digit": symbols})
    B, C, largest = np.zeros((k, k, 2), dtype), np.zeros((k, 5, 2), dtype), np.finfo(dtype).max
    B[:, 1, 0], B[:, 2], C[:, Move.R] = 1, (largest, -largest), 1  # symbol 2: infinity less infinity
    A = np.tile(np.eye(2, dtype=dtype), (k, 1, 1))
    model = DFST(World(alphabet, Layout(("digit+",))), Weights(A, B, C, np.full(2, 2, dtype)), "overflowing")
    assert (model.run("ab").outcome, model.run("ab").steps) == (Outcome.STUCK, 0)
    assert model.run("ab", record=True).outcome == Outcome.STUCK
    assert actions_along(model, Traces.of(alphabet, [[("a", "b", "R")]]))[0].tolist() == [-1]


_PEAK = r"""
import re, sys, dfst
model = dfst.from_machine(dfst.task("add2").machine, 12)
result = dfst.solve(model, "1" * int(sys.argv[1]), "1" * int(sys.argv[1]))
peak = int(re.search(r"VmHWM:\s+(\d+)", open("/proc/self/status").read())[1]) // 1024
print(result.outcome.value, result.steps, peak)
"""


@pytest.mark.slow
def test_memory_is_constant_in_the_number_of_steps():
    peaks = []
    for digits in (100, 1000, 3850):
        done = subprocess.run([sys.executable, "-c", _PEAK, str(digits)], capture_output=True, text=True, check=True)
        outcome, steps, peak = done.stdout.split()
        assert outcome == "halted"
        assert int(steps) > 2 * digits**2
        peaks.append(int(peak))
    assert max(peaks) < 300
    assert peaks[2] - peaks[0] < 20


@pytest.mark.parametrize(
    ("name", "how"),
    [
        ("add2", {}),
        ("add2", {"record": True}),
        ("add2:raw", {"record": True}),
        ("add2:raw", {"beside": "add2", "drift": True}),
    ],
)
def test_rollouts_are_equal_if_all_that_is_known_of_them_is(name, how):
    one, again, other = (solve(name, word, "1", **how) for word in ("11", "11", "10"))
    assert one == again
    assert one != other
    if how.get("record"):
        assert one.trace == again.trace
        assert one.trace != other.trace
        assert one != replace(one, trace=other.trace)
        assert one != solve(name, "11", "1")
