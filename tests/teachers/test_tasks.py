"""Tasks as text: defaults, answers, mistakes; and the scaffold."""

import pytest

from dfst import Sampling, sample
from dfst.judging.test_sets import random_pairs, same_digit_pairs
from dfst.teachers.find import find_task, gallery
from dfst.teachers.task_file import load_task, parse_task
from tests.small import header

FLIP = header("flip") + "{task}\n---\nwalk 0,1 -> 1,0 R walk\nwalk _ -> _ S halt\n"


def flip(task=""):
    return parse_task(FLIP.format(task=task))


def test_without_a_table_everything_is_chosen():
    task = flip()
    assert (task.name, task.hidden_dim, task.recipes) == ("flip", 5, {})
    assert task.sampling == Sampling(5, 8, 200)
    assert len(sample(task)) == 200


def test_the_table_says_what_to_learn_from():
    task = flip("[task]\np = 2\nq = 4\nn = 20\nhidden_dim = 7\niterations = 500\nlearning_rate = 0.01")
    assert task.sampling == Sampling(2, 4, 20)
    assert (task.hidden_dim, task.recipes["fast"]) == (7, {"iterations": 500, "learning_rate": 0.01})


def test_answers_are_an_independent_truth(tmp_path):
    (tmp_path / "flip.dfst").write_text(FLIP.format(task='[task]\nanswers = "right.csv"'))
    (tmp_path / "right.csv").write_text("word,answer\n01,10\n\n1 ,0\n000,110\n")
    task = load_task(tmp_path / "flip.dfst")
    assert task.answers == {("01",): "10", ("1",): "0", ("000",): "110"}
    assert task.wrong_answers() == {("000",): "111"}
    assert (task.truth("000"), task.truth("0000")) == ("110", "1111")


def test_the_scaffold_works(call, work):
    assert call("new", "my-task")[0] == 0
    task = load_task(work / "my-task" / "my-task.dfst")
    assert task.wrong_answers() == {}
    assert len(task.answers) == 5
    assert len(sample(task)) == 40
    assert call("check", "my-task/my-task.dfst")[0] == 0


@pytest.mark.parametrize("name", gallery())
def test_test_sets_fit_every_layout(name):
    task = find_task(name)
    for problem in random_pairs(task, 4, seed=1) + same_digit_pairs(task, 3):
        task.machine.place(problem)
    assert len(sample(task)) == task.sampling.n
