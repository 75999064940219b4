"""One trial of a sweep: a run folder, trained and (if asked) certified, and the row of results it comes to.

A trial may be started twice: its worker is taken for dead, its driver is killed, and both still breathe. So an attempt
trains in a folder under its own name, which a later attempt takes over by renaming it: whatever the earlier one writes
afterwards fails. A trained run moves to runs/ in one step; to certify it there again, or to write its row again, would
make the same files.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import re
import shutil
import socket
import time
import uuid
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from dfst import __version__
from dfst.errors import DfstError, FileFormatError, InputError, MachineError
from dfst.files import flush_folder, make_folder
from dfst.lock import LOCK_FILE
from dfst.manifest import commit
from dfst.names import NamedPolicy
from dfst.runs.run_config import RunConfig
from dfst.runs.run_folder import CONFIG, RunFolder
from dfst.runs.run_options import OPTIONS, run_config
from dfst.study.certification import certify
from dfst.study.lengths import measure_lengths
from dfst.sweep.rows import ResultSet, Row
from dfst.sweep.sweep_file import Sweep
from dfst.teachers.find import find_task
from dfst.training.fit import DivergedError, Progress
from dfst.until_proven.lasting import train_run

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
    config: RunConfig
    task_text: str = ""
    certify: bool = True
    rlg_to: int = 0

    @cached_property
    def config_hash(self) -> str:
        """A hash of everything but the version and the seed."""
        facts = [replace(self.config, seed=0).dump(), self.task_text, self.certify, self.rlg_to]
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()

    @cached_property
    def name(self) -> str:
        """The name of its run folder and of its file in the data set: one per (version, configuration, seed)."""
        key = json.dumps([self.version, self.config_hash, self.config.seed])
        task = "".join(letter if letter.isalnum() else "-" for letter in self.config.task)[:40]
        return f"{task}-s{self.config.seed}-{hashlib.sha256(key.encode()).hexdigest()[:16]}"


def code_version() -> str:
    """The commit of a checkout (with a + if files have changed), else the version of the package."""
    return commit() or __version__


def trials(sweep: Sweep, chosen: dict[str, Any] | None = None) -> list[Trial]:
    """The trials of the sweep's grid, with the values that a search has ``chosen`` besides.

    >>> from dfst.sweep.sweep_file import parse_sweep
    >>> [trial.config.seed for trial in trials(parse_sweep({"trial": {"task": "add2", "seed": "0:3"}}))]
    [0, 1, 2]
    """
    version, wanted = code_version(), []
    tasks = {name: find_task(name) for name in sweep.grid["task"]}
    for point in sweep.points():
        task, seed = tasks[point.pop("task")], point.pop("seed")
        options = OPTIONS | {"threads": sweep.threads, "engine": sweep.engine} | point | (chosen or {})
        try:
            config = run_config(task, seed, options)
        except InputError as error:
            where = ": ".join([sweep.source, task.name, *([error.where] if error.where else [])])
            raise InputError(error.what, where=where, do=error.do) from None
        wanted.append(Trial(version, config, task.text, sweep.certify, sweep.rlg_to))
    return wanted


def ended(trial: Trial, status: str, problem: str = "") -> Row:
    """The row of a trial of which only this is known."""
    config = trial.config
    known = {"trial": trial.name, "version": trial.version, "config_hash": trial.config_hash}
    known |= {name: getattr(config, name) for name in ("task", "seed", "data_seed", "hidden_dim", "engine", "threads")}
    known |= asdict(config.recipe) | {"recipe": config.recipe.name} | asdict(config.sampling)
    return known | {"digits": config.sampling.q, "status": status, "problem": problem}


def run_trial(
    trial: Trial, folder: Path, *, time_limit: float | None = None, watch: Watch = lambda progress: None
) -> Row:
    """Train (from the newest checkpoint of an earlier attempt, if there is one), certify, and write the row of results.

    ``watch`` sees every block of the training, and None now and then during the proof. A trial that takes more than
    ``time_limit`` seconds ends with a row that says so; what there is of it stays for another attempt.
    """
    begin, final, row = time.monotonic(), folder / RUNS / trial.name, ended(trial, "done")

    def check(progress: Progress | None = None) -> None:
        watch(progress)
        if time_limit is not None and time.monotonic() - begin > time_limit:
            raise _OverTimeError

    run = RunFolder.open(final) if (final / CONFIG).exists() else _claimed(trial, folder)
    row |= {"attempts": _number(run.path), "node": socket.gethostname()}
    try:
        row["loss"] = train_run(run, watch=check)  # one that has been trained already only says it again
        row |= _trained(run, begin)
        _publish(run.path, final)
        row |= _judged(trial, RunFolder.open(final), check)
        for path in (folder / UNFINISHED).glob(f"{trial.name}.*"):
            shutil.rmtree(path, ignore_errors=True)
    except _OverTimeError:
        row |= {"status": "time limit", "problem": f"it took more than {time_limit:g} seconds"}
    except DivergedError as error:  # with this seed it always will
        row |= {"status": "failed", "problem": str(error)} | _trained(run, begin)
        _publish(run.path, final)
    except (FileFormatError, MachineError):  # what an earlier attempt has left is damaged; the next one begins anew
        shutil.rmtree(run.path, ignore_errors=True)
        raise
    return ResultSet(folder).add(row)


def _trained(run: RunFolder, begin: float) -> Row:
    last = [{"seconds": record.seconds, "nonfinite": record.nonfinite} for record in run.records()[-1:]]
    return {"train_seconds": round(time.monotonic() - begin, 3)} | (last[0] if last else {})


def _judged(trial: Trial, run: RunFolder, watch: Watch) -> Row:
    """What the trained model is worth: a verdict, its own horizon."""
    row: Row = {}
    named, task, begin = NamedPolicy(run.model(), str(run.path), run=run), run.task(), time.monotonic()
    if trial.certify:
        found = certify(named, task, out=run.path, raw_length=0, say=lambda text: watch(None))
        row = {"verdict": found.verdict.conclusion.value, "exact": found.exact, "states": found.facts["states"]}
        row["certify_seconds"] = round(time.monotonic() - begin, 3)
    if trial.rlg_to:
        watch(None)
        lengths = measure_lengths(named.policy, task, to=trial.rlg_to, threads=trial.config.threads)
        row |= {"rlg": lengths.rlg, "plg": lengths.plg}
    return row


def _claimed(trial: Trial, folder: Path) -> RunFolder:
    """The run of this attempt: what an earlier attempt has left, taken over by renaming it, or a new one."""
    make_folder(folder / UNFINISHED)
    left = [path for path in (folder / UNFINISHED).glob(f"{trial.name}.*") if path.is_dir()]
    number = 1 + max(map(_number, left), default=0)
    own = folder / UNFINISHED / f"{trial.name}.{number}-{uuid.uuid4().hex[:12]}"
    for other in sorted(left, key=lambda path: len(list(path.rglob("*")))):  # most files: it came farthest
        with contextlib.suppress(OSError):  # somebody else was quicker
            shutil.rmtree(own, ignore_errors=True)
            other.rename(own)
    for lock in own.rglob(LOCK_FILE):  # whoever holds it works elsewhere from now on
        lock.unlink(missing_ok=True)
    with contextlib.suppress(DfstError):  # nothing was left, or it is damaged
        return RunFolder.open(own)
    shutil.rmtree(own, ignore_errors=True)
    return RunFolder.create(own, trial.config, task=trial.task_text)


def _number(attempt: Path) -> int:
    """Which attempt at its trial a folder belongs to."""
    match = re.search(r"\.([0-9]+)-[^.]*$", attempt.name)
    return int(match[1]) if match else 1


def _publish(own: Path, final: Path) -> None:
    """Move a finished run to its place; it does not count if it was taken over, or finished elsewhere, meanwhile."""
    if own == final:
        return
    make_folder(final.parent)
    if not (own / CONFIG).exists():
        raise InputError("another attempt has taken over", where=str(own))
    try:
        own.rename(final)
        flush_folder(final.parent)  # a row that says it is there comes next
    except OSError:
        if not (final / CONFIG).exists():
            raise
        shutil.rmtree(own, ignore_errors=True)
