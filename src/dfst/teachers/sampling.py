"""Which problems to learn from: the paper's data sampler DS(R, task, p, q, N), for problems of any layout."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from dfst.errors import InputError, Mistake, NoteWarning
from dfst.seeds import Stream
from dfst.world.worlds import World

Operands = tuple[str, ...]


@dataclass(frozen=True)
class Sampling:
    """Problems to learn from: all short ones, those of one symbol, random ones; ``n`` in all.

    All problems whose operands have up to ``p`` symbols, all whose operands repeat one symbol ``q`` times, and random
    ones of up to ``q`` symbols that are not in the set yet. If there are fewer than ``n``, all of them are taken.

    This is the paper's scheme for pairs of numbers, generalised. Its count of the random part,
    N - R²(Rᵖ-1)²/(R-1)² + R², slips: the same-digit pairs are to be subtracted as well, so that the set has N traces.
    "Numbers of up to q digits" are digit strings, leading zeros allowed (its own count of short pairs implies that),
    drawn uniformly from all of them, so that longer ones are more frequent.
    """

    p: int
    q: int
    n: int


_MAX_DIGITS, _MAX_TRACES, _MAX_SHORT = 10_000, 10**9, 10**7  # beyond that, the set outgrows a computer

_HUGE = 10**30  # Python refuses to print numbers of more than 4300 digits


def problem_count(world: World, longest: int) -> int:
    """How many problems have operands of 1 to ``longest`` symbols.

    >>> import dfst
    >>> problem_count(dfst.task("add2").machine.world, 2)
    36
    """
    return math.prod(operand.count(max(longest, 0)) for operand in world.operands)


def same_symbol_count(world: World) -> int:
    """How many problems of one length have operands of one symbol each, repeated."""
    return math.prod(len(operand.symbols) for operand in world.operands)


def sampling_problems(sampling: Sampling, world: World) -> Iterator[Mistake]:
    """What is wrong with ``sampling``: lengths and numbers that make no set, or one that nobody can hold."""
    p, q, n = (min(max(number, -_HUGE), _HUGE) for number in (sampling.p, sampling.q, sampling.n))
    if not 1 <= q <= _MAX_DIGITS:
        do = f"Choose q, the longest problems (train: --digits), from 1 to {_MAX_DIGITS}."
        yield Mistake(f"q = {q} is not a length", do, key="task.q")
    elif not 0 <= p <= q:
        what = f"p = {p} is negative" if p < 0 else f"p = {p} is more than q = {q}"
        yield Mistake(what, "Choose p from 0 to q (train: --digits is q).", key="task.p")
    elif (short := problem_count(world, p)) > _MAX_SHORT:
        yield Mistake(f"there are too many problems of up to p = {p} symbols", "Choose a smaller p.", key="task.p")
    else:
        same = same_symbol_count(world)
        smallest = short + same if q > p else short
        if not any(operand.many for operand in world.operands):
            smallest = same
        if n < smallest:
            what = f"n = {n} is fewer than the {smallest} problems always included"
            yield Mistake(what, f"Ask for {smallest} or more.", key="task.n")
        elif n > _MAX_TRACES:
            what = f"n = {n} is more traces than anything can hold"
            yield Mistake(what, f"Ask for at most {_MAX_TRACES}.", key="task.n")


def check_sampling(sampling: Sampling, world: World) -> None:
    """Refuse a sampling with the first of :func:`sampling_problems`."""
    for problem in sampling_problems(sampling, world):
        raise InputError(problem.what, do=problem.do)


def problems(world: World, sampling: Sampling, *, seed: int) -> list[Operands]:
    """The problems of ``sampling``: short ones, then those of one symbol, then random ones."""
    p, q, n = sampling.p, sampling.q, sampling.n
    check_sampling(sampling, world)
    if n > (most := problem_count(world, q)):
        what = f"n = {n}, but there are only {most} problems of up to {q} symbols; all of them are taken."
        warnings.warn(what, NoteWarning, stacklevel=2)
        n, p = most, q  # every problem is a short one then
    operands = world.operands
    short = [[word for length in range(1, p + 1) for word in operand.words(length)] for operand in operands]
    same = [[operand.repeated(symbol, q) for symbol in operand.symbols] for operand in operands]
    found = dict.fromkeys([*product(*short), *product(*same)])
    if n > len(found):
        stream = Stream(seed, "data")
        while len(found) < n:
            found.setdefault(tuple(operand.random(stream, q) for operand in operands))
    return list(found)
