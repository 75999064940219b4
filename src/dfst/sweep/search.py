"""Which trials a sweep runs next: all of a grid, or those that Optuna chooses, each on the whole grid.

The points of a search are files, so that a search that was stopped goes on with them; Optuna is told of the finished
ones as if it had just asked for them, and keeps no files of its own.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dfst.errors import FileFormatError, MissingExtraError
from dfst.files import make_folder, write_atomically
from dfst.records import read_json
from dfst.sweep.rows import ResultSet, Row
from dfst.sweep.shard import Shard
from dfst.sweep.sweep_file import Range, Sweep
from dfst.sweep.trial import Trial, trials

_WHOLE = {"n", "digits", "hidden_dim", "iterations", "batch", "first_visible"}
_UPWARDS = {"exact", "rlg"}
"""Goals of which more is better."""


class Grid:
    """All trials of the grid, or those of one shard, at once."""

    def __init__(self, sweep: Sweep, shard: Shard | None = None) -> None:
        everything = list({trial.name: trial for trial in trials(sweep)}.values())  # two paths may lead to one task
        self._all = shard.part(everything) if shard else everything
        self._given = False
        self.total = len(self._all)

    def known(self) -> list[Trial]:
        """The trials so far."""
        return self._all

    def complete(self, results: ResultSet) -> bool:
        """Whether no further trials will be wanted."""
        return True

    def more(self) -> list[Trial]:
        """The next trials; none if there are no more."""
        given, self._given = self._given, True
        return [] if given else self._all

    def learn(self, trial: Trial, row: Row | None) -> None:
        """Nothing to learn."""

    def row_of(self, trial: Trial, results: ResultSet) -> Row | None:
        """The row is not needed."""
        return None


class Searcher:
    """Points that Optuna's TPE sampler chooses, each judged by its mean over the sweep's grid."""

    def __init__(self, sweep: Sweep, folder: Path) -> None:
        assert sweep.search is not None
        self._sweep, self._search = sweep, sweep.search
        asked = json.dumps([asdict(sweep.search) | {"points": 0}, sorted(sweep.grid.items())], default=str)
        self._folder = folder / f"search-{hashlib.sha256(asked.encode()).hexdigest()[:8]}"
        self._optuna = _optuna()
        up = self._search.goal in _UPWARDS
        stored = sorted(self._folder.glob("[0-9]*.json"))[: self._search.points]
        sampler = self._optuna.samplers.TPESampler(seed=self._search.seed + len(stored), constant_liar=True)
        self._study = self._optuna.create_study(direction="maximize" if up else "minimize", sampler=sampler)
        self._points = [self._read(path) for path in stored]
        self._next = 0
        self._asked: dict[int, Any] = {}
        self._open: dict[int, dict[str, Row | None]] = {}
        self._owner: dict[str, set[int]] = {}
        self._known: dict[str, Trial] = {}
        self.total = self._search.points * len(sweep.points())
        for chosen in _extremes(self._search.ranges):
            trials(sweep, chosen)  # refuses what no run could use
        for chosen in self._points:
            self._known |= {trial.name: trial for trial in trials(sweep, chosen)}

    def known(self) -> list[Trial]:
        """The trials of all points chosen so far."""
        return list(self._known.values())

    def complete(self, results: ResultSet) -> bool:
        """Whether all points have been chosen."""
        return len(self._points) >= self._search.points

    def more(self) -> list[Trial]:
        """The trials of the next point: one of an earlier session, or a new one."""
        number = self._next
        if number >= self._search.points:
            return []
        self._next += 1
        if number < len(self._points):
            self._study.enqueue_trial(self._points[number])
        asked = self._study.ask({name: _distribution(self._optuna, name, r) for name, r in self._search.ranges.items()})
        chosen = dict(asked.params) if number == len(self._points) else self._points[number]
        point = trials(self._sweep, chosen)
        if number == len(self._points):
            self._points.append(chosen)
            make_folder(self._folder)
            write_atomically(self._folder / f"{number:06d}.json", json.dumps(chosen).encode())
        self._asked[number] = asked
        self._open[number] = {trial.name: None for trial in point}
        for trial in point:
            self._known[trial.name] = trial
            self._owner.setdefault(trial.name, set()).add(number)
        return point

    def learn(self, trial: Trial, row: Row | None) -> None:
        """Tell Optuna of a point when the last of its trials has ended."""
        for number in self._owner.get(trial.name, set()):
            rows = self._open[number]
            rows[trial.name] = row
            ended = [row for row in rows.values() if row is not None]
            if len(ended) == len(rows) and number in self._asked:
                values = [value for row in ended if (value := _value(row, self._search.goal)) is not None]
                asked = self._asked.pop(number)
                if len(values) < len(ended):
                    self._study.tell(asked, state=self._optuna.trial.TrialState.FAIL)
                else:
                    self._study.tell(asked, math.fsum(values) / len(values))

    def row_of(self, trial: Trial, results: ResultSet) -> Row | None:
        """The row of a trial that was done before."""
        return results.row(trial.name)

    def _read(self, path: Path) -> dict[str, Any]:
        what, do = "it is not a point of this search", "Remove it and go on."
        point = read_json(path, what=what, do=do)
        if not isinstance(point, dict) or set(point) != set(self._search.ranges):
            raise FileFormatError(what, where=str(path), do=do)
        return point


def _value(row: Row, goal: str) -> float | None:
    """What the goal says of a row; a trial without a result is not exact, and has no loss."""
    if goal == "exact":
        return float(bool(row.get("exact")))
    value = row.get(goal)
    return None if value is None or math.isnan(value) else float(value)


def _extremes(ranges: dict[str, Range]) -> Iterator[dict[str, Any]]:
    """Points with every choice and both ends of every range, the others at their first."""
    ends = {name: _ends(name, span) for name, span in ranges.items()}
    first = {name: values[0] for name, values in ends.items()}
    yield first
    for name, values in ends.items():
        for value in values[1:]:
            yield first | {name: value}


def _ends(name: str, span: Range) -> tuple[Any, ...]:
    if span.choices:
        return span.choices
    return (math.ceil(span.low), math.floor(span.high)) if name in _WHOLE else (span.low, span.high)


def _distribution(optuna: Any, name: str, span: Range) -> Any:
    kinds = optuna.distributions
    if span.choices:
        return kinds.CategoricalDistribution(span.choices)
    kind = kinds.IntDistribution if name in _WHOLE else kinds.FloatDistribution
    return kind(*_ends(name, span), log=span.log)


def _optuna() -> Any:
    import warnings

    try:
        import optuna
    except ImportError:
        raise MissingExtraError("a search", "sweep") from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.filterwarnings("ignore", category=optuna.exceptions.ExperimentalWarning)
    return optuna
