"""One trial of a sweep: a run folder, trained and (if asked) certified, and the row of results it comes to.

A trial may be started twice: its worker is taken for dead, its driver is killed, and both still breathe. Then the later
attempt waits until the earlier one has left the run folder, and goes on from what it finds there; a trial that is
trained is only judged again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from dfst import __version__
from dfst.errors import DfstError, FileFormatError, InputError, MachineError
from dfst.files import make_folder, read_text
from dfst.judging.certification import certify
from dfst.judging.lengths import measure_lengths
from dfst.lock import BUSY, only_process
from dfst.manifest import commit
from dfst.runs.options import Options
from dfst.runs.run_folder import RunFolder
from dfst.sweep.rows import COLUMNS, ResultSet, Row
from dfst.sweep.sweep_file import Sweep
from dfst.teachers.find import find_task
from dfst.teachers.task_file import parse_task
from dfst.training.fit import DivergedError, Progress
from dfst.until_proven.train import train_run

RUNS, UNFINISHED = "runs", "unfinished"
Watch = Callable[[Progress | None], None]


class _OverTimeError(Exception):
    """A trial takes longer than it may."""


@dataclass(frozen=True)
class Trial:
    """A run that is wanted: what decides its result, and what is asked about it.

    ``version`` is the commit of the package, or its version outside a checkout; ``task_text`` the task's file, if it is
    not one of ours. Trials with the same ``name`` have the same version, configuration and seed.
    """

    version: str
    options: Options
    task_text: str = ""
    certify: bool = True
    rlg_to: int = 0

    @cached_property
    def config_hash(self) -> str:
        """A hash of everything but the version and the seed."""
        facts = [replace(self.options, seed=0).dump(), self.task_text, self.certify, self.rlg_to]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()

    @cached_property
    def name(self) -> str:
        """The name of its run folder and of its file in the data set."""
        key = json.dumps([self.version, self.config_hash, self.options.seed])
        task = "".join(letter if letter.isalnum() else "-" for letter in self.options.task)[:40]
        return f"{task}-s{self.options.seed}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"

    def row(self, status: str, problem: str = "") -> Row:
        """Its row if only this is known."""
        options = self.options
        known = {"trial": self.name, "version": self.version, "config_hash": self.config_hash, "status": status}
        known |= {name: getattr(options, name) for name in COLUMNS if hasattr(options, name)}
        return known | {"problem": problem}


def code_version() -> str:
    """The commit of a checkout (with a + if files have changed), else the version of the package."""
    return commit() or __version__


def trials(sweep: Sweep) -> list[Trial]:
    """The trials of the sweep's grid."""
    version, wanted = code_version(), []
    tasks = {name: find_task(name) for name in sweep.grid["task"]}
    for point in sweep.points():
        task, seed = tasks[point.pop("task")], point.pop("seed")
        asked = {"threads": sweep.threads, "engine": sweep.engine, "seed": seed} | point
        try:
            options = Options(**asked).on(task)
        except InputError as error:
            where = ": ".join(filter(None, [sweep.source, task.name, error.where]))
            raise InputError(error.what, where=where, do=error.do) from None
        wanted.append(Trial(version, options, task.text, sweep.certify, sweep.rlg_to))
    return wanted


def run_trial(
    trial: Trial, folder: Path, *, time_limit: float | None = None, watch: Watch = lambda progress: None
) -> Row:
    """Train (from the newest checkpoint of an earlier attempt, if there is one), certify, and write the row of results.

    ``watch`` sees every block of the training, and None now and then during the proof. A trial that takes more than
    ``time_limit`` seconds ends with a row that says so; what there is of it stays for another attempt.
    """
    begin, path, mark = time.monotonic(), folder / RUNS / trial.name, folder / UNFINISHED / trial.name

    def check(progress: Progress | None = None) -> None:
        watch(progress)
        if time_limit is not None and time.monotonic() - begin > time_limit:
            raise _OverTimeError

    make_folder(mark.parent)
    with mark.open("a") as attempts:  # a letter for each
        attempts.write("x")
    row = trial.row("done") | {"attempts": len(read_text(mark)), "node": socket.gethostname()}
    try:
        while at_work(path):  # an attempt that was taken for lost
            check()
            time.sleep(0.1)
        run = _opened(trial, path)
        row["loss"] = train_run(run, watch=check).loss  # one that has been trained already only says it again
        row |= _trained(run, begin) | _judged(trial, run, check)
    except _OverTimeError:
        row |= {"status": "time limit", "problem": f"it took more than {time_limit:g} seconds"}
    except DivergedError as error:  # with this seed it always will
        row |= {"status": "failed", "problem": error.sentence} | _trained(RunFolder.open(path), begin)
    except (FileFormatError, MachineError):  # what an earlier attempt has left is damaged; the next one begins anew
        shutil.rmtree(path, ignore_errors=True)
        raise
    row = ResultSet(folder).add(row)
    if row["status"] == "done":
        mark.unlink(missing_ok=True)
    return row


def at_work(folder: Path) -> bool:
    """Whether a process is at work in a run folder."""
    try:
        with only_process(folder, do="") if folder.is_dir() else contextlib.nullcontext():
            return False
    except InputError as error:
        return error.what == BUSY and folder.is_dir()


def _opened(trial: Trial, path: Path) -> RunFolder:
    """The run that an earlier attempt has begun, or a new one."""
    with contextlib.suppress(DfstError):  # nothing was left, or it is damaged
        return RunFolder.open(path)
    shutil.rmtree(path, ignore_errors=True)
    subject = parse_task(trial.task_text) if trial.task_text else None
    return RunFolder.create(path, trial.options, subject)


def _trained(run: RunFolder, begin: float) -> Row:
    last = [{"seconds": record.seconds, "nonfinite": record.nonfinite} for record in run.records()[-1:]]
    return {"train_seconds": round(time.monotonic() - begin, 3)} | (last[0] if last else {})


def _judged(trial: Trial, run: RunFolder, watch: Watch) -> Row:
    """What the trained model is worth: a verdict, its own horizon."""
    row: Row = {}
    model, task, begin = run.model(), run.task(), time.monotonic()
    if trial.certify:
        found = certify(model, task, out=run.path, raw_length=0, say=lambda text: watch(None))
        row = {"verdict": found.verdict.conclusion.value, "exact": found.exact, "states": found.facts["states"]}
        row["certify_seconds"] = round(time.monotonic() - begin, 3)
    if trial.rlg_to:
        watch(None)
        lengths = measure_lengths(model, task, to=trial.rlg_to, threads=trial.options.threads)
        row |= {"rlg": lengths.rlg, "plg": lengths.plg}
    return row
