"""An extraction ends within its limits, with the reason, and with a machine that follows the traces."""

import random
import time
from dataclasses import replace

import numpy as np
import pytest

import dfst
from dfst import from_machine, record, sample
from dfst.act.weights import Weights
from dfst.errors import InputError
from dfst.extraction import pipeline
from dfst.extraction.pipeline import extract
from dfst.extraction.swap import SwapTest
from dfst.prove.compare import compare
from dfst.prove.verdict import Conclusion
from dfst.teachers.find import find_task
from dfst.training.model import identity_model
from dfst.world.machine_file import parse_machine
from tests.small import header


@pytest.fixture(scope="module")
def add2():
    return find_task("add2"), sample(find_task("add2"))


@pytest.fixture
def noise(add2):
    """A model that has learned nothing: random weights."""
    _, traces = add2
    model = identity_model(traces.world, 8, seed=0, name="noise")
    rng = np.random.default_rng(0)
    return replace(
        model, weights=Weights(*(rng.normal(size=array.shape).astype(np.float32) for array in model.weights))
    )


def test_a_model_that_learned_nothing_is_given_up_with_the_reason(add2, noise):
    teacher, traces = add2
    found = extract(noise, traces)
    again = extract(noise, traces)
    assert "states, more than the limit of 132; of the model itself, " in found.gave_up
    assert "are not as recorded" in found.gave_up
    assert found.evidence.followed == len(traces)
    assert compare(teacher.machine, found.machine).conclusion == Conclusion.REFUTED
    assert (again.machine, again.gave_up) == (found.machine, found.gave_up)


def test_seconds_end_it_with_the_reason(add2):
    teacher, traces = add2
    found = extract(from_machine(teacher.machine), traces, seconds=1e-9)
    assert found.gave_up.startswith("the limit of 1e-09 seconds was reached with 1 state;")
    assert found.evidence.followed == len(traces)
    assert compare(teacher.machine, found.machine).conclusion != Conclusion.EXACT
    with pytest.raises(InputError, match="seconds"):
        extract(from_machine(teacher.machine), traces, seconds=0.0)


def test_seconds_end_the_rest_too_if_nothing_in_the_traces_is_alike():
    rng = np.random.default_rng(0)
    words = ["".join(word) for word in rng.choice([*"ab"], (80, 80))]
    steps = ((word, x, random.Random(word[:i]).choice("xyz")) for word in words for i, x in enumerate(word, 1))
    traces = dfst.exchange.from_csv("case,input,output\n" + "\n".join(map(",".join, steps)))
    model = identity_model(traces.world, 8, seed=0, name="noise")
    begun = time.process_time()
    with pytest.raises(InputError, match="joining the rest took too long"):
        extract(model, traces, seconds=0.1)
    assert time.process_time() - begun < 5


@pytest.mark.parametrize("work", [0, 50, 500])
def test_counted_work_ends_it_at_the_same_place_every_time(add2, monkeypatch, work):
    teacher, traces = add2
    monkeypatch.setattr(pipeline, "WORK", work - len(traces.seen))
    one, other = (extract(from_machine(teacher.machine), traces) for _ in range(2))
    assert f"the limit of {work} units of work was reached" in one.gave_up
    assert (one.machine, one.gave_up) == (other.machine, other.gave_up)
    assert one.evidence.followed == len(traces)


@pytest.mark.parametrize("far", [(0, -21), (-1000, 0), (1000, 0), (0, 1000)])
def test_a_rehearsal_that_begins_too_far_away_is_left_out(far):
    """It would need more steps to the input than any recorded run has; 21 rows are as many as 10 steps can reach."""
    machine = parse_machine(header() + "---\nwalk 0,1,_ -> = S halt\n")
    test, tape = SwapTest(from_machine(machine), record(machine, [("0",), ("1",)])), machine.place(("1",))
    assert test.run(tape, (0, 0), steps=10) is not None
    assert test.run(tape, far, steps=10) is None
