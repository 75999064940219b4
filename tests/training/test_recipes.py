"""The recipes: the paper's to the letter, and which tasks are multipliers."""

import math

import numpy as np
import pytest

import dfst
from dfst import Options, recipe


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


def test_numbers_of_numpy_are_numbers():
    given = Options(learning_rate=np.float64(1e-3), clip=np.float32(1), seed=np.int64(3), batch=np.uint8(4))
    assert given == Options(learning_rate=1e-3, clip=1.0, seed=3, batch=4)
    assert {type(each) for each in vars(given).values()} <= {type(None), bool, int, float}
    assert recipe("fast").changed(iterations=np.int32(7), growth=np.float32(0.5)).growth == 0.5
    assert dfst.rounded("add2:raw", np.int64(3)).bits == 3
    assert dfst.sample("add2", seed=np.int64(42)) == dfst.sample("add2", seed=42)
    assert dfst.certify("add2:machine", raw_length=np.int64(0), seconds=np.float32(60)).exact
