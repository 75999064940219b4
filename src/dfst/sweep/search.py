"""A search: points that Optuna chooses by asking and telling, each tried on the whole grid of the sweep.

The points are files, so that a search that was stopped resumes with them; Optuna is told of the finished ones as if it
had just asked for them, and keeps no files of its own.
"""

from __future__ import annotations

import hashlib
import json
import math
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from dfst.errors import FileFormatError, MissingExtraError
from dfst.files import make_folder, write_atomically
from dfst.records import read_json
from dfst.sweep.rows import Row
from dfst.sweep.sweep_file import Range, Search, Sweep
from dfst.sweep.trial import Trial, trials

_WHOLE = {"n", "digits", "hidden_dim", "iterations", "batch", "first_visible"}
_UPWARDS = {"exact", "rlg"}
"""Goals of which more is better."""


def searched(sweep: Sweep, search: Search, folder: Path, row_of: Callable[[str], Row | None]) -> Iterator[list[Trial]]:
    """The trials of one point after the other; ``row_of`` a trial's name is None until it has ended.

    What no training run could use is refused at once, before anything is written.
    """
    try:
        import optuna
    except ImportError:
        raise MissingExtraError("a search", "sweep") from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    warnings.filterwarnings("ignore", category=optuna.exceptions.ExperimentalWarning)
    ends = {name: _ends(name, span) for name, span in search.ranges.items()}
    first = {name: values[0] for name, values in ends.items()}
    for name, value in ((name, value) for name, values in ends.items() for value in values):
        trials(sweep, first | {name: value})
    asked = json.dumps([asdict(search) | {"points": 0}, sorted(sweep.grid.items())], default=str)
    return _points(optuna, sweep, search, folder / f"search-{hashlib.sha256(asked.encode()).hexdigest()[:8]}", row_of)


def _points(
    optuna: Any, sweep: Sweep, search: Search, folder: Path, row_of: Callable[[str], Row | None]
) -> Iterator[list[Trial]]:
    stored = [_read(path, search) for path in sorted(folder.glob("[0-9]*.json"))[: search.points]]
    sampler = optuna.samplers.TPESampler(seed=search.seed + len(stored), constant_liar=True)
    study = optuna.create_study(direction="maximize" if search.goal in _UPWARDS else "minimize", sampler=sampler)
    kinds, spans = optuna.distributions, {}
    for name, span in search.ranges.items():
        kind = kinds.IntDistribution if name in _WHOLE else kinds.FloatDistribution
        ends = _ends(name, span)
        spans[name] = kinds.CategoricalDistribution(ends) if span.choices else kind(*ends, log=span.log)
    open_points: list[tuple[Any, list[Trial]]] = []
    for number in range(search.points):
        for point in list(open_points):
            rows = [row for trial in point[1] if (row := row_of(trial.name)) is not None]
            if len(rows) == len(point[1]):
                open_points.remove(point)
                values = [value for row in rows if (value := _value(row, search.goal)) is not None]
                failed = len(values) < len(rows)
                state = optuna.trial.TrialState.FAIL if failed else optuna.trial.TrialState.COMPLETE
                study.tell(point[0], None if failed else math.fsum(values) / len(values), state)
        if number < len(stored):
            study.enqueue_trial(stored[number])
        asked = study.ask(spans)
        chosen = stored[number] if number < len(stored) else dict(asked.params)
        wanted = trials(sweep, chosen)
        if number >= len(stored):
            make_folder(folder)
            write_atomically(folder / f"{number:06d}.json", json.dumps(chosen).encode())
        open_points.append((asked, wanted))
        yield wanted


def _read(path: Path, search: Search) -> dict[str, Any]:
    what, do = "it is not a point of this search", "Remove it and go on."
    point = read_json(path, what=what, do=do)
    if not isinstance(point, dict) or set(point) != set(search.ranges):
        raise FileFormatError(what, where=str(path), do=do)
    return point


def _value(row: Row, goal: str) -> float | None:
    """What the goal says of a row; a trial without a result is not exact, and has no loss."""
    if goal == "exact":
        return float(bool(row.get("exact")))
    value = row.get(goal)
    return None if value is None or math.isnan(value) else float(value)


def _ends(name: str, span: Range) -> tuple[Any, ...]:
    if span.choices:
        return span.choices
    return (math.ceil(span.low), math.floor(span.high)) if name in _WHOLE else (span.low, span.high)
