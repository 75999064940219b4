"""Whoever acts step by step on the grid: one interface, and the loop that every compiled one must agree with."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from dfst.errors import InputError
from dfst.records import checked
from dfst.shapes import UInt8
from dfst.world.alphabet import Alphabet
from dfst.world.grid import Area, Cell, Grid
from dfst.world.moves import OFFSETS, Move
from dfst.world.rollout import Divergence, Outcome, Rollout, Trace
from dfst.world.worlds import NO_LAYOUT, World, check_same_world, in_order_of

Action = tuple[Any, int, int]
"""The state after a step, the number of the symbol written, and the move; the move S halts."""

STEPS = 10**7
"""The default step limit on a short input: a few seconds for a large model, and nobody learns from longer traces."""

_STAY = int(Move.S)


def patience(length: int, least: int = STEPS) -> int:
    """The default step limit for an input of ``length`` symbols: ``least``, and the cube of its length.

    A step limit is what ends a rollout that never halts, so a person should be able to wait for it; no task that comes
    with dfst takes more than a cubic number of steps, except those whose answer grows exponentially.

    >>> patience(5), patience(1000)
    (10000125, 1010000000)
    """
    return least + length**3


@dataclass(frozen=True)
class Origin:
    """Where a policy comes from: the name that was given, what it is (in words, and whether it is proven).

    ``folder`` is its run folder, if it has one, ``task`` the task it belongs to, if that is certain.
    """

    source: str = ""
    who: str = ""
    folder: Path | None = None
    task: Any = None


class Setup(NamedTuple):
    """A rollout about to begin: the input row, where it must end, the teacher beside it, whether steps are kept."""

    tape: UInt8[np.ndarray, " length"]
    limit: int
    area: Area | None = None
    beside: Any = None
    record: bool = False


class Policy(ABC):
    """Whoever sees a symbol and acts: a model, a machine, or an object of your own with ``begin`` and ``act``.

    The state is whatever the policy likes; nobody else looks into it. It may be changed by acting. In an object of your
    own, symbols may be written as texts or as numbers of the alphabet, moves as letters, numbers or
    :class:`dfst.Move`; the move S halts. It need not derive from this class, and the task that it is used with says in
    which world it acts. Attributes that it may have besides, each with a default:

    - ``sees``: "numbers" (the default) or "text", what ``act`` is given;
    - ``task``: the task it is for, so that nobody has to say it in every call;
    - ``step_limit``: after so many steps it is given up, and has failed; a million by default;
    - ``copy(state)``: an independent copy of a state; ``copy.deepcopy`` by default.

    >>> import dfst
    >>> class Idle(dfst.Policy):
    ...     def begin(self):
    ...         return None
    ...     def act(self, state, symbol):
    ...         return state, symbol, "S"
    >>> dfst.measure_lengths(Idle(), "add2", to=3).rlg
    0
    """

    name: Any
    world: Any
    origin: Origin = Origin()
    silence = "it returns no action"
    compiled = False  # each of its steps is a call from Python, and it may keep its state in itself
    step_limit: Any = None  # after so many steps it is given up, if nothing else is asked
    least_steps = STEPS
    finite = False  # a table, whose rules are lists that nobody has to call

    @cached_property  # asked for at every step of a policy in Python
    def alphabet(self) -> Any:
        """The symbols of its world."""
        return self.world.alphabet

    @cached_property
    def layout(self) -> Any:
        """How problems stand on the grid; None if nobody knows."""
        return self.world.layout

    @abstractmethod
    def begin(self) -> Any:
        """The state before the first symbol."""

    @abstractmethod
    def act(self, state: Any, symbol: Any) -> tuple[Any, Any, Any] | None:
        """What it does about ``symbol``: (state, symbol, move); None if it has nothing to say."""

    @checked
    def run(
        self,
        *operands: str,
        beside: Policy | None = None,
        record: bool = False,
        step_limit: int | None = None,
        reach: int | None = None,
        **how: Any,
    ) -> Rollout:
        """Act on ``operands`` until it halts, is stuck, leaves the allowed area, or reaches ``step_limit``.

        In step with a teacher ``beside`` it, which sees what it sees, the rollout ends where the two first differ.
        ``record`` keeps the steps. The limit is ten million by default, and more for long problems. ``reach`` is how
        many cells beyond the input the policy may go. ``how`` is what only some take: a machine its ``engine``, a float
        model ``drift``.
        """
        subject = self.led_by(beside)
        tape = subject.place(operands)
        limit = subject.limit_for(tape, step_limit)
        area = None if reach is None else Area.around(len(tape), reach)
        return subject.rollout(Setup(tape, limit, area, beside, record), **how)

    def rollout(self, setup: Setup) -> Rollout:
        """What :meth:`run` hands over to when all is checked; compiled kernels override it, and make the same."""
        grid = Grid(self.world, setup.tape)
        walk = Walk(self, grid, area=setup.area, record=setup.record, beside=setup.beside)
        walk.advance(setup.limit)
        return walk.result()

    def led_by(self, teacher: Any) -> Any:
        """Itself with its symbols in the order of ``teacher``, if there is one; refused if it acts in another world."""
        if teacher is None:
            return self
        subject = in_order_of(teacher.world, self)
        check_same_world(subject, teacher)
        return subject

    def place(self, operands: Sequence[str]) -> UInt8[np.ndarray, " length"]:
        """The input row for ``operands`` (see :class:`dfst.world.layout.Layout`)."""
        if self.layout is None:
            raise InputError(
                "the model does not say how a problem is written on the grid", where=self.name, do=NO_LAYOUT
            )
        return self.world.place(operands)

    def limit_for(self, tape: UInt8[np.ndarray, " length"], given: int | None) -> int:
        """The step limit: the one that was ``given``, or what the input deserves."""
        if given is not None and given < 0:
            raise InputError(f"a step limit of {given} is negative", do="Give 0 or more.")
        if given is None:
            return patience(len(tape), self.least_steps) if self.step_limit is None else self.step_limit
        return given

    def reordered(self, alphabet: Alphabet) -> Any:
        """The same policy with its symbols in the order of ``alphabet``, if it can be had; else as it is."""
        return self

    def with_origin(self, source: str, who: str = "", *, folder: Path | None = None, task: Any = None) -> Any:
        """The same policy, and where it comes from; one that is made of it by ``dataclasses.replace`` is another."""
        twin = copy(self)
        object.__setattr__(twin, "origin", Origin(source, who, folder, task))
        return twin

    def describe(self) -> str:
        """What it is, in a few words."""
        return "policy in Python"

    def state_name(self, state: Any) -> str:
        """The name of a state, if it has one."""
        return ""


@dataclass(frozen=True, eq=False)
class Replay(Policy):
    """What was seen of somebody on one problem, as a policy on that problem: it does it again, step by step."""

    name: str
    world: World
    trace: Trace = field(repr=False)

    def begin(self) -> int:
        """The first step."""
        return 0

    def act(self, state: int, symbol: int) -> Action | None:
        """What was done at this step, whatever is seen."""
        if state == len(self.trace.moves):
            return None
        return state + 1, int(self.trace.written[state]), int(self.trace.moves[state])


class Walk:
    """A policy part-way through a rollout, beside a teacher or alone: the one loop over the grid in Python.

    A table's steps are recorded as pairs (state · K + symbol), which say more and take less room.
    """

    def __init__(
        self,
        policy: Policy,
        grid: Any,  # a Grid; what a compiled runner takes over may be on a Window
        cell: Cell | None = None,
        *,
        area: Area | None = None,
        record: bool = False,
        beside: Policy | None = None,
    ) -> None:
        self.policy, self.grid, self.area, self.beside = policy, grid, area, beside
        self.cell: Cell = policy.layout.head if cell is None else cell
        self.state, self.other_state = policy.begin(), None if beside is None else beside.begin()
        self.steps, self.period, self.divergence = 0, 0, None
        self.outcome = Outcome.STEP_LIMIT  # until it is seen to end otherwise
        self.table: Any = policy if policy.finite else None
        self.pairs: Any = [] if record and self.table is not None else None
        self._rows: list[tuple[int, int, int]] | None = [] if record and self.table is None else None

    def advance(self, steps: int, ends: Callable[[Cell, Any, Cell], bool] | None = None) -> None:
        """At most ``steps`` more steps; it never halts if ``ends`` says so of (the cell left, the state, the cell)."""
        grid, act, beside, pairs, rows = self.grid, self.policy.act, self.beside, self.pairs, self._rows
        table = None if self.table is None else self.table.table  # a list, not a call at every step
        state, cell, area, symbols = self.state, self.cell, self.area, len(self.policy.alphabet)
        for _ in range(steps):
            if area is not None and cell not in area:
                self.outcome = Outcome.LEFT
                break
            seen = grid[cell]
            action = act(state, seen) if table is None else table[state][seen]
            if beside is not None:
                expected, name = beside.act(self.other_state, seen), beside.state_name(self.other_state)
                self.divergence = difference(self.policy.world, self.steps, cell, name, seen, expected, action)
                if self.divergence is not None:
                    self.outcome = Outcome.DIVERGED
                    break
                self.other_state = None if expected is None else expected[0]
            if action is None:
                self.outcome = Outcome.STUCK
                break
            if pairs is not None:
                pairs.append(state * symbols + seen)
            state, written, move = action
            if rows is not None:
                rows.append((seen, written, move))
            grid[cell] = written
            left, (dx, dy) = cell, OFFSETS[move]
            cell = (cell[0] + dx, cell[1] + dy)
            self.steps += 1
            if move == _STAY:
                self.outcome = Outcome.HALTED
                break
            if ends is not None and ends(left, state, cell):
                self.outcome = Outcome.ENDLESS
                break
        self.state, self.cell = state, cell

    def result(self) -> Rollout:
        """The rollout as it ended."""
        pairs, trace = None, None
        if self.pairs is not None:
            pairs = np.asarray(self.pairs, np.uint32)
            trace = self.table.observed(pairs)
        elif self._rows is not None:
            trace = Trace(*np.array(self._rows, np.uint8).reshape(-1, 3).T.copy())
        state = self.policy.state_name(self.state)
        ended = (self.policy, self.outcome, self.steps, self.cell, self.grid, state, self.period, self.divergence)
        return Rollout(*ended, trace=trace, pairs=pairs)


def difference(
    world: World, step: int, cell: Cell, state: str, seen: int, expected: Any, done: Any
) -> Divergence | None:
    """What differs between two actions (state, symbol, move) of a teacher and a policy; None if nothing does."""
    if (None if expected is None else expected[1:]) == (None if done is None else done[1:]):
        return None
    symbols = world.alphabet.symbols
    acts = (None if act is None else (symbols[act[1]], Move(int(act[2])).name) for act in (expected, done))
    return Divergence(step, cell, state, symbols[seen], *acts)
