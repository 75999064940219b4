"""Whether a model has learned its traces is counted action by action, as a rollout would act."""

from dataclasses import replace

import numpy as np
import pytest

from dfst import from_machine, record, sample, solve
from dfst.teachers.find import find_task
from dfst.training.recall import Recall, recall


def noisy(task, size, seed=3):
    model = from_machine(find_task(task).machine)
    rng = np.random.default_rng(seed)
    changed = {name: getattr(model, name) + rng.normal(scale=size, size=getattr(model, name).shape) for name in "ABC"}
    return replace(model, weights=model.weights._replace(**changed).astype(np.float32))


@pytest.mark.parametrize("task", ["add2", "add10", "mult2"])  # few symbols, and more than one vector holds
def test_a_teachers_own_weights_know_every_step(task):
    traces = sample(find_task(task))
    assert recall(from_machine(find_task(task).machine), traces) == Recall(len(traces), len(traces.seen), 0, 0)


def test_it_judges_as_the_rollouts_act():
    """On its own the model leaves the teacher in exactly those problems of which it gets a step wrong."""
    teacher = find_task("add2").machine
    problems, followed = sample(find_task("add2")).problems, []
    for size in (0.02, 0.03, 0.04, 0.05, 0.06):
        model = noisy("add2", size)
        follows = [solve(model, *problem, beside=teacher).outcome.value == "halted" for problem in problems]
        assert follows == [recall(model, record(teacher, [problem])).learned for problem in problems]
        followed += follows
    assert 0 < sum(followed) < len(followed)
