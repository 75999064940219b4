"""Walks of any length: which eigenvalues become 1, and that the others stay."""

from dataclasses import replace

import numpy as np
import pytest

from dfst import steady
from dfst.teachers.find import find_task
from dfst.training.model import identity_model


def _model(values):
    """A model whose A[0] has these eigenvalues, in directions that are not at right angles."""
    mixed = np.random.default_rng(0).normal(size=(len(values), len(values)))
    model = identity_model(find_task("add2").machine.world, len(values), seed=0)
    A = np.stack([mixed @ _block(values) @ np.linalg.inv(mixed), *model.A[1:]]).astype(np.float32)
    return replace(model, weights=model.weights._replace(A=A))


def _block(values):
    """A real matrix with these eigenvalues; of a complex pair, both."""
    matrix = np.diag(np.real(values)).astype(float)
    for i, value in enumerate(values):
        if np.imag(value) > 0:
            matrix[i, i + 1], matrix[i + 1, i] = np.imag(value), -np.imag(value)
    return matrix


@pytest.mark.parametrize("walk", [[1.01, 0.995], [1 + 0.01j, 1 - 0.01j], [1.0, 1.0]])
def test_walks_last_and_the_rest_fades_as_before(walk):
    A = steady(_model([*walk, 0.5, -0.3])).A[0].astype(np.float64)
    values = sorted(np.linalg.eigvals(A), key=lambda value: -value.real)
    assert np.allclose(values, [1, 1, 0.5, -0.3], atol=1e-4)
    long = np.linalg.matrix_power(A, 10_000)
    assert np.abs(np.linalg.matrix_power(A, 20_000) - long).max() < 0.01 * np.abs(long).max()


def test_a_model_without_walks_stays_as_it_is():
    model = _model([0.9, 0.5, -1.0, 0.1])
    shrunk = replace(model, weights=model.weights._replace(A=0.9 * model.A))
    assert steady(shrunk) == shrunk
