import pytest

from dfst import InputError, from_machine, record, sample
from dfst.teachers.find import find_task
from dfst.traces.coverage import followed
from dfst.training.model import loss
from dfst.training.recall import hidden_along


def test_its_hidden_states_are_the_machines_states():
    task = find_task("add2")
    traces = sample(task)
    hidden = hidden_along(from_machine(task.machine), traces)
    assert (hidden.argmax(axis=1) == followed(task.machine, traces)[0]).all()


def test_room_to_spare_and_too_little():
    machine = find_task("add2").machine
    traces = record(machine, [("1", "1")])
    assert loss(from_machine(machine, 12), traces) == 0.0
    with pytest.raises(InputError, match="11 states do not fit into 10"):
        from_machine(machine, 10)
