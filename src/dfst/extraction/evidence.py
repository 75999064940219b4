"""Why two prefixes became one state, and how much speaks for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from dfst.extraction.grow import Grown
from dfst.extraction.merge import Merged
from dfst.extraction.regular import Redirect
from dfst.extraction.trie import Trie, witnesses
from dfst.traces.coverage import followed, used
from dfst.traces.traces import Traces
from dfst.world.machine import UNDEFINED, GridMachine

Kind = Literal["regular", "follows", "one-way", "two-way"]
_KINDS: tuple[Kind, ...] = get_args(Kind)  # weakest first

_WORDS: dict[Kind, str] = {
    "regular": "symbols that are treated alike lead to one state, and no trace speaks against it",
    "two-way": "each hidden state acts as recorded along the other's observed futures",
    "one-way": "the richer state's hidden state acts as recorded along the poorer one's observed futures",
    "follows": "they follow under the same symbol on states that were merged",
}


@dataclass(frozen=True)
class Prefix:
    """The first ``step`` steps of a trace; ``problem`` is None if nobody knows it.

    ``rehearsed``: no recorded trace begins like this, it is from a run of the model's own.
    """

    trace: int
    step: int
    problem: tuple[str, ...] | None
    rehearsed: bool

    def __str__(self) -> str:
        name = f"trace {self.trace}" if self.problem is None else "(" + ", ".join(self.problem) + ")"
        return f"{name} after {self.step} steps{' (rehearsed)' if self.rehearsed else ''}"


@dataclass(frozen=True)
class Join:
    """One reason why prefixes are one state.

    ``prefix`` was joined with the state of ``other`` (both are the prefixes with the longest futures): ``shared``
    recorded steps are the same on both sides, and the swap test compared ``tested`` steps. ``kind`` says why: the test
    holds two-way, or one-way; or the two merely follow from another join (``follows``); or symbols treated alike lead
    to one state, and the test holds one-way (``regular``). ``rank`` 1 is the weakest join of all; ``entries`` are the
    machine's (state, symbol) through which the joined prefixes come.
    """

    rank: int
    kind: Kind
    state: str
    prefix: Prefix
    other: Prefix
    shared: int
    tested: int
    entries: tuple[tuple[str, str], ...] = field(repr=False)

    def explain(self) -> str:
        """In words."""
        if self.shared == 0:
            basis = {"follows": "that join", "regular": "that rule and the model"}.get(self.kind, "the model alone")
            common = f"no recorded step is common to both: this rests on {basis}"
        else:
            common = f"{self.shared} recorded step{'s are' if self.shared > 1 else ' is'} common to both"
        tested = f" ({self.tested} steps compared)" if self.tested else ""
        return f"{self.state}: {self.prefix} joined {self.other}, {self.kind}: {_WORDS[self.kind]}{tested}; {common}"


@dataclass(frozen=True, eq=False)
class Evidence:
    """Everything that speaks for an extracted machine.

    ``traces`` are the recorded traces, ``rehearsed`` the model's own runs that were used besides; ``open_probes`` is
    the number of fresh rehearsals that the machine does not follow (0: none was found). ``grown``, ``merged`` and
    ``redirects`` are what the three phases did, in numbers of phase one's states; ``number`` is the machine's state of
    each, if any: the same for several states that phase three leaves if they are twins.
    """

    machine: GridMachine
    traces: Traces
    rehearsed: Traces
    open_probes: int
    trie: Trie = field(repr=False)
    grown: Grown = field(repr=False)
    merged: Merged = field(repr=False)
    redirects: Sequence[Redirect] = field(repr=False)
    number: dict[int, int] = field(repr=False)

    @cached_property
    def joins(self) -> tuple[Join, ...]:
        """Every join, the weakest first: fewest shared steps, then the weaker kind, then least tested."""
        found = sorted(self._unranked(), key=lambda join: (join.shared, _KINDS.index(join.kind), join.tested))
        return tuple(replace(join, rank=rank) for rank, join in enumerate(found, 1))

    def _unranked(self) -> Iterator[Join]:
        table = self.grown.table
        for (q, x), entry in self.grown.entries.items():
            target = table[q][x].target
            if entry.other is None or q not in self.number or target not in self.number:
                continue
            if self.machine.next_state[self.number[q], x] == self.number[target]:  # it still goes there
                yield self._join("two-way", target, entry.prefix, entry.other, entry.shared, entry.tested, [(q, x)])
        for merge in self.merged.merges:
            for i, (a, b) in enumerate(merge.pairs):
                if a in self.number:
                    follows = "follows", len(table[a].keys() & table[b].keys()), 0
                    kind, shared, tested = follows if i else ("one-way", merge.shared, merge.tested)
                    entries = [(q, x) for q, x in self.grown.entries if table[q][x].target == b]
                    yield self._join(kind, a, self._example(b), self._example(a), shared, tested, entries)
        for each in self.redirects:
            step = self.merged.table[each.state].get(each.symbol)  # None: no trace needs it any more
            if step is not None and each.state in self.number and each.target in self.number:
                other, key = self._example(each.target), [(each.state, each.symbol)]
                yield self._join("regular", each.target, step.witness, other, 0, each.tested, key)

    def _join(
        self, kind: Kind, state: int, prefix: int, other: int, shared: int, tested: int, keys: list[tuple[int, int]]
    ) -> Join:
        states, symbols = self.machine.states, self.machine.alphabet.symbols
        entries = tuple((states[self.number[q]], symbols[x]) for q, x in keys if q in self.number)
        name = states[self.number[state]]
        return Join(0, kind, name, self._prefix(prefix), self._prefix(other), shared, tested, entries)

    def _example(self, state: int) -> int:
        """The prefix of a phase-one state with the longest observed future."""
        return int(self.trie.parent[witnesses(self.grown.table[state])[0]])

    def _prefix(self, node: int) -> Prefix:
        trace = int(self.trie.trace[node])
        rehearsed = trace >= len(self.traces)
        problems = self.rehearsed.problems if rehearsed else self.traces.problems
        problem = problems[trace - len(self.traces) * rehearsed] if problems else None
        return Prefix(trace, int(self.trie.depth[node]), problem, rehearsed)

    @cached_property
    def followed(self) -> int:
        """How many of the recorded traces the machine takes step by step as recorded."""
        return int((followed(self.machine, self.traces)[1] == self.traces.lengths).sum())

    @cached_property
    def unrecorded(self) -> tuple[tuple[str, str], ...]:
        """The machine's rules (state, symbol) that no recorded trace uses: they rest on rehearsals alone."""
        return self._named(~used(self.machine, self.traces) & (self.machine.next_state != UNDEFINED))

    @cached_property
    def guessed(self) -> tuple[tuple[str, str], ...]:
        """The rules of which every use is recorded without what was written: that is the model's guess."""
        return self._named(used(self.machine, self.traces) & ~used(self.machine, self.traces, known=True))

    def _named(self, rules: np.ndarray) -> tuple[tuple[str, str], ...]:
        machine, symbols = self.machine, self.machine.alphabet.symbols
        return tuple((machine.states[q], symbols[x]) for q, x in np.argwhere(rules))
