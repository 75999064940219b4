"""What to keep apart next: from what was forgotten to a finer abstraction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dfst.prove.abstraction import Precision
from dfst.prove.pursuit import Forgotten, Key, Pursuit
from dfst.world.machine import GridMachine

MAX_RUNS = 14
MAX_APART = 4


def refinements(precision: Precision, pursuits: Iterable[Pursuit]) -> list[Precision]:
    """Finer precisions, one of which may keep the pursuits from going astray; the most promising first.

    Either what led astray nearest to the disagreement is remembered, or what led astray for good, or longer halves are
    kept; only if nothing that was written is left to remember, what was read, since remembering symbols of the input
    multiplies configurations.
    """
    found: list[Precision] = []
    items = [sorted(pursuit.forgotten, key=lambda item: item.distance) for pursuit in pursuits]
    lost = [sorted(each, key=lambda item: not item.lost) for each in items]
    for choose, order in ((_written, items), (_written, lost), (_read, items)):
        keys: set[Key] = set()
        for each in order:
            advised = (choose(item) - precision.tracked for item in each)
            keys |= next(filter(None, advised), frozenset())
        if keys and (choose is _written or not found):
            found.append(replace(precision, tracked=precision.tracked | keys))
    if precision.runs < MAX_RUNS:
        found.append(replace(precision, runs=precision.runs + 1))
    elif precision.apart < MAX_APART:
        found.append(replace(precision, apart=precision.apart + 1))
    return list(dict.fromkeys(found))


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
    if new.runs > old.runs:
        said.append(f"keep {new.runs} runs on each side")
    if new.apart > old.apart:
        said.append(f"count to {new.apart} before saying many")
    return "; ".join(said)
