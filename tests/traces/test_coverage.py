import numpy as np
import pytest

from dfst import InputError, Traces, record, sample
from dfst.teachers.find import find_task
from dfst.traces.coverage import coverage
from dfst.world.run import configurations


@pytest.mark.parametrize("task", ["add2", "add10", "mult2", "mult10"])
def test_the_default_data_cover_every_rule(task):
    teacher = find_task(task)
    assert coverage(teacher.machine, sample(teacher, seed=42)).uncovered == ()


def test_against_a_count_by_hand():
    machine = find_task("add3").machine
    problems = [("12", "2"), ("2", "221"), ("0", "0")]
    report = coverage(machine, record(machine, problems))
    used, walks = set(), {}
    for problem in problems:
        steps = list(configurations(machine, *problem))
        used |= {(c.state, c.seen) for c in steps}
        length, previous = 0, None
        for this, following in zip(steps, [*steps[1:], None], strict=True):
            if following is None or following.state != this.state:
                if length:
                    walks.setdefault((this.state, previous), []).append(length)
                length = 0
                continue
            if length and previous != this.move:
                walks.setdefault((this.state, previous), []).append(length)
                length = 0
            length, previous = length + 1, this.move
    defined = {(rule.state, rule.seen) for rule in machine.rules()}
    assert set(report.uncovered) == defined - used
    found = {(loop.state, loop.move): sorted(np.repeat(list(loop.lengths), list(loop.lengths.values())).tolist())
             for loop in report.loops if loop.lengths}  # fmt: skip
    assert found == {key: sorted(lengths) for key, lengths in walks.items()}


def test_traces_of_something_else_are_refused():
    machine = find_task("add2").machine
    traces = record(machine, [("1", "1")])
    with pytest.raises(InputError, match="another alphabet"):
        coverage(find_task("add3").machine, traces)
    written = traces.written.copy()
    written[3] ^= 1
    damaged = Traces(traces.alphabet, traces.seen, written, traces.moves, traces.offsets)
    with pytest.raises(InputError, match=r"trace 0 is not a run of the machine \(step 3\)"):
        coverage(machine, damaged)
    short = Traces(traces.alphabet, traces.seen[:-1], traces.written[:-1], traces.moves[:-1], traces.offsets - [0, 1])
    with pytest.raises(InputError, match="not a run"):
        coverage(machine, short)
