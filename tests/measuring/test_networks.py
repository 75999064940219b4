"""The rival networks of experiments/baselines.py are policies like any other."""

import numpy as np
import pytest

import dfst
from dfst import Policy, sample

eqx, jax = pytest.importorskip("equinox"), pytest.importorskip("jax")
pytest.importorskip("optax")
from experiments.networks import modules  # noqa: E402
from experiments.networks.policy import NetworkPolicy  # noqa: E402
from experiments.networks.training import fit, judged  # noqa: E402

jnp = jax.numpy
SHAPES = [("gru", 6, False), ("lstm", 5, False), ("deltanet", 6, False), ("ssm", 7, False)]
SHAPES += [("transformer", 16, False), ("transformer", 16, True)]


def made(shape, seed=0):
    kind, width, rotary = shape
    return modules.network(kind, 4, width, rotary=rotary, seed=seed)


def with_bias(network, change):
    where = (lambda one: one.readout.bias) if hasattr(network, "readout") else (lambda one: one.ends.readout.bias)
    return eqx.tree_at(where, network, change(where(network)))


@pytest.mark.parametrize("shape", [SHAPES[0], SHAPES[-1]])
def test_a_tie_is_no_opinion(shape):
    weights, rest = eqx.partition(made(shape), eqx.is_array)
    silent = eqx.combine(jax.tree.map(jnp.zeros_like, weights), rest)
    policy = NetworkPolicy(silent)
    assert policy.act(policy.begin(), 1) is None
    policy = NetworkPolicy(with_bias(silent, lambda bias: bias.at[jnp.array([2, 7])].set(1)))
    assert policy.act(policy.begin(), 1)[1:] == (2, 3)


@pytest.mark.parametrize("shape", SHAPES)
def test_stepping_is_the_scan(shape):
    network = made(shape)
    policy = NetworkPolicy(network)
    assert isinstance(policy, Policy)
    seen = np.random.default_rng(1).integers(0, 4, 70)  # more than a transformer's first room
    state, done = policy.begin(), []
    for symbol in seen.tolist():
        action = policy.act(state, symbol)
        assert action is not None
        state, *act = action
        done.append(act)
    scores = np.asarray(network.scores(jnp.asarray(seen)))
    top = np.sort(scores[:, :4])[:, -2:], np.sort(scores[:, 4:])[:, -2:]
    clear = np.minimum(*(pair[:, 1] - pair[:, 0] for pair in top)) > 1e-4  # elsewhere rounding may decide
    wanted = np.stack([scores[:, :4].argmax(1), scores[:, 4:].argmax(1)], axis=1)
    assert clear.mean() > 0.9
    assert (np.array(done)[clear] == wanted[clear]).all()


@pytest.mark.parametrize("kind", modules.KINDS)
def test_matched_sizes(kind):
    found = modules.network(kind, 12, modules.matched(kind, 12, 8900)).parameters
    low, high = (1.0, 2.0) if kind == "transformer" else (0.85, 1.15)
    assert low * 8900 <= found <= high * 8900


def test_scores_that_are_not_numbers_are_no_opinion():
    broken = with_bias(made(SHAPES[0]), lambda bias: bias.at[0].set(jnp.nan))
    policy = NetworkPolicy(broken)
    assert policy.act(policy.begin(), 1) is None


@pytest.mark.slow
def test_a_gru_learns_addition_and_its_machine_is_proven():
    fresh = modules.network("gru", 4, modules.matched("gru", 4, 1020))
    fitted = fit(fresh, sample("add2"), learning_rate=0.03, iterations=1500)
    assert fitted.wrong == 0
    assert dfst.certify(NetworkPolicy(fitted.network), "add2", raw_length=0).exact


@pytest.mark.slow
@pytest.mark.parametrize("shape", [SHAPES[2], SHAPES[3], SHAPES[-1]])
def test_training_lowers_the_loss(shape):
    traces = sample("increment", dfst.Sampling(p=0, q=2, n=10))
    fresh = modules.network(shape[0], len(traces.alphabet), shape[1], rotary=shape[2])
    assert fit(fresh, traces, learning_rate=0.01, iterations=60).loss < judged(fresh, traces)[0] / 2
