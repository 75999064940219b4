"""Pursuing a disagreement: a real run that leads to it, or else what the abstraction forgot on the way."""

from __future__ import annotations

import heapq
import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from dfst.effort import Effort
from dfst.prove.abstraction import Mask, bits
from dfst.prove.closure import Closure
from dfst.prove.lockstep import alike, unclaimed
from dfst.prove.partial_input import PartialInput, Word
from dfst.world.grid import Cell
from dfst.world.machine import GridMachine
from dfst.world.moves import OFFSETS

Key = tuple[int, int, Mask]
"""(teacher state, symbol read, set that was known of the cell): see :class:`dfst.prove.abstraction.Precision`."""


_NEVER = 2**60
"""The distance of what cannot reach a target."""

_CLIMB_STEPS, _CLIMB_LENGTH = 3000, 500
"""A run on a whole input is given up after so many steps; and no input of more symbols is changed once more."""


class Visit(NamedTuple):
    """A step of a real run on one cell: what could be tracked of it, and whether it decided the symbol there.

    Walking over a symbol does not: then it comes from an earlier visit, or from the input.
    """

    keys: frozenset[Key]
    decided: bool


class Forgotten(NamedTuple):
    """A real run left the way to a disagreement because of what stood in a cell, ``distance`` steps before it.

    ``visits`` are those of that cell, first to last: the abstraction forgot what one of them had left there. Unless
    ``lost``, the run could still reach a disagreement by a longer way.
    """

    distance: int
    visits: tuple[Visit, ...]
    lost: bool


@dataclass
class Runner:
    """Both machines in the middle of a run on an input of which only the cells ``inputs`` are known.

    ``shadow`` are the abstract configurations that fit the run so far and can still reach the disagreement.
    """

    q: int
    s: int
    cell: Cell
    shadow: frozenset[int]
    grid: dict[Cell, int] = field(default_factory=dict)
    inputs: dict[int, int] = field(default_factory=dict)
    visits: dict[Cell, tuple[Visit, ...]] = field(default_factory=dict)


@dataclass
class Pursuit:
    """What came of it: ``operands`` that lead to a disagreement, or what was ``forgotten`` on the way."""

    operands: tuple[str, ...] | None = None
    forgotten: list[Forgotten] = field(default_factory=list)
    steps: int = 0


class Pursuer:
    """Runs teacher and learner towards some disagreements, ``targets``: (configuration, symbol read there)."""

    def __init__(
        self,
        teacher: GridMachine,
        learner: GridMachine,
        closure: Closure,
        targets: Iterable[tuple[int, int]],
        effort: Effort,
    ) -> None:
        self.teacher, self.learner, self.closure, self.effort = teacher, learner, closure, effort
        self.inputs = PartialInput(teacher.world)
        self.blank = teacher.alphabet.blank_index
        self.reading: dict[int, set[int]] = {}
        for at, x in targets:
            self.reading.setdefault(at, set()).add(x)
        self.distance = closure.distances(self.reading)
        self.starts = frozenset(start for start in closure.starts if start in self.distance)
        self.pursuit = Pursuit()

    def pursue(self, *, steps: int, edits: int) -> Pursuit:
        """Try to reach a target: for ``steps`` real steps choosing inputs on the way, then for ``edits`` changing them.

        Where a cell holds a symbol that leads away while the abstraction thinks that it could hold one that leads
        nearer, either another input puts that symbol there, or none does and the abstraction has forgotten something.
        """
        if self.starts:
            words = self._choose(steps)
            if self.pursuit.operands is None:
                self._climb(words, self.pursuit.steps + edits)
        return self.pursuit

    def _choose(self, budget: int) -> list[tuple[int, Word]]:
        """Best first: the run nearest to a target goes on; an input cell is chosen when the head first reads it.

        Returns inputs that came near, as (distance, symbols).
        """
        first = self._begun({})
        queue, order, near = [(self._nearest(first.shadow), 0, first)], itertools.count(1), []
        while queue and self.pursuit.steps < budget:
            runner = heapq.heappop(queue)[2]
            symbol = self._symbol(runner)
            for x in self._possible(runner) if symbol is None else [symbol]:
                branch = runner
                if symbol is None:
                    inputs = runner.inputs | {runner.cell[0]: x}
                    branch = replace(runner, grid=dict(runner.grid), inputs=inputs, visits=dict(runner.visits))
                missed = self._step(branch, x)
                if self.pursuit.operands is not None:
                    return []
                if missed is not None and symbol is not None:
                    near.append((missed.distance, self.inputs.word(branch.inputs)))
                    self.pursuit.forgotten.append(missed)
                if branch.shadow:
                    heapq.heappush(queue, (self._nearest(branch.shadow), -next(order), branch))
        return near or [(_NEVER, self.inputs.word({}))]

    def _climb(self, words: Iterable[tuple[int, Word]], budget: int) -> None:
        """Change, insert or leave out one symbol of the inputs that came nearest, until one reaches a target."""
        queue = [(distance, len(word), word) for distance, word in set(words)]
        heapq.heapify(queue)
        tried = {word for _, _, word in queue}
        while queue:
            near = heapq.heappop(queue)[2]
            for word in self.inputs.edited(near) if len(near) <= _CLIMB_LENGTH else ():
                if word in tried:
                    continue
                tried.add(word)
                distance = self._tried(word)
                if self.pursuit.operands is not None or self.pursuit.steps >= budget:
                    return
                heapq.heappush(queue, (distance, len(word), word))

    def _tried(self, word: Word) -> int:
        """How near a run on the input ``word`` comes to a target."""
        runner = self._begun(dict(enumerate(word)))
        nearest = None
        for _ in range(_CLIMB_STEPS):
            symbol = self._symbol(runner)
            missed = self._step(runner, self.blank if symbol is None else symbol)
            if missed is not None and (nearest is None or missed.distance < nearest.distance):
                nearest = missed
            if self.pursuit.operands is not None or not runner.shadow:
                break
        if nearest is None:
            return _NEVER
        self.pursuit.forgotten.append(nearest)
        return nearest.distance

    def _begun(self, inputs: dict[int, int]) -> Runner:
        return Runner(self.teacher.start, self.learner.start, self.teacher.layout.head, self.starts, inputs=inputs)

    def _nearest(self, shadow: Iterable[int]) -> int:
        return min((self.distance[at] for at in shadow), default=_NEVER)

    def _symbol(self, runner: Runner) -> int | None:
        """What the head sees; None if that is an input cell not yet chosen."""
        x, y = runner.cell
        if runner.cell in runner.grid:
            return runner.grid[runner.cell]
        return runner.inputs.get(x) if y == 0 and x >= 0 else self.blank

    def _possible(self, runner: Runner) -> list[int]:
        """What an input cell not yet chosen can hold, by the layout and by the abstraction."""
        possible = 0
        for at in runner.shadow:
            configuration = self.closure.configurations[at]
            possible |= self.closure.shapes.columns[configuration.known][configuration.row]
        place = runner.cell[0]
        return [x for x in bits(possible) if self.inputs.possible(runner.inputs | {place: x})]

    def _overwrites(self, q: int, x: int) -> bool:
        """Whether state ``q``, which leaves ``x`` as it is, turns another symbol of the same class into ``x``."""
        others = ((y, self.teacher.table[q][y]) for y in bits(self.closure.shapes.blocks[x]))
        return any(y != x and entry is not None and entry[1] == x for y, entry in others)

    def _step(self, runner: Runner, x: int) -> Forgotten | None:
        """Let ``runner`` read ``x``; its shadow is empty afterwards if it cannot reach a target any more.

        Returns what the abstraction would have needed to know if another symbol would have led nearer.
        """
        self.pursuit.steps += 1
        self.effort.spend(1)
        closure, before = self.closure, runner.shadow
        theirs, ours = self.teacher.table[runner.q][x], self.learner.table[runner.s][x]
        if not alike(theirs, ours) and not (closure.partial and unclaimed(theirs, ours)):
            self.pursuit.operands = self.inputs.operands(runner.inputs)
            return None
        edges = [edge for at in before for edge in closure.edges[at] if edge.to in self.distance]
        runner.shadow = frozenset(edge.to for edge in edges if edge.symbol == x)
        nearest = self._nearest(runner.shadow)
        others = self._nearest(edge.to for edge in edges if edge.symbol != x)
        if any(self.reading.get(at, set()) - {x} for at in before):
            others = -1
        visits, missed = runner.visits.get(runner.cell, ()), None
        if others < nearest:
            missed = Forgotten(others + 1, visits, nearest == _NEVER)
        if theirs is None or ours is None or not runner.shadow:
            runner.shadow = frozenset()
            return missed
        known = (closure.configurations[at] for at in before)
        kept = {closure.shapes.columns[configuration.kept][configuration.row] for configuration in known}
        visit = Visit(frozenset((runner.q, x, mask) for mask in kept), theirs[1] != x or self._overwrites(runner.q, x))
        runner.visits[runner.cell] = (*visits, visit)
        runner.grid[runner.cell] = theirs[1]
        dx, dy = OFFSETS[theirs[2]]
        runner.q, runner.s, runner.cell = theirs[0], ours[0], (runner.cell[0] + dx, runner.cell[1] + dy)
        return missed
