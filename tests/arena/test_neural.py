import numpy as np
import pytest

from dfst import InputError, Move, sample
from dfst.act.loose import let_loose
from dfst.act.policy import Policy
from dfst.arena.neural_extraction import extract_policy
from dfst.arena.neural_policies import KINDS, Architecture, RecurrentPolicy, matched, policy_of
from dfst.study.exact_match import Examiner
from dfst.study.lengths import measure_lengths
from dfst.teachers.find import find_task
from dfst.world.run import run
from tests.act.test_lockstep import changed

ADD2 = find_task("add2")
NETWORKS = [Architecture("gru", 4, 6), Architecture("lstm", 4, 5), Architecture("transformer", 4, 16)]
NETWORKS.append(Architecture("transformer", 4, 16, rotary=True))


class Table:
    """A machine that says what it does only when it is asked."""

    step_limit = 1000

    def __init__(self, machine):
        self.machine = machine

    def begin(self):
        return self.machine.start

    def act(self, state, symbol):
        return self.machine.table[state][symbol]


def random_weights(network, seed=0):
    rng = np.random.default_rng(seed)
    return {name: rng.normal(size=shape).astype(np.float32) for name, shape in network.shapes().items()}


def actions(policy, seen):
    state, done = policy.begin(), []
    for x in seen:
        state, *act = policy.act(state, int(x))
        done.append(tuple(act))
    return done


@pytest.mark.parametrize("network", NETWORKS)
def test_a_tie_is_no_opinion(network):
    weights = {name: np.zeros(shape, np.float32) for name, shape in network.shapes().items()}
    policy = policy_of(network, weights)
    assert policy.act(policy.begin(), 1) is None
    weights["out_bias"][[2, 7]] = 1
    policy = policy_of(network, weights)
    assert policy.act(policy.begin(), 1)[1:] == (2, 3)


@pytest.mark.parametrize("network", NETWORKS)
def test_stepping_is_the_scan(network):
    training = pytest.importorskip("dfst.arena.neural_training")
    seen = np.random.default_rng(1).integers(0, 4, (2, 70))
    weights = random_weights(network)
    policy = policy_of(network, weights)
    assert isinstance(policy, Policy)
    given = np.asarray(training.scores(network, weights, seen))
    for trace, scores in zip(seen, given, strict=True):
        top = np.sort(scores[:, :4])[:, -2:], np.sort(scores[:, 4:])[:, -2:]
        clear = np.minimum(*(pair[:, 1] - pair[:, 0] for pair in top)) > 1e-3  # elsewhere rounding may decide
        wanted = np.stack([scores[:, :4].argmax(1), scores[:, 4:].argmax(1)], axis=1)
        assert clear.mean() > 0.9
        assert (np.array(actions(policy, trace))[clear] == wanted[clear]).all()


@pytest.mark.parametrize("kind", KINDS)
def test_matched_sizes(kind):
    for parameters in (1020, 8900, 5280):
        found = matched(kind, 12, parameters).parameters
        low = 1.0 if kind == "transformer" else 0.9
        assert low * parameters <= found <= (2 if kind == "transformer" else 1.1) * parameters


def test_weights_of_another_network_are_refused():
    with pytest.raises(InputError, match="not the weights"):
        policy_of(Architecture("gru", 4, 7), random_weights(Architecture("gru", 4, 6)))
    with pytest.raises(InputError, match="12 wide"):
        Architecture("transformer", 4, 12)


def test_scores_that_are_not_numbers_are_no_opinion():
    weights = random_weights(NETWORKS[0])
    weights["out_bias"][0] = np.nan
    assert let_loose(RecurrentPolicy(NETWORKS[0], weights), ADD2.machine, "1", "1", step_limit=9).outcome == "stuck"


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
def test_a_gru_learns_addition_and_gives_a_machine():
    training = pytest.importorskip("dfst.arena.neural_training")
    traces, network = sample(ADD2), matched("gru", 4, 1020)
    fitted = training.fit(network, traces, learning_rate=0.03, iterations=1500, seed=0)
    assert (fitted.loss < 0.05, fitted.wrong < 5) == (True, True)
    policy = RecurrentPolicy(network, fitted.weights)
    machine = extract_policy(policy, traces, ADD2.machine.layout)
    assert machine.alphabet == ADD2.machine.alphabet
    right = [run(ADD2.machine, *problem).answer.text for problem in traces.problems]
    said = [run(machine, *problem, step_limit=1000).answer.text for problem in traces.problems]
    assert sum(one == other for one, other in zip(right, said, strict=True)) >= 15  # of 20
