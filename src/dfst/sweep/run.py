"""A sweep, from the file that asks for it to its rows: in threads here, or one Ray task per trial on a cluster.

What is done is what has a row in the data set, and trials write their rows themselves. So a sweep that was stopped, in
whatever way, resumes when it is started again, and a sweep whose file has grown does only what is new.
"""

from __future__ import annotations

import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from dfst.errors import DfstError, InputError
from dfst.files import make_folder
from dfst.lock import only_process
from dfst.manifest import cores_allowed
from dfst.sweep.cluster import check_workers, connected, slots
from dfst.sweep.rows import ResultSet, Row
from dfst.sweep.search import searched
from dfst.sweep.sweep_file import Shard, Sweep
from dfst.sweep.trial import UNFINISHED, Trial, code_version, ended, run_trial, trials

Crew = tuple[Callable[[], int], Callable[[Trial], Future[Row]]]
"""Who works on trials: how many at a time, and how one begins."""

_LOOK, _FAREWELL = 5.0, 15.0
"""Seconds between two looks at how much room a cluster has, and to save what is under way there."""


class OtherCodeError(InputError):
    """A node runs another version: results of different code must not mix under one name."""


def run_sweep(
    sweep: Sweep,
    folder: Path,
    *,
    address: str | None = None,
    workers: int | None = None,
    shard: Shard | None = None,
    retry_failed: bool = False,
    watch: Callable[[int, int, str], None] = lambda done, total, text: None,
    say: Callable[[str], None] = lambda text: None,
) -> list[Row]:
    """Run what is missing of ``sweep`` (or of its ``shard``) and return the rows of all its trials.

    ``workers`` threads of this process do the work, or as many tasks on the Ray cluster at ``address``, all of whose
    nodes have to see ``folder`` under the same path. ``retry_failed`` runs again what ended without a result. Ctrl-C
    lets trials save first. ``watch`` sees how many trials have ended, of how many; ``say`` gets sentences for people.

    >>> import tempfile
    >>> from dfst.sweep.sweep_file import parse_sweep
    >>> sweep = parse_sweep({"certify": False, "trial": {"task": "add2", "iterations": 2, "seed": [0, 1]}})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [row["seed"] for row in run_sweep(sweep, Path(folder), shard=Shard.parse("2/2"))]
    [1]
    """
    if sweep.search and shard:
        do = "Leave --shard out; a search chooses its points by the results of all."
        raise InputError("a search cannot be done in parts", where=sweep.source, do=do)
    if sweep.memory_limit is not None and address is None:
        what = "memory_limit is for the workers of a cluster; here all trials share one process"
        raise InputError(what, where=sweep.source, do="Leave it out, or give a cluster with --address.")
    check_workers(workers, address)
    results, kept = ResultSet(folder), set[str]()
    if sweep.search:
        points = searched(sweep, sweep.search, folder, lambda name: results.row(name) if name in kept else None)
        total = sweep.search.points * len(sweep.points())
    else:
        everything = list({trial.name: trial for trial in trials(sweep)}.values())  # two paths may lead to one task
        wanted = everything[shard.number - 1 :: shard.total] if shard else everything
        points, total = iter([wanted]), len(wanted)
    # shards work side by side, each alone in a folder of its own
    alone = folder / "shards" / f"{shard.number}-of-{shard.total}" if shard else folder
    make_folder(alone)
    with only_process(alone, do="Wait for it, stop it with Ctrl-C, or choose another folder with --out."):
        say(f"working in {folder}; results are in {results.path}")
        kept |= {name for name in results.names() if not (retry_failed and results.row(name)["status"] != "done")}
        with _threads(sweep, folder, workers) if address is None else _tasks(sweep, folder, workers, address) as crew:
            take = partial(_row, results, sweep.retries + 1)
            names = _work(points, kept, crew, take, lambda done, text: watch(done, total, text))
    return [results.row(name) for name in sorted(names)]


def _work(
    points: Iterator[list[Trial]],
    kept: set[str],
    crew: Crew,
    row_of: Callable[[Trial, Future[Row]], Row],
    watch: Callable[[int, str], None],
) -> set[str]:
    """Begin the trials of ``points`` that are not ``kept``, while there is room; the names of all, when they are."""
    (room, begin), names, early = crew, set[str](), 0
    waiting, running = deque[Trial](), dict[Future[Row], Trial]()
    while True:
        while len(running) < room():
            if waiting:
                trial = waiting.popleft()
                running[begin(trial)] = trial
            elif (point := next(points, None)) is not None:
                waiting.extend(trial for trial in point if trial.name not in names and trial.name not in kept)
                names |= {trial.name for trial in point}  # a search may choose a point again
            else:
                break
        watch(len(names) - len(waiting) - len(running), f"{len(running)} under way, {early} ended early")
        if not running:
            return names
        for future in wait(running, _LOOK, FIRST_COMPLETED).done:
            trial = running.pop(future)
            early += row_of(trial, future)["status"] != "done"
            kept.add(trial.name)


def _row(results: ResultSet, attempts: int, trial: Trial, future: Future[Row]) -> Row:
    """What a trial came to, or why it came to nothing, however often it was tried."""
    try:
        return future.result()
    except Exception as error:  # whatever it is, the other trials go on
        cause = getattr(error, "cause", error)  # Ray wraps what a task has raised
    if isinstance(cause, OtherCodeError):
        raise cause
    status, problem = "failed", str(cause) if isinstance(cause, DfstError) else f"{type(cause).__name__}: {cause}"
    if type(cause).__module__.startswith("ray."):
        status, problem = "lost", "its worker was lost"
        if type(cause).__name__ == "OutOfMemoryError":
            status, problem = "memory limit", "its node ran out of memory"
    if trial.name in results.names() and (row := results.row(trial.name))["status"] == "done":
        return row  # an attempt that was taken for lost was not
    return results.add(ended(trial, status, problem) | {"attempts": attempts})


@contextmanager
def _threads(sweep: Sweep, folder: Path, workers: int | None) -> Iterator[Crew]:
    """Threads of this process: training is compiled code that lets other threads run; proofs are partly Python."""
    stop, count = threading.Event(), workers or max(1, cores_allowed() // sweep.threads)

    def watch(progress: Any) -> None:
        if stop.is_set():
            raise InputError("the sweep was stopped")

    def attempts(trial: Trial) -> Row:
        for _ in range(sweep.retries):
            try:
                return run_trial(trial, folder, time_limit=sweep.time_limit, watch=watch)
            except Exception:
                watch(None)
        return run_trial(trial, folder, time_limit=sweep.time_limit, watch=watch)

    pool = ThreadPoolExecutor(count)
    try:
        yield lambda: count, lambda trial: pool.submit(attempts, trial)
    finally:
        stop.set()  # every thread saves at the next block of its training, or step of its proof
        pool.shutdown(cancel_futures=True)


@contextmanager
def _tasks(sweep: Sweep, folder: Path, workers: int | None, address: str) -> Iterator[Crew]:
    """Ray tasks, which Ray places, and repeats where their process or node is lost or they raise an error."""
    options: dict[str, Any] = {"num_cpus": sweep.threads, "max_retries": sweep.retries, "retry_exceptions": True}
    memory, running = int((sweep.memory_limit or 0) * 2**20), dict[Future[Row], Any]()
    with connected(address) as ray:
        if not slots(ray, sweep.threads, memory):
            do = "Start one that has (ray start --address=…), or ask for less with threads and memory_limit."
            raise InputError("no node of the cluster has room for a trial", where=sweep.source, do=do)
        task = ray.remote(**options, memory=memory or None)(_attempt)

        def begin(trial: Trial) -> Future[Row]:
            reference = task.remote(trial, folder.resolve(), sweep.time_limit)
            running[future := reference.future()] = reference
            future.add_done_callback(running.pop)
            return future

        try:
            yield lambda: workers or max(1, slots(ray, sweep.threads, memory)), begin
        except BaseException:
            for reference in list(running.values()):
                ray.cancel(reference)  # as Ctrl-C would: the training under way is saved
            # Ray calls a task ended as soon as it is cancelled; its worker, which still saves, holds the run folder
            until = time.monotonic() + _FAREWELL
            while time.monotonic() < until and any(map(_at_work, (folder / UNFINISHED).glob("*"))):
                time.sleep(0.1)
            raise


def _at_work(folder: Path) -> bool:
    """Whether a process is at work in a run folder."""
    try:
        with only_process(folder, do=""):
            return False
    except InputError:
        return folder.is_dir()


def _attempt(trial: Trial, folder: Path, time_limit: float | None) -> Row:
    """The Ray task: one attempt at a trial."""
    if (version := code_version()).rstrip("+") != trial.version.rstrip("+"):
        what = f"node {socket.gethostname()} runs dfst {version[:12]}, not {trial.version[:12]}"
        raise OtherCodeError(what, do="Install the same on every node. What is done is kept.")
    return run_trial(trial, folder, time_limit=time_limit)
