"""A crash at every write, flush and rename leaves the old state or the new one, never anything else."""

import json
import os
import random

import pytest

import dfst.files
from dfst import RunFolder
from dfst.files import make_folder, write_atomically
from dfst.judging.journal import Journal
from dfst.runs import run_folder
from dfst.runs.checkpoint import checkpoint_bytes, newest_checkpoint, save_checkpoint
from dfst.runs.folder_files import is_begun
from dfst.runs.options import Options
from dfst.teachers.find import find_task
from dfst.teachers.task_file import parse_task
from dfst.training.engine import TrainState
from dfst.training.model import identity_model
from dfst.training.weights import load_model
from dfst.world.machine_file import dump_machine
from tests.faults.disk import every_crash, make_tree, recorded, tree_of

TIMES = int(os.environ.get("DFST_TIMES", "1"))
"""experiments/faults.py asks for more than the suite has time for."""


@pytest.fixture
def root(tmp_path):
    (tmp_path / "root").mkdir()
    return tmp_path / "root"


@pytest.fixture
def crashes(tmp_path, record_property):
    """Calls ``check(folder, marks)`` for every state that a crash may have left, and counts them."""

    def crashes(what, recorder, check):
        again, count = tmp_path / "again", 0
        again.mkdir()
        for marks, tree in every_crash(recorder):
            make_tree(again, tree)
            check(again, marks)
            count += 1
        record_property("crashes", json.dumps({what: count}))
        assert count > 30

    return crashes


def models(count):
    """Different models of one shape."""
    return [identity_model(find_task("add2").machine.world, 12, seed=seed) for seed in range(count)]


def test_a_model_saved_over_another(root, crashes):
    old, new = models(2)
    old.save(root / "model.safetensors")
    with recorded(root) as recorder:
        new.save(root / "model.safetensors")
        recorder.mark("saved")

    def check(again, marks):
        assert load_model(again / "model.safetensors") in ([new] if marks else [old, new])

    crashes("a model", recorder, check)


def test_five_checkpoints_into_a_new_folder(root, crashes):
    states = [TrainState(model, model.weights, model.weights, i) for i, model in enumerate(models(5))]
    known = [None, *map(checkpoint_bytes, states)]
    with recorded(root) as recorder:
        make_folder(root / "run" / "checkpoints")
        for number, state in enumerate(states, 1):
            save_checkpoint(state, root / "run" / "checkpoints")
            recorder.mark(number)

    def check(again, marks):
        state, complaints = newest_checkpoint(again / "run" / "checkpoints")
        assert complaints == []
        found = known.index(None if state is None else checkpoint_bytes(state))
        assert found in (len(marks), len(marks) + 1)

    crashes("checkpoints", recorder, check)


def test_a_journal_has_every_attempt_that_was_added_and_at_most_one_more(root, crashes):
    subject = {"agent": "a"}
    with recorded(root) as recorder:
        journal = Journal(root / "j.jsonl", subject)
        for number in range(6):
            journal.add((number, "random", 7), [True, f"attempt {number}" * 40])
            recorder.mark(number)

    def check(again, marks):
        journal = Journal(again / "j.jsonl", subject)
        assert len(marks) <= len(journal) <= len(marks) + 1
        for number in range(len(journal)):
            assert journal.get((number, "random", 7)) == [True, f"attempt {number}" * 40]
        (again / "j.jsonl").unlink()

    crashes("a journal", recorder, check)


@pytest.mark.slow
def test_a_whole_run_can_be_made_again_or_resumed(root, crashes, monkeypatch):
    """A checkpoint after every block; some of the states are trained to the end."""
    config = Options(iterations=12 if TIMES == 1 else 60, checkpoint_seconds=0.0).on(find_task("add2"))
    states = {0: None}

    def save(state, folder):
        states[state.iteration] = checkpoint_bytes(state)
        save_checkpoint(state, folder)
        recorder.mark(state.iteration)

    with recorded(root) as recorder:
        monkeypatch.setattr(run_folder, "save_checkpoint", save)
        run = RunFolder.create(root / "run", config, parse_task(dump_machine(find_task("add2").machine)))
        recorder.mark(0)
        run.train()
        recorder.mark("done")
    monkeypatch.undo()
    records, whole, rng = run.records(), run.model_path.read_bytes(), random.Random(3)

    def check(again, marks):
        path = again / "run"
        made = (path / "config.toml").exists()
        if made:
            check_run(path, marks, states, records)
        else:
            assert marks == []
            assert is_begun(path)
        if rng.random() < 0.005:
            resumed = RunFolder.open(path) if made else RunFolder.create(path, config)
            resumed.train()
            assert resumed.model_path.read_bytes() == whole
            assert not [name for name in path.rglob(".*") if name.name.endswith(".part")]

    crashes("a whole run", recorder, check)


def check_run(path, marks, states, records):
    state, complaints = newest_checkpoint(path / "checkpoints")
    iteration = 0 if state is None else state.iteration
    saved = [mark for mark in marks if isinstance(mark, int)]
    following = [i for i in states if i > (saved[-1] if saved else 0)]
    assert complaints == []
    assert iteration in [*saved[-1:], *following[:1], *([] if saved else [0])]
    assert (None if state is None else checkpoint_bytes(state)) == states[iteration]
    found = RunFolder.open(path).records()
    assert found == records[: len(found)]
    assert [r for r in records if r.iteration <= iteration] == [r for r in found if r.iteration <= iteration]
    if "done" in marks:
        assert json.loads((path / "manifest.json").read_text())["seed"] == 42
        assert (path / "README.md").exists()
        assert (path / "model.safetensors").exists()


def written(path, content, flush=True, flags=os.O_WRONLY | os.O_CREAT):
    handle = dfst.files.os.open(path, flags)
    dfst.files.os.write(handle, content)
    if flush:
        dfst.files.os.fsync(handle)
    os.close(handle)


def in_place(path, content):
    written(path, content, flags=os.O_WRONLY | os.O_TRUNC)


def without_flush(path, content):
    written(path.with_name("new"), content, flush=False)
    dfst.files.os.replace(path.with_name("new"), path)


def rename_not_flushed(path, content):
    written(path.with_name("new"), content)
    dfst.files.os.replace(path.with_name("new"), path)


@pytest.mark.parametrize(
    ("writer", "during", "after"),
    [
        (write_atomically, True, True),
        (in_place, False, True),
        (without_flush, False, False),
        (rename_not_flushed, True, False),
    ],
)
def test_the_disk_finds_out_who_is_careless(writer, during, after, root, tmp_path):
    """``during``: a crash leaves old or new; ``after``: once it returned, new."""
    old, new, again = b"o" * 2000, b"n" * 3000, tmp_path / "again"
    again.mkdir()
    (root / "file").write_bytes(old)
    with recorded(root) as recorder:
        writer(root / "file", new)
        recorder.mark("written")
    found = {False: set(), True: set()}
    for marks, tree in every_crash(recorder):
        make_tree(again, tree)
        assert tree_of(again) == tree
        found[bool(marks)].add((again / "file").read_bytes())
    assert (found[False] <= {old, new}) == during
    assert (found[True] == {new}) == after
