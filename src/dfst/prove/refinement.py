"""What to keep apart next: from what was forgotten to a finer abstraction."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import replace

from dfst.prove.abstraction import Precision
from dfst.prove.pursuit import Forgotten, Key, Pursuit
from dfst.world.machine import GridMachine

MAX_RUNS = 14
MAX_APART = 4
MAX_NEAR = 3


def ready_made(precision: Precision, states: int) -> Iterator[Precision]:
    """Precisions that suit many machines, like ``precision`` in its rows and in how much is known near the head.

    They differ in what is remembered of a cell (its class, or what the teacher knew when it left it), and in how many
    runs a half may have.

    >>> len(list(ready_made(Precision(0, 1), 3)))
    9
    """
    everywhere = frozenset(range(states))
    none: frozenset[int] = frozenset()
    memories = ((none, none), (everywhere, none), (none, everywhere))
    for (runs, most), (flow, wide) in itertools.product(((3, 3), (4, 4), (5, 0)), memories):
        yield replace(precision, runs=runs, most=most, flow=flow, wide=wide)


def one_state_changed(precision: Precision) -> Iterator[Precision]:
    """Precisions that remember more, or something else, in one state of ``wide`` or ``flow``.

    >>> [sorted(each.flow) for each in one_state_changed(Precision(0, 0, wide=frozenset({1, 2})))]
    [[1], [2], [], []]
    """
    for q in sorted(precision.wide):
        yield replace(precision, flow=precision.flow | {q}, wide=precision.wide - {q})
    for q in sorted(precision.wide | precision.flow):
        yield replace(precision, flow=precision.flow - {q}, wide=precision.wide - {q})


def refinements(precision: Precision, pursuits: Iterable[Pursuit], states: int | None) -> list[Precision]:
    """Finer precisions, one of which may keep the pursuits from going astray; the most promising first.

    Either what led astray nearest to the disagreement is remembered, or what led astray for good, or longer halves are
    kept; only if nothing that was written is left to remember, what was read, since remembering symbols of the input
    multiplies configurations. With ``states`` also, more coarsely, what the teacher knew there, or in all of so many
    states; or what is near the head.
    """
    found: list[Precision] = []
    items = [sorted(pursuit.forgotten, key=lambda item: item.distance) for pursuit in pursuits]
    lost = [sorted(each, key=lambda item: not item.lost) for each in items]
    flow = set(precision.flow)
    for choose, order in ((_written, items), (_written, lost), (_read, items)):
        keys: set[Key] = set()
        for each in order:
            advised = (choose(item) - precision.tracked for item in each)
            keys |= next(filter(None, advised), frozenset())
        flow |= {q for q, _, _ in keys}
        if keys and (choose is _written or not found):
            found.append(replace(precision, tracked=precision.tracked | keys))
    if states is not None:
        found += [replace(precision, flow=frozenset(more)) for more in (flow, range(states))]
    if states is not None and precision.near < MAX_NEAR:
        found.append(replace(precision, near=precision.near + 1))
    if precision.runs < MAX_RUNS:
        found.append(replace(precision, runs=precision.runs + 1, most=precision.most and precision.most + 1))
    elif precision.apart < MAX_APART:
        found.append(replace(precision, apart=precision.apart + 1))
    return [finer for finer in dict.fromkeys(found) if finer != precision]


def _written(item: Forgotten) -> frozenset[Key]:
    """The visit that decided what stood in the cell."""
    return next((visit.keys for visit in reversed(item.visits) if visit.decided), frozenset())


def _read(item: Forgotten) -> frozenset[Key]:
    """The last visit that only read what stood in the cell, since it was decided."""
    return item.visits[-1].keys if item.visits else frozenset()


def difference(old: Precision, new: Precision, teacher: GridMachine) -> str:
    """What ``new`` keeps apart that ``old`` does not, in words."""
    symbols, said = teacher.alphabet.symbols, []
    rules = dict.fromkeys((q, x) for q, x, _ in sorted(new.tracked - old.tracked))
    if rules:
        said.append(
            "remember what was written by " + " ".join(f"({teacher.states[q]}, {symbols[x]})" for q, x in rules)
        )
    for more, only in ((new.flow - old.flow, ""), (new.wide - old.wide, "only ")):
        if more:
            names = " ".join(teacher.states[q] for q in sorted(more))
            said.append(f"remember of a cell {only}what the teacher knows of it in {names}")
    if new.most and new.most < old.hard:
        said.append(f"keep {new.most} runs at most on each side")
    elif new.runs > old.runs:
        said.append(f"keep {new.runs} runs on each side")
    if new.apart > old.apart:
        said.append(f"count to {new.apart} before saying many")
    if new.near > old.near:
        said.append(f"know exactly what is nearest ({new.near} on each side)")
    return "; ".join(said)
