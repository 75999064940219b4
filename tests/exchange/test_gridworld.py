"""The Gymnasium environment: Gymnasium's own checker, the teacher, and a DFST on it."""

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import dfst
from dfst import Move, record
from dfst.teachers.find import find_task

gymnasium = pytest.importorskip("gymnasium")
NAME = "dfst.gym:dfst/GridWorld-v0"


def make(**rest):
    return gymnasium.make(NAME, **rest)


@pytest.mark.parametrize("task", ["add2", "mult10", "reverse"])
def test_gymnasiums_own_check(task):
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make(task=task).unwrapped)


@pytest.mark.parametrize("task", ["add2", "add10", "mult2", "palindrome", "sort-bits"])
def test_the_teacher_earns_the_reward_on_every_kind_of_problem(task):
    world, machine = make(task=task), find_task(task).machine
    for seed in range(20):
        seen, info = world.reset(seed=seed)
        trace = record(machine, [info["operands"]])[0]
        assert info["answer"] == machine.run(*info["operands"]).answer.text
        for i, action in enumerate(zip(trace.written, trace.moves, strict=True)):
            assert seen == trace.seen[i]
            seen, reward, terminated, truncated, info = world.step(np.array(action))
            last = i == len(trace.seen) - 1
            assert (reward, terminated, truncated) == (float(last), last, False)


def test_the_step_limit_truncates():
    world = make(task="add2", step_limit=3)
    world.reset(seed=1)
    ends = [world.step((2, int(Move.L)))[2:4] for _ in range(3)]
    assert ends == [(False, False), (False, False), (False, True)]
    world = make(task="add2")
    world.reset(options={"operands": ("1", "1")})
    steps = 0
    while not world.step((2, int(Move.L)))[3]:
        steps += 1
    assert steps + 1 == 2 * find_task("add2").machine.run("1", "1").steps


def test_the_seed_decides_the_problems_and_all_of_the_sampling_is_drawn():
    one, two = make(task="add2"), make(task="add2")
    assert [one.reset(seed=5)[1]] + [one.reset()[1] for _ in range(9)] == [two.reset(seed=5)[1]] + [
        two.reset()[1] for _ in range(9)
    ]
    drawn = {one.reset()[1]["operands"] for _ in range(400)}
    assert drawn == set(dfst.sample(find_task("add2")).problems)


def test_pictures():
    world = make(task="add2", render_mode="ansi")
    world.reset(options={"operands": ("1", "1")})
    assert world.render() == "1+1"


def test_a_missing_extra_says_what_to_install():
    code = "import sys; sys.modules['gymnasium'] = None\ntry: import dfst.gym\nexcept Exception as error: print(error)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=os.environ)
    assert 'pip install "dfst[gym]"' in done.stdout, done.stderr
