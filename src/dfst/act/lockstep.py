"""Two machines in lock-step on one grid: do they act alike, and where do they first differ?"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from dfst.act.rollout import Divergence
from dfst.world.alphabet import Alphabet
from dfst.world.grid import Cell, Grid, Window
from dfst.world.layout import Answer
from dfst.world.machine import HALTED, UNDEFINED, GridMachine
from dfst.world.moves import Move
from dfst.world.outcome import Outcome, Run
from dfst.world.run import run
from dfst.world.same import check_same_world, in_order_of

Pair = tuple[int, int]


@dataclass(frozen=True)
class Lockstep:
    """How a machine or a policy got on, beside its teacher or alone: halted, stuck, diverged, or met a limit."""

    outcome: Outcome
    steps: int
    cell: Cell
    grid: Grid | Window = field(repr=False)
    divergence: Divergence | None
    answer: Answer = field(repr=False)


class Follower:
    """``learner`` led by ``teacher``: one machine whose states are pairs, and which is stuck where the two differ.

    Being a machine, it runs at the speed of any other, walks skipped and all.

    >>> import dfst
    >>> add2, add3 = (dfst.task(name).machine for name in ("add2", "add3"))
    >>> Follower(add2, add2)("11", "1").outcome.value
    'halted'
    """

    def __init__(self, teacher: GridMachine, learner: GridMachine) -> None:
        learner = in_order_of(teacher, learner)
        check_same_world(learner, teacher)
        self.teacher, self.learner = teacher, learner
        self._pairs = _reachable(teacher, learner)
        self._machine = _paired(teacher, learner, self._pairs)

    def __call__(self, *operands: str, step_limit: int | None = None, reach: int | None = None) -> Lockstep:
        """Run both on ``operands``."""
        result = run(self._machine, *operands, step_limit=step_limit, reach=reach, engine="skipping")
        outcome, divergence = result.outcome, None
        if outcome == Outcome.STUCK:
            divergence = self._divergence(result)
            outcome = Outcome.STUCK if divergence is None else Outcome.DIVERGED
        return Lockstep(outcome, result.steps, result.cell, result.grid, divergence, result.answer)

    def _divergence(self, result: Run) -> Divergence | None:
        """What the two would do next; None if neither has a rule, so that they are stuck together."""
        q, s = self._pairs[self._machine.states.index(result.state)]
        seen, symbols = result.grid[result.cell], self.teacher.alphabet.symbols
        acts = []
        for machine, state in ((self.teacher, q), (self.learner, s)):
            known = machine.next_state[state, seen] != UNDEFINED
            act = symbols[machine.written[state, seen]], Move(int(machine.move[state, seen])).name
            acts.append(act if known else None)
        if acts == [None, None]:
            return None
        return Divergence(result.steps, result.cell, self.teacher.states[q], symbols[seen], *acts)


def _successor(teacher: GridMachine, learner: GridMachine, pair: Pair, x: int) -> Pair | None:
    """Where the pair goes on seeing x (HALTED, HALTED when both halt), or None where they do not act alike."""
    one, two = teacher.table[pair[0]][x], learner.table[pair[1]][x]
    if one is None or two is None or one[1:] != two[1:]:
        return None
    return one[0], two[0]


def _reachable(teacher: GridMachine, learner: GridMachine) -> list[Pair]:
    """Every pair of states that the two get into while they act alike, whatever they see; the start first."""
    pairs = {(teacher.start, learner.start): None}
    todo = list(pairs)
    while todo:
        pair = todo.pop()
        for x in range(len(teacher.alphabet)):
            following = _successor(teacher, learner, pair, x)
            if following is not None and following[0] != HALTED and following not in pairs:
                pairs[following] = None
                todo.append(following)
    return list(pairs)


def _paired(teacher: GridMachine, learner: GridMachine, pairs: list[Pair]) -> GridMachine:
    alphabet = teacher.alphabet
    # a machine must have a rule for every state: a symbol that never occurs gives one to pairs that always differ
    never = next(symbol for symbol in map(chr, range(0x2200, 0x2400)) if symbol not in alphabet.index)
    shape = (len(pairs), len(alphabet) + 1)
    next_state = np.full(shape, UNDEFINED, np.int32)
    written, move = np.zeros(shape, np.uint8), np.full(shape, Move.S, np.uint8)
    next_state[:, -1] = HALTED
    number = {pair: i for i, pair in enumerate(pairs)} | {(HALTED, HALTED): HALTED}
    for i, (q, s) in enumerate(pairs):
        for x in range(len(alphabet)):
            following = _successor(teacher, learner, (q, s), x)
            if following is not None:
                next_state[i, x] = number[following]
                written[i, x], move[i, x] = teacher.written[q, x], teacher.move[q, x]
    wider = Alphabet((*alphabet.symbols, never), alphabet.blank, alphabet.classes)
    states = tuple(map(str, range(len(pairs))))
    return GridMachine(teacher.name, wider, teacher.layout, states, 0, next_state, written, move)
