"""A sweep on one computer: trials side by side in threads of this process.

Training happens in compiled code that lets the other threads run, so threads are as good as processes for it, and
every trial after the first finds the code compiled. Extraction and proof are partly Python, of which one thread runs at
a time; ``--shard`` gives a process to each part of a sweep.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from functools import partial
from pathlib import Path

from dfst.errors import DfstError, InputError
from dfst.manifest import cores_allowed
from dfst.sweep.crew import FAREWELL, LOOK, End, Job, over_time
from dfst.sweep.rows import Row
from dfst.sweep.sweep_file import Sweep
from dfst.sweep.trial import Trial, run_trial
from dfst.training.fit import Progress

_FEW = 16
"""So many threads are no danger to any machine."""


class _StoppedError(Exception):
    """The sweep was asked to stop."""


class _OverTimeError(Exception):
    """A trial takes longer than it may."""


def check_local(sweep: Sweep, workers: int | None) -> None:
    """Refuse, before anything is written, what cannot be done in this process."""
    most = max(_FEW, 4 * (os.cpu_count() or 1))
    if workers is not None and not 1 <= workers <= most:
        raise InputError(f"{workers} workers cannot be used", where="--workers", do=f"Use 1 to {most}.")
    if sweep.memory_limit is not None:
        what = "memory_limit is for the workers of a cluster; here all trials share one process"
        raise InputError(what, where=sweep.source, do="Leave it out, or give a cluster with --address.")


class Threads:
    """Trials in threads; ``workers`` at a time, by default as many as there are cores for."""

    def __init__(self, sweep: Sweep, folder: Path, workers: int | None) -> None:
        self._limit, self._folder = sweep.time_limit, folder
        self._workers = workers or max(1, cores_allowed() // sweep.threads)
        self._pool, self._stop = ThreadPoolExecutor(self._workers), threading.Event()
        self._futures: dict[Future[Row], Job] = {}
        self._places = [f"{socket.gethostname()}:{number}" for number in range(self._workers, 0, -1)]
        self.jobs: list[Job] = []

    def ready(self, waiting: int) -> int:
        """As many as there are threads without work."""
        return self._workers - len(self.jobs)

    def begin(self, trial: Trial, attempt: str) -> Job:
        """In the next free thread."""
        job = Job(trial, self._places.pop())
        self.jobs.append(job)
        watch, say = partial(self._watch, job), partial(self._say, job)
        self._futures[self._pool.submit(run_trial, trial, self._folder, attempt=attempt, watch=watch, say=say)] = job
        return job

    def look(self) -> list[End]:
        """What has ended."""
        ended, _ = wait(self._futures, LOOK, FIRST_COMPLETED)
        return [self._end(future) for future in ended]

    def stop(self) -> None:
        """Every thread saves and ends at the next block of its training, or step of its proof."""
        self._stop.set()
        self._pool.shutdown(wait=False, cancel_futures=True)
        wait(self._futures, FAREWELL)

    def _end(self, future: Future[Row]) -> End:
        job = self._futures.pop(future)
        self.jobs.remove(job)
        self._places.append(job.place)
        try:
            return End(job, future.result() | {"node": socket.gethostname()})
        except _OverTimeError:
            return End(job, None, *over_time(self._limit or 0.0))
        except DfstError as error:
            return End(job, None, "failed", str(error), again=True)
        except Exception as error:  # whatever it is, the other trials go on
            return End(job, None, "failed", f"{type(error).__name__}: {error}", again=True)

    def _watch(self, job: Job, progress: Progress) -> None:
        done = {"iteration": progress.iteration, "iterations": progress.iterations, "loss": progress.loss}
        job.status = {"stage": progress.stage or "training"} | done
        self._check(job)

    def _say(self, job: Job, stage: str) -> None:
        job.status = {"stage": stage}
        self._check(job)

    def _check(self, job: Job) -> None:
        if self._stop.is_set():
            raise _StoppedError
        if self._limit is not None and time.monotonic() - job.began > self._limit:
            raise _OverTimeError
