"""Every engine makes the same run, with the answer that Python's integers have; endless runs are found out."""

import random
from dataclasses import replace

import numpy as np
import pytest

import dfst.world.grid
from dfst import Move
from dfst.errors import InputError
from dfst.world.machine import Rule
from dfst.world.rollout import Outcome
from tests.cases import CASES, from_rules, random_input, random_machine


def same(machine, operands, step_limit):
    results = [
        machine.run(*operands, step_limit=step_limit, engine=engine, record=True)
        for engine in ("reference", "compiled", "auto")
    ]
    results.append(replace(machine.run(*operands, step_limit=step_limit, engine="skipping"), pairs=results[0].pairs))
    first = results[0]
    for other in results[1:]:
        assert (first.outcome, first.steps, first.state, first.cell) == (
            other.outcome,
            other.steps,
            other.state,
            other.cell,
        )
        assert first.grid == other.grid
        assert np.array_equal(first.pairs, other.pairs)
        assert first.answer == other.answer
    return first


@pytest.mark.parametrize("case", CASES, ids=str)
def test_engines_agree_and_are_right(case):
    result = same(case.teacher.machine, (case.a, case.b), 10**6)
    assert result.outcome == Outcome.HALTED
    assert result.answer.text == case.answer
    assert result.answer.only_answer_left


@pytest.mark.slow
def test_engines_agree_on_random_machines():
    rng, outcomes = random.Random(1), set()
    for _ in range(2000):
        machine = random_machine(rng)
        outcomes.add(same(machine, (random_input(rng),), rng.choice([0, 1, 2, 17, 300])).outcome)
    assert outcomes == {Outcome.HALTED, Outcome.STUCK, Outcome.STEP_LIMIT}


def test_auto_goes_over_to_the_compiled_runner_in_the_middle():
    case = CASES[0]._replace(a="1" * 150, b="1" * 150)
    result = same(case.teacher.machine, (case.a, case.b), 10**6)
    assert result.steps > 20_000
    assert result.answer.text == case.answer


def test_only_a_machine_that_halts_has_an_answer():
    going = [Rule("a", "0", "1", Move.R, "a")]
    stuck = from_rules(going).run("00")
    assert (stuck.outcome, stuck.answer.text, stuck.answer.only_answer_left) == (Outcome.STUCK, None, False)
    assert stuck.answer.cells == "11"
    cut_off = from_rules(going).run("00", step_limit=1)
    assert (cut_off.answer.text, cut_off.answer.only_answer_left, cut_off.answer.cells) == (None, False, "10")
    halted = from_rules([*going, Rule("a", "_", "_", Move.S, "halt")]).run("00")
    assert (halted.answer.text, halted.answer.only_answer_left, halted.answer.cells) == ("11", True, "11")


def test_a_machine_that_runs_away_leaves_the_area(monkeypatch):
    machine = from_rules([Rule("w", x, "1", Move.R, "w") for x in "01_"])
    for engine in ("reference", "compiled", "skipping", "auto"):
        result = machine.run("1", reach=50_000, engine=engine)
        assert (result.outcome, result.steps, result.cell) == (Outcome.LEFT, 50_001, (50_001, 0))
        assert "left the allowed area after 50001 steps" in result.explain()
        assert result.grid.count() == 50_001
    monkeypatch.setattr(dfst.world.grid, "MAX_CELLS", 10**6)
    zigzag = [Rule("r", x, "1", Move.R, "r") for x in "01"] + [Rule("r", "_", "1", Move.L, "l")]
    zigzag += [Rule("l", x, "1", Move.L, "l") for x in "01"] + [Rule("l", "_", "1", Move.R, "r")]
    assert from_rules(zigzag).run("1", step_limit=10**12).outcome == Outcome.LEFT
    with pytest.raises(InputError, match="reach of -1"):
        machine.run("1", reach=-1)


def test_a_run_that_repeats_itself_is_found_out():
    bounce = [Rule("a", x, x, Move.R, "b") for x in "01_"] + [Rule("b", x, x, Move.L, "a") for x in "01_"]
    auto = from_rules(bounce).run("1")
    assert (auto.outcome, auto.steps, auto.period) == (Outcome.ENDLESS, 10_002, 2)
    assert auto.explain() == "repeats itself every 2 steps, seen after 10002 steps, in state a at cell (0, 0)"
    assert auto.answer.text is None
    for engine in ("compiled", "skipping"):
        result = from_rules(bounce).run("1", engine=engine, record=engine == "compiled")
        assert (result.outcome, result.steps, result.period) == (Outcome.ENDLESS, 10**6, 2)
    assert from_rules(bounce).run("1", engine="reference", step_limit=30_000).outcome == Outcome.STEP_LIMIT
    assert from_rules(bounce).run("1", step_limit=10_001).outcome == Outcome.STEP_LIMIT


def test_who_runs_on_over_blanks_is_found_out():
    stairs = [Rule("a", x, "1", Move.R, "b") for x in "01_"] + [Rule("b", "_", "_", Move.U, "a")]
    left = [Rule("a", x, x, Move.L, "a") for x in "01_"]
    for rules, engine in ((stairs, "auto"), (left, "auto"), (left, "skipping")):
        result = from_rules(rules).run("1", engine=engine)
        assert (result.outcome, result.period) == (Outcome.ENDLESS, 0)
    # who turns back on its way, or halts after some blanks, is not taken for one that does not
    wide = [Rule(f"s{i}", x, x, Move.R, f"s{i + 1}") for i in range(12_000) for x in "1_"]
    assert from_rules([*wide, Rule("s12000", "_", "_", Move.S, "halt")]).run("1").outcome == Outcome.HALTED
    back = [Rule("a", "_", "_", Move.U, "b"), Rule("b", "_", "_", Move.R, "c"), Rule("c", "_", "1", Move.D, "a")]
    result = from_rules([Rule("a", x, x, Move.R, "a") for x in "01"] + back).run("1", step_limit=50_000)
    assert result.outcome != Outcome.ENDLESS or result.period


@pytest.mark.slow
def test_whoever_is_said_never_to_halt_does_not():
    rng, found = random.Random(4), set()
    for _ in range(100):
        machine, word = random_machine(rng), random_input(rng)
        result = machine.run(word, step_limit=20_000)
        if result.outcome == Outcome.ENDLESS:
            found.add(bool(result.period))
            assert machine.run(word, step_limit=50_000, engine="reference").outcome == Outcome.STEP_LIMIT
            now, later = (
                machine.run(word, step_limit=result.steps + more, engine="reference") for more in (0, result.period)
            )
            assert now.grid == result.grid
            assert not result.period or (now.state, now.cell, now.grid) == (later.state, later.cell, later.grid)
    assert found == {False, True}


def test_walks_over_several_ranges_of_symbols_in_both_directions():
    walk = [Rule("r", x, x, Move.R, "r") for x in "01#"] + [Rule("r", "_", "#", Move.L, "l")]
    back = [Rule("l", x, x, Move.L, "l") for x in "01#"] + [Rule("l", "_", "1", Move.S, "halt")]
    for length in (1, 63, 64, 65, 127, 128, 1000):
        result = same(from_rules(walk + back), ("01" * length,), 10**6)
        assert (result.outcome, result.steps) == (Outcome.HALTED, 2 * (2 * length + 1) + 1 - 1)
    for limit in range(8):
        assert same(from_rules(walk + back), ("010",), limit).steps == min(limit, 8)
