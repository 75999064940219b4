"""A finite table (state, symbol) -> (state, symbol, move) as a policy: how it runs, alone or in step with another."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Literal, get_args

import numpy as np

from dfst.errors import InputError, shortened
from dfst.shapes import Int32, UInt8
from dfst.world.endless import watch
from dfst.world.grid import Cell, Grid, Window
from dfst.world.moves import BORDER, HALT, HALTED, UNDEFINED, Move
from dfst.world.policy import Action, Policy, Setup, Walk, difference
from dfst.world.rollout import Outcome, Rollout, Trace
from dfst.world.worlds import World

_REFERENCE_STEPS, _WATCHED_FROM = 20_000, 10_000
"""Engine "auto" starts with the reference and goes over to the compiled runner after so many steps, because importing
numba takes as long; the second half of them is watched for repetitions."""

_WATCHED_AGAIN, _MOST_WATCHED = 10**6, 100_000
"""A compiled rollout is watched from here on for a while, if no more cells than these are filled."""

Engine = Literal["auto", "reference", "compiled", "skipping"]


class TooSlowError(InputError):
    """A rollout takes more steps than anybody waits for; whether it ever halts is not known."""


@dataclass(frozen=True)
class Configuration:
    """One step about to happen: at ``step``, in ``state`` on ``cell`` seeing ``seen``, the machine writes and moves."""

    step: int
    state: str
    cell: Cell
    seen: str
    written: str
    move: Move


@dataclass(frozen=True, eq=False)
class Table(Policy):
    """What :class:`dfst.GridMachine` is made of; here nothing is checked."""

    name: str
    world: World
    states: tuple[str, ...]
    start: int
    next_state: Int32[np.ndarray, "Q K"]
    written: UInt8[np.ndarray, "Q K"]
    move: UInt8[np.ndarray, "Q K"]
    about: str = ""

    compiled, finite, least_steps = True, True, 10**8  # a second or two

    @cached_property
    def table(self) -> list[list[tuple[int, int, int] | None]]:
        """``table[q][x]`` = (next state, symbol, move) as plain integers, or None; for the reference loop."""
        rows = np.stack([self.next_state, self.written, self.move], axis=2).tolist()
        return [[None if entry[0] == UNDEFINED else tuple(entry) for entry in row] for row in rows]

    @cached_property
    def bordered(
        self,
    ) -> tuple[Int32[np.ndarray, "Q columns"], UInt8[np.ndarray, "Q columns"], UInt8[np.ndarray, "Q columns"]]:
        """The tables as a compiled runner wants them: (next row offset, symbol, move), with a column for the border.

        State q is given by the offset q · (K + 1) of its row; HALTED and UNDEFINED stay, and the border is BORDER.
        """
        states, symbols = self.next_state.shape
        following = np.full((states, symbols + 1), BORDER, np.int32)
        written, move = np.zeros_like(following, np.uint8), np.full_like(following, Move.S, np.uint8)
        rows = self.next_state * (symbols + 1)
        following[:, :symbols] = np.where(self.next_state >= 0, rows, self.next_state)
        written[:, :symbols], move[:, :symbols] = self.written, self.move
        return following, written, move

    def begin(self) -> int:
        """The number of the start state."""
        return self.start

    def act(self, state: int, symbol: int) -> Action | None:
        """The rule of one pair, or None where there is none."""
        return self.table[state][symbol]

    def describe(self) -> str:
        """What it is, in a few words."""
        return f"machine, {len(self.states)} states, {int((self.next_state != UNDEFINED).sum())} rules"

    def state_name(self, state: int) -> str:
        """The name of the state of this number."""
        return HALT if state == HALTED else self.states[state]

    def observed(self, pairs: np.ndarray) -> Trace:
        """What an observer sees of a rollout through ``pairs`` (state · K + symbol): the state is left out."""
        seen = (pairs % len(self.alphabet)).astype(np.uint8)
        return Trace(seen, self.written.ravel()[pairs], self.move.ravel()[pairs])

    def configurations(self, *operands: str) -> Iterator[Configuration]:
        """The rollout as a generator, one frozen record per step; it ends when the machine halts or is stuck.

        >>> from dfst import task
        >>> for c in task("add2").machine.configurations("1", "1"):
        ...     print(c.step, c.state, c.cell, c.seen, "->", c.written, c.move.name)
        ...     if c.step == 2: break
        0 enter (-1, 0) _ -> 0 R
        1 enter (0, 0) 1 -> 1 R
        2 enter (1, 0) + -> + L
        """
        walk, symbols = Walk(self, Grid(self.world, self.place(operands))), self.alphabet.symbols
        while walk.outcome == Outcome.STEP_LIMIT:
            step, state, cell, seen = walk.steps, walk.state, walk.cell, walk.grid[walk.cell]
            entry = self.table[state][seen]
            if entry is not None:
                yield Configuration(step, self.states[state], cell, symbols[seen], symbols[entry[1]], Move(entry[2]))
            walk.advance(1)

    def rollout(self, setup: Setup, *, engine: Engine = "auto") -> Rollout:
        """As :meth:`dfst.Policy.run`; the default limit is a hundred million steps, and more for long problems.

        A rollout that repeats itself, or moves on over blanks for ever, is ended earlier, after ten thousand steps or
        more, as one that never halts; not every one that never halts is found out.

        ``engine`` is "reference" (plain Python, sparse grid), "compiled" (numba, dense window), "skipping" (compiled,
        and whole walks in one state at once) or "auto"; all make the same rollout, to the last step and cell, if it
        ends. The reference looks for no repetition, and the others look for it at different steps. Without ``reach``
        the machine may go as far as a window of 2^29 cells.

        >>> from dfst import task
        >>> result = task("add10").machine.run("999", "1", engine="skipping")
        >>> result.outcome.value, result.answer.text, result.answer.cells
        ('halted', '1000', '1000')
        """
        if engine not in get_args(Engine):
            raise InputError(f"there is no engine called {engine!r}", do=f"Engines are {', '.join(get_args(Engine))}.")
        tape, limit, area, beside, record = setup
        if beside is not None:
            fast = isinstance(beside, Table) and not record
            return _together(beside, self).rollout(setup) if fast else super().rollout(setup)
        # a compiled rollout begins on a window, which is then made once and not from a sparse grid
        grid = Window(self.world, tape, area) if engine in ("compiled", "skipping") else Grid(self.world, tape)
        walk = Walk(self, grid, area=area, record=record)
        if engine == "reference":
            walk.advance(limit)
        elif engine == "auto":
            walk.advance(min(limit, _WATCHED_FROM))
            watch(walk, min(limit, _REFERENCE_STEPS) - walk.steps)
        if walk.outcome == Outcome.STEP_LIMIT and walk.steps < limit:
            self._go_on(walk, limit, skip=engine != "compiled" and not record)
        return walk.result()

    def _go_on(self, walk: Walk, limit: int, *, skip: bool) -> None:
        """The rest of the rollout, compiled, and watched for a while after _WATCHED_AGAIN steps."""
        from dfst.world.compiled import advance

        if walk.steps:
            walk.grid = Window.of(walk.grid, walk.area)
        advance(walk, min(limit, _WATCHED_AGAIN), skip=skip)
        if walk.outcome == Outcome.STEP_LIMIT and walk.steps < limit:
            if walk.grid.count() <= _MOST_WATCHED:
                watched = copy(walk)
                watched.grid, watched.pairs = Grid(self.world), None
                for cell, symbol in walk.grid.cells():
                    watched.grid[cell] = symbol
                watch(watched, _REFERENCE_STEPS - _WATCHED_FROM)
                if watched.outcome == Outcome.ENDLESS:
                    walk.outcome, walk.period = watched.outcome, watched.period
            advance(walk, limit, skip=skip)

    def run_to_end(self, *operands: str, whose: str = "machine") -> Rollout:
        """A rollout that halts or is stuck; one of which that is not known, or that never halts, is refused.

        >>> from dfst import task
        >>> task("add10").machine.run_to_end("999", "1").steps
        36
        """
        result = self.run(*operands, engine="skipping")
        if result.outcome in (Outcome.HALTED, Outcome.STUCK):
            return result
        problem = " ".join(map(shortened, operands))
        if result.outcome == Outcome.STEP_LIMIT:
            what = f"on {problem} the {whose} did not halt within {result.steps:,} steps"
            do = "Does it ever halt? If it only takes long, use shorter problems."
            raise TooSlowError(what, where=self.name, do=do)
        what = f"on {problem} the {whose} does not halt: {result.explain()}"
        raise InputError(what, where=self.name, do="Change its rules, or use problems on which it halts.")


def parted(found: Rollout, teacher: Table, state: int, done: Action | None) -> Rollout:
    """``found``, whose policy does ``done`` where it ends, with how that differs from the ``teacher`` in ``state``."""
    seen = found.grid[found.cell]
    acts = teacher.act(state, seen), done
    differs = difference(found.policy.world, found.steps, found.cell, teacher.states[state], seen, *acts)
    return replace(found, divergence=differs, outcome=Outcome.DIVERGED if differs else Outcome.STUCK)


class _Together:
    """``learner`` led by ``teacher``: one table whose states are pairs, and which is stuck where the two differ.

    Being a table, it runs at the speed of any other, walks skipped and all.
    """

    def __init__(self, teacher: Table, learner: Table) -> None:
        self.teacher, self.learner, symbols = teacher, learner, range(len(learner.alphabet))
        number = {(teacher.start, learner.start): 0}  # every pair that they get into while they act alike
        rows: list[list[tuple[int, int, int]]] = []
        self.pairs = list(number)
        for q, s in self.pairs:
            row = []
            for x in symbols:
                one, two = teacher.table[q][x], learner.table[s][x]
                if one is None or two is None or one[1:] != two[1:]:
                    row.append((UNDEFINED, 0, 0))
                    continue
                pair = one[0], two[0]
                if one[0] != HALTED and pair not in number:
                    number[pair] = len(number)
                    self.pairs.append(pair)
                row.append((HALTED if one[0] == HALTED else number[pair], *one[1:]))
            rows.append(row)
        following, written, move = (np.array(rows).reshape(-1, len(symbols), 3)[..., i] for i in range(3))
        arrays = (following.astype(np.int32), written.astype(np.uint8), move.astype(np.uint8))
        names = tuple(map(str, range(len(rows))))
        self._table = Table(learner.name, learner.world, names, 0, *arrays)

    def rollout(self, setup: Setup) -> Rollout:
        """The learner's rollout, to where the two first differ."""
        found = self._table.rollout(setup._replace(beside=None), engine="skipping")
        if found.outcome == Outcome.HALTED:
            return replace(found, policy=self.learner, state=HALT)
        q, s = self.pairs[int(found.state)]
        found = replace(found, policy=self.learner, state=self.learner.states[s])
        if found.outcome != Outcome.STUCK:
            return found
        return parted(found, self.teacher, q, self.learner.act(s, found.grid[found.cell]))


_together = lru_cache(maxsize=8)(_Together)
"""A policy is compared with its teacher on many problems; to pair a large machine takes longer than a short one."""
