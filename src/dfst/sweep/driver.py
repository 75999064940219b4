"""The driver of a sweep: it hands trials to a crew, keeps every row, and tries again what was lost."""

from __future__ import annotations

import json
import uuid
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from dfst.files import Lines
from dfst.sweep.crew import Crew, End, Job
from dfst.sweep.rows import ResultSet, Row
from dfst.sweep.search import Grid, Searcher
from dfst.sweep.trial import Trial, code_version, discard, facts

LOG = "log.jsonl"


@dataclass
class State:
    """Where a sweep stands: trials in all (as far as known), rows, trials under way, what happened last."""

    total: int
    done: int
    jobs: list[Job]
    statuses: Counter[str]
    retried: int = 0
    news: str = ""


class Driver:
    """The loop: hand out, look, take in. ``done`` are the trials whose rows stand; a failed one has ``retries``."""

    def __init__(
        self,
        crew: Crew,
        plan: Grid | Searcher,
        results: ResultSet,
        done: set[str],
        *,
        retries: int,
        folder: Path,
        log: str,
        watch: Callable[[State], None],
    ) -> None:
        self.crew, self.plan, self.results, self.kept = crew, plan, results, done
        self.retries, self.folder, self.log, self.watch = retries, folder, folder / log, watch
        self.waiting: deque[Trial] = deque()
        self.begun: set[str] = set()
        self.attempts: Counter[str] = Counter()
        self.state = State(plan.total, 0, crew.jobs, Counter())

    def work(self) -> None:
        """Until nothing is left to do."""
        self.note("begun", trials=self.plan.total, version=code_version())
        try:
            while True:
                self.fetch_more()
                if not self.waiting and not self.crew.jobs:
                    break
                self.hand_out()
                self.watch(self.state)
                for end in self.crew.look():
                    self.take(end)
        except BaseException:
            self.crew.stop()
            self.note("stopped", done=self.state.done)
            raise
        finally:
            self.watch(self.state)
        self.note("ended", done=self.state.done)

    def fetch_more(self) -> None:
        """Enough trials for everybody, without those that have a row; those tell a search what they came to."""
        while len(self.waiting) <= max(self.crew.ready(0), 1) and (more := self.plan.more()):
            for trial in more:
                if trial.name in self.kept:
                    row = self.plan.row_of(trial, self.results)
                    self.count(row["status"] if row else "done")
                    self.plan.learn(trial, row)
                elif trial.name not in self.begun:  # a search may choose a point again while it is under way
                    self.begun.add(trial.name)
                    self.waiting.append(trial)
        self.state.total = self.plan.total

    def hand_out(self) -> None:
        """A trial to everybody who is ready."""
        for _ in range(min(self.crew.ready(len(self.waiting)), len(self.waiting))):
            trial, attempt = self.waiting.popleft(), uuid.uuid4().hex[:12]
            self.attempts[trial.name] += 1
            job = self.crew.begin(trial, attempt)
            self.note("started", trial=trial.name, attempt=attempt, on=job.place)

    def take(self, end: End) -> None:
        """A row, or bad news: then try once more, unless that was tried too often."""
        trial = end.job.trial
        if end.row is not None:
            self.finish(trial, end.row)
        elif not end.again or self.attempts[trial.name] > self.retries:
            self.finish(trial, facts(trial) | {"status": end.status, "problem": end.problem})
        else:
            self.note("retry", trial=trial.name, why=end.problem)
            self.state.retried += 1
            self.state.news = f"{trial.name}: {end.problem}; trying again"
            self.waiting.appendleft(trial)

    def finish(self, trial: Trial, row: Row) -> None:
        """Keep a row; from here on the trial is done."""
        row = row | {"attempts": self.attempts[trial.name], "finished": _now()}
        self.results.add(row)
        self.kept.add(trial.name)
        if row["status"] == "done":
            discard(trial, self.folder)
        self.note("finished", trial=trial.name, status=row["status"], attempts=row["attempts"])
        came_to = row["problem"] if row["status"] != "done" else row.get("verdict") or row["status"]
        self.state.news = f"{trial.name}: {came_to}"
        self.count(row["status"])
        self.plan.learn(trial, row)

    def count(self, status: str) -> None:
        """One more trial has ended."""
        self.state.done += 1
        self.state.statuses[status] += 1

    def note(self, event: str, **facts: Any) -> None:
        """A line of the sweep's log."""
        with Lines(self.log) as log:
            log.add(json.dumps({"time": _now(), "event": event} | facts))


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
