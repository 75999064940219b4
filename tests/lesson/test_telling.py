"""Which problems a learner is shown next."""

import dfst
from dfst.lesson.telling import at_once, most_telling
from dfst.prove.lockstep import first_difference

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
    learner, problems = learner_without(("enter", "1")), [("1", "1"), ("1", "123456789"), ("2", "123456789")]
    assert told(learner, problems, [("2", "2")]) == [("1", "123456789")]


def test_then_one_for_every_fault_the_most_frequent_first():
    learner = learner_without(("enter", "1"), ("enter", "2"))
    problems = [("17", "5"), ("15", "7"), ("25", "7"), ("16", "8")]
    chosen = told(learner, problems, EVERY[::2] + EVERY[1:20:2] + EVERY[51:60:2])
    assert len(chosen) == len(set(chosen)) == 4  # as many as may be asked for are more than there are
    assert {chosen[0][0][0], chosen[1][0][0]} == {"1", "2"}, "both faults come before one of them comes again"
    assert chosen[0][0][0] == "1", "the more frequent one"


def test_a_run_that_never_halts_cannot_be_shown():
    rules = [rule for rule in ADD10.rules() if (rule.state, rule.seen) != ("enter", "7")]
    stuck = dfst.GridMachine.from_rules(rules, alphabet=ADD10.alphabet, layout=ADD10.layout, start="enter")
    difference = first_difference(stuck, ADD10, ("7", "1"), step_limit=100)
    assert difference is not None
    assert most_telling(stuck, {("7", "1"): difference}, [("1", "1")], step_limit=100) == []


def test_more_at_once_while_something_is_new():
    assert [at_once(n) for n in (1, 7, 16, 80)] == [1, 1, 2, 10]
    assert [at_once(n, new=True) for n in (1, 7, 16, 80)] == [1, 3, 8, 40]
