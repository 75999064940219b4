"""Problems on which two machines really part: small ones, or those that a pursuit found; none longer than needed."""

from __future__ import annotations

import itertools
import math
import random
from collections import deque
from collections.abc import Iterable, Iterator

from dfst.effort import Effort
from dfst.prove.lockstep import Counterexample, alike, first_difference, unclaimed
from dfst.prove.partial_input import PartialInput
from dfst.world.conversation import answers_one_by_one
from dfst.world.grid import Cell
from dfst.world.machine import GridMachine
from dfst.world.moves import OFFSETS

_LENGTHS = (1, 2, 3, 5, 8)
_ALL, _EACH = 150, 20
"""Up to so many problems of the same lengths are tried without leaving any out; of more, so many."""

_STEPS_EACH = 3_000
_STEPS_TO_CONFIRM = 10**7


def among_small_problems(teacher: GridMachine, learner: GridMachine, effort: Effort) -> Counterexample | None:
    """A counterexample among small problems, if there is one; they are always the same and count as no work."""
    if answers_one_by_one(teacher):
        return shortest_conversation(teacher, learner, effort)
    for problem in telling_problems(teacher):
        found = first_difference(teacher, learner, problem, step_limit=_STEPS_EACH)
        if found is not None:
            return _shrunk(teacher, learner, found)
        effort.spend(0)
    return None


def shortest_conversation(teacher: GridMachine, learner: GridMachine, effort: Effort) -> Counterexample | None:
    """The shortest inputs that the two Mealy machines answer differently; None only if there are none."""
    inputs = [teacher.alphabet.index[symbol] for symbol in teacher.world.inputs]
    start = teacher.start, learner.start
    todo, met = deque([(start, list[int]())]), set[tuple[int, int]]()  # the start is met only after an input
    while todo:
        pair, before = todo.popleft()
        effort.spend(1)
        rows = list(zip(teacher.table[pair[0]], learner.table[pair[1]], strict=True))
        for x in (teacher.alphabet.blank_index, *inputs) if before else inputs:
            theirs, ours = rows[x]
            word = [*before, x] if x in inputs else before
            if not alike(theirs, ours) and not unclaimed(theirs, ours):
                operands = (teacher.alphabet.decode(word),)
                return first_difference(teacher, learner, operands, step_limit=len(word) + 1)
            if theirs is not None and ours is not None and theirs[0] >= 0:
                after = theirs[0], ours[0]
                if after not in met:
                    met.add(after)
                    todo.append((after, word))
    return None


def confirmed(teacher: GridMachine, learner: GridMachine, operands: tuple[str, ...] | None) -> Counterexample | None:
    """The counterexample that a pursuit found, by running both machines again from the start.

    None where the teacher turns out to be stuck, and the learner not. Of conversations, the shortest counterexample was
    looked for before: there is none.
    """
    if operands is None or answers_one_by_one(teacher):
        return None
    found = first_difference(teacher, learner, operands, step_limit=_STEPS_TO_CONFIRM)
    return None if found is None else _shrunk(teacher, learner, found)


def _shrunk(teacher: GridMachine, learner: GridMachine, found: Counterexample) -> Counterexample:
    """A counterexample from which no symbol can be left out."""
    inputs = PartialInput(teacher.world)
    while True:
        word = tuple(teacher.place(found.operands).tolist())
        for shorter in inputs.shortened(word):
            operands = inputs.operands(dict(enumerate(shorter)))
            smaller = first_difference(teacher, learner, operands, step_limit=found.step + 1)
            if smaller is not None:
                found = smaller
                break
        else:
            return found


def problem_on_which(teacher: GridMachine, path: Iterable[int]) -> tuple[str, ...] | None:
    """A shortest problem on which ``teacher`` sees just this, step by step; None if there is none.

    >>> from dfst import task
    >>> increment = task("increment").machine
    >>> problem_on_which(increment, [1, 9, 10, 9]), problem_on_which(increment, [1, 9, 10, 8])
    (('19',), None)
    """
    inputs, blank, table = PartialInput(teacher.world), teacher.alphabet.blank_index, teacher.table
    known: dict[int, int] = {}
    grid: dict[Cell, int] = {}
    q, (x, y) = teacher.start, teacher.layout.head
    for seen in path:
        if (x, y) not in grid and y == 0 and x >= 0:
            known[x] = grid[x, y] = seen
            if not inputs.possible(known):
                return None
        entry = table[q][seen] if q >= 0 else None
        if grid.get((x, y), blank) != seen or entry is None:
            return None
        q, grid[x, y], move = entry
        x, y = x + OFFSETS[move][0], y + OFFSETS[move][1]
    return inputs.operands(known)


def telling_problems(machine: GridMachine, lengths: tuple[int, ...] | None = None) -> Iterator[tuple[str, ...]]:
    """Problems, short ones first: of each choice of lengths all if they are few, else some, the same every time.

    Half of those are made of repeated symbols (so that all carries happen, or none), half are random.
    """
    rng, operands = random.Random(0), machine.world.operands
    choices = [lengths or _LENGTHS if operand.many else (1,) for operand in operands]
    for chosen in sorted(itertools.product(*choices), key=sum):
        given = [(operand.symbols, n) for operand, n in zip(operands, chosen, strict=True)]
        if math.prod(len(members) ** n for members, n in given) <= _ALL:
            words = (itertools.product(members, repeat=n) for members, n in given)
            found = list(itertools.product(*words))
        else:
            makers = [(_all_one, _one_apart, _random) if i % 2 == 0 else (_random,) for i in range(_EACH)]
            found = [tuple(rng.choice(kinds)(rng, members, n) for members, n in given) for kinds in makers]
        for words in found:
            yield tuple(operand.word(word) for operand, word in zip(operands, words, strict=True))


def _all_one(rng: random.Random, members: tuple[str, ...], length: int) -> tuple[str, ...]:
    return (rng.choice((members[0], members[-1], rng.choice(members))),) * length


def _one_apart(rng: random.Random, members: tuple[str, ...], length: int) -> tuple[str, ...]:
    word = list(_all_one(rng, members, length))
    word[rng.choice((0, -1))] = rng.choice(members)
    return tuple(word)


def _random(rng: random.Random, members: tuple[str, ...], length: int) -> tuple[str, ...]:
    return tuple(rng.choice(members) for _ in range(length))
