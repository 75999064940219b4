"""The machine that describes a log most shortly: few rules, and few records that it does not explain.

The search begins with machines whose states are too many, groups of a network's hidden states, and takes one step after
another that makes the description shorter (:mod:`dfst.extraction.description`). No teacher and no reference is used.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from dfst.effort import Effort
from dfst.extraction.description import CLEAN, Description, Log, answering, states_along
from dfst.extraction.groups import groups, successors, told_by_the_future
from dfst.seeds import Stream
from dfst.shapes import Int32
from dfst.traces.traces import UNKNOWN, Traces
from dfst.training.model import DFST
from dfst.training.recall import actions_along
from dfst.world.machine import HALTED, UNDEFINED, GridMachine
from dfst.world.moves import Move

GROUPS = (1, 2, 3)
"""Groups of hidden states that a search begins with, for each hidden dimension."""

WORK = 3_000_000_000
"""Steps along which a search leads the machines that it tries, at most."""


@dataclass(frozen=True, eq=False)
class Shortest:
    """A machine, the ``bits`` that it and what it does not explain take, and the log as the machine answers it.

    What is not known there is not known here; nor is what the machine has no rule for.
    """

    machine: GridMachine
    bits: float
    traces: Traces


def shortest(
    model: DFST,
    traces: Traces,
    also: Sequence[GridMachine] = (),
    *,
    dearer: int = CLEAN,
    seconds: float | None = None,
) -> Shortest:
    """The shortest description of the conversations in ``traces`` that is found from ``model``'s hidden states.

    ``also`` are machines that the search begins with, too; one that it does not shorten is handed back as it is. The
    fewer mistakes the log may hold, the ``dearer`` is a record that is not explained.
    """
    log, effort = Log.of(traces), Effort(WORK, seconds)
    best: Description | None = None
    known: GridMachine | None = None
    for machine, following, start in _beginnings(model, traces, log, also):
        found = Description(log, following, start, effort, dearer)
        before = found.bits
        found.search()
        if best is None or found.bits < best.bits:
            best, known = found, machine if found.bits == before else None
        if effort.reached:
            break
    assert best is not None
    machine, steps = known or _machine_of(best, model, traces), np.flatnonzero(answering(traces) & ~traces.unknown)
    states = states_along(machine.next_state[:, log.inputs], machine.start, log)[~traces.unknown[answering(traces)]]
    symbols, written = traces.seen[steps], traces.written.copy()
    ruled = (states >= 0) & (machine.next_state[states, symbols] != UNDEFINED)
    written[steps] = np.where(ruled, machine.written[states, symbols], UNKNOWN)
    return Shortest(machine, best.bits, replace(traces, written=written))


def _beginnings(
    model: DFST, traces: Traces, log: Log, also: Sequence[GridMachine]
) -> Iterator[tuple[GridMachine | None, Int32[np.ndarray, "S X"], int]]:
    for machine in also:
        yield machine, np.maximum(machine.next_state[:, log.inputs], -1).astype(np.int32), machine.start
    points = told_by_the_future(model, traces, log.inputs)
    for times in GROUPS:
        group = groups(points, times * model.hidden_dim, Stream(0, f"groups {times}"))
        yield None, successors(group, traces, log), int(group[0])


def _machine_of(found: Description, model: DFST, traces: Traces) -> GridMachine:
    """The machine with the outputs of most records; where two have as many, with that of them that the model gives."""
    log, alphabet = found.log, traces.alphabet
    states, place = states_along(found.following, found.start, log), np.full(len(alphabet), -1)
    place[log.outputs] = range(len(log.outputs))
    said = place[actions_along(model, traces)[0][answering(traces)]]
    table, votes = found.records(), np.zeros((*found.following.shape, len(log.outputs)))
    known = (said >= 0) & (states >= 0)
    np.add.at(votes, (states[known], log.seen[known], said[known]), 1)
    votes = table + votes / (votes.sum(axis=2, keepdims=True) + 1)
    used, order = np.zeros(found.following.shape, bool), [found.start]
    used[states[states >= 0], log.seen[states >= 0]] = True
    used &= found.following >= 0
    for q in order:
        order += [t for t in dict.fromkeys(found.following[q, used[q]].tolist()) if t not in order]
    number, shape = {q: i for i, q in enumerate(order)}, (len(order), len(alphabet))
    next_state, blank = np.full(shape, UNDEFINED, np.int32), alphabet.blank_index
    written, move = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    for q, x in np.argwhere(used).tolist():
        if q in number:
            at = number[q], log.inputs[x]
            next_state[at], move[at] = number[int(found.following[q, x])], Move.R
            written[at] = log.outputs[votes[q, x].argmax()]
    next_state[:, blank], written[:, blank], move[:, blank] = HALTED, blank, Move.S
    names = tuple(f"s{i}" for i in range(len(order)))
    return GridMachine(model.name or "extracted", model.world, names, 0, next_state, written, move)
