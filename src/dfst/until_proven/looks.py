"""Training that pauses where somebody looks at it: at fixed iterations, so that what is seen is always the same."""

from __future__ import annotations

import time
from collections.abc import Callable

from dfst.errors import DfstError
from dfst.runs.run_config import RunConfig
from dfst.traces.traces import Traces
from dfst.training.engine import TrainState
from dfst.training.fit import RECORDS, Progress, make_engine, training

Watch = Callable[[Progress], None]


class OutOfTime(DfstError):
    """The seconds that were given have passed."""


def look_interval(iterations: int, looks: int) -> int:
    """How many iterations lie between two of so many ``looks``.

    >>> look_interval(60_000, 40)
    1500
    """
    return RECORDS // looks * max(1, iterations // RECORDS)


def next_look(
    state: TrainState,
    traces: Traces,
    config: RunConfig,
    looks: int,
    watch: Watch | None = None,
    deadline: float | None = None,
) -> TrainState:
    """``state`` trained on ``traces`` to the next of so many ``looks``; :class:`OutOfTime` if the time is up before."""
    interval = look_interval(config.recipe.iterations, looks)
    engine = make_engine(config.engine, state, traces, config.recipe, seed=config.seed, threads=config.threads)
    for progress in training(engine, config.recipe, state.iteration):
        if watch is not None:
            watch(progress)
        check_time(deadline)
        if progress.iteration % interval == 0:
            break
    return engine.state()


def check_time(deadline: float | None) -> None:
    """End with :class:`OutOfTime` if the time is up."""
    if deadline is not None and time.monotonic() > deadline:
        raise OutOfTime("the time was up before it was learned", do="Give it more --seconds.")
