"""How many bits a machine and what it does not explain of a log take, and steps that make them fewer.

A rule costs the bits that name its next state and its output, the fewer the more rules name the same; a record that
the machine does not explain costs those that name the record and its output. So a record that nothing else supports is
not worth a rule, and one that is repeated is. A step makes two states one, lets a rule lead elsewhere, or gives it a
state of its own to lead to.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from dfst.effort import Effort
from dfst.extraction.description_kernels import described, folded, led
from dfst.shapes import Int32, Int64
from dfst.traces.traces import Traces

_SPARE = 8
"""States that a search may add in a round."""

CLEAN, NOISY = 5, 1
"""A record that is not explained costs this many times the bits that name it, in a log that is meant to be right and in
one that is known to hold mistakes."""


class Log(NamedTuple):
    """Conversations as numbers: each step's input and output (-1: unknown), conversation i from ``first[i]``."""

    seen: Int32[np.ndarray, " steps"]
    answers: Int32[np.ndarray, " steps"]
    first: Int64[np.ndarray, " boundaries"]
    inputs: list[int]
    outputs: Int64[np.ndarray, " O"]

    @classmethod
    def of(cls, traces: Traces) -> Log:
        """The log without its ends, which say nothing."""
        inputs = [traces.alphabet.index[symbol] for symbol in traces.world.inputs]
        place, inside = np.zeros(len(traces.alphabet), np.int32), answering(traces)
        place[inputs] = range(len(inputs))
        written, known = traces.written[inside], ~traces.unknown[inside]
        outputs, answers = np.unique(written[known], return_inverse=True)
        answered = np.full(len(written), -1, np.int32)
        answered[known] = answers
        first = traces.offsets - np.arange(len(traces.offsets))
        return cls(place[traces.seen[inside]], answered, first, inputs, outputs.astype(np.int64))


def answering(traces: Traces) -> np.ndarray:
    """Which steps answer an input: all but the ends."""
    inside = np.ones(len(traces.seen), bool)
    inside[traces.offsets[1:] - 1] = False
    return inside


class _Rest(NamedTuple):
    """Conversations to look at, and what the others come to: their records, and how many have no rule."""

    which: Int64[np.ndarray, " number"]
    records: Int32[np.ndarray, "S X O"]
    lost: int


class _Now(NamedTuple):
    """What a machine makes of a log: the state before every step, its records, and how many have no rule."""

    states: Int64[np.ndarray, " steps"]
    records: Int32[np.ndarray, "S X O"]
    lost: int


class Description:
    """A machine without outputs, which are those of the most records, and what it costs."""

    def __init__(self, log: Log, following: Int32[np.ndarray, "S X"], start: int, effort: Effort, dearer: int) -> None:
        self.log, self.effort = log, effort
        self._answer = math.log2(max(2, len(log.outputs)))
        self._wrong = dearer * (math.log2(max(2, len(log.seen))) + self._answer)
        self._take(following, start)
        self.bits = self._cost(following, start)

    def _take(self, following: Int32[np.ndarray, "S X"], start: int) -> None:
        """Go on from a machine, with some states to spare."""
        self.following = np.concatenate([following, np.full((_SPARE, len(self.log.inputs)), -1, np.int32)])
        self.start, self.errors = start, 0
        self._table = np.zeros((*self.following.shape, len(self.log.outputs)), np.int32)
        most = self.following.size + max(self._table.shape)
        self._factorials = np.cumsum(np.log(np.maximum(1, np.arange(most + 1))))
        self._rest = _Rest(np.arange(len(self.log.first) - 1), np.zeros_like(self._table), 0)

    def _forget_unused(self) -> None:
        """Leave out the states to which no conversation comes."""
        states, used = states_along(self.following, self.start, self.log), np.zeros(len(self.following), bool)
        known = states >= 0
        reached = self.following[states[known], self.log.seen[known]]
        used[states[known]], used[reached[reached >= 0]] = True, True
        new = np.where(used, np.cumsum(used) - 1, -1).astype(np.int32)
        following = self.following[used]
        self._take(np.where(following >= 0, new[following], -1).astype(np.int32), int(new[self.start]))

    def _cost(self, following: Int32[np.ndarray, "S X"], start: int, rest: _Rest | None = None) -> float:
        """The bits of another machine, which treats conversations outside ``rest`` alike, if it is given."""
        rules, self.errors, _ = self._described(following, start, rest or self._rest)
        return rules + self.errors * self._wrong

    def _described(
        self, following: Int32[np.ndarray, "S X"], start: int, rest: _Rest, sign: int = 1
    ) -> tuple[float, int, int]:
        log = self.log
        self.effort.over(len(log.seen) * len(rest.which) // (len(log.first) - 1) + self._table.size)
        return described(following, start, log[:3], rest.which, sign, *rest[1:], self._table, self._factorials)

    def _through(self, q: int, x: int, now: _Now) -> _Rest:
        """The conversations that use a rule, and what the machine makes of the others."""
        at = np.flatnonzero((now.states == q) & (self.log.seen == x))
        which = np.unique(np.searchsorted(self.log.first, at, "right") - 1)
        *_, lost = self._described(self.following, self.start, _Rest(which, now.records, now.lost), -1)
        return _Rest(which, self._table.copy(), lost)

    def _now(self) -> _Now:
        """The state before every step, and what the machine makes of the log."""
        *_, lost = self._described(self.following, self.start, self._rest)
        return _Now(states_along(self.following, self.start, self.log), self._table.copy(), lost)

    def records(self) -> Int32[np.ndarray, "S X O"]:
        """How often each state gave each output to each input."""
        self._cost(self.following, self.start)
        return self._table.copy()

    def search(self) -> None:
        """Until no step makes it shorter, or the effort ends."""
        while not self.effort.reached:
            self._merge()
            self._forget_unused()
            if not (self._redirect() | self._split()):
                return

    def _merge(self) -> None:
        """Merge states, first those that records set apart least."""
        failed = set[tuple[int, int]]()
        while not self.effort.reached:
            table = self.records()
            errors, seen = self.errors, table.sum(axis=2)
            best, left_out = None, False
            for apart, alike, a, b in self._pairs(table):
                if best is not None and apart > max(0, best[0][0]):
                    break
                if (a, b) in failed:
                    left_out = True
                    continue
                for following, start in (self._onto(a, b, seen), folded(self.following, a, b, self.start)):
                    bits = self._cost(following, start)
                    if bits < self.bits and (best is None or (self.errors - errors, alike, bits) < best[0]):
                        best = (self.errors - errors, alike, bits), following, start
                if best is not None and best[0][0] <= 0:
                    break
                failed.add((a, b))
            if left_out and (best is None or best[0][0] > 0):
                failed.clear()  # what failed before other states were merged may not fail now
            elif best is None:
                break
            else:
                (_, _, self.bits), self.following, self.start = best

    def _pairs(self, table: Int32[np.ndarray, "S X O"]) -> list[tuple[int, int, int, int]]:
        """(records that set them apart, minus the records of what both have seen, kept, gone), the best first."""
        seen = table.sum(axis=2)
        weight, wrong = seen.sum(axis=1), (seen - table.max(axis=2)).sum(axis=1)
        states = [int(q) for q in np.argsort(weight, kind="stable") if weight[q]]
        found = []
        for i, b in enumerate(states[:-1]):
            others = np.array(states[i + 1 :])
            together = table[others] + table[b]
            apart = (together.sum(axis=2) - together.max(axis=2)).sum(axis=1) - wrong[others] - wrong[b]
            alike = np.minimum(seen[others], seen[b]).sum(axis=1)
            saved = (seen[b] > 0).sum() * (math.log2(max(2, len(states))) + self._answer)
            for k in np.flatnonzero((apart - 1) * self._wrong <= 2 * saved):
                found.append((int(apart[k]), -int(alike[k]), int(others[k]), b))
        return sorted(found)

    def _onto(self, a: int, b: int, seen: np.ndarray) -> tuple[Int32[np.ndarray, "S X"], int]:
        """The machine with b put into a: each rule leads where that of the two with more records leads."""
        following = self.following.copy()
        mine = ((seen[a] >= seen[b]) & (following[a] >= 0)) | (following[b] < 0)
        following[a] = np.where(mine, following[a], following[b])
        following[following == b] = a
        return following, a if self.start == b else self.start

    def _redirect(self) -> bool:
        """Let each rule lead to the state with which the description is shortest; whether any leads elsewhere."""
        now = self._now()
        seen = now.records.sum(axis=2)
        targets, changed = np.flatnonzero(seen.any(axis=1)).tolist(), False
        for q, x in np.argwhere(seen).tolist():
            if self.effort.reached:
                break
            before = best = int(self.following[q, x])
            rest = self._through(q, x, now)
            for target in targets:
                if target == best or self.effort.reached:
                    continue
                self.following[q, x] = target
                if (bits := self._cost(self.following, self.start, rest)) < self.bits:
                    self.bits, best = bits, target
            self.following[q, x] = best
            if best != before:
                now, changed = self._now(), True
        return changed

    def _split(self) -> bool:
        """Give a rule a state of its own to lead to, a copy of the one it led to; whether any has got one."""
        changed = False
        while not self.effort.reached:
            now = self._now()
            seen = now.records.sum(axis=2)
            weight, best = seen.sum(axis=1), (self.bits, 0, 0)
            spare = next((q for q in np.flatnonzero(weight == 0).tolist() if q != self.start), None)
            if spare is None:
                break
            for p, x in np.argwhere(seen).tolist():
                q = int(self.following[p, x])
                if q >= 0 and weight[q] > seen[p, x]:
                    rest = self._through(p, x, now)
                    self.following[p, x], self.following[spare] = spare, self.following[q]
                    best = min(best, (self._cost(self.following, self.start, rest), p, x))
                    self.following[p, x] = q
            if best[0] == self.bits:
                break
            self.bits, p, x = best
            self.following[spare] = self.following[self.following[p, x]]
            self.following[p, x], changed = spare, True
        return changed


def states_along(following: Int32[np.ndarray, "S X"], start: int, log: Log) -> Int64[np.ndarray, " steps"]:
    """The state before every step of the log; -1 where the machine has no rule any more."""
    states = np.empty(len(log.seen), np.int64)
    led(following, start, log.seen, log.first, states)
    return states
