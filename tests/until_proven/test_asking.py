"""A learner that asks: few traces, the same every time, and a checked certificate at the end."""

import random
import time

import pytest

import dfst
from dfst.traces.record import record
from dfst.until_proven import asking
from tests.small import header


@pytest.mark.slow
def test_it_asks_until_it_is_proven(work):
    learned = dfst.learn("increment", dfst.Options(seed=1, out="one"), ask=True)
    assert learned.exact
    assert len(learned.traces) < dfst.task("increment").sampling.n / 4
    assert learned.traces.problems[0] == ("0",)
    assert dfst.check("one", teacher="increment", machine="one/machine.dfst").known_as == "increment"
    assert dfst.load("one/traces.jsonl") == learned.traces
    assert f"from {len(learned.traces)} traces" in str(learned)
    assert dfst.learn("increment", dfst.Options(seed=1, out="two"), ask=True).traces == learned.traces


def test_without_state_merging_the_network_does_it(work, monkeypatch):
    """Then there is a run folder on the traces that were asked for."""
    from dfst.until_proven import merging

    monkeypatch.setattr(merging, "find_spec", lambda name: None)
    said = []
    learned = dfst.learn("increment", dfst.Options(seed=1, out="run"), ask=True, say=said.append)
    assert (learned.exact, learned.learner) == (True, "network")
    assert 'pip install "dfst[arena]"' in said[0]
    assert dfst.RunFolder.open(work / "run").traces() == learned.traces
    assert dfst.check("run", teacher="increment").known_as == "increment"


def test_counterexamples_are_no_longer_than_asked_for(work):
    problems = [
        dfst.learn("add2", dfst.Options(digits=digits, out=f"run{digits}"), ask=True).traces.problems
        for digits in (2, 6)
    ]
    longest = [max(len(number) for problem in each for number in problem) for each in problems]
    assert longest[0] <= 2 < longest[1] <= 6


def test_time_can_run_out(work):
    learned = dfst.learn("mult2", dfst.Options(out="run"), ask=True, seconds=0.01)
    assert not learned.exact
    assert "0.01 seconds were not enough" in str(learned)
    with pytest.raises(dfst.errors.InputError, match="somebody has begun to ask there"):
        dfst.learn("mult2", dfst.Options(out="run"), ask=True)
    with pytest.raises(dfst.errors.InputError, match="its task is mult2, not add2"):
        dfst.learn("add2", dfst.Options(out="run", resume=True), ask=True)


def test_the_seconds_bound_what_is_asked_and_learned(call, work):
    """Thousands of rules, of which many problems show a few new ones; and a log that no machine describes shortly."""
    rng = random.Random(3)
    states = ["walk", *(f"q{i}" for i in range(1, 1500))]
    rules = [
        f"{q} {x} -> {rng.choice('01_')} {rng.choice('RRRLLUD')} {rng.choice(states)}" for q in states for x in "01_"
    ]
    (work / "random.dfst").write_text(header() + "---\n" + "\n".join(rules) + "\n")
    records = [f"{case},{rng.choice('ab')},{rng.choice('xyz')}" for case in range(90) for _ in range(95)]
    (work / "random.csv").write_text("case,input,output\n" + "\n".join(records) + "\n")
    for words in (("random.dfst", "--ask"), ("random.csv", "--noisy")):
        begun = time.process_time()  # other processes do not count
        call("learn", *words, "--seconds", 2, "--out", f"run-{words[1]}")
        assert time.process_time() - begun < 6


@pytest.mark.slow
def test_asking_goes_on_as_if_it_had_not_been_interrupted(work, monkeypatch):
    """The network is as far as it was, too: learned anew from nine traces it would be another one."""
    whole = dfst.learn("compare", dfst.Options(seed=1, out="whole"), ask=True)
    assert len(whole.traces) > 10
    shown = []

    def tires(machine, problems):
        shown.extend(problems)
        if len(shown) > 10:
            raise KeyboardInterrupt
        return record(machine, problems)

    with monkeypatch.context() as patched:
        patched.setattr(asking, "record", tires)
        with pytest.raises(KeyboardInterrupt):
            dfst.learn("compare", dfst.Options(seed=1, out="run"), ask=True)
    assert (work / "run/asking.safetensors").exists()
    assert len(dfst.load("run/traces.jsonl")) <= 10  # whole rounds only
    resumed = dfst.learn("compare", dfst.Options(seed=1, out="run", resume=True), ask=True)
    assert (resumed.exact, resumed.traces) == (True, whole.traces)
    assert not (work / "run/asking.safetensors").exists()
    again = dfst.learn(
        "compare", dfst.Options(seed=1, out="run", resume=True), ask=True
    )  # as with --seeds, when others go on
    assert (again.exact, again.traces, again.rounds) == (True, whole.traces, 0)
    (work / "run/certification.json").unlink()
    with pytest.raises(dfst.errors.InputError, match="nothing there can go on asking"):
        dfst.learn("compare", dfst.Options(seed=1, out="run", resume=True), ask=True)
