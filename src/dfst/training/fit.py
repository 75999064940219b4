"""Training as a plain function."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from typing import Literal, NamedTuple, get_args

import numpy as np

from dfst.errors import DfstError, InputError, MissingExtraError
from dfst.traces.consistency import check_traces
from dfst.traces.traces import Traces
from dfst.training.engine import Engine, TrainState, learning_rate
from dfst.training.model import DFST
from dfst.training.recipes import Recipe

EngineName = Literal["fused", "jax", "associative"]
"""fused: numba, on the CPU. jax: the same on any device. associative: jax by the paper's log-parallel scan."""

ENGINES: tuple[EngineName, ...] = get_args(EngineName)

RECORDS = 200
"""Records per run, evenly spaced over the iterations."""

_SECONDS_PER_BLOCK = 0.3
"""Compiled code runs about this long before Python may look at the keyboard."""


class Record(NamedTuple):
    """What is written down now and then: means since the last record, and counts since the beginning."""

    iteration: int
    loss: float
    learning_rate: float
    gradient_norm: float
    nonfinite: int
    seconds: float


@dataclass(frozen=True, repr=False)
class History:
    """The records of a run, and the loss on the whole data set at full length at its end."""

    records: tuple[Record, ...]
    final_loss: float

    def __repr__(self) -> str:
        last = f", {self.records[-1].iteration} iterations" if self.records else ""
        return f"<History: {len(self.records)} records{last}, final loss {self.final_loss:.2e}>"


class Progress(NamedTuple):
    """Where a run stands, after every block, and a record if one is due.

    ``state()`` is where it is by now, and ``model()`` its model; ``iterations`` is where the run ends; ``stage`` names
    the part of a run that has several.
    """

    iteration: int
    loss: float
    record: Record | None
    state: Callable[[], TrainState]
    iterations: int = 0
    stage: str = ""

    def model(self) -> DFST:
        """The model so far."""
        return self.state().model


class DivergedError(DfstError):
    """The gradient was not finite, and the recipe said stop; or it has not been finite for a long time."""


_LOST = 1000
"""After so many gradients in a row that are not finite, no later batch is expected to bring the model back."""


def check_engine(name: str) -> None:
    """Refuse an engine that does not exist, or whose optional dependency is missing, before anything is begun."""
    if name not in ENGINES:
        raise InputError(f"there is no engine {name!r}", where="engine", do=f"Use {', '.join(ENGINES)}.")
    if name != "fused" and not (find_spec("jax") and find_spec("optax")):
        raise MissingExtraError("The JAX engine", "jax")


def make_engine(
    name: EngineName, state: TrainState, traces: Traces, recipe: Recipe, *, seed: int, threads: int = 0
) -> Engine:
    """The engine called ``name``."""
    check_engine(name)
    if name != "fused":
        from dfst.training.jax_engine import JaxEngine

        return JaxEngine(state, traces, recipe, seed=seed, associative=name == "associative")
    from dfst.training.fused import FusedEngine

    return FusedEngine(state, traces, recipe, seed=seed, threads=threads)


def training(engine: Engine, recipe: Recipe, start: int = 0) -> Iterator[Progress]:
    """Drive ``engine`` from iteration ``start`` to the recipe's end, yielding after every block.

    What is trained does not depend on how the iterations are cut into blocks, nor on who is watching.
    """
    interval = max(1, recipe.iterations // RECORDS)
    iteration, block, began = start, 1, time.monotonic()
    losses: list[np.ndarray] = []
    norms: list[np.ndarray] = []
    lost, nonfinite = 0, engine.nonfinite
    while iteration < recipe.iterations:
        until_record = interval - iteration % interval
        before = time.monotonic()
        count = min(block, until_record, recipe.iterations - iteration)
        result = engine.advance(count)
        took = time.monotonic() - before
        if result.stopped:
            raise _diverged(engine, iteration + len(result.losses) - 1, f"the recipe {recipe.name!r} stops there")
        iteration += count
        losses.append(result.losses)
        norms.append(result.norms)
        record = None
        if iteration % interval == 0 or iteration == recipe.iterations:
            mean_loss, mean_norm = (float(np.mean(np.concatenate(values))) for values in (losses, norms))
            rate = float(learning_rate(np.array([iteration]), recipe)[0])
            record = Record(iteration, mean_loss, rate, mean_norm, engine.nonfinite, time.monotonic() - began)
            skipped = engine.nonfinite - nonfinite
            lost = lost + skipped if skipped == sum(map(len, norms)) else 0
            losses, norms, nonfinite = [], [], engine.nonfinite
        yield Progress(iteration, float(result.losses[-1]), record, engine.state, recipe.iterations)
        if lost >= _LOST:
            raise _diverged(engine, iteration - lost, f"did so {lost:,} times in a row: nothing is learned any more")
        block = max(1, min(10 * block, int(count * _SECONDS_PER_BLOCK / max(took, 1e-6))))


def _diverged(engine: Engine, iteration: int, then: str) -> DivergedError:
    what = f"the gradient or its square overflowed {engine.state().model.h0.dtype}, and {then}"
    do = "Clip the gradient (clip = 1), let the visible prefix grow (growth = 0.3), or lower the rate."
    return DivergedError(what, where=f"iteration {iteration}", do=do)


def fit(
    start: DFST | TrainState,
    traces: Traces,
    recipe: Recipe,
    *,
    seed: int = 42,
    engine: EngineName = "fused",
    threads: int = 0,
    callbacks: Sequence[Callable[[Progress], None]] = (),
) -> tuple[DFST, History]:
    """Train from ``start``, a model or where a training was, on ``traces``: (the trained model, what happened).

    Traces that contradict themselves or each other, or never halt, are refused. A model that does not know how problems
    stand on the grid takes that from the traces, if they know. ``callbacks`` (called with a :class:`Progress`) and
    ``threads`` are those of :func:`dfst.fit`. The first call compiles for some seconds; compiled code is kept on disk.

    >>> import dfst
    >>> from dfst.training.model import identity_model, loss
    >>> traces, few = dfst.sample("add2"), dfst.recipe("fast", "add2").changed(iterations=300)
    >>> start = identity_model(traces.world, 12)
    >>> model, history = fit(start, traces, few)
    >>> history.final_loss < 0.5 < loss(start, traces)
    True
    """
    check_traces(traces)
    if isinstance(start, DFST):
        if start.layout is None:
            start = replace(start, world=replace(start.world, layout=traces.layout))
        start = TrainState.start(start)
    trainer = make_engine(engine, start, traces, recipe, seed=seed, threads=threads)
    records = []
    for progress in training(trainer, recipe, start.iteration):
        if progress.record:
            records.append(progress.record)
        for callback in callbacks:
            callback(progress)
    return trainer.state().model, History(tuple(records), trainer.loss())
