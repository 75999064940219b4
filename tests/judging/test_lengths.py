"""PLG and RLG as the paper defines them, and journals that resume a measurement."""

import json

import pytest

from dfst import Move, from_machine
from dfst.errors import InputError
from dfst.judging.exact_match import Exam, Examiner
from dfst.judging.journal import Journal
from dfst.judging.lengths import measure_lengths
from dfst.judging.test_sets import random_pairs, same_digit_pairs
from dfst.teachers.find import find_task
from tests.act.test_lockstep import changed
from tests.act.test_rollout import noisy

ADD2, ADD10 = find_task("add2"), find_task("add10")


@pytest.mark.parametrize("m", [1, 2, 7, 100])
def test_the_papers_test_sets(m):
    pairs = random_pairs(ADD10, m, seed=3)
    assert len(pairs) == 10
    assert all(len(number) == m and (m == 1 or number[0] != "0") for pair in pairs[:5] for number in pair)
    assert all(1 <= len(number) <= m for pair in pairs[5:] for number in pair)
    assert pairs == random_pairs(ADD10, m, seed=3)
    assert m == 1 or pairs != random_pairs(ADD10, m, seed=4)
    same = same_digit_pairs(ADD10, m)
    assert len(set(same)) == 100
    assert all(len(a) == len(b) == m and len(set(a)) == len(set(b)) == 1 for a, b in same)


def test_an_agent_that_fails_from_some_length_on_is_measured_exactly():
    """A drifting model: PLG and RLG are what testing every length gives."""
    model = noisy(ADD2.machine, 4e-3, seed=1)
    result = measure_lengths(model, ADD2, to=100)
    examiner = Examiner(model, ADD2)

    def passes(m, robust):
        problems = random_pairs(ADD2, m, seed=0) + (same_digit_pairs(ADD2, m) if robust else [])
        return all(examiner(problem).same_actions for problem in problems)

    tested = [rung.m for rung in result.rungs]
    assert result.rlg is not None
    assert result.rlg <= result.plg < 100
    assert passes(result.rlg, True)
    assert passes(result.plg, False)
    assert not passes(result.rlg + 1, True)
    assert not passes(result.plg + 1, False)
    assert result.rlg + 1 in tested


def test_the_two_matches_are_told_apart():
    """Walking otherwise to the same answer: the actions differ, the answer is right."""
    machine = ADD10.machine
    q, x = machine.states.index("take"), machine.alphabet.index["7"]
    wrong = Examiner(changed(machine, q, x, move=Move.L), ADD10)
    assert wrong(("123", "123")) == Examiner(machine, ADD10)(("123", "123"))
    attempt = wrong(("123", "7"))
    assert not attempt.same_actions
    assert attempt.problem is not None
    assert "the teacher writes _ and moves U" in attempt.problem
    model = from_machine(ADD2.machine)
    assert Examiner(model, ADD2)(("111", "1")).right_answer


class Detour:
    """Steps to the left and back, then adds as the teacher does."""

    def begin(self):
        return "away"

    def act(self, state, symbol):
        if state == "away":
            return "back", symbol, Move.L
        if state == "back":
            return ADD2.machine.begin(), symbol, Move.R
        return ADD2.machine.act(state, symbol)


def test_right_answers_are_not_enough():
    """The paper's PLG asks for them; ours asks for the teacher's actions."""
    found = measure_lengths(Detour(), ADD2, to=1)
    assert (found.plg, found.rlg) == (0, 0)
    assert [(rung.random.same_actions, rung.random.right_answers) for rung in found.rungs] == [(0, 10)]


class Stop(Exception):
    pass


def test_a_measurement_that_was_stopped_goes_on(work, monkeypatch):
    import dfst.judging.lengths as module

    model, calls = noisy(ADD2.machine, 4e-3, seed=1), []
    whole = measure_lengths(model, ADD2, to=50)

    class Counting(Examiner):
        def __call__(self, problem):
            calls.append(problem)
            return super().__call__(problem)

    monkeypatch.setattr(module, "Examiner", Counting)

    def interrupt(m, done, total):
        if m == 6 and done == 3:
            raise Stop

    with pytest.raises(Stop):
        measure_lengths(model, ADD2, to=50, journal=Journal(work / "j.jsonl", {"a": 1}), progress=interrupt)
    with (work / "j.jsonl").open("a") as file:
        file.write('[6, "ran')  # as a crash would leave it
    first = len(calls)
    again = measure_lengths(model, ADD2, to=50, journal=Journal(work / "j.jsonl", {"a": 1}))
    assert again == whole
    total = sum(r.random.total + (r.same_digit.total if r.same_digit else 0) for r in whole.rungs)
    assert len(calls) == total
    assert first > 10
    with pytest.raises(InputError, match="attempts of another policy"):
        Journal(work / "j.jsonl", {"a": 2})


class Table:
    """A machine that says what it does only when it is asked."""

    step_limit = 1000

    def __init__(self, machine):
        self.machine = machine

    def begin(self):
        return self.machine.start

    def act(self, state, symbol):
        return self.machine.table[state][symbol]


def test_a_perfect_policy_goes_as_far_as_its_step_limit():
    lengths = measure_lengths(Table(ADD2.machine), ADD2, to=30, threads=1)
    assert lengths.rlg is not None
    assert ADD2.machine.run("1" * lengths.rlg, "1" * lengths.rlg).steps <= Table.step_limit
    assert 5 < lengths.rlg < 30
    assert any("given up after 1000 steps" in (rung.first_failure or "") for rung in lengths.rungs)


def test_an_evaluation_of_something_else_is_not_resumed(call, work):
    assert call("train", "increment", "--out", "bad", "--iterations", 20)[0] == 0
    measured = json.loads(call("eval", "bad", "--to", 4, "--json")[1])
    assert measured["plg"] == 0
    (path,) = (work / "bad" / "eval").glob("*.jsonl")
    assert json.loads(call("eval", "bad", "--to", 4, "--json")[1])["tested"] == measured["tested"]
    subject, *rows = path.read_text().splitlines(keepends=True)
    path.write_text("".join([subject.replace("increment", "other"), *rows]))
    what = (
        "this journal holds attempts of another policy or another measurement. Give another file, or remove this one."
    )
    assert call("eval", "bad", "--to", 1)[::2] == (2, f"dfst: {path.relative_to(work)}: {what}\n")
    path.unlink()
    assert json.loads(call("eval", "bad", "--to", 4, "--json")[1])["plg"] == 0


def test_if_the_first_problem_cannot_be_examined_no_other_is_begun():
    """Several at a time would take several times the memory, and end with the same sentence."""
    begun = []

    def examiner(problem):
        begun.append(problem)
        raise InputError("the teacher does not halt")

    with pytest.raises(InputError):
        Exam(examiner, 4)(1, "random", [("0",), ("1",), ("2",)])
    assert begun == [("0",)]
