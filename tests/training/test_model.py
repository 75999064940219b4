"""The DFST: its initialisation, a forward pass step by step, its loss, its one-hot form."""

import numpy as np
import pytest

from dfst import DFST, from_machine, sample
from dfst.act.weights import Weights
from dfst.teachers.find import find_task
from dfst.teachers.sampling import Sampling
from dfst.traces.coverage import followed
from dfst.training.model import forward, identity_model, loss, step
from dfst.training.recall import hidden_along
from dfst.training.size import parameter_count
from dfst.world.worlds import World

ALPHABET = find_task("add2").machine.alphabet


def random_model(d=5, dtype=np.float64, seed=0):
    rng = np.random.default_rng(seed)
    k = len(ALPHABET)
    shapes = [(k, d, d), (k, k, d), (k, 5, d), (d,)]
    return DFST(World(ALPHABET), Weights(*(rng.normal(size=shape).astype(dtype) / d for shape in shapes)))


def test_identity_initialisation_is_the_papers():
    model = identity_model(World(ALPHABET), 12, seed=42)
    assert all(np.array_equal(matrix, np.eye(12, dtype=np.float32)) for matrix in model.A)
    assert not model.B.any()
    assert not model.C.any()
    assert abs(np.linalg.norm(model.h0.astype(np.float64)) - 1) < 1e-6
    assert (model.h0 > 0).all()
    assert model == identity_model(World(ALPHABET), 12, seed=42)
    assert model != identity_model(World(ALPHABET), 12, seed=43)
    assert model.parameters == parameter_count(4, 12) == 1020


def test_forward_is_step_after_step():
    model, seen = random_model(), np.array([0, 3, 2, 1, 1], np.uint8)
    prediction, h = forward(model, seen), model.h0
    for t, x in enumerate(seen):
        assert np.allclose(prediction.symbols[t], model.B[x] @ h, rtol=1e-12)
        assert np.allclose(prediction.moves[t], model.C[x] @ h, rtol=1e-12)
        h, *_ = step(model, h, int(x))


def test_the_loss_is_the_formula():
    """1/(2T) · Σ over steps and components of squared errors, averaged over traces: written out with einsum."""
    model = random_model()
    traces = sample(find_task("add2"), Sampling(p=1, q=2, n=12), seed=1)
    losses = []
    for trace in traces:
        h, total = model.h0, 0.0
        for x, s, m in zip(*trace, strict=True):
            total += np.sum((np.einsum("od,d->o", model.B[x], h) - np.eye(4)[s]) ** 2)
            total += np.sum((np.einsum("od,d->o", model.C[x], h) - np.eye(5)[m]) ** 2)
            h = np.einsum("ij,j->i", model.A[x], h)
        losses.append(total / (2 * len(trace.seen)))
    assert np.isclose(loss(model, traces), np.mean(losses), rtol=1e-12)


def test_a_model_cannot_be_hashed_by_mistake():
    with pytest.raises(TypeError):
        hash(from_machine(find_task("add2").machine))


def test_the_hidden_states_of_a_one_hot_model_are_the_machines_states():
    task = find_task("add2")
    traces = sample(task)
    hidden = hidden_along(from_machine(task.machine, 12), traces)
    assert (hidden.argmax(axis=1) == followed(task.machine, traces)[0]).all()
    assert loss(from_machine(task.machine, 12), traces) == 0.0
