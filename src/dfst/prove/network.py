"""A network with rounded hidden state along a certificate: all the vectors that it can have at each of its members.

A certificate's members cover every step of every rollout of the teacher. So let each carry the vectors with which the
network can be there: the starts the rounded h0, and wherever a step leads, the vector after it. Vectors are finitely
many. If this ends, and the network always did what the teacher does, it does so on every input of every length.

Nothing of the certified learner is used but the members, which keep apart what the teacher alone would not.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from dfst.act.rounding import Rounding
from dfst.prove import checker, network_checker
from dfst.prove.abstraction import Precision
from dfst.prove.certificate import certificate, closed_set, learner_of
from dfst.prove.closure import EdgeOfRows
from dfst.prove.closure import close as closure_of
from dfst.shapes import Int64
from dfst.world.machine import GridMachine
from dfst.world.moves import Move

MOST_PAIRS, MOST_PRODUCTS = network_checker.MAX_PAIRS, 400_000
"""The closure is given up beyond so many pairs (member, vector), or products of a vector and a symbol."""

MOST_PATHS = 100
"""Of the paths to steps that are wrong, so many are told."""

MOST_MEMBERS, _RUNS = 20_000, 6
"""A finer certificate has at most so many abstract configurations; and how long a half it keeps as it is."""

_UNKNOWN, _NONE = -2, -1

_STRONGEST = (True, checker.CLAIM[False])
"""Of either part of a claim, what cannot be more."""


class CertificateSteps(NamedTuple):
    """The steps of a certificate's members. Those of member i are ``first[i]`` to ``first[i + 1]``.

    Each sees a symbol, makes an action (written · 5 + move), and leads to the members
    ``following[then[i] : then[i + 1]]``.
    """

    starts: tuple[int, ...]
    first: Int64[np.ndarray, " first"]
    seen: Int64[np.ndarray, " steps"]
    action: Int64[np.ndarray, " steps"]
    then: Int64[np.ndarray, " then"]
    following: Int64[np.ndarray, " edges"]


@dataclass(frozen=True)
class Closed:
    """How it ended: ``reason`` is empty if every step was the teacher's; then ``pairs`` is all there are.

    If a step was ``wrong``, ``paths`` are shortest ones to such steps: what is seen at each step. There may be no grid
    on which that is seen.
    """

    pairs: int
    vectors: int
    reason: str = ""
    wrong: bool = False
    paths: tuple[tuple[int, ...], ...] = field(default=(), repr=False)


def edges_of(content: dict[str, Any]) -> CertificateSteps:
    """The steps that a certificate, which the checker has verified, says its members have."""
    first, seen, actions, then, following = [0], [], [], [0], []
    for steps in network_checker.steps_of(content):
        for symbol, written, move, members in steps:
            seen.append(symbol)
            actions.append(written * len(Move) + move)
            following += members
            then.append(len(following))
        first.append(len(seen))
    return CertificateSteps(
        tuple(content["starts"]), *(np.array(each, np.int64) for each in (first, seen, actions, then, following))
    )


def finer(content: dict[str, Any], teacher: GridMachine) -> Iterator[dict[str, Any]]:
    """Certificates that claim no less than ``content``, and whose members keep more apart; the coarsest first.

    They remember that there are several equal cells, and then what the teacher can tell of every cell: on a path that
    no grid has, a network may do anything.
    """
    learner, everywhere = learner_of(content, teacher), frozenset(range(len(teacher.states)))
    for flow, least in ((frozenset[int](), 1), (everywhere, 1), (everywhere, 3)):
        precision = Precision(*content["rows"], runs=_RUNS, flow=flow, least=least)
        try:
            closure = closure_of(teacher, learner, precision, limit=MOST_MEMBERS, partial=True)
        except EdgeOfRows:  # it is so coarse in another respect that it thinks so
            continue
        if not closure.cut and not closure.disagreements:
            proof = certificate(teacher, learner, closed_set(closure))
            parts = ("rows", "sets", "columns", "halves", "starts", "members", "steps", "claim")
            found = {key: value for key, value in content.items() if key != "digest"} | {p: proof[p] for p in parts}
            found["digest"] = checker.sha256(found)
            no_less = (found["claim"][what] in (said, *_STRONGEST) for what, said in content["claim"].items())
            if all(no_less) and _holds(found):
                yield found


def _holds(content: dict[str, Any]) -> bool:
    """Whether a certificate says all that its closure rests on: the prover may remember more of a cell than it can say.

    >>> _holds({})
    False
    """
    try:
        checker.verify(content)
    except checker.Rejected:
        return False
    return True


class _VectorTable:
    """The vectors met so far, numbered, and what is done with each on each symbol, as far as it was asked."""

    def __init__(self, rounding: Rounding, symbols: int) -> None:
        self.rounding, self.products = rounding, 0
        self._number: dict[bytes, int] = {}
        d = len(rounding.weights.h0)
        self._rows, self._done = np.zeros((64, d), np.int32), np.full((64, symbols, 2), _UNKNOWN)

    def __len__(self) -> int:
        return len(self._number)

    def numbers(self, rows: Int64[np.ndarray, "n d"]) -> list[int]:
        """The number of each vector; of a row of zeros, which is none, _NONE."""
        found = []
        for row in rows.astype(np.int32):
            key = row.tobytes()
            if (number := self._number.get(key, _UNKNOWN)) == _UNKNOWN:
                if not row.any():
                    number = _NONE
                else:
                    number = self._number[key] = len(self._number)
                    if number == len(self._rows):
                        self._rows = np.concatenate([self._rows, np.zeros_like(self._rows)])
                        self._done = np.concatenate([self._done, np.full_like(self._done, _UNKNOWN)])
                    self._rows[number] = row
            found.append(number)
        return found

    def after(self, vectors: Int64[np.ndarray, " n"], seen: Int64[np.ndarray, " n"]) -> Int64[np.ndarray, "n 2"]:
        """(action or _NONE, number of the next vector or _NONE) of each vector on the symbol beside it."""
        asked = np.unique(np.stack([seen, vectors])[:, self._done[vectors, seen, 0] == _UNKNOWN], axis=1)
        self.products += asked.shape[1]
        for x in np.unique(asked[0]):
            numbers = asked[1, asked[0] == x]
            steps = self.rounding.steps(self._rows[numbers].astype(np.int64), int(x))
            action = np.where((steps.symbols < 0) | (steps.moves < 0), _NONE, steps.symbols * len(Move) + steps.moves)
            following = self.numbers(steps.after)
            self._done[numbers, x] = np.stack([action, following], axis=1)
        return self._done[vectors, seen]


def close(
    rounding: Rounding, edges: CertificateSteps, *, pairs: int = MOST_PAIRS, products: int = MOST_PRODUCTS
) -> Closed:
    """Follow every step of the certificate with every vector that the network can have there.

    >>> import dfst
    >>> from dfst.prove.certificate import load_certificate
    >>> from dfst.names import find_certificate
    >>> edges = edges_of(load_certificate(find_certificate("increment")))
    >>> close(Rounding(dfst.load("increment:raw").weights, 3), edges)
    Closed(pairs=16, vectors=2, reason='', wrong=False)
    """
    pairs = min(pairs, network_checker.MEMBER_PAIRS * (len(edges.first) - 1))  # the checker follows no more
    (k, d), taken = rounding.weights.A.shape[:2], 0
    vectors = _VectorTable(rounding, k)
    if rounding.start is None:
        return Closed(0, 0, "h0 cannot be rounded", wrong=True)
    members = np.array(edges.starts, np.int64)
    numbers = np.array(vectors.numbers(np.array([rounding.start])) * len(members))
    known = set((members << 32 | numbers).tolist())
    before: list[tuple[np.ndarray, np.ndarray]] = []  # of each pair: the place of that before it, and what was seen
    while len(members):
        which, step = _spread(edges.first, members)
        seen, taken = edges.seen[step], taken + len(step)
        done = vectors.after(numbers[which], seen)
        if (apart := np.flatnonzero(done[:, 0] != edges.action[step])).size:
            reason = f"in member {members[which[apart[0]]]} it acts differently"
            apart = apart[:MOST_PATHS].tolist()
            paths = tuple(_path(before, int(which[row]), int(seen[row])) for row in apart)
            return Closed(len(known), len(vectors), reason, True, paths)
        made, edge = _spread(edges.then, step)
        if (done[made, 1] == _NONE).any():
            return Closed(len(known), len(vectors), "a hidden state cannot be rounded", True)
        codes, first = np.unique(edges.following[edge] << 32 | done[made, 1], return_index=True)
        fresh = np.array([code not in known for code in codes.tolist()], bool)
        new, made = codes[fresh].tolist(), made[first[fresh]]
        before.append((which[made], seen[made]))
        known.update(new)
        work = network_checker.STEP_WORK * taken + vectors.products * d * (d + k + len(Move))
        for reached, limit, what in (
            (len(known), pairs, "pairs of member and vector"),
            (vectors.products, products, "products of vector and symbol"),
            (work, network_checker.MAX_WORK, "products of two numbers for the checker"),
        ):
            if reached > limit:
                return Closed(len(known), len(vectors), f"there are more than {limit:,} {what}")
        members, numbers = np.divmod(np.array(new, np.int64), 1 << 32)
    return Closed(len(known), len({code & 0xFFFFFFFF for code in known}))


def _path(before: list[tuple[np.ndarray, np.ndarray]], place: int, last: int) -> tuple[int, ...]:
    """What was seen on the way to a pair, and at last."""
    path = [last]
    for places, seen in reversed(before):
        path.append(int(seen[place]))
        place = int(places[place])
    return tuple(path[::-1])


def _spread(first: Int64[np.ndarray, " n"], items: Int64[np.ndarray, " i"]) -> tuple[np.ndarray, np.ndarray]:
    """For each of ``items`` the numbers ``first[item]`` to ``first[item + 1]``: (place among the items, number)."""
    counts = first[items + 1] - first[items]
    which = np.repeat(np.arange(len(items)), counts)
    return which, np.arange(counts.sum()) - np.repeat(counts.cumsum() - counts, counts) + first[items][which]
