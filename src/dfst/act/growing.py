"""A policy of finitely many states at the speed of a table: the table grows whenever the rollout meets a new pair."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any

import numpy as np

from dfst.world.grid import Window
from dfst.world.moves import BORDER, HALTED, OFFSETS, UNDEFINED, Move
from dfst.world.policy import Action, Policy, Setup, Walk
from dfst.world.rollout import Outcome, Rollout
from dfst.world.table import Table, parted
from dfst.world.worlds import World

Act = Callable[[Any, int], Action | None]
"""From (state, symbol) to (state, symbol, move), or None: stuck. States are hashable, and acting changes none."""

_PER_STEP = 50
"""Copying a table of so many states takes about as long as a step in Python."""


class Growing:
    """The steps of ``act`` from the state ``start`` on, as far as they are known, as a table for the compiled runner.

    Several rollouts may go on at the same time: each follows a copy, and gets a new one when it has entered a step.
    """

    def __init__(self, world: World, start: Hashable, act: Act) -> None:
        self.states: list[Any] = [start]
        self._number, self._act, self._world, self._lock = {start: 0}, act, world, Lock()
        columns = len(world.alphabet) + 1  # as in Table.bordered
        self._arrays = [np.full((1, columns), value) for value in (np.int32(UNDEFINED), np.uint8(0), np.uint8(Move.S))]
        self._arrays[0][:, -1] = BORDER

    def _grown(self, state: int, seen: int) -> bool:
        """Enter what is done in ``state`` about ``seen``; False if it is nothing."""
        action = self._act(self.states[state], seen)
        if action is None:
            return False
        following, *rest = action
        halts, (size, columns) = rest[1] == Move.S, self._arrays[0].shape
        if not halts and following not in self._number:
            self._number[following] = len(self.states)
            self.states.append(following)
            if len(self.states) > size:  # rows without rules, as many as there are
                self._arrays = [
                    np.concatenate([array, np.broadcast_to(array[-1:], array.shape)]) for array in self._arrays
                ]
                self._arrays[0][size:, :-1] = UNDEFINED
        row = HALTED if halts else self._number[following] * columns
        for array, value in zip(self._arrays, (row, *rest), strict=True):
            array[state, seen] = value
        return True

    def _table(self) -> Table:
        following, written, move = arrays = [array.copy() for array in self._arrays]
        table = Table("", self._world, ("",), 0, following[:, :-1], written[:, :-1], move[:, :-1])
        object.__setattr__(table, "bordered", tuple(arrays))  # which the compiled runner reads
        return table

    def _by_hand(self, walk: Walk, steps: int) -> None:
        """Go on for some steps: where every step is new, a copy of the table for each would take far longer."""
        window = walk.grid
        for _ in range(steps):
            seen = window[walk.cell]
            new = self._arrays[0][walk.state, seen] == UNDEFINED
            if not window.make_room(walk.cell) or (new and not self._grown(walk.state, seen)):
                break  # which the compiled runner will see, too
            row, written, move = (int(array[walk.state, seen]) for array in self._arrays)
            window.array[walk.cell[1] - window.y0, walk.cell[0] - window.x0] = written
            walk.steps += 1
            if move == Move.S:
                walk.outcome, walk.state = Outcome.HALTED, HALTED
                break
            walk.state, (dx, dy) = row // self._arrays[0].shape[1], OFFSETS[move]
            walk.cell = walk.cell[0] + dx, walk.cell[1] + dy

    def rollout(self, policy: Policy, setup: Setup) -> tuple[Rollout, Any]:
        """The rollout of ``policy``, whose steps these are, and the state in which it ended (None if it halted)."""
        from dfst.world.compiled import advance

        tape, limit, area, _, record = setup
        with self._lock:
            table = self._table()
        walk = Walk(table, Window(policy.world, tape, area), area=area, record=record)
        while walk.outcome == Outcome.STEP_LIMIT and walk.steps < limit:
            advance(walk, limit, skip=False)
            with self._lock:
                if walk.outcome == Outcome.STUCK and self._grown(walk.state, walk.grid[walk.cell]):
                    walk.outcome = Outcome.STEP_LIMIT
                    if not record:
                        self._by_hand(walk, min(limit - walk.steps, 1 + len(self.states) // _PER_STEP))
                    walk.table = self._table()
        trace = walk.table.observed(np.asarray(walk.pairs)) if record else None
        last = None if walk.state == HALTED else self.states[walk.state]
        return Rollout(policy, walk.outcome, walk.steps, walk.cell, walk.grid, trace=trace), last


def together(policy: Policy, teacher: Table) -> Growing:
    """The steps of ``policy`` beside a teacher, as long as both do the same: its states are pairs of theirs."""

    def act(pair: tuple[int, Any], seen: int) -> Action | None:
        theirs, ours = teacher.act(pair[0], seen), policy.act(pair[1], seen)
        if theirs is None or ours is None or theirs[1:] != ours[1:]:
            return None
        return (theirs[0], ours[0]), *ours[1:]

    return Growing(policy.world, (teacher.start, policy.begin()), act)


def run_growing(policy: Policy, tables: dict[Any, Growing], setup: Setup, teacher: Table | None) -> Rollout:
    """The rollout of ``policy``, beside a teacher to where the two first differ.

    ``tables`` keeps what was met, by the teacher: a policy is compared with one on many problems, and meets the same
    states.
    """
    if teacher not in tables:
        alone = Growing(policy.world, policy.begin(), policy.act)
        tables[teacher] = alone if teacher is None else together(policy, teacher)
    found, last = tables[teacher].rollout(policy, setup)
    if teacher is None or found.outcome != Outcome.STUCK:
        return found
    q, state = last
    return parted(found, teacher, q, policy.act(state, found.grid[found.cell]))
