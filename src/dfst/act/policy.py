"""Any policy on the grid, in Python: a policy is asked for an action at every step, beside the teacher or alone."""

from __future__ import annotations

from typing import Any, Protocol, runtime_checkable

from dfst.act.lockstep import Lockstep
from dfst.act.rollout import Divergence
from dfst.world.grid import Grid
from dfst.world.layout import Answer
from dfst.world.machine import GridMachine
from dfst.world.moves import OFFSETS, Move
from dfst.world.outcome import Outcome

Action = tuple[Any, int, int]
"""The state after a step, the number of the symbol written, and the move; the move S halts."""


@runtime_checkable
class Policy(Protocol):
    """Whoever sees a symbol and acts: the least that can be let loose on the grid and examined.

    The state is whatever the policy likes; nobody else looks into it. It may be changed by acting. After
    ``step_limit`` steps the policy is given up, and has failed: each is a call from Python, and some get slower.
    """

    @property
    def step_limit(self) -> int:
        """How many steps it may take."""
        ...

    def begin(self) -> Any:
        """The state before the first symbol."""
        ...

    def act(self, state: Any, symbol: int) -> Action | None:
        """What it does about ``symbol`` (a number of the alphabet); None if it has nothing to say."""
        ...


def let_loose(
    policy: Policy, teacher: GridMachine, *operands: str, step_limit: int, following: bool = False
) -> Lockstep:
    """Let ``policy`` act on ``operands``, written on the grid as for ``teacher``, until it halts or is stuck.

    With ``following`` the teacher acts beside it, and the run ends where the two first differ.
    """
    grid, cell = Grid(teacher.alphabet, teacher.place(operands)), teacher.layout.head
    state, q, table, steps = policy.begin(), teacher.start, teacher.table, 0
    outcome, divergence = Outcome.STEP_LIMIT, None
    while steps < step_limit:
        seen = grid[cell]
        action, rule = policy.act(state, seen), table[q][seen] if following else None
        done = None if action is None else action[1:]
        if following and done != (expected := None if rule is None else rule[1:]):
            symbols = teacher.alphabet.symbols
            acts = (None if act is None else (symbols[act[0]], Move(act[1]).name) for act in (expected, done))
            divergence = Divergence(steps, cell, teacher.states[q], symbols[seen], *acts)
            outcome = Outcome.DIVERGED
            break
        if action is None:
            outcome = Outcome.STUCK
            break
        state, written, move = action
        q = rule[0] if rule is not None else q
        grid[cell] = written
        cell = (cell[0] + OFFSETS[move][0], cell[1] + OFFSETS[move][1])
        steps += 1
        if move == Move.S:
            outcome = Outcome.HALTED
            break
    answer = teacher.layout.read(grid) if outcome == Outcome.HALTED else Answer(None, False, grid)
    return Lockstep(outcome, steps, cell, grid, divergence, answer)
