"""Two processes in one folder, a full disk, a read-only folder, a clock going backwards: a sentence, nothing lost."""

import itertools
import os
import signal
import subprocess
import sys
import time
from datetime import datetime
from pathlib import Path

import pytest

import dfst.manifest
from dfst import RunFolder
from dfst.errors import InputError
from dfst.judging.journal import Journal
from dfst.lock import only_process
from dfst.runs.checkpoint import newest_checkpoint
from dfst.runs.options import Options
from dfst.teachers.find import find_task

DFST = [sys.executable, "-c", "from dfst.cli import main; main()"]


def config(iterations=40, **more):
    return Options(iterations=iterations, **more).on(find_task("add2"))


def test_two_threads_count_as_two(tmp_path):
    run = RunFolder.create(tmp_path / "run", config())
    with only_process(run.path, do=""), pytest.raises(InputError, match="another process"):
        run.train()
    run.train()


@pytest.mark.slow
def test_two_trainings_of_one_run(tmp_path):
    words = [*DFST, "train", "add2", "--iterations", "1000000", "--out", str(tmp_path / "run"), "--resume"]
    first = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        assert first.stderr is not None
        assert any("training started" in line for line in first.stderr)
        second = subprocess.run(words, capture_output=True, text=True)
        assert second.returncode == 1
        assert "another process is at work in it. Wait until it ends" in second.stderr
        assert "Traceback" not in second.stderr
        assert first.poll() is None
    finally:
        first.send_signal(signal.SIGKILL)
        first.communicate()
    third = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        assert third.stderr is not None
        assert any("training started" in line for line in third.stderr)
    finally:
        third.send_signal(signal.SIGKILL)
        third.communicate()


def test_two_processes_cannot_make_the_same_run(tmp_path):
    """The second passed the first look at the folder before the first had made anything in it."""
    (tmp_path / "run").mkdir()
    with only_process(tmp_path / "run", do=""), pytest.raises(InputError, match="another process"):
        RunFolder.create(tmp_path / "run", config())
    RunFolder.create(tmp_path / "run", config())
    with pytest.raises(InputError, match="the folder is not empty"):
        RunFolder.create(tmp_path / "run", config())


def test_a_folder_left_while_it_was_made_is_made_again(tmp_path):
    (tmp_path / "run").mkdir()
    for name in (".lock", "task.dfst", ".config.toml.0123.part"):
        (tmp_path / "run" / name).write_text("")
    RunFolder.create(tmp_path / "run", config()).train()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "task.dfst").write_text("mine")
    with pytest.raises(InputError, match="the folder is not empty"):
        RunFolder.create(tmp_path / "other", config())
    assert (tmp_path / "other" / "task.dfst").read_text() == "mine"


@pytest.mark.slow
def test_killed_between_making_the_folder_and_its_first_file(tmp_path):
    """All there is then is an empty folder."""
    (tmp_path / "run").mkdir()
    assert cli("train", "add2", "--iterations", "30", "--resume", "--out", tmp_path / "run").returncode == 0
    assert RunFolder.open(tmp_path / "run").model_path.exists()


def test_a_run_whose_folder_was_taken_away_does_not_make_another(tmp_path):
    """Somebody may rename it while it trains."""
    run = RunFolder.create(tmp_path / "run", config(20_000, checkpoint_seconds=0.0))

    def take(progress):
        if run.path.exists():
            run.path.rename(tmp_path / "taken")

    with pytest.raises(InputError, match="cannot be written"):
        run.train(watch=take)
    assert not run.path.exists()
    assert RunFolder.open(tmp_path / "taken").options == run.options


def test_a_damaged_line_of_a_journal_costs_that_line_only(tmp_path):
    journal = Journal(tmp_path / "j.jsonl", {"agent": "a"})
    for number in range(3):
        journal.add((number, "random", 0), [True])
    lines = journal.path.read_text().splitlines()
    journal.path.write_text("\n".join([*lines[:2], lines[2][:-3], *lines[3:]]) + "\n")
    again = Journal(journal.path, {"agent": "a"})
    assert [again.get((number, "random", 0)) for number in range(3)] == [[True], None, [True]]


@pytest.fixture
def small_disk(tmp_path):
    """A real disk of 100 kB; only root can make one."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=100k", "tmpfs", str(place)]
    try:
        if subprocess.run(mount, capture_output=True).returncode:
            pytest.skip("a disk can be mounted by root only")
    except FileNotFoundError:
        pytest.skip("there is no mount here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def cli(*words) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([*DFST, *map(str, words)], capture_output=True, text=True)


@pytest.mark.slow
def test_a_full_disk_and_then_room_again(small_disk):
    ballast = small_disk / "ballast"
    (small_disk.parent / "often.toml").write_text("checkpoint_seconds = 0\n")
    words = ("train", "add2", "--iterations", "3000", "--config", small_disk.parent / "often.toml", "--resume")
    whole = cli(*words, "--out", small_disk.parent / "whole")
    assert whole.returncode == 0
    ballast.write_bytes(b"b" * 60_000)
    full = cli(*words, "--out", small_disk / "run")
    assert full.returncode == 1
    assert "it cannot be written (No space left on device). Check that" in full.stderr
    assert "Traceback" not in full.stderr
    _, complaints = newest_checkpoint(small_disk / "run" / "checkpoints")
    assert complaints == []
    ballast.unlink()
    assert cli(*words, "--out", small_disk / "run").returncode == 0
    models = [place / "model.safetensors" for place in (small_disk / "run", small_disk.parent / "whole")]
    assert models[0].read_bytes() == models[1].read_bytes()


@pytest.mark.slow
def test_a_read_only_folder(small_disk):
    words = ("train", "add2", "--iterations", "300", "--resume", "--out", small_disk / "run")
    assert cli(*words).returncode == 0
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    again = cli(*words)
    other = cli(*words[:-1], small_disk / "other")
    assert again.returncode == 1
    assert "nothing can be written there (Read-only file system)" in again.stderr
    assert other.returncode == 2
    assert "the folder cannot be made (Read-only file system)" in other.stderr
    assert "Traceback" not in again.stderr + other.stderr


def test_a_clock_that_goes_backwards(tmp_path, monkeypatch):
    """Whatever the clock on the wall says: seconds never are negative, and the newest checkpoint is the furthest."""
    hours = itertools.count(0, -3600)

    class Backwards(datetime):
        @classmethod
        def now(cls, tz=None):
            return datetime.fromtimestamp(time.time(), tz)

    monkeypatch.setattr(time, "time", lambda: 1.7e9 + next(hours))
    monkeypatch.setattr(time, "time_ns", lambda: 10**9 * int(time.time()))
    monkeypatch.setattr(dfst.manifest, "datetime", Backwards)
    run = RunFolder.create(tmp_path / "run", config(checkpoint_seconds=0.0))

    def interrupt(progress):
        if progress.iteration >= 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.train(watch=interrupt)
    for age, path in enumerate(sorted((run.path / "checkpoints").iterdir())):
        os.utime(path, (2e9 - age, 2e9 - age))  # the older, the newer
    state, _ = newest_checkpoint(run.path / "checkpoints")
    assert state is not None
    assert state.iteration == max(int(path.stem) for path in (run.path / "checkpoints").iterdir())
    run.train()
    seconds = [record.seconds for record in run.records()]
    assert seconds == sorted(seconds)
    assert seconds[0] >= 0


def test_nothing_asks_the_wall_clock_how_long_something_took():
    """What goes backwards is never subtracted: the package has time.monotonic and time.perf_counter for that."""
    source = Path(dfst.manifest.__file__).parent
    users = {path.name for path in source.rglob("*.py") if "time.time(" in path.read_text(encoding="utf-8")}
    assert users == set()
