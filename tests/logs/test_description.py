"""The shortest description of a log: its cost is what plain Python counts, and a search only ever shortens it."""

import math
import random
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

import dfst
from dfst.effort import Effort
from dfst.extraction.description import CLEAN, NOISY, Description, Log, states_along
from dfst.extraction.groups import groups
from dfst.extraction.pipeline import extract
from dfst.extraction.report import report
from dfst.extraction.shortest import shortest
from dfst.seeds import Stream
from dfst.traces.logs import conversations_of, in_words_of, traces_of_conversations
from dfst.training.model import identity_model
from dfst.until_proven.correcting import correct
from tests.logs.protocols import door, random_protocol, walks

PLENTY = 10**12


def spoiled(log, number, outputs, seed=1):
    """The log with so many outputs replaced, no two in one conversation."""
    rng, found = random.Random(seed), [list(talk) for talk in log]
    for talk in rng.sample(found, number):
        at = rng.randrange(len(talk))
        read, said = talk[at]
        talk[at] = read, rng.choice([each for each in outputs if each != said])
    return found


def counted(description, log):
    """The bits of the rules and the records not explained, by dictionaries."""
    records, lost = {}, 0
    for talk in log:
        state = description.start
        for read, said in talk:
            x = description.log.inputs.index(read)
            if state < 0:
                lost += said is not None
                continue
            if said is not None:
                told = records.setdefault((state, x), {})
                told[said] = told.get(said, 0) + 1
            state = int(description.following[state, x])
    wrong = sum(sum(told.values()) - max(told.values()) for told in records.values())
    leads = {rule: int(description.following[rule]) for rule in records}
    elsewhere = {rule: after for rule, after in leads.items() if after not in (-1, rule[0])}
    states = {state for state, _ in records} | {*elsewhere.values()}
    said = [min(told, key=lambda each: (-told[each], each)) for told in records.values()]
    bits = rarity([rule in elsewhere for rule in records], 2) + rarity(elsewhere.values(), len(states))
    return bits + rarity(said, len(description.log.outputs)), wrong + lost


def rarity(names, kinds):
    """The bits of naming them one after another, each the cheaper the more often it was named before."""
    seen, bits = Counter(), 0.0
    for name in names:
        bits -= math.log2((seen[name] + 1) / (seen.total() + kinds))
        seen[name] += 1
    return bits


def described(traces, states, seed, dearer=NOISY):
    """A machine made by chance, with missing rules, on a log."""
    log, rng = Log.of(traces), np.random.default_rng(seed)
    following = rng.integers(-1, states, (states, len(log.inputs))).astype(np.int32)
    return Description(log, following, 0, Effort(PLENTY), dearer)


def in_numbers(traces):
    """The conversations with inputs and outputs as they are numbered in an alphabet."""
    number = {symbol.replace("␣", " "): i for symbol, i in traces.alphabet.index.items()} | {None: None}
    return [[(number[read], number[said]) for read, said in talk] for talk in conversations_of(traces)]


@pytest.mark.parametrize("seed", range(5))
def test_the_cost_is_what_plain_python_counts(seed):
    log = walks(random_protocol(seed), 40, seed=seed)
    gaps = [[(read, None if (i + len(talk)) % 7 == 0 else said) for i, (read, said) in enumerate(talk)] for talk in log]
    traces = traces_of_conversations(gaps)
    found = described(traces, 5, seed)
    bits, errors = counted(found, in_numbers(traces))
    assert found.errors == errors
    wrong = NOISY * (np.log2(len(found.log.seen)) + np.log2(max(2, len(found.log.outputs))))
    assert found.bits == pytest.approx(bits + errors * wrong)


@pytest.mark.parametrize("seed", range(5))
def test_a_changed_rule_costs_the_same_counted_from_the_conversations_that_use_it(seed):
    found = described(traces_of_conversations(walks(random_protocol(seed), 60, seed=seed)), 6, seed)
    now, rng = found._now(), random.Random(seed)
    for _ in range(30):
        q, x = rng.randrange(6), rng.randrange(found.following.shape[1])
        rest = found._through(q, x, now)
        before, found.following[q, x] = int(found.following[q, x]), rng.randrange(-1, 6)
        assert found._cost(found.following, found.start, rest) == found._cost(found.following, found.start)
        found.following[q, x] = before


@pytest.mark.parametrize("dearer", [CLEAN, NOISY])
def test_a_search_only_shortens_and_ends_alike(dearer):
    for seed in range(4):
        traces = traces_of_conversations(walks(random_protocol(seed), 60, seed=seed))
        ends = []
        for _ in range(2):
            found = described(traces, 8, seed, dearer)
            before = found.bits
            found.search()
            assert found.bits <= before
            assert found.bits == found._cost(found.following, found.start)
            ends.append((found.bits, found.following.tobytes(), found.start))
            assert found.errors >= (states_along(found.following, found.start, found.log) < 0).sum()
        assert ends[0] == ends[1]


def test_a_search_that_is_out_of_effort_still_hands_over_a_machine():
    traces = traces_of_conversations(walks(door(), 60))
    log = Log.of(traces)
    found = Description(log, np.zeros((3, len(log.inputs)), np.int32), 0, Effort(1), CLEAN)
    found.search()
    assert found.effort.reached
    assert found.bits == found._cost(found.following, found.start)


def test_groups_are_at_most_as_many_as_asked_for_and_never_empty_of_all():
    points = np.repeat(np.eye(3), 5, axis=0)
    found = groups(points, 10, Stream(0, "test"))
    assert [len(set(found[i : i + 5])) for i in (0, 5, 10)] == [1, 1, 1]
    assert len(set(found)) == 3
    assert set(groups(np.zeros((4, 2)), 3, Stream(0, "test"))) == {0}


def test_the_reference_is_the_shortest_description_of_a_telling_log():
    """Even of an untrained network, if it is among what the search begins with."""
    for seed in range(3):
        machine = random_protocol(seed, states=5, inputs=3)
        log = walks(machine, 300, seed=seed)
        traces = in_words_of(machine, traces_of_conversations(log))
        model = identity_model(traces.world, 6)
        found = shortest(model, traces, [machine])
        assert dfst.compare(machine, found.machine).exact
        assert found.traces == traces


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_mistakes_are_corrected_and_rare_rules_are_not(seed):
    machine = random_protocol(seed, states=6, inputs=4)
    outputs = sorted({said for talk in walks(machine, 20) for _, said in talk})
    log = walks(machine, 300, seed=seed)
    right, given = traces_of_conversations(log), traces_of_conversations(spoiled(log, 15, outputs))
    options = replace(dfst.Options(), hidden_dim=12, iterations=4000).on(given)
    found = correct(given, options)
    wrong = int((given.written != right.written).sum())
    still, spoiled_more = found.traces.written != right.written, (found.traces.written != given.written).sum()
    assert still.sum() <= 2 < wrong == 15
    assert spoiled_more <= wrong + 1
    assert found.explains is not None
    assert found.changes[0].line(talk=True).startswith("case ")
    again = correct(given, options)
    assert again.changes == found.changes


@pytest.mark.slow
def test_a_rule_that_repeats_is_no_noise():
    """Three of four hundred conversations show the same rare answer: that is what the protocol does."""
    log = walks(door(), 400)
    rare = [("lock", "ok"), ("knock", "who is there"), ("unlock", "ok")]
    given = traces_of_conversations([*log, rare, [*rare, ("lock", "ok")], [*rare, ("open door", "ok")]])
    found = correct(given, replace(dfst.Options(), hidden_dim=12, iterations=4000).on(given))
    assert found.traces == given
    assert not found.changes


def test_extraction_says_how_many_records_its_machine_leaves_out():
    """One wrong record at the end of a conversation contradicts nothing, but a rule for it would be dearer."""
    machine = random_protocol(1, states=4, inputs=12)
    log = walks(machine, 600)
    read, said = (longest := max(log, key=len))[-1]
    longest[-1] = read, "out0" if said == "out1" else "out1"
    found = extract(dfst.from_machine(machine), in_words_of(machine, traces_of_conversations(log)))
    assert (len(found.machine.states), found.unexplained) == (4, 1)
    assert "1 recorded output is not the machine's" in report(found).explain()
    assert dfst.compare(machine, found.machine).exact
