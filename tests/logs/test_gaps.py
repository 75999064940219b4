"""Outputs that nobody knows: where they are read, what ignores them, and attempts to let one leak."""

import random
from dataclasses import replace

import numpy as np
import pytest

import dfst
from dfst.errors import DfstError, FileFormatError, InputError
from dfst.exchange import (
    from_csv,
    from_io_traces,
    from_pandas,
    merge,
    to_csv,
    to_io_traces,
    to_pandas,
)
from dfst.extraction.pipeline import extract
from dfst.extraction.report import report
from dfst.extraction.trie import trie_of
from dfst.traces.consistency import check_traces, disagreements, faults, with_what_others_know
from dfst.traces.coverage import followed
from dfst.traces.logs import conversations_of, in_words_of, parse_json_log, traces_of_conversations
from dfst.traces.record import corrupted
from dfst.traces.traces import UNKNOWN, Traces
from dfst.traces.understand import understand
from dfst.training.engine import TrainState
from dfst.training.fused import FusedEngine
from dfst.training.model import from_machine, identity_model, loss
from dfst.training.recall import actions_along, recall
from dfst.until_proven.correcting import correct
from dfst.until_proven.held_out import HeldOut
from dfst.world.conversation import conversation_machine, turns_of
from dfst.world.worlds import World
from tests.logs.protocols import door, random_protocol, walks


def with_gaps(log, share, seed=3):
    """A log of which this share of the outputs is not known."""
    rng = random.Random(seed)
    return [[(read, None if rng.random() < share else answer) for read, answer in talk] for talk in log]


@pytest.fixture
def gaps():
    return traces_of_conversations(with_gaps(walks(door(), 60), 0.2))


def test_a_question_mark_is_the_same_in_every_form(gaps, tmp_path):
    pytest.importorskip("pandas")
    assert 0 < gaps.unknown.sum() < len(gaps.seen) / 3
    assert not gaps.unknown[gaps.offsets[1:] - 1].any()
    gaps.save(tmp_path / "log.jsonl")
    forms = [from_csv(to_csv(gaps)), from_io_traces(to_io_traces(gaps)), from_pandas(to_pandas(gaps))]
    forms += [dfst.load(tmp_path / "log.jsonl")]
    for again in forms:
        assert (again.sha256, again.unknown.sum()) == (gaps.sha256, gaps.unknown.sum())
    assert parse_json_log('[["a", "x"], ["b", null], ["b", "?"]]').unknown.tolist() == [False, True, True, False]
    assert from_csv("case,input,output\n1,a,x\n1,b,?\n").written[1] == UNKNOWN
    assert conversations_of(parse_json_log('[["a", "x"], ["b", "?"]]')) == [[("a", "x"), ("b", None)]]


def test_what_is_not_known_stays_so_wherever_traces_are_rearranged(gaps):
    back = replace(gaps.alphabet, symbols=gaps.alphabet.symbols[::-1])
    assert (gaps.reordered(back).unknown == gaps.unknown).all()
    assert gaps.reordered(back).reordered(gaps.alphabet).sha256 == gaps.sha256
    assert (in_words_of(door(), gaps).unknown == gaps.unknown).all()
    assert gaps.part([5, 7]).unknown.sum() == sum((gaps[i].written == UNKNOWN).sum() for i in (5, 7))
    assert ((gaps.padded().written == UNKNOWN).sum(axis=1) == [(t.written == UNKNOWN).sum() for t in gaps]).all()
    assert (corrupted(gaps, 0.9).unknown == gaps.unknown).all()
    assert "?" in gaps._repr_html_()
    known = traces_of_conversations(walks(door(), 60))
    assert known.sha256 != gaps.sha256
    assert gaps != known


def test_it_disagrees_with_nothing_and_others_say_what_it_was():
    first = [("a", None), ("a", "x"), ("b", None)]
    traces = traces_of_conversations([first, [("a", "y"), ("a", None), ("b", None)], [("a", None)]])
    check_traces(traces)
    assert conversations_of(with_what_others_know(traces)) == [
        [("a", "y"), ("a", "x"), ("b", None)], [("a", "y"), ("a", "x"), ("b", None)], [("a", "y")],
    ]  # fmt: skip
    trie = trie_of(traces)
    assert sorted(trie.steps.written[1:].tolist())[-1] == UNKNOWN
    assert (trie.steps.written == UNKNOWN).sum() == 1
    between = traces_of_conversations([[("a", "x"), ("a", "x")], [("a", None)] * 2, [("a", None), ("a", "y")]])
    assert [(first, second) for first, second, _ in disagreements(between)] == [(0, 2)]
    with pytest.raises(InputError, match="case '1' and case '3' begin with the same 2 inputs"):
        check_traces(between)


def test_on_the_grid_a_written_symbol_may_be_unknown_but_no_move(tmp_path):
    increment = dfst.task("increment")
    right = dfst.record(increment.machine, [("129",), ("99",), ("7",)])
    written = right.written.copy()
    written[[1, 5]] = UNKNOWN
    bare = replace(right, written=written, world=World(right.alphabet), problems=())
    bare.save(tmp_path / "gaps.jsonl")
    text = (tmp_path / "gaps.jsonl").read_text()
    assert "null" in text
    assert dfst.load(tmp_path / "gaps.jsonl").sha256 == bare.sha256
    known = dfst.load(tmp_path / "gaps.jsonl")
    assert not faults(known)
    assert understand(known).problems == right.problems
    assert (followed(increment.machine, replace(known, world=World(right.alphabet)))[1] == right.lengths).all()
    assert extract(from_machine(increment.machine), replace(right, written=written)).evidence.followed == 3
    assert Traces.of("01_", [("1_", "?_", "RS"), [("0", None, "R"), ("_", "_", "S")]]).unknown.sum() == 2
    with pytest.raises(InputError, match="'\\?' in step 0 is not a move here"):
        Traces.of("01_", [("1_", "1_", "?S")])
    with pytest.raises(InputError, match="None in step 0 is not a symbol here"):
        Traces.of("01_", [[(None, None, "R")]])
    with pytest.raises(InputError, match="not known at 2 steps, which such a table cannot say"):
        to_io_traces(known)
    (tmp_path / "gaps.jsonl").write_text(text.replace('"m": "R', '"m": "?'))
    with pytest.raises(FileFormatError, match="'\\?' in 'm' is not known"):
        dfst.load(tmp_path / "gaps.jsonl")


def test_a_question_mark_that_is_a_symbol_is_that_symbol():
    assert not Traces.of("?1_", [("?_", "?_", "RS")]).unknown.any()
    named = traces_of_conversations([[("a", "?")]])
    assert not named.unknown.any()
    with pytest.raises(InputError, match=r"called \?, which"):
        to_csv(named)


def test_attempts_to_learn_nothing_get_a_sentence():
    for text in ("1,a,?\n", "1,a,?\n2,b,?\n2,a,?\n"):
        with pytest.raises(InputError, match="no output is known"):
            from_csv(f"case,input,output\n{text}")
    with pytest.raises(FileFormatError, match=r"line 2: the input is \?, which stands for what is not known"):
        from_csv("case,input,output\n1,?,x\n")
    with pytest.raises(FileFormatError, match=r"line 1: the input is \?"):
        parse_json_log('[["?", "x"]]')
    with pytest.raises(DfstError, match="is no input and output"):
        parse_json_log('[[null, "x"]]')


def test_the_loss_and_its_gradient_ignore_it_in_every_engine(gaps):
    model = identity_model(gaps.world, 9, seed=4).astype(np.float64)
    recipe = dfst.recipe("fast", "add2").changed(batch=16, growth=0.0, clip=1e9, iterations=20)
    engine = FusedEngine(TrainState.start(model), gaps, recipe, seed=1, threads=1)
    value, gradient = engine.gradient()
    assert value == pytest.approx(loss(model, gaps), rel=1e-12)
    at = int(np.flatnonzero(gaps.unknown)[0])
    x = int(gaps.seen[at])
    for array, name, place in ((model.B, "B", (x, 1, 2)), (model.A, "A", (x, 3, 1)), (model.C, "C", (x, 3, 2))):
        numbers, step = [], 1e-6
        for sign in (1, -1):
            changed = array.copy()
            changed[place] += sign * step
            numbers.append(loss(replace(model, weights=model.weights._replace(**{name: changed})), gaps))
        assert getattr(gradient, name)[place] == pytest.approx(
            (numbers[0] - numbers[1]) / (2 * step), rel=1e-4, abs=1e-9
        )
    pytest.importorskip("jax")
    from dfst.training.jax_engine import JaxEngine

    small = model.astype(np.float32)
    engines = [make(TrainState.start(small), gaps, recipe, seed=1) for make in (FusedEngine, JaxEngine)]
    for mine, theirs in zip(*(engine.gradient()[1] for engine in engines), strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=2e-4, atol=2e-6)
    blocks = [engine.advance(20) for engine in engines]
    np.testing.assert_allclose(blocks[0].losses, blocks[1].losses, rtol=1e-4)


def test_it_is_right_whatever_is_answered(gaps):
    model = from_machine(door())
    data = in_words_of(door(), gaps)
    assert recall(model, data).learned
    assert loss(model, data) == 0
    assert (followed(door(), data)[1] == data.lengths).all()
    assert HeldOut.of(door(), model, data) == HeldOut(60, 60, 60)
    wrong = data.written.copy()
    at = int(np.flatnonzero(~data.unknown)[0])
    wrong[at] = (wrong[at] + 1) % len(data.alphabet)
    assert recall(model, replace(data, written=wrong)).wrong_steps == 1
    assert actions_along(model, data).max() < UNKNOWN


@pytest.mark.parametrize("share", [0.2, 0.6])
def test_extraction_and_merging_find_the_machine_in_spite_of_gaps(share):
    for seed in range(3):
        machine = random_protocol(seed, states=5, inputs=3)
        data = in_words_of(machine, traces_of_conversations(with_gaps(walks(machine, 400, seed=seed), share)))
        found = [extract(from_machine(machine), data).machine]
        if share < 0.5:
            pytest.importorskip("aalpy")
            found += [merge(data, method) for method in ("rpni", "edsm", "edsm-frequency")]
        for each in found:
            assert dfst.compare(machine, each).exact, (seed, each)


def test_what_no_record_shows_is_guessed_by_the_network_and_left_out_by_merging():
    lamp = [[("push", "on"), ("look", None)], [("push", "on"), ("push", "off"), ("look", "dark")]] * 2
    traces = traces_of_conversations(lamp)
    model = identity_model(traces.world, 4, seed=1)
    found = extract(model, traces)
    assert found.evidence.followed == len(traces)
    assert {turn.output for turn in turns_of(found.machine)} <= {"on", "off", "dark"}
    assert {symbol for _, symbol in found.evidence.guessed} <= {"look"}
    silent = [[(read, None if read == "unlock" else answer) for read, answer in talk] for talk in walks(door(), 90)]
    said = report(extract(from_machine(door()), in_words_of(door(), traces_of_conversations(silent))))
    assert "No trace knows what 4 rules write, such as (s0 unlock), (s1 unlock)" in said.explain()
    pytest.importorskip("aalpy")
    merged = merge(traces_of_conversations([[("push", "on"), ("look", None), ("look", "dark")]]), "rpni")
    assert "look" not in {turn.input for turn in turns_of(merged) if turn.output not in ("on", "dark")}


@pytest.mark.slow
def test_noise_is_corrected_beside_gaps_and_a_gap_is_no_noise():
    log = with_gaps(walks(door(), 300), 0.1)
    right = traces_of_conversations(log)
    noisy, rng = [list(talk) for talk in log], random.Random(1)
    for _ in range(8):
        talk = rng.choice(noisy)
        at = rng.randrange(len(talk))
        talk[at] = (talk[at][0], "error" if talk[at][1] == "ok" else talk[at][1])
    given = traces_of_conversations(noisy)
    found = correct(given, replace(dfst.Options(), hidden_dim=12).on(given))
    assert (found.traces.unknown.sum(), found.dropped) == (right.unknown.sum(), ())
    assert found.traces.sha256 == right.sha256
    assert all("?" not in change.line() for change in found.changes)


@pytest.mark.slow
def test_a_log_with_gaps_is_learned_and_proven(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "log.csv").write_text(to_csv(traces_of_conversations(with_gaps(walks(door(), 150), 0.2))))
    machine = conversation_machine(turns_of(door()), "closed", name="door")
    machine.save("door.dfst")
    learned = dfst.learn("log.csv", teacher="door.dfst", options=dfst.Options(out="run"))
    assert learned.exact
    assert learned.traces.unknown.any()
