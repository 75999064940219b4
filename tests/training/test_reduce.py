"""Fewer dimensions: what nobody uses goes first, and what is left does the same."""

from dataclasses import replace

import numpy as np
import pytest
from threadpoolctl import threadpool_limits

from dfst import from_machine, record, reduce, sample, steady
from dfst.act.weights import Weights
from dfst.judging.test_sets import random_pairs
from dfst.teachers.find import find_task
from dfst.training.model import loss
from dfst.training.reduce import balance


def turned(model, seed=0):
    """The same model in other coordinates."""
    basis = np.random.default_rng(seed).normal(size=(model.hidden_dim, model.hidden_dim))
    back = np.linalg.inv(basis)
    return replace(model, weights=Weights(back @ model.A @ basis, model.B @ basis, model.C @ basis, back @ model.h0))


@pytest.mark.parametrize("task", ["add2", "add10", "mult2"])
def test_spare_dimensions_are_found_and_left_out(task):
    teacher = find_task(task)
    traces, states = sample(teacher), len(teacher.machine.states)
    wide = turned(from_machine(teacher.machine, states + 5).astype(np.float64))
    narrow = reduce(wide, traces, states)
    assert len(balance(wide, traces).values) == states
    assert narrow.hidden_dim == states
    assert loss(narrow, traces) < 1e-12


def test_the_number_of_cores_changes_no_bit():
    """Of a wide model: numpy multiplies small matrices on one thread anyway."""
    mult10 = find_task("mult10")
    traces = record(mult10.machine, random_pairs(mult10, 4, seed=0))
    wide = turned(from_machine(mult10.machine, hidden_dim=108))

    def on(threads):
        with threadpool_limits(threads, user_api="blas"):
            narrow = reduce(wide, traces, 95)
            return [array.tobytes() for model in (narrow, steady(wide)) for array in (model.A, model.B, model.h0)]

    assert on(1) == on(2)
