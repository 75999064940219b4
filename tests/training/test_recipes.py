import math

import pytest

from dfst import InputError, recipe
from dfst.training.recipes import Recipe


def test_the_paper_to_the_letter():
    for task, iterations, rate in [
        ("add2", 500_000, 0.01), ("add10", 500_000, 0.001), ("mult2", 3_000_000, 0.001), ("mult10", 3_000_000, 0.001),
    ]:  # fmt: skip
        paper = recipe("paper", task)
        assert (paper.iterations, paper.learning_rate, paper.batch) == (iterations, rate, 32)
        assert (paper.clip, paper.growth) == (math.inf, 0.0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"iterations": 0}, {"learning_rate": 0.0}, {"learning_rate": math.nan}, {"batch": 0}, {"clip": 0.0},
        {"growth": 1.5}, {"first_visible": 0}, {"speed": 3},
    ],
)  # fmt: skip
def test_wrong_fields_are_refused_with_a_sentence(wrong):
    with pytest.raises(InputError):
        recipe("fast", "add2").changed(**wrong)


def test_unknown_recipes():
    with pytest.raises(InputError, match="fast"):
        recipe("slow")
    assert isinstance(recipe("fast"), Recipe)


@pytest.mark.parametrize("name", ["fast", "paper"])
@pytest.mark.parametrize("task", ["multiset", "mult", "mult1", "mult37", "mult10x", "mult010", "multiply"])
def test_a_name_that_only_begins_like_a_multiplier_is_not_one(name, task):
    assert recipe(name, task) == recipe(name, "reverse") != recipe(name, "mult10")
    assert recipe(name, "mult36") == recipe(name, "mult3") != recipe(name, "reverse")
