"""Extraction from any policy: states that can be copied, states that cannot, and policies that do not follow."""

from types import SimpleNamespace

import pytest

import dfst
from dfst.act.own import OwnPolicy
from dfst.errors import InputError
from dfst.extraction.rewind import Rewind
from dfst.training.model import step

ADD2 = dfst.task("add2")
TRACES = dfst.sample(ADD2)
TABLE = ADD2.machine.table


class Table:
    """A machine, asked step by step; its states are plain numbers."""

    def begin(self):
        return ADD2.machine.start

    def act(self, state, symbol):
        return TABLE[state][symbol]


class Inside:
    """It keeps its state in itself, so that a copy of what it hands out is no copy of its state."""

    def begin(self):
        self.state = ADD2.machine.start

    def act(self, state, symbol):
        rule = TABLE[self.state][symbol]
        if rule is None:
            return None
        self.state = rule[0]
        return None, *rule[1:]


class History:
    """Its state is everything it has seen, in something that cannot be copied."""

    def begin(self):
        return [(number for number in ())]

    def act(self, state, symbol):
        state.append(symbol)
        q, rule = ADD2.machine.start, None
        for seen in state[1:]:
            rule = TABLE[q][seen]
            if rule is None:
                return None
            q = rule[0]
        return state, *rule[1:]


class Net:
    """A trained DFST as somebody else's network: its state is an array."""

    model = dfst.load("add2:raw")

    def begin(self):
        return self.model.h0

    def act(self, state, symbol):
        state, symbols, moves = step(self.model, state, symbol)
        return state, symbols.argmax(), moves.argmax()


@pytest.mark.parametrize(("policy", "copies"), [(Table, 1), (Inside, 0), (History, 0), (Net, 1)])
def test_extracted_and_proven(policy, copies):
    own = OwnPolicy.of(policy(), TRACES.world)
    assert Rewind(own, TRACES).copies == bool(copies)
    extraction = dfst.extract(policy(), TRACES)
    assert (extraction.own_runs, extraction.gave_up, extraction.evidence.followed) == (0, "", 20)
    assert dfst.compare(ADD2, extraction.machine).exact


def test_where_it_does_not_follow_its_own_runs_count():
    """What is extracted is what the policy does, not what somebody else recorded."""

    class Flipping(Table):
        def act(self, state, symbol):
            rule = TABLE[state][symbol]
            if rule is None or ADD2.machine.states[state] != "add1" or symbol != 0:
                return rule
            return rule[0], 0, rule[2]  # it forgets to add the one

    found = dfst.certify(Flipping(), ADD2, raw_length=0)
    assert found.facts["own_runs"] > 0
    assert found.verdict.conclusion.value == "refuted"
    assert dfst.diff(Flipping(), *found.facts["counterexample"], teacher=ADD2).found


def test_one_that_draws_lots_is_refused():
    class Lots(Table):
        calls = 0

        def act(self, state, symbol):
            Lots.calls += 1
            rule = TABLE[state][symbol]
            return rule if Lots.calls < 1200 or Lots.calls % 7 or rule is None else (rule[0], 2, rule[2])

    with pytest.raises(InputError, match="does not act the same twice"):
        dfst.extract(Lots(), TRACES)


def test_one_that_never_halts_is_given_up_within_its_first_run(monkeypatch):
    acted = []

    def slow(state, symbol):
        acted.append(symbol)
        return state, symbol, "R"

    clock = SimpleNamespace(perf_counter=lambda: len(acted) / 100)  # it acts a hundred times a second
    monkeypatch.setattr("dfst.effort.time", clock)
    with pytest.raises(InputError, match=r"problems tried before the limit of 0\.5 seconds was reached: on 0 and"):
        dfst.extract(slow, dfst.sample("mult2"), seconds=0.5)
    assert len(acted) <= 100
