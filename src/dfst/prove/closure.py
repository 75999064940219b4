"""The run-shape closure: abstract configurations that cover every run of teacher and learner on every input."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple

from dfst.effort import Effort
from dfst.prove.abstraction import Mask, Precision, Shapes, bits
from dfst.prove.lockstep import Entry
from dfst.world.machine import GridMachine
from dfst.world.moves import Move

ANYWHERE = -1

_COUNTED = 64
"""Configurations that are counted at once."""


class Abstract(NamedTuple):
    """An abstract configuration: both states, the row of the head, and numbers of :class:`Shapes`.

    ``known`` is the column under the head with exact sets; ``kept`` what will be remembered of it when the head leaves.
    Row ANYWHERE means both states on any grid at all; then the numbers mean nothing.
    """

    teacher: int
    learner: int
    row: int
    left: int
    known: int
    kept: int
    right: int


class Kind(StrEnum):
    """How teacher and learner can differ in what they do next."""

    ACTION = "they act differently"
    LEARNER_STUCK = "the learner has no rule"
    TEACHER_STUCK = "the teacher has no rule"


class Disagreement(NamedTuple):
    """In the configuration ``at`` (its number), reading ``symbol``."""

    at: int
    symbol: int
    kind: Kind


class Edge(NamedTuple):
    """A step: reading ``symbol`` leads to the configuration ``to``."""

    symbol: int
    to: int


class EdgeOfRows(Exception):
    """The head left the rows that are kept; ``up`` says where."""

    def __init__(self, up: bool) -> None:
        self.up = up


@dataclass
class Closure:
    """A set of abstract configurations that holds all starts; closed under steps unless ``cut``.

    ``edges[i]`` are the steps of configuration i in the order of the symbols read, then of the ways to leave a run.
    ``stuck``: somewhere the teacher has no rule. Of a ``partial`` comparison nothing is asked of the learner there;
    ``apart``: somewhere it has a rule then.
    """

    shapes: Shapes
    configurations: list[Abstract] = field(default_factory=list)
    edges: list[list[Edge]] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    disagreements: list[Disagreement] = field(default_factory=list)
    stuck: bool = False
    partial: bool = False
    apart: bool = False
    cut: bool = False

    def __len__(self) -> int:
        return len(self.configurations)

    def distances(self, targets: Iterable[int]) -> dict[int, int]:
        """How many steps each configuration is away from the nearest target; without those that cannot reach one."""
        found = dict.fromkeys(targets, 0)
        todo = deque(found)
        while todo:
            at = todo.popleft()
            for before in self._before[at]:
                if before not in found:
                    found[before] = found[at] + 1
                    todo.append(before)
        return found

    @cached_property
    def _before(self) -> list[list[int]]:
        """The configurations from which a step leads to each one."""
        found: list[list[int]] = [[] for _ in self.configurations]
        for at, edges in enumerate(self.edges):
            for edge in edges:
                found[edge.to].append(at)
        return found


def close(
    teacher: GridMachine,
    learner: GridMachine,
    precision: Precision,
    *,
    limit: int,
    alike: Collection[tuple[int, int]] = (),
    effort: Effort | None = None,
    agreeing: bool = False,
    partial: bool = False,
) -> Closure:
    """The closure under ``precision``, breadth first.

    Of pairs of states in ``alike`` (see :func:`dfst.prove.lockstep.alike_everywhere`) no grid is remembered.

    It is ``cut`` as soon as it has more than ``limit`` configurations, each of which is counted by ``effort``, and, if
    it is to be ``agreeing``, at the first disagreement. Raises :class:`EdgeOfRows` if the head leaves
    the rows of the precision. If ``partial``, nothing is asked of the learner where the teacher has no rule.
    """
    shapes = Shapes(teacher.world, precision)
    found = Closure(shapes, partial=partial)
    numbers: dict[Abstract, int] = {}
    symbols = len(teacher.alphabet)

    def number(configuration: Abstract) -> int:
        if configuration[:2] in alike:
            configuration = Abstract(*configuration[:2], ANYWHERE, 0, 0, 0, 0)
        known = numbers.setdefault(configuration, len(numbers))
        if known == len(found.configurations):
            found.configurations.append(configuration)
        return known

    row = teacher.layout.head[1] - precision.low
    for left, column, right in shapes.starts():
        found.starts.append(number(Abstract(teacher.start, learner.start, row, left, column, column, right)))
    for at, configuration in enumerate(found.configurations):  # grows while it is walked through
        edges: list[Edge] = []
        anywhere = configuration.row == ANYWHERE
        for x in range(symbols) if anywhere else bits(shapes.columns[configuration.known][configuration.row]):
            theirs, ours = teacher.table[configuration.teacher][x], learner.table[configuration.learner][x]
            if theirs is None or ours is None:
                if theirs is None and (ours is None or partial):
                    found.stuck, found.apart = True, found.apart or ours is not None
                else:
                    kind = Kind.TEACHER_STUCK if theirs is None else Kind.LEARNER_STUCK
                    found.disagreements.append(Disagreement(at, x, kind))
            elif theirs[1:] != ours[1:]:
                found.disagreements.append(Disagreement(at, x, Kind.ACTION))
            elif theirs[2] != Move.S:
                memory = _memory(shapes, configuration, x, teacher.table[configuration.teacher])
                following = successors(shapes, configuration, memory, theirs, ours[0])
                edges += [Edge(x, number(each)) for each in following]
        found.edges.append(edges)
        if effort is not None and at % _COUNTED == 0:
            effort.spend(_COUNTED)
        if len(found.configurations) > limit or (agreeing and found.disagreements):
            found.cut = True
            break
    found.edges += [[] for _ in range(len(found.configurations) - len(found.edges))]
    return found


def successors(
    shapes: Shapes, configuration: Abstract, memory: Mask, action: tuple[int, int, int], learner: int
) -> Iterator[Abstract]:
    """The configurations after the teacher does ``action`` and the learner the same, on to ``learner``.

    ``memory`` is what will be remembered of the cell that is written.
    """
    teacher, written, move = action
    if configuration.row == ANYWHERE:
        yield Abstract(teacher, learner, ANYWHERE, 0, 0, 0, 0)
        return
    row, left, right = configuration.row, configuration.left, configuration.right
    known = _with(shapes, configuration.known, row, 1 << written)
    kept = _with(shapes, configuration.kept, row, memory)
    if move in (Move.U, Move.D):
        row += 1 if move == Move.U else -1
        if not 0 <= row < shapes.height:
            raise EdgeOfRows(move == Move.U)
        yield Abstract(teacher, learner, row, left, known, kept, right)
    elif move == Move.R:
        behind = shapes.push(left, known, kept)
        for ahead, remembered, rest in shapes.pop(right):
            yield Abstract(teacher, learner, row, behind, ahead, remembered, rest)
    else:
        behind = shapes.push(right, known, kept)
        for ahead, remembered, rest in shapes.pop(left):
            yield Abstract(teacher, learner, row, rest, ahead, remembered, behind)


def _memory(shapes: Shapes, configuration: Abstract, x: int, rules: Sequence[Entry]) -> Mask:
    """What is remembered of the cell that the head has just written, by ``rules`` of the teacher's state seeing ``x``.

    Writing what was there teaches nothing new, unless the rule is tracked: a walk over digits leaves a run of digits.
    In a state of ``flow`` or ``wide``, what is remembered is what the teacher can tell by its next state and move: all
    that its rules with the same ones may have written (of what was remembered before, or of anything). Whatever it is
    always holds what was written: so a closed set is a proof.
    """
    rule = rules[x]
    if configuration.row == ANYWHERE or rule is None:
        return 0
    following, written, move = rule
    precision, before = shapes.precision, shapes.columns[configuration.kept][configuration.row]
    if (configuration.teacher, x, before) in precision.tracked:
        return 1 << written
    wide = configuration.teacher in precision.wide
    if wide or configuration.teacher in precision.flow:
        mask = 0
        for y in range(len(rules)) if wide else bits(before):
            other = rules[y]
            if other is not None and other[0] == following and other[2] == move:
                mask |= 1 << other[1]
        return mask
    return before if written == x else shapes.blocks[written]


def _with(shapes: Shapes, column: int, row: int, mask: Mask) -> int:
    cells = shapes.columns[column]
    return column if cells[row] == mask else shapes.column((*cells[:row], mask, *cells[row + 1 :]))


def groups(closure: Closure, disagreements: list[Disagreement]) -> list[list[tuple[int, int]]]:
    """The disagreements of the same states and symbol together, those found first in front."""
    groups: dict[tuple[int, int, int], list[tuple[int, int]]] = {}
    for at, symbol, _ in disagreements:
        configuration = closure.configurations[at]
        groups.setdefault((configuration.teacher, configuration.learner, symbol), []).append((at, symbol))
    return list(groups.values())


def left_open(closure: Closure) -> tuple[bool, int, int]:
    """How far a closure is from a proof, then how large it is: less is better."""
    return closure.cut, len(groups(closure, closure.disagreements)), len(closure)


def description(closure: Closure, disagreement: Disagreement, teacher: GridMachine, learner: GridMachine) -> str:
    """An abstract disagreement in words."""
    configuration, shapes, symbols = closure.configurations[disagreement.at], closure.shapes, teacher.alphabet.symbols
    return (
        f"teacher in {teacher.states[configuration.teacher]}, learner in {learner.states[configuration.learner]}, "
        f"on row {configuration.row + shapes.precision.low}, seeing {symbols[disagreement.symbol]}: "
        f"{disagreement.kind}. "
        f"Column under the head: {shapes.column_text(configuration.known, symbols)}. "
        f"To the left: {shapes.half_text(configuration.left, symbols)}. "
        f"To the right: {shapes.half_text(configuration.right, symbols)}"
    )
