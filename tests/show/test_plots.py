"""Pictures of margins, coverage and states (extra plot): what they are drawn from, and what they refuse."""

import numpy as np
import pytest

from dfst import InputError, from_machine, load_machine, load_model, parse_machine, record, sample
from dfst.show.coverage_map import draw_coverage, rule_uses
from dfst.show.margin_plot import draw_margins
from dfst.show.recording import record_run
from dfst.show.state_atlas import draw_atlas, hidden_along
from dfst.study.names import find_policy
from dfst.study.shipped import shipped_model
from dfst.teachers.find import find_task
from dfst.traces.coverage import coverage
from dfst.traces.states import states_along
from dfst.world.machine_file import dump_machine
from dfst.world.run import run

pytest.importorskip("matplotlib")


def is_picture(path):
    return path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["add2", "mult2", "reverse", "sort-bits"])
def test_states_along_traces_are_those_of_the_runs(name):
    task = find_task(name)
    traces = sample(task)
    states = states_along(task.machine, traces)
    for i in (0, len(traces) // 2, len(traces) - 1):
        pairs = run(task.machine, *traces.problems[i], record=True).pairs
        assert pairs is not None
        part = states[traces.offsets[i] : traces.offsets[i + 1]]
        assert (part == pairs // len(task.machine.alphabet)).all()


def test_traces_of_another_machine_are_refused():
    traces = sample(find_task("add2"))
    with pytest.raises(InputError, match="another alphabet"):
        states_along(find_task("add3").machine, traces)
    other = parse_machine(dump_machine(find_task("add2").machine).replace("add1 1 -> 0 L =", "add1 1 -> 1 L ="))
    with pytest.raises(InputError, match="not a run of the machine"):
        states_along(other, traces)


def test_the_map_agrees_with_the_report(work):
    task = find_task("add2")
    few = record(task.machine, [("0", "0"), ("1", "0")])
    uses = rule_uses(task.machine, few)
    uncovered = {
        (task.machine.states.index(q), task.machine.alphabet.index[x]) for q, x in coverage(task.machine, few).uncovered
    }
    defined = {(q, x) for q, x in np.argwhere(task.machine.next_state >= -1).tolist()}
    assert {(q, x) for q, x in defined if uses[q, x] == 0} == uncovered
    assert draw_coverage(task.machine, few, work / "map.png") == (len(defined) - len(uncovered), len(defined))
    assert is_picture(work / "map.png")


def test_the_atlas(work):
    shipped = shipped_model("add2")
    traces, model = sample(find_task("add2"), seed=42), load_model(shipped.raw)
    machine = load_machine(shipped.machine)
    assert draw_atlas(model, machine, traces, work / "atlas.png") == len(np.unique(states_along(machine, traces)))
    assert is_picture(work / "atlas.png")
    one_hot = from_machine(find_task("add2").machine)
    hidden = hidden_along(one_hot, traces)
    assert (hidden.argmax(axis=1) == states_along(find_task("add2").machine, traces)).all()


def test_margins(work):
    recording = record_run(find_policy("add10:raw").policy, "9" * 30, "8" * 30, name="add10:raw", step_limit=4000)
    assert recording.margins is not None
    assert draw_margins(recording, work / "margins.png") == recording.margins.min()
    before = recording.margins[:100].min()  # what it does after it has left the teacher is neither right nor wrong
    assert draw_margins(recording, work / "margins.png", 100) == before > recording.margins.min()
    assert draw_margins(recording, work / "margins.png", 100, (0.9, -0.4)) == -0.4
    assert draw_margins(recording, work / "margins.png", 0, (0.9, -np.inf)) == -np.inf
    draw_margins(recording, work / "margins.png", 0)
    assert is_picture(work / "margins.png")
    with pytest.raises(InputError, match="no margins"):
        draw_margins(record_run(find_task("add2").machine, "1", "1"), work / "x.png")
    with pytest.raises(InputError, match="picture format"):
        draw_margins(recording, work / "margins.txt")
