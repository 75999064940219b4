"""Crashes at every operation of a save, and of a whole run; each leaves the old state or the new one.

python -m experiments.breaking.crashes prints how many states were looked at.
"""

import json
import random
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from experiments.breaking.disk import every_crash, make_tree, recorded

from dfst import RunFolder, load_model, recipe, save_model
from dfst.files import make_folder
from dfst.runs import run_folder
from dfst.runs.checkpoint import checkpoint_bytes, newest_checkpoint, save_checkpoint
from dfst.runs.new_folder import is_begun
from dfst.runs.run_config import RunConfig
from dfst.study.journal import Journal
from dfst.teachers.find import find_task
from dfst.training.model import identity_model
from dfst.training.state import TrainState, Weights
from dfst.world.machine_file import dump_machine


def models(count: int):
    """Different models of one shape."""
    return [identity_model(find_task("add2").machine.alphabet, 12, seed=seed) for seed in range(count)]


def crashes_of_a_model(root: Path, again: Path) -> int:
    """A model saved over another: the old or the new one; the new one once saving has returned."""
    old, new = models(2)
    save_model(old, root / "model.safetensors")
    with recorded(root) as recorder:
        save_model(new, root / "model.safetensors")
        recorder.mark("saved")
    crashed = list(every_crash(recorder))
    for marks, tree in crashed:
        make_tree(again, tree)
        assert load_model(again / "model.safetensors") in ([new] if marks else [old, new])
    return len(crashed)


def crashes_of_checkpoints(root: Path, again: Path) -> int:
    """Five checkpoints, one after another, into a folder that is made for the first."""
    states = [
        TrainState(model, Weights.of(model), Weights.of(model), iteration) for iteration, model in enumerate(models(5))
    ]
    known = [None, *map(checkpoint_bytes, states)]
    with recorded(root) as recorder:
        make_folder(root / "run" / "checkpoints")
        for number, state in enumerate(states, 1):
            save_checkpoint(state, root / "run" / "checkpoints")
            recorder.mark(number)
    crashed = list(every_crash(recorder))
    for marks, tree in crashed:
        make_tree(again, tree)
        state, complaints = newest_checkpoint(again / "run" / "checkpoints")
        found = known.index(None if state is None else checkpoint_bytes(state))
        assert complaints == []
        assert found in (len(marks), len(marks) + 1)
    return len(crashed)


def crashes_of_a_journal(root: Path, again: Path) -> int:
    """Attempts: every one that was added is there, in order, and at most one more; none is half there."""
    subject = {"agent": "a"}
    with recorded(root) as recorder:
        journal = Journal(root / "j.jsonl", subject)
        for number in range(6):
            journal.add((number, "random", 7), [True, f"attempt {number}" * 40])
            recorder.mark(number)
    crashed = list(every_crash(recorder))
    for marks, tree in crashed:
        make_tree(again, tree)
        journal = Journal(again / "j.jsonl", subject)
        assert len(marks) <= len(journal) <= len(marks) + 1
        for number in range(len(journal)):
            assert journal.get((number, "random", 7)) == [True, f"attempt {number}" * 40]
        (again / "j.jsonl").unlink()
    return len(crashed)


def crashes_of_a_run(root: Path, again: Path, iterations: int = 12, resumed: int = 3) -> int:
    """A run with a checkpoint after every block: it can be made again, or resumed; some of them are, to the end."""
    config = RunConfig("add2", recipe("fast", "add2").changed(iterations=iterations), find_task("add2").sampling, 12)
    states: dict[int, bytes | None] = {0: None}
    with recorded(root) as recorder, pytest.MonkeyPatch.context() as patch:

        def save(state, folder):
            states[state.iteration] = checkpoint_bytes(state)
            save_checkpoint(state, folder)
            recorder.mark(state.iteration)

        patch.setattr(run_folder, "save_checkpoint", save)
        run = RunFolder.create(root / "run", config, task=dump_machine(find_task("add2").machine))
        recorder.mark(0)
        run.train(checkpoint_seconds=0.0)
        recorder.mark("done")
    records, crashed = run.records(), list(every_crash(recorder))
    chosen = set(random.Random(3).sample(range(len(crashed)), resumed))
    for number, (marks, tree) in enumerate(crashed):
        make_tree(again, tree)
        _check_run(again / "run", marks, states, records)
        if number in chosen:
            _resume(again / "run", config, root / "run" / "model.safetensors")
    return len(crashed)


def _check_run(path: Path, marks, states, records) -> None:
    if not (path / "config.toml").exists():
        assert marks == []
        assert is_begun(path)
        return
    run = RunFolder.open(path)
    state, complaints = newest_checkpoint(path / "checkpoints")
    iteration = 0 if state is None else state.iteration
    saved = [mark for mark in marks if isinstance(mark, int)]
    following = [i for i in states if i > (saved[-1] if saved else 0)]
    assert complaints == []
    assert iteration in [*saved[-1:], *following[:1], *([] if saved else [0])]
    assert (None if state is None else checkpoint_bytes(state)) == states[iteration]
    found = run.records()
    assert found == records[: len(found)]
    assert [r.iteration for r in records if r.iteration <= iteration] == [
        r.iteration for r in found if r.iteration <= iteration
    ]
    if "done" in marks:
        assert json.loads((path / "manifest.json").read_text())["seed"] == 42
        assert (path / "README.md").exists()
        assert (path / "model.safetensors").exists()


def _resume(path: Path, config: RunConfig, whole: Path) -> None:
    new = not (path / "config.toml").exists()
    run = RunFolder.create(path, config) if new else RunFolder.open(path)
    run.train()
    assert run.model_path.read_bytes() == whole.read_bytes()
    assert not [name for name in path.rglob(".*") if name.name.endswith(".part")]


CASES = {
    "a model": crashes_of_a_model,
    "checkpoints": crashes_of_checkpoints,
    "a journal": crashes_of_a_journal,
    "a whole run": crashes_of_a_run,
}


def crashes(iterations: int = 60) -> dict[str, int]:
    """How many states were looked at, by what was being saved; the run has so many iterations."""
    counts = Counter()
    for name, case in CASES.items():
        with tempfile.TemporaryDirectory() as root, tempfile.TemporaryDirectory() as again:
            more = (iterations, 12) if case is crashes_of_a_run else ()
            counts[name] = case(Path(root), Path(again), *more)
    return dict(counts)


if __name__ == "__main__":
    print(json.dumps(crashes(), indent=1))
