"""Which rules of a teacher its traces use, and that other traces are refused."""

import pytest

from dfst import Traces, record, sample
from dfst.errors import InputError
from dfst.teachers.find import find_task
from dfst.traces.coverage import coverage


@pytest.mark.parametrize("task", ["add2", "add10", "mult2", "mult10"])
def test_the_default_data_cover_every_rule(task):
    teacher = find_task(task)
    assert coverage(teacher.machine, sample(teacher, seed=42)).uncovered == ()


def test_traces_of_something_else_are_refused():
    machine = find_task("add2").machine
    traces = record(machine, [("1", "1")])
    with pytest.raises(InputError, match="another alphabet"):
        coverage(find_task("add3").machine, traces)
    written = traces.written.copy()
    written[3] ^= 1
    damaged = Traces(traces.world, traces.seen, written, traces.moves, traces.offsets)
    with pytest.raises(InputError, match=r"trace 0 is not a run of the machine \(step 3\)"):
        coverage(machine, damaged)
    short = Traces(traces.world, traces.seen[:-1], traces.written[:-1], traces.moves[:-1], traces.offsets - [0, 1])
    with pytest.raises(InputError, match="not a run"):
        coverage(machine, short)
