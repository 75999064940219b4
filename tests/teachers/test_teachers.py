"""The teachers against Python's own integers."""

import random
from itertools import product

import numpy as np
import pytest

from dfst.teachers.adder import adder
from dfst.teachers.arithmetic import PAPER_LENGTHS
from dfst.teachers.find import find_task
from dfst.teachers.multiplier import multiplier
from dfst.world.rollout import Outcome


def check(teacher, a, b, engine="compiled"):
    result = teacher.machine.run(a, b, engine=engine)
    x, y = int(a, teacher.radix), int(b, teacher.radix)
    expected = x + y if teacher.name.startswith("add") else x * y
    answer = result.answer
    assert result.outcome == Outcome.HALTED
    assert answer.only_answer_left
    assert answer.text == teacher.truth(a, b) == (answer.cells.lstrip("0") or "0")
    assert int(answer.text, teacher.radix) == expected
    return result


@pytest.mark.slow
@pytest.mark.parametrize(("task", "longest"), [("add2", 5), ("mult2", 5), ("add10", 2), ("mult10", 2)])
def test_every_pair_of_short_numbers(task, longest):
    """Against Python's integers; that every pair of any length is right is proven in proofs/."""
    teacher = find_task(task)
    digits = teacher.machine.alphabet.classes["digit"]
    numbers = ["".join(word) for length in range(1, longest + 1) for word in product(digits, repeat=length)]
    for a, b in product(numbers, repeat=2):
        check(teacher, a, b)


@pytest.mark.parametrize("task", PAPER_LENGTHS)
def test_same_digit_pairs_up_to_two_hundred_digits(task):
    teacher = find_task(task)
    digits = teacher.machine.alphabet.classes["digit"]
    for n, m in [(1, 200), (7, 7), (50, 50), (200, 1), (200, 200)]:
        for x, y in product(digits, repeat=2):
            check(teacher, x * n, y * m)


@pytest.mark.parametrize("radix", range(2, 37))
def test_every_radix(radix):
    rng = random.Random(radix)
    for teacher in (adder(radix), multiplier(radix)):
        digits = teacher.machine.alphabet.classes["digit"]
        check(teacher, digits[-1] * 6, digits[-1] * 6)
        for _ in range(30):
            check(teacher, *("".join(rng.choices(digits, k=rng.randint(1, 8))) for _ in range(2)))


@pytest.mark.parametrize("task", [f"{kind}{radix}" for kind in ("add", "mult") for radix in (*range(2, 11), 16, 36)])
def test_every_rule_is_used_by_some_problem(task):
    machine, rng = find_task(task).machine, random.Random(task)
    digits, rules, used = machine.alphabet.classes["digit"], sum(1 for _ in machine.rules()), set()
    for longest in (*[3] * 300, *[60] * 5000):
        problem = ("".join(rng.choices(digits, k=rng.randint(1, longest))) for _ in range(2))
        pairs = machine.run(*problem, engine="compiled", record=True).pairs
        assert pairs is not None
        used |= set(np.unique(pairs).tolist())
        if len(used) == rules:
            return
    raise AssertionError(f"{rules - len(used)} rules were not used")
