"""Phase three: symbols that a state treats alike lead to one state, unless something observed speaks against it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from dfst.extraction.kernels import follows
from dfst.extraction.merge import Merged
from dfst.extraction.swap import SwapTest
from dfst.extraction.trie import Step, Table, witnesses


@dataclass(frozen=True)
class Redirect:
    """In ``state``, seeing ``symbol``, the machine now goes to ``target``.

    So it does on all symbols on which it makes the same move and writes back what it saw, or writes the same.
    ``tested`` steps were compared: the hidden state of ``target`` explains what was observed afterwards.
    """

    state: int
    symbol: int
    target: int
    tested: int


def regularise(merged: Merged, test: SwapTest) -> tuple[Merged, list[Redirect]]:
    """Give symbols that are treated alike one successor where every trace is still followed and the swap test agrees.

    Often several states fit what was observed after a step, and which of them passed the swap test was decided by
    directions of the hidden state that no observation ever tried. This decides by the rule that is shortest to say.
    What no trace needs any more is then left out. At last, successors that know one rule only, and the same, become one
    state. The swap test keeps them apart if each has seen other symbols: about those the model has learned nothing.
    """
    home = merged.home
    table = [{x: replace(step, target=_home(step.target, home)) for x, step in row.items()} for row in merged.table]
    check = _Check(table, home[0], test)
    redirects: list[Redirect] = []
    for state, row in enumerate(table):
        for alike in _alike(row):
            targets = Counter(target for x in alike if (target := row[x].target) is not None)
            for target in sorted(targets, key=lambda q: (-targets[q], q)) if len(targets) > 1 else []:
                found = _redirected(state, alike, target, table, check, test)
                if found is not None:
                    redirects += found
                    for each in found:
                        row[each.symbol] = replace(row[each.symbol], target=target)
                    break
    used = check.used()
    table = [{x: step for x, step in row.items() if used[q, x]} for q, row in enumerate(table)]
    home = [*home]
    redirects += _united(table, home)
    return replace(merged, table=table, home=home), redirects


def _united(table: Table, home: list[int]) -> list[Redirect]:
    """Make one state of successors that know the same single rule; in ``table`` and ``home``.

    Whatever the machine did before, it still does. What is new: seeing a symbol that was known to one of them only.
    """
    changes: list[Redirect] = []
    for state, row in enumerate(table):
        for alike in _alike(row):
            targets = dict.fromkeys(target for x in alike if (target := _home(row[x].target, home)) is not None)
            kept, *others = [q for q in targets if _only_rule(table[q], home) is not None] or [-1]
            for other in others:
                if _only_rule(table[other], home) == _only_rule(table[kept], home):
                    changing = [x for x in alike if _home(row[x].target, home) == other]
                    changes += [Redirect(state, x, kept, 0) for x in changing]
                    table[kept], table[other] = table[other] | table[kept], {}
                    home[:] = [kept if q == other else q for q in home]
    return changes


def _only_rule(row: dict[int, Step], home: list[int]) -> tuple[int, int, int | None] | None:
    """What a state does about every symbol it has seen, and where that leads, if it is the same for all."""
    rules = {(*_does(x, step), _home(step.target, home)) for x, step in row.items()}
    return rules.pop() if len(rules) == 1 else None


def _does(symbol: int, step: Step) -> tuple[int, int]:
    """The move, and what is written; -1 if that is the symbol seen."""
    return step.move, -1 if step.written == symbol else step.written


def _home(target: int | None, home: list[int]) -> int | None:
    return None if target is None else home[target]


def _alike(row: dict[int, Step]) -> Iterator[tuple[int, ...]]:
    """The symbols of a state, grouped by what it does about them; those whose successor is not known are left out."""
    groups: dict[tuple[int, int], list[int]] = {}
    for x, step in row.items():
        if step.target is not None:
            groups.setdefault(_does(x, step), []).append(x)
    yield from map(tuple, groups.values())


def _redirected(
    state: int, alike: tuple[int, ...], target: int, table: Table, check: _Check, test: SwapTest
) -> list[Redirect] | None:
    """What changes if all of ``alike`` lead to ``target``; None if they cannot."""
    row, found = table[state], list[Redirect]()
    changing = [x for x in alike if row[x].target != target]
    before = check.following[state].copy()
    check.following[state, changing] = target
    if check.follows():
        for x in changing:
            future = int(test.trie.steps.tallest[row[x].witness])
            tested = 0 if future < 0 else test.one_way(witnesses(table[target]), [future])
            if tested is None:
                break
            found.append(Redirect(state, x, target, tested))
        else:
            return found
    check.following[state] = before
    return None


class _Check:
    """The machine's tables as arrays, and whether they follow every trace."""

    def __init__(self, table: Table, start: int, test: SwapTest) -> None:
        shape = (len(table), 1 + max(x for row in table for x in row))
        self.following, self._action = np.full(shape, -1, np.int32), np.full(shape, -1, np.int32)
        for q, row in enumerate(table):
            for x, step in row.items():
                self.following[q, x] = -1 if step.target is None else step.target
                self._action[q, x] = step.written * 8 + step.move
        self._start, self._trie = start, test.trie
        self._used = np.zeros(shape, bool)
        self._path = np.empty(int(test.trie.steps.height[0]) + 1, np.int32)

    def used(self) -> np.ndarray:
        """Which (state, symbol) some trace needs, as a table."""
        self._used[:] = False
        if not self.follows():  # it fills the table
            raise RuntimeError("the machine does not follow its own traces")
        return self._used

    def follows(self) -> bool:
        """Whether every trace is followed."""
        trie, tables = self._trie, (self.following, self._action, self._start)
        return bool(follows(*tables, trie.depth, trie.steps, self._path, self._used))
