"""How far will a float policy get? A forecast from short problems, by pumping the teacher's walks.

A float policy goes wrong because its hidden state drifts while it walks: each step of a walk applies the same A[x], and
directions that training did not pin down grow or die. So the symbols of a short run are taken, every walk in them is
made longer in proportion, as it would be on longer operands, and the policy is led along (it sees the next symbol
whatever it does). Walking in the same state, the teacher's actions are known without running it. The shortest length at
which the policy would act otherwise is the forecast. No longer problem is ever run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from dfst.act.rollout import LoosedModel
from dfst.errors import InputError
from dfst.shapes import Int64, UInt8
from dfst.training.model import DFST
from dfst.world.machine import GridMachine
from dfst.world.moves import Move
from dfst.world.outcome import Outcome
from dfst.world.run import run
from dfst.world.same import check_same_world

FARTHEST = 4000
"""Forecasts end here; a policy that gets so far is said to have no horizon."""

_GROWTH = 1.1


class Walk(NamedTuple):
    """A loop of the teacher: the state it stays in, the direction, and the kind of symbols (a class, or one symbol)."""

    state: str
    move: Move
    over: str


@dataclass(frozen=True)
class Forecast:
    """The largest length that the policy is expected to get right, or None: beyond FARTHEST.

    ``walks`` says the same for each walk of the teacher when only that one is made longer, the most limiting first, and
    None for those that alone would reach four times as far.
    """

    horizon: int | None
    walks: tuple[tuple[Walk, int | None], ...]


class _Piece(NamedTuple):
    seen: UInt8[np.ndarray, " length"]
    walk: Walk | None


def forecast(model: DFST, teacher: GridMachine, problems: Sequence[tuple[str, ...]]) -> Forecast:
    """Forecast how far ``model`` follows ``teacher``, from the teacher's runs on ``problems`` (of equal length, short).

    >>> import dfst
    >>> teacher = dfst.task("add2").machine
    >>> forecast(dfst.from_machine(teacher), teacher, [("111", "101")]).horizon is None
    True
    """
    check_same_world(model, teacher)
    lengths = {len(teacher.alphabet.encode(operand)) for problem in problems for operand in problem}
    if not problems or len(lengths) != 1:
        raise InputError("a forecast needs problems whose operands are all of one length", do="Give such problems.")
    (digits,) = lengths
    runs = [_pieces(teacher, problem) for problem in problems]
    loosed = LoosedModel(model, teacher)

    def horizon(only: Walk | None, farthest: int) -> int | None:
        right, length = 0, digits
        while length <= farthest:
            if not all(loosed.follows(_pumped(pieces, length / digits, only)) for pieces in runs):
                return right
            right, length = length, max(length + 1, int(length * _GROWTH))
        return None

    overall = horizon(None, FARTHEST)
    walks = dict.fromkeys(piece.walk for pieces in runs for piece in pieces if piece.walk)
    if overall is None:
        return Forecast(None, tuple((walk, None) for walk in walks))
    by_walk = [(walk, horizon(walk, 4 * overall)) for walk in walks]
    by_walk.sort(key=lambda pair: FARTHEST + 1 if pair[1] is None else pair[1])
    return Forecast(overall, tuple(by_walk))


def _pieces(teacher: GridMachine, problem: tuple[str, ...]) -> list[_Piece]:
    """The symbols of one run, cut into walks and the steps between them."""
    result = run(teacher, *problem, record=True)
    if result.outcome != Outcome.HALTED or result.pairs is None:
        what = f"on {' '.join(problem)} the teacher does not halt: {result.explain()}"
        raise InputError(what, where=teacher.name, do="Give problems that it solves.")
    pairs = result.pairs.astype(np.int64)
    kinds, names = _kinds(teacher), [*teacher.alphabet.classes, *teacher.alphabet.symbols]
    pieces, start = [], 0
    state, seen = np.divmod(pairs, len(teacher.alphabet))
    move = teacher.move.ravel()[pairs]
    walking = (teacher.next_state.ravel()[pairs] == state) & (teacher.written.ravel()[pairs] == seen)
    same = walking[1:] & walking[:-1] & (state[1:] == state[:-1]) & (move[1:] == move[:-1])
    same &= kinds[seen[1:]] == kinds[seen[:-1]]
    for end in [*(np.flatnonzero(~same) + 1).tolist(), len(pairs)]:
        walk = None
        if end - start > 1:  # a walk over a single cell, such as an operator, is as long on longer operands
            over = names[kinds[seen[start]]]
            walk = Walk(teacher.states[state[start]], Move(int(move[start])), over)
        pieces.append(_Piece(seen[start:end].astype(np.uint8), walk))
        start = end
    return pieces


def _kinds(teacher: GridMachine) -> Int64[np.ndarray, " K"]:
    """For each symbol the number of the first class it is in, or one of its own."""
    alphabet = teacher.alphabet
    kinds = np.arange(len(alphabet)) + len(alphabet.classes)
    for number, members in reversed(list(enumerate(alphabet.classes.values()))):
        kinds[[alphabet.index[symbol] for symbol in members]] = number
    return kinds


def _pumped(pieces: list[_Piece], factor: float, only: Walk | None) -> UInt8[np.ndarray, " length"]:
    """The run's symbols with its walks (or only those of one kind) longer by ``factor``, their symbols repeated."""
    return np.concatenate(
        [np.resize(seen, round(len(seen) * factor)) if walk and only in (None, walk) else seen for seen, walk in pieces]
    )
