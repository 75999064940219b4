"""A log without a reference: some of its conversations are kept back, and show how good what was learned is.

Those to choose by decide which snapshot is taken; those to judge by had no part in anything.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dfst.seeds import Stream
from dfst.traces.consistency import called
from dfst.traces.coverage import followed
from dfst.traces.logs import only_conversations
from dfst.traces.traces import UNKNOWN, Traces
from dfst.training.model import DFST
from dfst.training.recall import actions_along
from dfst.until_proven.looking import Look, Snapshot
from dfst.world.machine import GridMachine

_SHARE, _MOST, _LEAST = 10, 1000, 20
"""One conversation of so many is kept back for each of the two, at most so many; of fewer in all, none."""

_SHOWN = 20
"""Of the conversations that a machine answers otherwise, so many are said."""

_PATIENCE = 5
"""So many snapshots in a row that are no better than the best one before them end the training."""


class Kept(NamedTuple):
    """What is left to learn from, and what is kept back."""

    learn: Traces
    choose: Traces
    judge: Traces


def keep_back(traces: Traces) -> Kept | None:
    """The conversations of a log in three parts, for ever the same; None if they are too few, or none.

    A conversation proves nothing whose inputs another one begins with, or of which nothing is known: it is not kept
    back.
    """
    if not only_conversations(traces) or len(traces) < _LEAST:
        return None
    stream, order = Stream(0, "held out"), [*range(len(traces))]
    number = min(_MOST, len(order) // _SHARE)
    chosen = [order.pop(stream.below(len(order))) for _ in range(2 * number)]
    inputs = [trace.seen[:-1].tobytes() for trace in traces]
    learned = sorted(inputs[i] for i in order)

    def tells(i: int) -> bool:
        longer = learned[bisect_left(learned, inputs[i]) :][:1]
        known = traces[i].written[:-1] != UNKNOWN
        return bool(known.any()) and not any(each.startswith(inputs[i]) for each in longer)

    back = [i for i in chosen if tells(i)]
    if len(back) < 2:
        return None
    left = sorted({*range(len(traces))} - {*back})
    choose, judge = (sorted(half) for half in (back[: len(back) // 2], back[len(back) // 2 :]))
    return Kept(*(traces.part(numbers) for numbers in (left, choose, judge)))


@dataclass(frozen=True)
class HeldOut:
    """Of so many conversations that had no part in learning, those answered right to the end.

    ``against`` names the conversations kept back, for whatever reason, that the machine answers otherwise.
    """

    number: int
    machine: int
    network: int | None
    against: tuple[str, ...] = ()

    @classmethod
    def of(cls, machine: GridMachine, model: DFST | None, judge: Traces, *others: Traces) -> HeldOut:
        """What a machine and its network, if it has one, make of them; where a conversation may end does not matter."""
        network = None
        if model is not None:
            right = (actions_along(model, judge)[0] == judge.written) | judge.unknown
            right[judge.offsets[1:] - 1] = True
            network = int(np.logical_and.reduceat(right, judge.offsets[:-1]).sum())
        return cls(len(judge), answered(machine, judge), network, otherwise(machine, judge, *others))

    def explain(self) -> str:
        """In words."""
        share = f"{self.machine:,} of {self.number:,} held-out conversations right to the end"
        share += "" if self.network is None else f", the network {self.network:,}"
        against = f"\nkept back, and answered otherwise: {some(self.against)}"
        return f"the machine answers {share}{against if self.against else ''}"


def otherwise(machine: GridMachine, *logs: Traces) -> tuple[str, ...]:
    """The conversations that a machine answers otherwise, or not at all, each with the first input where it does."""
    found = list[str]()
    for log in logs:
        steps = followed(machine, log)[1]
        for i in np.flatnonzero(steps < log.lengths).tolist():
            found.append(f"{called(log, i)}, input {steps[i] + 1}")
    return tuple(found)


def some(cases: Sequence[str]) -> str:
    """The first of many conversations, in words."""
    return "; ".join(cases[:_SHOWN]) + (f" and {len(cases) - _SHOWN:,} more" if len(cases) > _SHOWN else "")


def answered(machine: GridMachine, traces: Traces) -> int:
    """How many conversations a machine answers right to the end."""
    return int((followed(machine, traces)[1] == traces.lengths).sum())


class Choice:
    """The best snapshot so far, by the conversations to choose by."""

    def __init__(self, traces: Traces) -> None:
        self.traces, self.best, self.right, self._since = traces, None, -1, 0
        self.best: Snapshot | None

    def look(self, snapshot: Snapshot) -> tuple[Look, Snapshot | None]:
        """What is seen of a snapshot; and the best one, as soon as no better one is to be expected."""
        assert snapshot.extraction is not None
        machine, number = snapshot.extraction.machine, len(self.traces)
        right = answered(machine, self.traces)
        self._since += 1
        if right > self.right:
            self.best, self.right, self._since = snapshot, right, 0
        done = self.right == number or self._since == _PATIENCE
        said = f"{right:,} of {number:,} conversations to choose by are right to the end"
        return Look(snapshot.iterations, 0, len(machine.states), said), self.best if done else None
