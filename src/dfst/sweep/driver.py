"""The driver of a sweep: it hands trials to workers one at a time, keeps every row, and replaces lost workers."""

from __future__ import annotations

import json
import math
import time
import uuid
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dfst.errors import DfstError, InputError
from dfst.files import Lines
from dfst.sweep.cluster import slots
from dfst.sweep.rows import ResultSet, Row
from dfst.sweep.search import Grid, Searcher
from dfst.sweep.sweep_file import Sweep
from dfst.sweep.trial import Trial, code_version, discard, facts
from dfst.sweep.worker import Worker

LOG = "log.jsonl"

_LOOK = 0.5
"""Seconds between two looks at the workers."""

_COUNT_AGAIN = 5.0
"""Seconds between two counts of the cluster's cores."""

_FAREWELL = 15.0
"""Seconds that workers have to save what they are doing."""

_STILLBORN = 5
"""So many workers in a row may fail to start."""


@dataclass
class Hand:
    """A worker as the driver sees it: ``task`` is what is awaited of it."""

    actor: Any
    task: Any
    place: str = ""
    trial: Trial | None = None
    began: float = 0.0
    asked: Any = None
    status: dict[str, Any] = field(default_factory=dict)


@dataclass
class State:
    """Where a sweep stands: trials in all (as far as known), rows, trials under way, what happened last."""

    total: int
    done: int
    hands: list[Hand]
    statuses: Counter[str]
    retried: int = 0
    news: str = ""


class Driver:
    """The loop: hand out, look, take in."""

    def __init__(
        self,
        ray: Any,
        sweep: Sweep,
        folder: Path,
        plan: Grid | Searcher,
        results: ResultSet,
        failed: set[str],
        workers: int | None,
        waits: bool,
        watch: Callable[[State], None],
        say: Callable[[str], None],
    ) -> None:
        self.ray, self.sweep, self.folder, self.plan, self.results = ray, sweep, folder, plan, results
        self.workers, self.waits, self.watch, self.say = workers, waits, watch, say
        self.kept = results.names() - failed
        self.waiting: deque[Trial] = deque()
        self.begun: set[str] = set()
        self.hands: list[Hand] = []
        self.attempts: Counter[str] = Counter()
        self.state = State(plan.total, 0, self.hands, Counter())
        self.room, self.counted, self.next_look, self.stillborn = 0, -math.inf, -math.inf, 0
        self.version = code_version()
        self.memory = int((sweep.memory_limit or 0) * 2**20)
        options: dict[str, Any] = {"num_cpus": sweep.threads, "max_concurrency": 2, "max_restarts": 0}
        if self.memory:
            options["memory"] = self.memory
        self.worker = ray.remote(**options)(Worker)

    def work(self) -> None:
        """Until nothing is left to do."""
        self.note("begun", trials=self.plan.total, version=self.version)
        try:
            while True:
                self.fetch_more()
                busy = sum(hand.trial is not None for hand in self.hands)
                if not self.waiting and not busy:
                    break
                self.hire(busy)
                self.hand_out()
                self.watch(self.state)
                self.look()
        except KeyboardInterrupt:
            self.farewell()
            raise
        finally:
            self.watch(self.state)
        self.note("ended", done=self.state.done)

    def fetch_more(self) -> None:
        """Enough trials for everybody, without those that have a row; those tell a search what they came to."""
        while len(self.waiting) <= max(self.room, 1) and (more := self.plan.more()):
            for trial in more:
                if trial.name in self.kept:
                    row = self.plan.row_of(trial, self.results)
                    self.count(row["status"] if row else "done")
                    self.plan.learn(trial, row)
                elif trial.name not in self.begun:  # a search may choose a point again while it is under way
                    self.begun.add(trial.name)
                    self.waiting.append(trial)
        self.state.total = self.plan.total

    def hire(self, busy: int) -> None:
        """As many workers as there is room and work for."""
        if time.monotonic() - self.counted > _COUNT_AGAIN:
            self.room, self.counted = slots(self.ray, self.sweep.threads, self.memory), time.monotonic()
            if not self.room and not self.hands:
                self.no_room()
        wanted = min(self.workers or self.room, self.room, busy + len(self.waiting))
        while len(self.hands) < wanted:
            actor = self.worker.remote(str(self.folder))
            self.hands.append(Hand(actor, actor.ready.remote()))

    def no_room(self) -> None:
        """Nobody can take a trial: on a cluster a node that can may come."""
        needs = f"{self.sweep.threads} thread{'s' * (self.sweep.threads > 1)}"
        needs += f" and {self.sweep.memory_limit:g} MB" if self.memory else ""
        if not self.waits:
            do = "Ask for less with threads and memory_limit."
            raise InputError(f"this machine has no room for a trial of {needs}", where=self.sweep.source, do=do)
        news = f"no node has room for a trial of {needs}; waiting for one"
        if news != self.state.news:
            self.say(news)
        self.state.news = news

    def hand_out(self) -> None:
        """A trial to every worker that is ready and has none."""
        for hand in self.hands:
            if hand.task is None and self.waiting:
                hand.trial, hand.began, hand.status = self.waiting.popleft(), time.monotonic(), {}
                self.attempts[hand.trial.name] += 1
                attempt = uuid.uuid4().hex[:12]
                self.note("started", trial=hand.trial.name, attempt=attempt, on=hand.place)
                hand.task = hand.actor.run.remote(hand.trial.plain(), attempt)

    def look(self) -> None:
        """Wait a little; take in what has ended; see who is over a limit."""
        awaited = {hand.task: hand for hand in self.hands if hand.task is not None}
        ended, _ = self.ray.wait(list(awaited), num_returns=1, timeout=_LOOK) if awaited else ([], [])
        for task in ended:
            self.take(awaited[task])
        begin = time.monotonic()
        if begin < self.next_look:
            return
        for hand in list(self.hands):
            if hand.trial is not None:
                self.ask(hand)
                self.limit(hand)
        spent = time.monotonic() - begin
        self.next_look = begin + max(_LOOK, 10 * spent)  # a tenth of the time at most, however many workers there are

    def take(self, hand: Hand) -> None:
        """What a worker has brought: that it is ready, a row, or bad news."""
        task, hand.task, trial = hand.task, None, hand.trial
        try:
            answer = self.ray.get(task)
        except self.ray.exceptions.RayActorError as error:
            self.dismiss(hand)
            self.again(trial, "lost", "its worker was lost")
            self.missed(trial, error)
        except self.ray.exceptions.RayTaskError as error:
            hand.trial = None
            cause = error.cause if isinstance(error.cause, DfstError) else None
            what = str(cause) if cause else f"{type(error.cause).__name__}: {error.cause}"
            self.again(trial, "failed", what)
        except self.ray.exceptions.RayError as error:
            self.dismiss(hand)
            self.again(trial, "lost", f"its worker was lost ({type(error).__name__})")
        else:
            if trial is None:
                self.stillborn = 0
                self.check_version(answer)
                hand.place = f"{answer['node']}:{answer['pid']}"
            else:
                hand.trial = None
                self.finish(trial, answer)

    def missed(self, trial: Trial | None, error: Exception) -> None:
        """A worker that never was ready; if none is, that will not change."""
        self.stillborn += trial is None
        if self.stillborn >= _STILLBORN:
            reason = str(error).strip().split("\n")[-1][:120]
            do = "Check that every node has dfst[sweep], and memory. What is done is kept."
            raise InputError(f"{_STILLBORN} workers in a row did not start ({reason})", do=do)

    def check_version(self, answer: dict[str, Any]) -> None:
        """Results of different code must not mix under one name."""
        there = answer["version"]
        if there.rstrip("+") != self.version.rstrip("+"):
            do = "Install the same on every node. What is done is kept."
            raise InputError(f"node {answer['node']} runs dfst {there[:12]}, not {self.version[:12]}", do=do)

    def again(self, trial: Trial | None, status: str, problem: str) -> None:
        """Try once more, unless that was tried too often."""
        if trial is None:
            return
        if self.attempts[trial.name] > self.sweep.retries:
            self.finish(trial, facts(trial) | {"status": status, "problem": problem})
        else:
            self.note("retry", trial=trial.name, why=problem)
            self.state.retried += 1
            self.state.news = f"{trial.name}: {problem}; trying again"
            self.waiting.appendleft(trial)

    def ask(self, hand: Hand) -> None:
        """How does it get on? The answer is read when it is there."""
        if hand.asked is not None:
            ready, _ = self.ray.wait([hand.asked], timeout=0)
            if not ready:
                return
            try:
                hand.status = self.ray.get(hand.asked)
            except self.ray.exceptions.RayError:
                return  # what it is doing will say so, too
        hand.asked = hand.actor.status.remote()

    def limit(self, hand: Hand) -> None:
        """End a trial that takes more than it may."""
        trial, seconds, memory = hand.trial, time.monotonic() - hand.began, hand.status.get("memory", 0.0)
        assert trial is not None
        over = None
        if self.sweep.time_limit is not None and seconds > self.sweep.time_limit:
            over = ("time limit", f"it took more than {self.sweep.time_limit:g} seconds")
        if self.sweep.memory_limit is not None and memory > self.sweep.memory_limit:
            over = ("memory limit", f"it took {memory:.0f} MB, more than {self.sweep.memory_limit:g} MB")
        if over:
            self.dismiss(hand)
            self.finish(trial, facts(trial) | {"status": over[0], "problem": over[1]})

    def dismiss(self, hand: Hand) -> None:
        """Do without this worker."""
        self.hands.remove(hand)
        self.ray.kill(hand.actor)
        self.counted = -math.inf  # its node may be gone

    def finish(self, trial: Trial, row: Row) -> None:
        """Keep a row; from here on the trial is done."""
        row = row | {"attempts": self.attempts[trial.name], "finished": _now()}
        self.results.add(row)
        self.kept.add(trial.name)
        if row["status"] == "done":
            discard(trial, self.folder)
        self.note("finished", trial=trial.name, status=row["status"], attempts=row["attempts"])
        self.state.news = f"{trial.name}: {row.get('verdict') or row['status']}"
        if row["status"] != "done":
            self.state.news = f"{trial.name}: {row['problem']}"
        self.count(row["status"])
        self.plan.learn(trial, row)

    def count(self, status: str) -> None:
        """One more trial has ended."""
        self.state.done += 1
        self.state.statuses[status] += 1

    def farewell(self) -> None:
        """Let everybody save what there is."""
        busy = [hand for hand in self.hands if hand.trial is not None]
        for hand in busy:
            hand.actor.stop.remote()
        if busy:
            tasks = [hand.task for hand in busy]
            self.ray.wait(tasks, num_returns=len(tasks), timeout=_FAREWELL)
        self.note("stopped", done=self.state.done)

    def note(self, event: str, **facts: Any) -> None:
        """A line of the sweep's log."""
        with Lines(self.folder / LOG) as log:
            log.add(json.dumps({"time": _now(), "event": event} | facts))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
