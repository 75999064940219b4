"""What to keep apart next: from what was forgotten to a finer abstraction."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from dfst.prove.abstraction import Precision
from dfst.prove.pursuit import Forgotten, Key, Pursuit
from dfst.world.machine import GridMachine

MAX_RUNS = 14
MAX_APART = 4


def refined(precision: Precision, pursuits: Iterable[Pursuit]) -> Precision | None:
    """A finer precision, for what each of the pursuits met first on its way; None if nothing is left to try."""
    keys: set[Key] = set()
    longer = False
    for pursuit in pursuits:
        found, joined = _for(precision, pursuit.forgotten)
        keys |= found
        longer |= joined
    if keys:
        precision = replace(precision, tracked=precision.tracked | keys)
    if keys and not longer:
        return precision
    if precision.runs < MAX_RUNS:
        apart = min(precision.apart + (precision.runs % 2), MAX_APART)
        return replace(precision, runs=precision.runs + 1, apart=apart)
    return precision if keys else None


def _for(precision: Precision, forgotten: Iterable[Forgotten]) -> tuple[set[Key], bool]:
    """(what to track, whether longer halves are needed) for the nearest thing that was forgotten.

    The symbol in a cell comes from the last visit that changed it. If that one is tracked already, it was forgotten
    when runs were joined; if no visit changed it, it is a symbol of the input, which was read before.
    """
    longer = False
    for _, visits, _ in forgotten:
        changed = [i for i, visit in enumerate(visits) if visit.changed]
        since = visits[changed[-1] :] if changed else visits
        origin = since[0].keys - precision.tracked if changed else frozenset()
        if origin:
            return set(origin), longer
        if changed and precision.runs < MAX_RUNS:
            longer = True
            continue
        for visit in reversed(since):
            if visit.keys - precision.tracked:
                return set(visit.keys - precision.tracked), longer
    return set(), longer


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
