"""Machines as users write them: with rules that are never used, classes that overlap, words that alternate."""

import random
from pathlib import Path

import pytest

from dfst.prove import checker
from dfst.prove.certificate import certificate
from dfst.prove.compare import compare
from dfst.prove.counterexample import telling_problems
from dfst.prove.lockstep import first_difference
from dfst.prove.verdict import Conclusion
from dfst.teachers.find import find_task
from dfst.world.machine_file import load_machine, parse_machine
from tests.prove.learners import mutated, pruned, used_pairs

FOLDER = Path(__file__).parent / "user_machines"
NAMES = sorted(path.stem for path in FOLDER.glob("*.dfst"))

RARE = ("anbncn",)
"""Random words hardly ever use all of its rules."""

SORT3 = """
s0 a -> = R =
s0 b -> = R s1
s0 c -> = R s2
s0 _ -> = S halt
s1 a -> b L s3
s1 b -> = R =
s1 c -> = R s2
s1 _ -> = S halt
s2 a -> c L s4
s2 b -> c L s5
s2 c -> = R =
s2 _ -> = S halt
s3 b -> a L s6
s4 c -> a L s6
s5 c -> b L s6
s6 letter -> = L =
s6 _ -> = R s0
"""
"""What a model that was trained on traces of sort3 does: it knows which letter it took, its teacher does not."""


def user_machine(name):
    return load_machine(FOLDER / f"{name}.dfst")


def sort3(rules=SORT3):
    header = (FOLDER / "sort3.dfst").read_text().split("[task]")[0].replace('"first"', '"s0"')
    return parse_machine(f"{header}---\n{rules}")


def checked(teacher, learner, **options):
    """The verdict; if it is exact, the checker agrees."""
    verdict = compare(teacher, learner, **options)
    if verdict.proof is not None:
        checker.verify(certificate(teacher, learner, verdict.proof))
    return verdict


def test_there_are_twenty_and_each_is_a_task():
    assert len(NAMES) == 20
    assert all(find_task(str(FOLDER / f"{name}.dfst")).machine == user_machine(name) for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_each_is_decided_without_the_rules_that_are_hardly_ever_used(name):
    """What is left is exact where those rules are never used; else an input says so."""
    teacher = user_machine(name)
    problems = [*telling_problems(teacher)]
    learner = pruned(teacher, used_pairs(teacher, problems))
    verdict = checked(teacher, learner)
    assert verdict.conclusion != Conclusion.UNDECIDED, verdict.explain()
    assert verdict.conclusion == Conclusion.EXACT or name in RARE


def test_a_teacher_state_that_is_entered_in_two_ways():
    verdict = checked(user_machine("sort3"), sort3())
    assert verdict.conclusion == Conclusion.EXACT
    assert verdict.teacher_never_stuck
    assert verdict.size < 5000


@pytest.mark.parametrize("wrong", ["s3 b -> a L s3", "s5 c -> b R s6", "s4 c -> b L s6", "s3 b -> = L s6"])
def test_nothing_that_was_added_makes_a_wrong_machine_exact(wrong):
    state = wrong.split(" ->")[0]
    (right,) = (line for line in SORT3.splitlines() if line.startswith(state))
    verdict = checked(user_machine("sort3"), sort3(SORT3.replace(right, wrong)))
    assert verdict.conclusion == Conclusion.REFUTED


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_with_one_entry_off(name):
    rng, teacher = random.Random(name), user_machine(name)
    problems = [*telling_problems(teacher)]
    for _ in range(5):
        learner, _ = mutated(teacher, rng)
        differs = any(first_difference(teacher, learner, problem, step_limit=3000) for problem in problems)
        verdict = checked(teacher, learner, seconds=None if differs else 20.0)  # a slow computer refutes it as well
        if verdict.conclusion == Conclusion.EXACT and verdict.proof is not None and not verdict.proof.apart:
            assert not differs
        if differs:
            assert verdict.conclusion == Conclusion.REFUTED
