"""The crew of a sweep on a Ray cluster: a worker process per trial, replaced when it or its node is lost."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dfst.errors import DfstError, InputError
from dfst.sweep.cluster import slots
from dfst.sweep.crew import FAREWELL, LOOK, End, Job, over_time
from dfst.sweep.sweep_file import Sweep
from dfst.sweep.trial import Trial, code_version
from dfst.sweep.worker import Worker

_COUNT_AGAIN = 5.0
"""Seconds between two counts of the cluster's cores."""

_STILLBORN = 5
"""So many workers in a row may fail to start."""


@dataclass(eq=False)
class _Hand:
    """A worker: ``task`` is what is awaited of it, ``job`` its trial; it has a ``place`` once it is ready."""

    actor: Any
    task: Any
    place: str = ""
    job: Job | None = None
    asked: Any = None


class RayCrew:
    """Workers where the nodes of the cluster have room; at most ``workers`` of them."""

    def __init__(self, ray: Any, sweep: Sweep, folder: Path, workers: int | None, say: Callable[[str], None]) -> None:
        self._ray, self._sweep, self._folder, self._workers, self._tell = ray, sweep, folder, workers, say
        self._hands: list[_Hand] = []
        self._room, self._counted, self._next_look, self._stillborn, self._told = 0, -math.inf, -math.inf, 0, False
        self._memory = int((sweep.memory_limit or 0) * 2**20)
        options: dict[str, Any] = {"num_cpus": sweep.threads, "max_concurrency": 2, "max_restarts": 0}
        self._worker = ray.remote(**options, **({"memory": self._memory} if self._memory else {}))(Worker)
        self.jobs: list[Job] = []

    def ready(self, waiting: int) -> int:
        """As many workers as are free now; if there is room and more work, others are started."""
        if time.monotonic() - self._counted > _COUNT_AGAIN:
            self._room, self._counted = slots(self._ray, self._sweep.threads, self._memory), time.monotonic()
            if waiting and not self._room and not self._hands:
                self._no_room()
        wanted = min(self._workers or self._room, self._room, len(self.jobs) + waiting)
        while len(self._hands) < wanted:
            actor = self._worker.remote(str(self._folder))
            self._hands.append(_Hand(actor, actor.ready.remote()))
        return sum(hand.task is None for hand in self._hands)

    def begin(self, trial: Trial, attempt: str) -> Job:
        """By a worker that is free."""
        hand = next(hand for hand in self._hands if hand.task is None)
        hand.job, hand.asked = Job(trial, hand.place), None
        hand.task = hand.actor.run.remote(trial.plain(), attempt)
        self.jobs.append(hand.job)
        return hand.job

    def look(self) -> list[End]:
        """What has ended, and who is over a limit."""
        awaited = {hand.task: hand for hand in self._hands if hand.task is not None}
        if not awaited:
            time.sleep(LOOK)
            return []
        ended, _ = self._ray.wait(list(awaited), num_returns=1, timeout=LOOK)
        ends = [self._take(awaited[task]) for task in ended]
        begin = time.monotonic()
        if begin >= self._next_look:
            ends += [self._limited(hand) for hand in list(self._hands)]
            spent = time.monotonic() - begin
            self._next_look = begin + max(LOOK, 10 * spent)  # a tenth of the time at most, however many there are
        return [end for end in ends if end is not None]

    def stop(self) -> None:
        """Every worker saves and ends at the next block of its training."""
        busy = [hand for hand in self._hands if hand.job is not None]
        for hand in busy:
            hand.actor.stop.remote()
        if busy:
            self._ray.wait([hand.task for hand in busy], num_returns=len(busy), timeout=FAREWELL)

    def _no_room(self) -> None:
        """Nobody can take a trial; a node that can may come."""
        if not self._told:
            needs = f"{self._sweep.threads} thread{'s' * (self._sweep.threads > 1)}"
            needs += f" and {self._sweep.memory_limit:g} MB" if self._memory else ""
            self._tell(f"no node has room for a trial of {needs}; waiting for one")
        self._told = True

    def _take(self, hand: _Hand) -> End | None:
        """What a worker has brought: that it is ready, a row, or bad news."""
        exceptions, task, hand.task = self._ray.exceptions, hand.task, None
        try:
            answer = self._ray.get(task)
        except exceptions.RayTaskError as error:
            cause = error.cause
            problem = str(cause) if isinstance(cause, DfstError) else f"{type(cause).__name__}: {cause}"
            return self._end(hand, "failed", problem, again=True)
        except exceptions.RayError as error:
            self._missed(hand, error)
            self._dismiss(hand)
            return self._end(hand, "lost", "its worker was lost", again=True)
        if hand.job is None:
            self._stillborn = 0
            check_version(answer)
            hand.place = f"{answer['node']}:{answer['pid']}"
            return None
        return End(self._leave(hand), answer)

    def _end(self, hand: _Hand, status: str, problem: str, *, again: bool) -> End | None:
        return None if hand.job is None else End(self._leave(hand), None, status, problem, again)

    def _leave(self, hand: _Hand) -> Job:
        job, hand.job = hand.job, None
        assert job is not None
        self.jobs.remove(job)
        return job

    def _missed(self, hand: _Hand, error: Exception) -> None:
        """A worker that never was ready; if none is, that will not change."""
        self._stillborn += hand.job is None
        if self._stillborn >= _STILLBORN:
            reason = str(error).strip().split("\n")[-1][:120]
            do = "Check that every node has dfst[sweep], and memory. What is done is kept."
            raise InputError(f"{_STILLBORN} workers in a row did not start ({reason})", do=do)

    def _limited(self, hand: _Hand) -> End | None:
        """End a trial that takes more than it may."""
        if hand.job is None:
            return None
        self._ask(hand)
        limits, over = self._sweep, None
        memory = hand.job.status.get("memory", 0.0)
        if limits.time_limit is not None and time.monotonic() - hand.job.began > limits.time_limit:
            over = over_time(limits.time_limit)
        if limits.memory_limit is not None and memory > limits.memory_limit:
            over = "memory limit", f"it took {memory:.0f} MB, more than {limits.memory_limit:g} MB"
        if over is None:
            return None
        self._dismiss(hand)
        return self._end(hand, *over, again=False)

    def _ask(self, hand: _Hand) -> None:
        """How does it get on? The answer is read when it is there."""
        if hand.asked is not None:
            ready, _ = self._ray.wait([hand.asked], timeout=0)
            if not ready:
                return
            try:
                hand.job.status = self._ray.get(hand.asked)  # pyright: ignore[reportOptionalMemberAccess]
            except self._ray.exceptions.RayError:
                return  # what it is doing will say so, too
        hand.asked = hand.actor.status.remote()

    def _dismiss(self, hand: _Hand) -> None:
        """Do without this worker."""
        self._hands.remove(hand)
        self._ray.kill(hand.actor)
        self._counted = -math.inf  # its node may be gone


def check_version(answer: dict[str, Any]) -> None:
    """Refuse a node with other code: results of different code must not mix under one name."""
    here, there = code_version(), answer["version"]
    if there.rstrip("+") != here.rstrip("+"):
        do = "Install the same on every node. What is done is kept."
        raise InputError(f"node {answer['node']} runs dfst {there[:12]}, not {here[:12]}", do=do)
