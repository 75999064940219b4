"""Phase one: states are grown from the start, prefixes joined only if the swap test holds both ways."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from dfst.effort import Effort
from dfst.errors import InputError
from dfst.extraction.swap import SwapTest
from dfst.extraction.trie import Fold, Table


@dataclass(frozen=True)
class Entry:
    """How a (state, symbol) got its successor: the trie node behind it opened a state, or was joined with one.

    ``prefix`` is that node, ``other`` the prefix of the state it was joined with (None: it opened a state); ``shared``
    recorded steps are common to both, and the swap test compared ``tested`` steps.
    """

    prefix: int
    other: int | None = None
    shared: int = 0
    tested: int = 0


@dataclass(frozen=True)
class Grown:
    """The machine after phase one, and how each of its transitions came about.

    ``ended`` says why the swap test was given up before the end; from there on, prefixes were joined whenever nothing
    recorded speaks against it.
    """

    table: Table
    entries: dict[tuple[int, int], Entry]
    ended: str = ""


def grow(test: SwapTest, progress: Callable[[str], None], effort: Effort, most: int, *, finish: bool) -> Grown:
    """The machine that the two-way swap test makes of the trie.

    Transitions are settled one at a time, always the one whose observed future is the longest, so that what decides is
    the best there is. Among several states that pass, the nearest hidden state is tried first. With more than ``most``
    states, or when ``effort`` ends, the test is given up. If that is to ``finish``, what is left is joined without it,
    with the first state with which nothing recorded clashes: so the machine follows the traces. Of the seconds of
    ``effort``, if there is such a limit, what is left is for that, or half of one; then it ends with a sentence.
    """
    fold, trie, ended = Fold(test.trie), test.trie, ""
    rest: Effort | None = None
    entries: dict[tuple[int, int], Entry] = {}
    known = [fold.witnesses(0)]  # of every state, until the test is given up
    while (chosen := fold.tallest()) is not None:
        if not ended and len(fold) > most:
            ended = f"after {len(entries)} transitions there were {len(fold)} states, more than the limit of {most}"
        elif not ended and effort.over(len(fold)):
            ended = f"{effort.reached} with {len(fold)} state{'s' * (len(fold) != 1)}"
        if ended and not finish:
            break
        if ended:
            rest = rest or Effort(math.inf, effort.left)
            if rest.over(0):
                what = f"no machine was found that follows the traces: {ended}, and joining the rest took too long"
                raise InputError(what, do="Give it more --seconds, or fewer traces.")
        source, edge = chosen
        node, key = fold.target(edge), (source, int(trie.steps.seen[edge]))
        mine = fold.witnesses(node)
        prefix = int(trie.parent[mine[0]])
        for state in range(len(fold)) if ended else test.nearest(mine, known):
            other = fold.witnesses(fold.roots[state]) if ended else known[state]
            tested = 0 if ended else test.two_way(mine, other)
            shared = None if tested is None else fold.join(state, edge)
            if tested is not None and shared is not None:
                entries[key] = Entry(prefix, int(trie.parent[other[0]]), shared, tested)
                if not ended:
                    known = [fold.witnesses(root) for root in fold.roots]  # a fold may reach far
                break
        else:
            fold.open(node)
            known.append(mine)
            entries[key] = Entry(prefix)
        if not ended:
            progress(f"{len(fold)} states, {len(entries)} transitions")
    return Grown(fold.table(), entries, ended)
