"""No bit of a model or a checkpoint can change without being noticed."""

import pytest
from experiments.breaking.flips import FILES, undetected


@pytest.mark.parametrize("name", FILES)
def test_bits_of_the_header(name):
    """All bits are flipped by the slow test and by experiments/faults.py; these are those that might be forgiven."""
    assert undetected(name, range(0, 8 * 1500)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_every_bit(name):
    assert undetected(name) == []
