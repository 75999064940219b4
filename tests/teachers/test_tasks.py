"""Tasks as text: defaults, answers, mistakes; and the scaffold."""

import pytest

from dfst import Sampling, sample
from dfst.cli import app
from dfst.errors import InputError, MachineError
from dfst.judging.test_sets import random_pairs, same_digit_pairs
from dfst.teachers.find import find_task, gallery
from dfst.teachers.scaffold import new_task
from dfst.teachers.task_file import load_task, parse_task

FLIP = """
format = 1
name = "flip"
symbols = ["0", "1", "_"]
blank = "_"
start = "walk"
[classes]
digit = ["0", "1"]
[input]
cells = ["digit+"]
[answer]
cells = "digit"
{task}
---
walk 0,1 -> 1,0 R walk
walk _ -> _ S halt
"""


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
    with pytest.raises(MachineError, match="on 000 it says 111, not 110"):
        app(["check", str(tmp_path / "flip.dfst")], exit_on_error=False)


def test_the_scaffold_works(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    app(["new", "my-task"], exit_on_error=False, result_action="return_value")
    task = load_task(tmp_path / "my-task" / "my-task.dfst")
    assert task.wrong_answers() == {}
    assert len(task.answers) == 5
    assert len(sample(task)) == 40
    app(["check", "my-task/my-task.dfst"], exit_on_error=False, result_action="return_value")
    with pytest.raises(InputError, match="not empty"):
        new_task("my-task", tmp_path / "my-task")
    with pytest.raises(InputError, match="small letters"):
        new_task("My Task", tmp_path / "other")


@pytest.mark.parametrize("name", gallery())
def test_test_sets_fit_every_layout(name):
    task = find_task(name)
    for problem in random_pairs(task, 4, seed=1) + same_digit_pairs(task, 3):
        task.machine.place(problem)
    assert len(sample(task)) == task.sampling.n
