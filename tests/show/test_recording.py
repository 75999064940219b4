"""Recordings are the runs they are made from, and pages hold them to the last step."""

import base64
import json
import re
import zlib
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from dfst import from_machine, sample, solve
from dfst.errors import InputError
from dfst.names import find_policy
from dfst.show import viewer
from dfst.show.recording import differing_step, record_both, record_run
from dfst.show.viewer import pack_margins, viewer_page
from dfst.teachers.find import find_task, gallery
from dfst.world.grid import Grid
from dfst.world.machine_file import parse_machine
from dfst.world.moves import OFFSETS
from tests.small import header


def unpack_page(page):
    """The facts on a page, and the columns of each of its runs, as the browser reads them."""
    found = [
        re.search(rf'<script type="{kind}" id="{name}">(.*?)</script>', page, re.DOTALL)
        for kind, name in (("application/json", "facts"), ("text/plain", "steps"))
    ]
    facts = json.loads(found[0][1])
    content = zlib.decompress(base64.b64decode(found[1][1]))
    names = {1: "<u1", 2: "<u2", 4: "<u4"}
    tracks = []
    for track in facts["tracks"]:
        places = track["columns"].items()
        tracks.append(
            {
                name: np.frombuffer(content[place["begin"] : place["begin"] + place["bytes"]], names[place["width"]])
                for name, place in places
            }
        )
    return facts, tracks


RUNS = [
    ("add10", ("9758", "467")),
    ("mult10", ("37", "85")),
    ("mult36", ("zz", "9y")),  # more states than a byte can name
    ("reverse", ("abcab",)),
    ("meander", ("||||||||",)),
    ("gcd", ("||||||", "||||")),
    ("rule110", ("0110111",)),
    ("sort-bits", ("110100",)),
]


GALLERY = [
    (name, max(sample(find_task(name)).problems, key=lambda problem: len("".join(problem)))) for name in gallery()
]


def grid_after(machine, operands, step):
    """(the grid, the head) after ``step`` steps, by the reference runner."""
    grid, symbols, cell = Grid(machine.world, machine.place(operands)), machine.alphabet.index, machine.layout.head
    for c in islice(machine.configurations(*operands), step):
        assert c.cell == cell
        grid[c.cell] = symbols[c.written]
        cell = (c.cell[0] + OFFSETS[c.move][0], c.cell[1] + OFFSETS[c.move][1])
    return grid, cell


def as_grid(recording, cells, left, top):
    """Rows of symbol numbers as a grid."""
    grid = Grid(recording.world)
    for j, row in enumerate(np.asarray(cells).tolist()):
        for i, symbol in enumerate(row):
            grid[left + i, top - j] = symbol
    return grid


def frame_of(recording, step):
    """(the grid, the head) after ``step`` steps, as recorded."""
    x, y = recording.path
    cells, box = recording.frame(step), recording.box
    return as_grid(recording, cells, box.left, box.top), (x[step], y[step])


@pytest.mark.parametrize(("task", "operands"), RUNS)
def test_every_frame_is_the_reference_grid(task, operands):
    machine = find_task(task).machine
    recording = record_run(machine, *operands)
    steps = list(machine.configurations(*operands))
    assert len(recording) == len(steps)
    for step in {*range(0, len(steps), 1 + len(steps) // 40), len(steps)}:
        assert frame_of(recording, step) == grid_after(machine, operands, step)
        assert recording.state(step) == (steps[step].state if step < len(steps) else "halt")
    assert recording.rollout.answer.text == machine.run(*operands).answer.text


@pytest.mark.parametrize(("task", "operands"), [*GALLERY, *RUNS[:3]])
def test_a_page_decodes_to_the_run(task, operands):
    machine = find_task(task).machine
    recording = record_run(machine, *operands)
    facts, [columns] = unpack_page(viewer_page([recording]))
    track = facts["tracks"][0]
    assert len(columns["seen"]) == len(recording)
    assert (track["symbols"], track["states"]) == (list(machine.alphabet.symbols), list(machine.states))
    for c in machine.configurations(*operands):
        names = [track["symbols"][columns[name][c.step]] for name in ("seen", "written")]
        assert (track["states"][columns["states"][c.step]], *names) == (c.state, c.seen, c.written)
        assert columns["moves"][c.step] == c.move
    assert sum(rule[-1] for rule in track["rules"]) == len(recording)


def test_a_model_is_recorded_as_it_rolls():
    for name, operands in [("add10:raw", ("9" * 40, "8" * 40)), ("mult2:raw", ("1011", "111"))]:
        model = find_policy(name)
        recording, result = record_run(model, *operands, step_limit=5000), solve(model, *operands, step_limit=5000)
        assert (len(recording), recording.rollout.outcome, recording.rollout.answer.text) == (
            result.steps,
            result.outcome,
            result.answer.text,
        )
        assert frame_of(recording, len(recording)) == (result.grid, result.cell)
        teacher = find_task(name.split(":")[0]).machine
        led = solve(model, *operands, beside=teacher, drift=True)
        assert recording.rollout.margins is not None
        assert led.drift is not None
        assert recording.rollout.margins[: led.steps].min() == pytest.approx(led.drift.least, rel=1e-6)


def test_margins_of_a_one_hot_model_are_one():
    recording = record_run(from_machine(find_task("add2").machine), "11", "1")
    assert recording.rollout.margins is not None
    assert (recording.rollout.margins == 1).all()


def test_the_hidden_vector_of_a_one_hot_model_is_the_state(monkeypatch):
    machine = find_task("add2").machine
    recording, teacher = record_run(from_machine(machine), "110", "11"), record_run(machine, "110", "11")
    _, [columns] = unpack_page(viewer_page([recording]))
    hidden = columns["hidden"].reshape(len(recording), -1)
    assert teacher.rollout.pairs is not None
    assert (hidden.argmax(axis=1) == teacher.rollout.pairs // len(machine.alphabet)).all()
    assert {*np.unique(hidden)} == {128, 255}
    monkeypatch.setattr(viewer, "_HIDDEN_BYTES", hidden.size - 1)
    assert "hidden" not in unpack_page(viewer_page([recording]))[1][0]


def test_margins_survive_as_bytes():
    margins = np.array([1.0, 0.9, 0.5, 0.01, 1e-6, 1e-12, 0.0, np.nan, 1.7])
    back = np.where((packed := pack_margins(margins)) == 255, 0, 2.0 ** (packed / -8))
    assert back[:5] == pytest.approx(margins[:5], rel=0.05)
    assert back[5:].tolist() == [0, 0, 0, 1]


def damaged(task, state, seen, written):
    """The one-hot model of a task's teacher that writes another symbol in one case."""
    machine = find_task(task).machine
    model, q = from_machine(machine), machine.states.index(state)
    x, s = machine.alphabet.index[seen], machine.alphabet.index[written]
    B = model.B.copy()
    B[x, :, q] = 0
    B[x, s, q] = 1
    return replace(model, weights=model.weights._replace(B=B))


def test_the_first_difference():
    teacher = find_task("add2").machine
    assert differing_step(record_both(from_machine(teacher), teacher, "101", "11")) is None
    learner = damaged("add2", "add1", "1", "1")
    both = record_both(learner, teacher, "101", "11")
    result = solve(learner, "101", "11", beside=teacher)
    assert result.divergence is not None
    assert differing_step(both) == result.divergence.step > 0
    model = from_machine(teacher)
    stuck = replace(model, weights=model.weights._replace(B=model.B * 0))
    assert differing_step(record_both(stuck, teacher, "1", "1")) == 0


def test_runs_without_end():
    machine = parse_machine(header("loop", "a") + "---\na 0,_ -> 0 R b\nb _,0 -> = U a\n")
    recording = record_run(machine, "0", step_limit=100)
    assert (len(recording), recording.rollout.outcome.value, recording.rollout.answer.text) == (100, "step limit", None)
    assert recording.box.top == 50
    with pytest.raises(InputError, match="cells"):
        record_run(machine, "0", step_limit=100_000)
    with pytest.raises(InputError, match="no step 101"):
        recording.frame(101)
    empty = record_run(machine, "0", step_limit=0)
    assert len(unpack_page(viewer_page([empty]))[1][0]["seen"]) == 0


def test_a_learner_of_another_task_is_refused():
    with pytest.raises(InputError, match="different symbols"):
        record_both(find_task("add3").machine, find_task("add2").machine, "1", "1")
