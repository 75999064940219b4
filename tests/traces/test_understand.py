"""Bare traces: the layout is seen from the steps, and a machine is learned without any teacher."""

import pytest

import dfst
from dfst.teachers.find import find_task, gallery
from dfst.traces.understand import understand
from dfst.world.worlds import World


def bare(traces):
    return dfst.Traces(World(traces.alphabet), traces.seen, traces.written, traces.moves, traces.offsets)


@pytest.mark.parametrize("name", ["add2", "add10", "mult2", "mult10", *gallery()])
def test_the_layout_is_seen_from_the_steps(name):
    """Whatever is guessed places the problems as they stood, wherever the policy has looked."""
    task = find_task(name)
    traces = dfst.sample(task)
    guessed = understand(bare(traces))
    assert guessed.layout is not None
    machine = task.machine
    for problem, mine in zip(traces.problems, guessed.problems, strict=True):
        placed = guessed.world.place(mine).tolist()
        really = machine.world.place(problem).tolist()
        assert really[: len(placed)] == placed  # a policy need not look at everything
    assert guessed.layout.head == machine.layout.head


@pytest.mark.slow
def test_from_bare_traces_to_a_machine_that_is_proven_against_a_teacher_shown_later(call, work):
    bare(dfst.sample(find_task("increment"))).save("seen.jsonl")
    assert call("train", "seen.jsonl", "--hidden-dim", "8", "--iterations", "20000")[0] == 0
    run = "runs/seen-fast-s42"
    assert call("extract", run, "--out", "seen.dfst")[0] == 0
    code, out, _ = call("solve", "seen.dfst", "1999999999999")
    assert (code, "2000000000000" in out) == (0, True)
    code, _, err = call("certify", run)
    assert (code, "traces alone" in err) == (2, True)
    code, _, err = call("certify", run, "--teacher", "increment")  # an answer may begin with 0: no trace says so
    assert (code, "have different leading symbols of an answer (none and 0)" in err) == (2, True)
    assert call("certify", run, "--teacher", "increment", "--teacher-layout")[0] == 0
    assert dfst.load(f"{run}/machine.dfst").layout == find_task("increment").machine.layout
    assert call("check", f"{run}/certificate.json", "--teacher", "increment")[0] == 0
