"""One trial of a sweep: a run folder, trained and (if asked) certified, and the row of results it comes to.

A trial may be started twice: its worker is taken for dead, its driver is killed, and both still breathe. So an attempt
trains in a folder under its own name, which a later attempt takes over by renaming it: whatever the earlier one writes
afterwards fails. A trained run moves to runs/ in one step; certifying there again would write the same files.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import time
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from dfst import __version__
from dfst.errors import FileFormatError, InputError, MachineError
from dfst.files import flush_folder, make_folder, write_atomically
from dfst.lesson.lasting import train_run
from dfst.lock import LOCK_FILE
from dfst.manifest import commit
from dfst.records import read_json
from dfst.runs.run_config import RunConfig
from dfst.runs.run_folder import CONFIG, RunFolder
from dfst.runs.run_options import OPTIONS, run_config
from dfst.study.certification import certify
from dfst.study.lengths import measure_lengths
from dfst.study.names import NamedPolicy
from dfst.sweep.sweep_file import Sweep
from dfst.teachers.find import find_task
from dfst.training.fit import DivergedError, Progress

Row = dict[str, Any]
RUNS, UNFINISHED, ROW = "runs", "unfinished", "trial.json"


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

    def plain(self) -> dict[str, Any]:
        """As texts and numbers, for a worker."""
        return asdict(self) | {"config": self.config.dump()}

    @classmethod
    def from_plain(cls, values: dict[str, Any]) -> Trial:
        """The trial that :meth:`plain` describes."""
        config = RunConfig.parse(tomllib.loads(values["config"]), source="trial")
        return cls(values["version"], config, values["task_text"], values["certify"], values["rlg_to"])


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


def run_trial(
    trial: Trial,
    folder: Path,
    *,
    attempt: str = "0",
    watch: Callable[[Progress], None] | None = None,
    say: Callable[[str], None] = lambda stage: None,
) -> Row:
    """Train (from the newest checkpoint of an earlier attempt, if there is one), certify, and return the results.

    ``attempt`` is a name that no other attempt has. ``watch`` sees every block of the training.
    """
    final = folder / RUNS / trial.name
    if not final.exists():
        say("training")
        _publish(_trained(trial, folder, attempt, watch), final)
    row = _read(final / ROW)
    if row["status"] == "trained":
        row |= _judged(trial, RunFolder.open(final), say)
        _write(row, final)
    return row


def _trained(trial: Trial, folder: Path, attempt: str, watch: Callable[[Progress], None] | None) -> Path:
    """The folder of the finished training, with what it came to."""
    run = _claimed(trial, folder, attempt)
    row = facts(trial)
    begin = time.perf_counter()
    try:
        try:
            loss = train_run(run, watch=watch)
        except (FileFormatError, MachineError):  # what an earlier attempt has left is damaged
            shutil.rmtree(run.path, ignore_errors=True)
            run = _claimed(trial, folder, attempt)
            loss = train_run(run, watch=watch)
        row |= {"status": "trained", "loss": loss}
    except DivergedError as error:  # with this seed it always will
        row |= {"status": "failed", "problem": str(error)}
    row["train_seconds"] = round(time.perf_counter() - begin, 3)
    if records := run.records():
        row |= {"seconds": records[-1].seconds, "nonfinite": records[-1].nonfinite}
    _write(row, run.path)
    return run.path


def discard(trial: Trial, folder: Path) -> None:
    """Remove what earlier attempts at a finished trial have left."""
    for path in _left(folder / UNFINISHED, trial.name):
        shutil.rmtree(path, ignore_errors=True)


def facts(trial: Trial) -> Row:
    """What is known before it begins."""
    config = trial.config
    known = {"trial": trial.name, "version": trial.version, "config_hash": trial.config_hash, "problem": ""}
    known |= {name: getattr(config, name) for name in ("task", "seed", "data_seed", "hidden_dim", "engine", "threads")}
    recipe, sampling = asdict(config.recipe), asdict(config.sampling)
    return known | recipe | {"recipe": config.recipe.name} | sampling | {"digits": config.sampling.q}


def _judged(trial: Trial, run: RunFolder, say: Callable[[str], None]) -> Row:
    """What the trained model is worth: a verdict, its own horizon."""
    row: Row = {"status": "done"}
    named, task = NamedPolicy(run.model(), str(run.path), run=run), run.task()
    if trial.certify:
        begin = time.perf_counter()
        say("certifying")
        found = certify(named, task, out=run.path, raw_length=0, say=lambda text: say("certifying"))
        row |= {"verdict": found.verdict.conclusion.value, "exact": found.exact, "states": found.facts["states"]}
        row["certify_seconds"] = round(time.perf_counter() - begin, 3)
    if trial.rlg_to:
        say("measuring")
        lengths = measure_lengths(named.policy, task, to=trial.rlg_to, threads=trial.config.threads)
        row |= {"rlg": lengths.rlg, "plg": lengths.plg}
    return row


def _read(path: Path) -> Row:
    what = "it is not the row of a trial, or it is damaged"
    do = "Remove its folder and start the sweep again with --retry-failed."
    row = read_json(path, what=what, do=do)
    if not isinstance(row, dict) or not {"trial", "status", "problem"} <= row.keys():
        raise FileFormatError(what, where=str(path), do=do)
    return row


def _write(row: Row, folder: Path) -> None:
    write_atomically(folder / ROW, (json.dumps(row, indent=2) + "\n").encode())


def _claimed(trial: Trial, folder: Path, attempt: str) -> RunFolder:
    """The run of this attempt: what an earlier attempt has left, taken over by renaming it, or a new one."""
    own = folder / UNFINISHED / f"{trial.name}.{attempt}"
    make_folder(own.parent)
    for other in _left(own.parent, trial.name):
        try:
            if own.exists():
                shutil.rmtree(other, ignore_errors=True)
            else:
                other.rename(own)
                for lock in own.rglob(LOCK_FILE):  # whoever holds it works elsewhere from now on
                    lock.unlink(missing_ok=True)
        except FileNotFoundError:  # somebody else was quicker
            continue
    if (own / CONFIG).exists():
        with contextlib.suppress(FileFormatError):
            run = RunFolder.open(own)
            if run.config == trial.config:
                return run
    shutil.rmtree(own, ignore_errors=True)
    return RunFolder.create(own, trial.config, task=trial.task_text)


def _left(folder: Path, name: str) -> Iterator[Path]:
    """What earlier attempts have left, the one that came farthest first: in stages, then in checkpoints."""
    found = [path for path in folder.glob(f"{name}.*") if path.is_dir()]

    def came(path: Path) -> tuple[int, str]:
        return len(list(path.glob("stages/*"))), max((saved.name for saved in path.glob("checkpoints/*")), default="")

    return iter(sorted(found, key=came, reverse=True))


def _publish(own: Path, final: Path) -> None:
    """Move a finished run to its place; it does not count if it was taken over, or finished elsewhere, meanwhile."""
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
