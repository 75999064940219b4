"""The proof itself: a closed set of abstract configurations with a hint for every step, as plain integers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from dfst.prove.abstraction import Mask, bits
from dfst.prove.closure import ANYWHERE, Abstract, Closure, Kind

Member = tuple[int, ...]
"""(teacher state, learner state, row, left half, column, right half), or only the two states: on any grid at all."""


@dataclass(frozen=True)
class ClosedSet:
    """Members that hold every start and are closed under steps, with the member that covers each of them.

    Sets, columns and halves are numbered tables, so that members are a few integers. ``starts`` and ``steps`` are
    hints: a checker verifies them and trusts nothing. ``stuck``: in some member the teacher meets a pair without a
    rule; ``apart``: and there the learner has one.
    """

    rows: tuple[int, int]
    sets: tuple[Mask, ...]
    columns: tuple[tuple[int, ...], ...]
    halves: tuple[tuple[tuple[int, int], ...], ...]
    starts: tuple[int, ...]
    members: tuple[Member, ...]
    steps: tuple[tuple[int, ...], ...]
    stuck: bool
    apart: bool

    def __len__(self) -> int:
        return len(self.members)

    def content(self) -> dict[str, Any]:
        """Ready for JSON, as docs/certificates.md describes it."""
        return {
            "rows": list(self.rows),
            "sets": [bits(mask) for mask in self.sets],
            "columns": [list(column) for column in self.columns],
            "halves": [[list(run) for run in half] for half in self.halves],
            "starts": list(self.starts),
            "members": [list(member) for member in self.members],
            "steps": [list(step) for step in self.steps],
        }


class _Numbers(dict[Any, int]):
    """Numbers things in the order in which they are asked for."""

    def __missing__(self, key: Any) -> int:
        self[key] = len(self)
        return self[key]


def closed_set(closure: Closure, head: int) -> ClosedSet:
    """The proof that a finished closure is; what only the prover remembers of a column is left out.

    Configurations that differ in nothing else become one member. Rows that no head visits and no input needs go, too;
    ``head`` is the row in which the head starts.
    """
    shapes, precision = closure.shapes, closure.shapes.precision
    used = [precision.low + configuration.row for configuration in closure.configurations if configuration.row >= 0]
    used += [0, head]  # the input, and where the head starts, even if no member says so
    low, high = min(used), max(used)
    rows = slice(low - precision.low, high - precision.low + 1)
    sets, columns, halves, members = _Numbers(), _Numbers(), _Numbers(), _Numbers()

    def column(number: int) -> int:
        return columns[tuple(sets[mask] for mask in shapes.columns[number][rows])]

    def half(number: int) -> int:
        return halves[tuple((column(run), int(many)) for run, many in shapes.halves[number])]

    def member(configuration: Abstract) -> Member:
        teacher, learner, row, left, known, _, right = configuration
        if row == ANYWHERE:
            return teacher, learner
        return teacher, learner, row + precision.low - low, half(left), column(known), half(right)

    steps: list[tuple[int, ...]] = []
    numbers = [members[member(configuration)] for configuration in closure.configurations]
    for number, edges in zip(numbers, closure.edges, strict=True):
        if number == len(steps):
            steps.append(tuple(numbers[edge.to] for edge in edges))
    apart = any(disagreement.kind == Kind.TEACHER_STUCK for disagreement in closure.disagreements)
    return ClosedSet(
        (low, high),
        tuple(sets),
        tuple(columns),
        tuple(halves),
        tuple(dict.fromkeys(numbers[start] for start in closure.starts)),
        tuple(members),
        tuple(steps),
        stuck=apart or bool(closure.stuck),
        apart=apart,
    )
