"""A policy of the user's own let loose on the grid, in Python: alone, or in step with a teacher."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dfst.act.policy import OwnPolicy
from dfst.act.policy import policy as make_policy
from dfst.act.rollout import Divergence, Rollout
from dfst.traces.traces import Trace
from dfst.world.alphabet import Alphabet
from dfst.world.grid import Grid
from dfst.world.layout import Layout
from dfst.world.machine import GridMachine
from dfst.world.moves import OFFSETS, Move
from dfst.world.outcome import Outcome

Steps = list[tuple[int, int, int]]


def let_loose(
    policy: Any, teacher: GridMachine, *operands: str, step_limit: int | None = None, following: bool = False
) -> Rollout:
    """Let ``policy`` act on ``operands``, written on the grid as for ``teacher``, until it halts or is stuck.

    With ``following`` the teacher acts beside it, and the rollout ends where the two first differ.

    >>> import dfst
    >>> add2 = dfst.task("add2").machine
    >>> let_loose(lambda state, symbol: (state, symbol, "S"), add2, "1", "1").explain()
    'halted after 1 steps'
    """
    own = OwnPolicy.of(policy, teacher.alphabet, teacher.layout)
    return _go(own, operands, step_limit, teacher if following else None, None)


def go_alone(
    own: OwnPolicy, *operands: str, step_limit: int | None = None, late: Callable[[], bool] | None = None
) -> tuple[Rollout, Trace]:
    """The rollout of ``own`` on a problem of its world, by itself, and its steps; it is stopped as soon as ``late``."""
    steps: Steps = []
    result = _go(own, operands, step_limit, None, steps, late)
    return result, Trace(*np.array(steps, np.uint8).reshape(-1, 3).T.copy())


def repeating(trace: Trace, alphabet: Alphabet, layout: Layout, name: str) -> OwnPolicy:
    """What was seen of a policy on one problem, as a policy on that problem: it does it again, step by step."""
    _, written, moves = (column.tolist() for column in trace)

    def again(step: int, symbol: int) -> tuple[int, int, int] | None:
        return (step + 1, written[step], moves[step]) if step < len(moves) else None

    return OwnPolicy.of(make_policy(again, begin=0, step_limit=len(moves) + 1), alphabet, layout, name)


def _go(
    own: OwnPolicy,
    operands: tuple[str, ...],
    step_limit: int | None,
    teacher: GridMachine | None,
    record: Steps | None,
    late: Callable[[], bool] | None = None,
) -> Rollout:
    grid, cell = Grid(own.alphabet, own.layout.place(own.alphabet, operands)), own.layout.head
    state, steps, limit = own.begin(), 0, own.step_limit if step_limit is None else step_limit
    q, table = (0, []) if teacher is None else (teacher.start, teacher.table)
    outcome, divergence = Outcome.STEP_LIMIT, None
    while steps < limit and not (late is not None and late()):
        seen = grid[cell]
        action, rule = own.act(state, seen), table[q][seen] if teacher is not None else None
        done = None if action is None else action[1:]
        if teacher is not None and done != (expected := None if rule is None else rule[1:]):
            symbols = teacher.alphabet.symbols
            acts = (None if act is None else (symbols[act[0]], Move(act[1]).name) for act in (expected, done))
            divergence = Divergence(steps, cell, teacher.states[q], symbols[seen], *acts)
            outcome = Outcome.DIVERGED
            break
        if action is None:
            outcome = Outcome.STUCK
            break
        state, written, move = action
        if record is not None:
            record.append((seen, written, move))
        q = rule[0] if rule is not None else q
        grid[cell] = written
        cell = (cell[0] + OFFSETS[move][0], cell[1] + OFFSETS[move][1])
        steps += 1
        if move == Move.S:
            outcome = Outcome.HALTED
            break
    return Rollout(own, outcome, steps, cell, grid, 0, 0, divergence)
