import numpy as np
import pytest

import dfst
from dfst import InputError, Move, sample
from dfst.act.loose import let_loose
from dfst.act.policy import Policy
from dfst.study.exact_match import Examiner
from dfst.study.lengths import measure_lengths
from dfst.teachers.find import find_task
from dfst.world.run import run
from tests.act.test_lockstep import changed

networks = pytest.importorskip("dfst.arena.networks")
from dfst.arena.network_policy import NetworkPolicy  # noqa: E402
from dfst.arena.network_training import fit, judged  # noqa: E402

eqx, jnp = networks.eqx, networks.jnp
ADD2 = find_task("add2")
SHAPES = [("gru", 6, False), ("lstm", 5, False), ("deltanet", 6, False), ("ssm", 7, False)]
SHAPES += [("transformer", 16, False), ("transformer", 16, True)]


def made(shape, seed=0):
    kind, width, rotary = shape
    return networks.network(kind, 4, width, rotary=rotary, seed=seed)


def with_bias(network, change):
    where = (lambda one: one.readout.bias) if hasattr(network, "readout") else (lambda one: one.ends.readout.bias)
    return eqx.tree_at(where, network, change(where(network)))


@pytest.mark.parametrize("shape", [SHAPES[0], SHAPES[-1]])
def test_a_tie_is_no_opinion(shape):
    weights, rest = eqx.partition(made(shape), eqx.is_array)
    silent = eqx.combine(networks.jax.tree.map(jnp.zeros_like, weights), rest)
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


@pytest.mark.parametrize("kind", networks.KINDS)
def test_matched_sizes(kind):
    found = networks.network(kind, 12, networks.matched(kind, 12, 8900)).parameters
    low, high = (1.0, 2.0) if kind == "transformer" else (0.85, 1.15)
    assert low * 8900 <= found <= high * 8900


def test_networks_that_there_are_not():
    with pytest.raises(InputError, match="12 wide"):
        networks.network("transformer", 4, 12)
    with pytest.raises(InputError, match="there is no network 'mamba'"):
        networks.network("mamba", 4, 12)


def test_scores_that_are_not_numbers_are_no_opinion():
    broken = with_bias(made(SHAPES[0]), lambda bias: bias.at[0].set(jnp.nan))
    assert let_loose(NetworkPolicy(broken), ADD2.machine, "1", "1", step_limit=9).outcome == "stuck"


class Table:
    """A machine that says what it does only when it is asked."""

    step_limit = 1000

    def __init__(self, machine):
        self.machine = machine

    def begin(self):
        return self.machine.start

    def act(self, state, symbol):
        return self.machine.table[state][symbol]


BACK, BLANK = ADD2.machine.states.index("back"), ADD2.machine.alphabet.index["_"]
LEARNERS = [ADD2.machine, changed(ADD2.machine, BACK, BLANK, next_state=-2)]
LEARNERS.append(changed(ADD2.machine, BACK, BLANK, move=int(Move.U)))


@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("problem", [("0", "0"), ("111", "1"), ("101101", "10")])
def test_a_table_examined_step_by_step_is_the_machine_examined(learner, problem):
    assert Examiner(Table(learner), ADD2)(problem) == Examiner(learner, ADD2)(problem)


def test_a_perfect_policy_goes_as_far_as_its_step_limit():
    lengths = measure_lengths(Table(ADD2.machine), ADD2, to=30, threads=1)
    assert lengths.rlg is not None
    assert run(ADD2.machine, "1" * lengths.rlg, "1" * lengths.rlg).steps <= Table.step_limit
    assert 5 < lengths.rlg < 30
    assert any("given up after 1000 steps" in (rung.first_failure or "") for rung in lengths.rungs)


@pytest.mark.slow
def test_a_gru_learns_addition_and_its_machine_is_proven():
    fresh = networks.network("gru", 4, networks.matched("gru", 4, 1020))
    fitted = fit(fresh, sample(ADD2), learning_rate=0.03, iterations=1500)
    assert fitted.wrong == 0
    assert dfst.certify(NetworkPolicy(fitted.network), "add2", raw_length=0).exact


@pytest.mark.slow
@pytest.mark.parametrize("shape", [SHAPES[2], SHAPES[3], SHAPES[-1]])
def test_training_lowers_the_loss(shape):
    traces = sample("increment", dfst.Sampling(p=0, q=2, n=10))
    fresh = networks.network(shape[0], len(traces.alphabet), shape[1], rotary=shape[2])
    assert fit(fresh, traces, learning_rate=0.01, iterations=60).loss < judged(fresh, traces)[0] / 2
