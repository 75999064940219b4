"""Pairs of states that act alike on any grid whatsoever."""

from __future__ import annotations

from collections.abc import Iterable

from dfst.prove.lockstep import alike
from dfst.world.machine import GridMachine

Pair = tuple[int, int]


def alike_everywhere(teacher: GridMachine, learner: GridMachine, pairs: Iterable[Pair]) -> frozenset[Pair]:
    """Those of ``pairs`` (and of the pairs they lead to) that act alike for ever, whatever the symbols they see.

    >>> from dfst import task
    >>> machine = task("add2").machine
    >>> len(alike_everywhere(machine, machine, [(0, 0)])), alike_everywhere(machine, machine, [(0, 1)])
    (11, frozenset())
    """
    following: dict[Pair, set[Pair]] = {}
    before: dict[Pair, set[Pair]] = {}
    apart: list[Pair] = []
    todo = list(dict.fromkeys(pairs))
    seen = set(todo)
    while todo:
        pair = todo.pop()
        entries = list(zip(teacher.table[pair[0]], learner.table[pair[1]], strict=True))
        if not all(alike(theirs, ours) for theirs, ours in entries):
            apart.append(pair)
            continue
        following[pair] = {(theirs[0], ours[0]) for theirs, ours in entries if theirs and ours and theirs[0] >= 0}
        for after in following[pair]:
            before.setdefault(after, set()).add(pair)
            if after not in seen:
                seen.add(after)
                todo.append(after)
    gone = set(apart)
    while apart:  # whatever leads to a pair that can part can part itself
        for pair in before.get(apart.pop(), set()) - gone:
            gone.add(pair)
            apart.append(pair)
    return frozenset(seen - gone)
