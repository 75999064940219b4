"""A policy of one's own that says in which world it acts: every verb takes it there, with or without a base class."""

import pytest

import dfst
from dfst.errors import InputError
from dfst.gym import GridWorld


def policies():
    """The increment teacher's rules behind two methods, in a class of its own and in one that derives from ours."""
    machine = dfst.task("increment").machine

    class Bare:
        world = machine.world

        def begin(self):
            return machine.begin()

        def act(self, state, symbol):
            return machine.act(state, symbol)

    class Derived(Bare, dfst.Policy):
        pass

    return Bare(), Derived()


@pytest.mark.parametrize("which", [0, 1], ids=["without a base class", "with dfst.Policy"])
def test_it_is_taken_into_its_world_by_every_verb(which, work):
    policy = policies()[which]
    assert dfst.solve(policy, "1299").answer.text == "1300"
    assert not dfst.diff(policy, teacher="increment", to=5).found
    assert dfst.measure_lengths(policy, "increment", to=3).rlg == 3
    assert dfst.evaluate(policy, "increment", to=3, out=work / "e.json").lengths.plg == 3
    traces = dfst.sample("increment")
    assert len(dfst.extract(policy, traces).machine.states) == 2
    assert dfst.certify(policy, "increment", traces=traces, raw_length=0).exact


def test_of_another_world_it_is_refused():
    with pytest.raises(InputError, match="have different"):
        dfst.measure_lengths(policies()[0], "add2", to=2)


def test_what_it_says_is_checked():
    bare = policies()[1]
    bare.act = lambda state, symbol: (state, "no symbol", "R")
    with pytest.raises(InputError, match="which is no symbol here"):
        dfst.solve(bare, "1")


def test_a_machine_will_do_as_an_environment():
    pytest.importorskip("gymnasium")
    world = GridWorld(dfst.load("teacher:increment"))
    assert world.reset(seed=1)[0] in range(11)
