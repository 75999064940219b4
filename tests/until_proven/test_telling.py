"""Which problems a learner is shown next."""

import dfst
from dfst.prove.lockstep import first_difference
from dfst.until_proven.telling import at_once, most_telling, with_new_rules
from dfst.world.run import run

ADD10 = dfst.task("add10").machine


def learner_without(*left_out):
    rules = [rule for rule in ADD10.rules() if (rule.state, rule.seen) not in left_out]
    return dfst.GridMachine.from_rules(rules, alphabet=ADD10.alphabet, layout=ADD10.layout, start="enter")


def told(learner, problems, shown):
    tried = {problem: first_difference(ADD10, learner, problem, step_limit=10_000) for problem in problems}
    wrong = {problem: found for problem, found in tried.items() if found is not None}
    return most_telling(ADD10, wrong, shown, step_limit=10_000)


EVERY = [(f"{a}{b}", f"{c}{d}") for a in range(10) for b in range(10) for c in range(10) for d in range(10)]


def test_first_come_the_runs_that_show_most_new_rules():
    problems = [("1", "1"), ("1", "123456789"), ("2", "2")]
    chosen = with_new_rules(ADD10, problems, [("2", "2")], step_limit=10_000)
    assert chosen[0] == ("1", "123456789")
    assert ("2", "2") not in chosen
    assert with_new_rules(ADD10, problems, [("2", "2"), *chosen], step_limit=10_000) == [], "nothing is new any more"


def test_random_problems_show_every_rule():
    shown, known = with_new_rules(ADD10, EVERY[::11], [], step_limit=10_000), set()
    for problem in shown:
        known |= set(run(ADD10, *problem, record=True).pairs.tolist())
    assert len(known) == len(list(ADD10.rules()))
    assert len(shown) < 100


def test_then_one_for_every_fault_the_most_frequent_first():
    learner = learner_without(("enter", "1"), ("enter", "2"))
    problems = [("17", "5"), ("15", "7"), ("25", "7"), ("16", "8")]
    chosen = told(learner, problems, EVERY[::250])
    assert len(chosen) == len(set(chosen)) == 4  # as many as may be asked for are more than there are
    assert {chosen[0][0][0], chosen[1][0][0]} == {"1", "2"}, "both faults come before one of them comes again"
    assert chosen[0][0][0] == "1", "the more frequent one"


def test_a_run_that_never_halts_cannot_be_shown():
    rules = [rule for rule in ADD10.rules() if (rule.state, rule.seen) != ("enter", "7")]
    stuck = dfst.GridMachine.from_rules(rules, alphabet=ADD10.alphabet, layout=ADD10.layout, start="enter")
    difference = first_difference(stuck, ADD10, ("7", "1"), step_limit=100)
    assert difference is not None
    assert most_telling(stuck, {("7", "1"): difference}, [("1", "1")], step_limit=100) == []
    assert with_new_rules(stuck, [("7", "1")], [], step_limit=100) == []


def test_the_more_was_shown_the_more_is_asked_at_once():
    assert [at_once(n) for n in (1, 7, 16, 80)] == [1, 1, 2, 10]
