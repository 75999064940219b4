"""The recipes: the paper's to the letter, and which tasks are multipliers."""

import math

import pytest

from dfst import recipe


def test_the_paper_to_the_letter():
    for task, iterations, rate in [
        ("add2", 500_000, 0.01), ("add10", 500_000, 0.001), ("mult2", 3_000_000, 0.001), ("mult10", 3_000_000, 0.001),
    ]:  # fmt: skip
        paper = recipe("paper", task)
        assert (paper.iterations, paper.learning_rate, paper.batch) == (iterations, rate, 32)
        assert (paper.clip, paper.growth) == (math.inf, 0.0)


@pytest.mark.parametrize("name", ["fast", "paper"])
@pytest.mark.parametrize("task", ["multiset", "mult", "mult1", "mult37", "mult10x", "mult010", "multiply"])
def test_a_name_that_only_begins_like_a_multiplier_is_not_one(name, task):
    assert recipe(name, task) == recipe(name) != recipe(name, "mult10")
    assert recipe(name, "mult36") == recipe(name, "mult3") != recipe(name)
