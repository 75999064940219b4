"""A sweep, from the file that asks for it to its rows: in threads here, or one Ray task per trial on a cluster.

What is done is what has a row in the data set, and trials write their rows themselves. So a sweep that was stopped, in
whatever way, resumes when it is started again, and a sweep whose file has grown does only what is new.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager, redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dfst.errors import DfstError, InputError, MissingExtraError
from dfst.files import make_folder
from dfst.lock import only_process
from dfst.manifest import cores_allowed
from dfst.sweep.rows import ResultSet, Row
from dfst.sweep.sweep_file import Shard, Sweep
from dfst.sweep.trial import RUNS, Trial, at_work, code_version, run_trial, trials

Crew = tuple[Callable[[], int], Callable[[Trial], Future[Row]]]
"""Who works on trials: how many at a time, and how one begins."""

_LOOK, _FAREWELL, _PATIENCE = 5.0, 15.0, 10.0
"""Seconds between two looks at how much room a cluster has, to save what is under way there, and to reach it."""

_RAY = {
    **dict.fromkeys(("RAY_USAGE_STATS_ENABLED", "RAY_DEDUP_LOGS", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"), "0"),
    **{"RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0", "RAY_task_oom_retries": "2"},  # or what needs too much memory never ends
}
_NOBODY = "there is no Ray cluster to be reached"
_CHECK = "Check that it runs (ray status), and write it as ray start does, such as 10.0.0.1:6379."


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
    """
    _check_workers(workers, address)
    everything = list({trial.name: trial for trial in trials(sweep)}.values())  # two paths may lead to one task
    wanted = everything[shard.number - 1 :: shard.total] if shard else everything
    results = ResultSet(folder)
    # shards work side by side, each alone in a folder of its own
    alone = folder / "shards" / f"{shard.number}-of-{shard.total}" if shard else folder
    make_folder(alone)
    with only_process(alone, do="Wait for it, stop it with Ctrl-C, or choose another folder with --out."):
        say(f"working in {folder}; results are in {results.path}")
        kept = {name for name in results.names() if not (retry_failed and results.row(name)["status"] != "done")}
        crew = _threads(sweep, folder, workers) if address is None else _tasks(sweep, folder, workers, address)
        with crew as (room, begin):
            waiting, running, early = deque(t for t in wanted if t.name not in kept), dict[Future[Row], Trial](), 0
            while True:
                while waiting and len(running) < room():
                    trial = waiting.popleft()
                    running[begin(trial)] = trial
                done = len(wanted) - len(waiting) - len(running)
                watch(done, len(wanted), f"{len(running)} under way, {early} ended early")
                if not running:
                    return [results.row(name) for name in sorted(trial.name for trial in wanted)]
                for future in wait(running, _LOOK, FIRST_COMPLETED).done:
                    trial = running.pop(future)
                    early += _row(results, sweep.retries + 1, trial, future)["status"] != "done"


def _row(results: ResultSet, attempts: int, trial: Trial, future: Future[Row]) -> Row:
    """What a trial came to, or why it came to nothing, however often it was tried."""
    try:
        return future.result()
    except Exception as error:  # whatever it is, the other trials go on
        cause = getattr(error, "cause", error)  # Ray wraps what a task has raised
    if isinstance(cause, OtherCodeError):
        raise cause
    status, problem = "failed", cause.sentence if isinstance(cause, DfstError) else f"{type(cause).__name__}: {cause}"
    if type(cause).__module__.startswith("ray."):
        status, problem = "lost", "its worker was lost"
        if type(cause).__name__ == "OutOfMemoryError":
            status, problem = "memory limit", "its node ran out of memory"
    if trial.name in results.names() and (row := results.row(trial.name))["status"] == "done":
        return row  # an attempt that was taken for lost was not
    return results.add(trial.row(status, problem) | {"attempts": attempts})


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
    running = dict[Future[Row], tuple[Any, Path]]()
    with _connected(address) as ray:

        def room() -> int:
            nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
            return int(sum(has.get("CPU", 0) // sweep.threads for has in nodes))

        def begin(trial: Trial) -> Future[Row]:
            reference = task.remote(trial, folder.resolve(), sweep.time_limit)
            running[future := reference.future()] = reference, folder / RUNS / trial.name
            future.add_done_callback(running.pop)
            return future

        if not room():
            do = "Start one that has (ray start --address=…), or ask for fewer threads."
            raise InputError("no node of the cluster has room for a trial", where=sweep.source, do=do)
        task = ray.remote(num_cpus=sweep.threads, max_retries=sweep.retries, retry_exceptions=True)(_attempt)
        try:
            yield lambda: workers or max(1, room()), begin
        except BaseException:
            under_way, until = list(running.values()), time.monotonic() + _FAREWELL
            for reference, _ in under_way:
                ray.cancel(reference)  # as Ctrl-C would: the training under way is saved
            # Ray calls a task ended as soon as it is cancelled; its worker, which still saves, holds the run folder
            while time.monotonic() < until and any(at_work(path) for _, path in under_way):
                time.sleep(0.1)
            raise


def _attempt(trial: Trial, folder: Path, time_limit: float | None) -> Row:
    """The Ray task: one attempt at a trial."""
    # Ray cancels as Ctrl-C would, which the workers of a node that was started in the background (&, nohup) ignore
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if (version := code_version()).rstrip("+") != trial.version.rstrip("+"):
        what = f"node {socket.gethostname()} runs dfst {version[:12]}, not {trial.version[:12]}"
        raise OtherCodeError(what, do="Install the same on every node. What is done is kept.")
    return run_trial(trial, folder, time_limit=time_limit)


def _check_workers(workers: int | None, address: str | None) -> None:
    """Refuse, before anything is written, workers or a cluster that cannot be used; a missing Ray, too."""
    most = max(16, 4 * (os.cpu_count() or 1)) if address is None else 10_000
    if workers is not None and not 1 <= workers <= most:
        raise InputError(f"{workers} workers cannot be used", where="--workers", do=f"Use 1 to {most}.")
    if address is not None and address != "auto":
        host, _, port = address.rpartition(":")
        try:
            socket.create_connection((host, int(port)), _PATIENCE).close()  # Ray itself tries for a quarter of an hour
        except (ValueError, OSError, OverflowError):
            raise InputError(_NOBODY, where=f"--address {address}", do=_CHECK) from None
    if address is not None and find_spec("ray") is None:
        raise MissingExtraError("work spread over a cluster", "sweep")


@contextmanager
def _connected(address: str) -> Iterator[Any]:
    """The module ``ray``, connected to the cluster at ``address``.

    Nothing is sent to Ray's makers, and Ray's own log stays in its files; for its sake stdout is closed meanwhile.
    """
    os.environ.update({name: value for name, value in _RAY.items() if name not in os.environ})
    import ray
    from ray.exceptions import RayError

    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL)
    except (ValueError, RuntimeError, OSError, OverflowError, RayError) as error:
        token = "Its token is needed: set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN as on its nodes."
        do = token if "uthentication" in str(error) else _CHECK
        raise InputError(_NOBODY, where=f"--address {address}", do=do) from None
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    try:
        with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):  # a lost node is printed there by Ray
            yield ray
    finally:
        ray.shutdown()
