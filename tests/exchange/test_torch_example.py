"""What examples/own_torch.py left is verified without torch: its weights in Equinox's GRU, and its certificate."""

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

import dfst
from dfst.extraction.merge import futures

eqx, jax = pytest.importorskip("equinox"), pytest.importorskip("jax")
jnp = jax.numpy
LEFT = Path(__file__).parents[2] / "examples" / "own_torch"


class FromTorch:
    """torch's GRU has two biases for each gate; Equinox's keeps the second apart only where the gate resets it."""

    def __init__(self, weights):
        d, symbols = weights["gru.weight_hh_l0"].shape[1], weights["gru.weight_ih_l0"].shape[1]
        cell = eqx.nn.GRUCell(symbols, d, key=jax.random.key(0))
        into, within = weights["gru.bias_ih_l0"], weights["gru.bias_hh_l0"]
        bias = into + np.concatenate([within[: 2 * d], np.zeros(d, np.float32)])
        arrays = (weights["gru.weight_ih_l0"], weights["gru.weight_hh_l0"], bias, within[2 * d :])
        where = lambda one: (one.weight_ih, one.weight_hh, one.bias, one.bias_n)  # noqa: E731
        cell = eqx.tree_at(where, cell, tuple(map(jnp.asarray, arrays)))
        out, out_bias = weights["readout.weight"], weights["readout.bias"]

        @jax.jit
        def step(state, symbol):
            state = cell(jax.nn.one_hot(symbol, symbols), state)
            scores = out @ state + out_bias
            return state, scores[:symbols].argmax(), scores[symbols:].argmax()

        self.width, self.act, self.copy = d, step, lambda state: state

    def begin(self):
        return jnp.zeros(self.width)


def test_its_certificate_holds():
    found = dfst.check(LEFT / "certificate.json", teacher="add2", machine=LEFT / "machine.dfst")
    assert found.known_as == "add2"


@pytest.mark.slow
def test_its_weights_give_a_machine_that_is_proven():
    found = dfst.extract(FromTorch(load_file(LEFT / "weights.safetensors")), dfst.sample("add2"), rehearsing=False)
    assert found.own_runs == 0
    assert dfst.compare("add2", found.machine).exact


def test_no_two_of_its_states_have_the_same_future():
    machine = dfst.load_machine(LEFT / "machine.dfst")
    assert futures(machine) == list(range(len(machine.states)))
