"""Two machines compared: the same behaviour is proven, another one refuted by an input that shows it."""

import random

import pytest

from dfst.prove import checker
from dfst.prove.certificate import certificate
from dfst.prove.compare import compare
from dfst.prove.counterexample import telling_problems
from dfst.prove.lockstep import first_difference
from dfst.prove.verdict import Conclusion
from dfst.teachers.find import find_task
from dfst.world.layout import Layout
from dfst.world.machine import GridMachine, Rule
from dfst.world.moves import Move
from tests.cases import ALPHABET, from_rules, random_machine
from tests.prove.checker_cases import BOLD, STUCK, machine
from tests.prove.learners import mutated, pruned, renumbered, split, split_by_rule, used_pairs
from tests.prove.scripts import output

TASKS = ("add2", "add3", "mult2", "mult3", pytest.param("add10", marks=pytest.mark.slow))


def proven(teacher, learner, **options):
    """The verdict, after the checker has agreed."""
    verdict = compare(teacher, learner, **options)
    assert verdict.conclusion == Conclusion.EXACT, verdict.explain()
    assert verdict.proof is not None
    report = checker.verify(certificate(teacher, learner, verdict.proof))
    assert report["teacher_never_stuck"] == verdict.teacher_never_stuck
    assert (report["scope"] == "on every input") is not verdict.proof.apart
    return verdict


@pytest.mark.parametrize("task", [*TASKS, pytest.param("mult10", marks=pytest.mark.slow)])
def test_a_machine_acts_like_itself(task):
    teacher = find_task(task).machine
    verdict = proven(teacher, teacher)
    assert verdict.rounds == 0
    assert verdict.teacher_never_stuck is task.startswith("add")  # that a product has n + m digits is arithmetic


@pytest.mark.parametrize("task", TASKS)
def test_other_tables_same_behaviour(task):
    rng, teacher = random.Random(3), find_task(task).machine
    learner = split_by_rule(split(renumbered(teacher, rng), 4, rng), 6)
    assert len(learner.states) > len(teacher.states) + 1
    proven(teacher, learner)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("task", "state"), [("add2", "add1"), ("add2", "look"), ("mult2", "return"), ("mult2", "pick")]
)
def test_a_learner_with_only_the_pairs_that_runs_use(task, state):
    """A copy of the state for each rule that leads to it, no rule that no run needs: what cannot be is proven so."""
    teacher = find_task(task).machine
    learner = split_by_rule(teacher, teacher.states.index(state))
    proven(teacher, pruned(learner, used_pairs(learner, telling_problems(teacher))))


@pytest.mark.parametrize("seed", range(12))
def test_random_machines_act_like_themselves(seed):
    rng = random.Random(seed)
    teacher = random_machine(rng)
    proven(teacher, renumbered(teacher, rng), limit=2000)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12))
def test_one_entry_off(seed):
    """Exact is right and refuted is confirmed, for random machines too."""
    rng = random.Random(seed)
    teacher = random_machine(rng) if seed % 2 else find_task(rng.choice(("add2", "mult2"))).machine
    learner, _ = mutated(teacher, rng)
    verdict = compare(teacher, learner, limit=1000, rounds=1)
    if verdict.conclusion == Conclusion.REFUTED:
        found = verdict.counterexample
        assert found is not None
        assert first_difference(teacher, learner, found.operands, step_limit=found.step + 1) == found
        assert str(found) in verdict.explain()
    if verdict.conclusion == Conclusion.EXACT and verdict.proof is not None and not verdict.proof.apart:
        checker.verify(certificate(teacher, learner, verdict.proof))
        digits, parts = teacher.alphabet.classes["digit"], teacher.world.operands
        for _ in range(100):
            operands = ["".join(rng.choices(digits, k=rng.randint(1, 6))) for _ in parts]
            assert first_difference(teacher, learner, operands, step_limit=2000) is None


@pytest.mark.slow
def test_a_rare_counterexample_is_found_and_short():
    """The learner is wrong only if 9 is multiplied by a digit 4 with carry 8, and then by a 1."""
    teacher = find_task("mult10").machine
    learner = split_by_rule(teacher, teacher.states.index("times9+4"))
    source = teacher.states.index("times9+8"), teacher.alphabet.index["4"]
    state = int(learner.next_state[source])
    written = learner.written.copy()
    written[state, 1] = 9
    tables = (learner.states, learner.start, learner.next_state, written, learner.move)
    verdict = compare(teacher, GridMachine("learner", teacher.world, *tables))
    assert verdict.conclusion == Conclusion.REFUTED
    assert verdict.counterexample is not None
    assert verdict.counterexample.operands == ("149", "9")


def test_where_the_teacher_is_stuck_nothing_is_asked_of_the_learner():
    teacher, learner = (machine(rules, '["digit+", "x"]') for rules in (STUCK, BOLD))
    verdict = compare(teacher, learner)
    assert verdict.conclusion == Conclusion.UNTIL_STUCK
    assert (verdict.proven, verdict.exact, verdict.teacher_never_stuck) == (True, False, False)
    assert verdict.scope == verdict.certificate().content["claim"]["scope"] == checker.CLAIM[True]
    assert compare(learner, teacher).refuted


def test_a_difference_beyond_reach_is_undecided_not_exact():
    """It parts only after 70 steps upwards: more rows than are followed, and no input leads there sooner."""
    up = [Rule(f"u{i}", "0", "0", Move.U, f"u{i + 1}") for i in range(1)]
    climb = [Rule(f"u{i}", "_", "_", Move.U, f"u{i + 1}") for i in range(1, 80)]
    teacher = from_rules([*up, *climb, Rule("u80", "_", "0", Move.S, "halt")])
    learner = from_rules([*up, *climb, Rule("u80", "_", "1", Move.S, "halt")])
    verdict = compare(teacher, learner)
    assert verdict.conclusion in (Conclusion.REFUTED, Conclusion.UNDECIDED)
    proven(teacher, teacher)


def test_an_input_without_operands():
    rules = [Rule("a", "#", "0", Move.R, "b"), Rule("b", "_", "1", Move.S, "halt")]
    teacher = GridMachine.from_rules(rules, alphabet=ALPHABET, layout=Layout(("#",)), start="a")
    wrong = [rules[0], rules[1]._replace(written="0")]
    learner = GridMachine.from_rules(wrong, alphabet=ALPHABET, layout=Layout(("#",)), start="a")
    proven(teacher, teacher)
    verdict = compare(teacher, learner)
    assert verdict.counterexample is not None
    assert verdict.counterexample.operands == ()


@pytest.mark.slow
def test_every_concrete_configuration_is_covered():
    assert output("covering", 200, 3)["configurations"] > 2000
