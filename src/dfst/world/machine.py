"""A machine as a frozen table: (state, symbol) -> (state, symbol, move)."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from dfst.errors import InputError, MachineError, Mistake
from dfst.explained import html_table, left_out
from dfst.files import write_atomically
from dfst.shapes import freeze
from dfst.world.alphabet import Alphabet, is_names
from dfst.world.layout import Layout
from dfst.world.moves import HALT, HALTED, UNDEFINED, Move
from dfst.world.table import Table
from dfst.world.worlds import World

MAX_RULES = 100_000
"""More rules are refused: the lists in one line of a file multiply, so that a small file could ask for billions."""

_SHOWN_STATES, _SHOWN_SYMBOLS = 30, 16
"""How much of a machine a notebook shows."""

NO_RULES = Mistake("there are no rules", "Add at least one rule.")


class Rule(NamedTuple):
    """In ``state``, seeing ``seen``: write ``written``, make ``move``, go on in ``next``."""

    state: str
    seen: str
    written: str
    move: Move
    next: str


@dataclass(frozen=True, eq=False)
class GridMachine(Table):
    """A deterministic machine, validated on construction; every problem is listed, not only the first.

    Halting convention: the move S is emitted exactly when the machine halts. A rule that stays and goes on, or halts
    and moves, is refused; so observers who see only symbols and moves know when the machine has halted.

    ``next_state`` (HALTED or UNDEFINED where negative), ``written`` and ``move`` are arrays over (state, symbol). A
    pair without a rule is UNDEFINED, never a guess: a machine that meets it is stuck.

    >>> from dfst import task
    >>> machine = task("add2").machine
    >>> machine.rule("take", "1")
    Rule(state='take', seen='1', written='_', move=<Move.U: 0>, next='add1')
    >>> machine.rule("take", "_") is None
    True
    """

    def __post_init__(self) -> None:
        texts = text_problems(self.name, self.about)
        if problems := [*texts, *self.world.problems(), *self._table_problems()]:
            raise MachineError(problems, where=self.name)
        freeze(self, ("next_state", "written", "move"))

    def reordered(self, alphabet: Alphabet) -> GridMachine:
        """The same machine with its symbols in the order of ``alphabet``."""
        old = [self.alphabet.index[symbol] for symbol in alphabet.symbols]
        table = {"next_state": self.next_state[:, old], "move": self.move[:, old]}
        return replace(
            self,
            world=replace(self.world, alphabet=alphabet),
            written=np.argsort(old).astype(np.uint8)[self.written[:, old]],
            **table,
        )

    def _table_problems(self) -> Iterator[Mistake]:
        shape = (len(self.states), len(self.alphabet))
        tables = ((self.next_state, np.int32), (self.written, np.uint8), (self.move, np.uint8))
        if not all(array.shape == shape and array.dtype == dtype for array, dtype in tables):
            yield Mistake(f"the tables must be int32, uint8 and uint8, of the shape (states, symbols) {shape}")
            return
        if not self.states:
            yield NO_RULES
            return
        if not isinstance(self.states, tuple) or not is_names(self.states):
            yield Mistake("the states must be a tuple of strings")
            return
        for state in self.states:
            yield from _state_name_problems(state)
        if not 0 <= self.start < len(self.states):
            yield Mistake(f"start state {self.start} is not one of the {len(self.states)} states")
        if len(set(self.states)) < len(self.states) or HALT in self.states:
            yield Mistake(f"state names must differ from each other and from {HALT!r}")
        defined = self.next_state != UNDEFINED
        for q in np.flatnonzero(~defined.any(axis=1)):
            yield Mistake(f"state {self.states[q]!r} has no rules", "Add its rules, or leave it out.")
        if defined.sum() > MAX_RULES:
            yield Mistake(f"there are more than {MAX_RULES} rules", "Split the machine.")
        if (self.next_state < UNDEFINED).any() or (self.next_state >= len(self.states)).any():
            yield Mistake("the table leads to a state that does not exist")
        if (self.written >= len(self.alphabet)).any() or (self.move >= len(Move)).any():
            yield Mistake("the table holds a symbol or a move that does not exist")
            return
        for q, x in np.argwhere(defined & ((self.move == Move.S) != (self.next_state == HALTED))):
            yield _halting_problem(Move(self.move[q, x]), f"({self.states[q]}, {self.alphabet.symbols[x]})")

    @classmethod
    def from_rules(
        cls,
        rules: Sequence[Rule],
        *,
        alphabet: Alphabet,
        layout: Layout,
        start: str,
        name: str = "machine",
        about: str = "",
    ) -> GridMachine:
        """A machine from rules; its states are those that have rules, in order of appearance."""
        world = World(alphabet, layout)
        if problems := list(rule_problems(rules, [None] * len(rules), alphabet, start)):
            raise MachineError([*text_problems(name, about), *problems, *world.problems()], where=str(name))
        return machine_of(rules, world, start, name, about)

    @classmethod
    def parse(cls, text: str, *, source: str = "machine") -> GridMachine:
        """The machine written in ``text``, the content of a machine file; ``source`` names it in messages."""
        from dfst.world.machine_file import parse_machine

        return parse_machine(text, source=source)

    def save(self, path: str | Path) -> None:
        """Write a machine file, atomically; :func:`dfst.load` gives back an equal machine."""
        from dfst.world.machine_file import dump_machine

        write_atomically(path, dump_machine(self).encode())

    def rule(self, state: str, seen: str) -> Rule | None:
        """The rule of one pair, or None where there is none."""
        if state not in self.states:
            raise InputError(f"there is no state {state!r}", where=self.name, do=f"States are {_some(self.states)}.")
        if seen not in self.alphabet.index:
            do = f"Symbols are {_some(self.alphabet.symbols)}."
            raise InputError(f"{seen!r} is not a symbol", where=self.name, do=do)
        return self._rule(self.states.index(state), self.alphabet.index[seen])

    def _rule(self, q: int, x: int) -> Rule | None:
        target = int(self.next_state[q, x])
        if target == UNDEFINED:
            return None
        symbols = self.alphabet.symbols
        following = HALT if target == HALTED else self.states[target]
        return Rule(self.states[q], symbols[x], symbols[self.written[q, x]], Move(int(self.move[q, x])), following)

    def rules(self) -> Iterator[Rule]:
        """Every rule, by state, then by symbol."""
        pairs = np.argwhere(self.next_state != UNDEFINED).tolist()
        return (rule for q, x in pairs if (rule := self._rule(q, x)) is not None)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, GridMachine) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash((self.name, self.states, self.next_state.tobytes()))

    def _content(self) -> tuple[object, ...]:
        defined = self.next_state != UNDEFINED
        return (
            *(self.name, self.world, self.states, self.start, self.about),
            *(array.tobytes() for array in (self.next_state, self.written * defined, self.move * defined)),
        )

    def __repr__(self) -> str:
        rules = int((self.next_state != UNDEFINED).sum())
        return f"GridMachine({self.name!r}, {len(self.states)} states, {len(self.alphabet)} symbols, {rules} rules)"

    def _repr_html_(self) -> str:
        symbols, rows = self.alphabet.symbols[:_SHOWN_SYMBOLS], []
        for q, state in enumerate(self.states[:_SHOWN_STATES]):
            rules = [self._rule(q, x) for x in range(len(symbols))]
            actions = ["" if rule is None else f"{rule.written} {rule.move.name} {rule.next}" for rule in rules]
            rows.append([f"→ {state}" if q == self.start else state, *actions])
        more = [left_out(len(rows), len(self.states), "states"), left_out(len(symbols), len(self.alphabet), "symbols")]
        title = f"{self!r}: what is written, the move, the next state"
        return html_table(rows, header=["", *symbols], title=title, more=" ".join(filter(None, more)))


def machine_of(rules: Sequence[Rule], world: World, start: str, name: str, about: str) -> GridMachine:
    """The machine of rules in which :func:`rule_problems` finds nothing."""
    alphabet, states = world.alphabet, tuple(dict.fromkeys(rule.state for rule in rules))
    number = {state: i for i, state in enumerate(states)} | {HALT: HALTED}
    shape = (len(states), len(alphabet))
    next_state = np.full(shape, UNDEFINED, np.int32)
    written, move = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    for rule in rules:
        pair = number[rule.state], alphabet.index[rule.seen]
        next_state[pair], written[pair] = number[rule.next], alphabet.index[rule.written]
        move[pair] = rule.move
    return GridMachine(name, world, states, number[start], next_state, written, move, about)


def text_problems(name: str, about: str) -> Iterator[Mistake]:
    """What keeps ``name`` and ``about`` from being written in a file and read again."""
    for key, text, allowed in (("name", name, ""), ("about", about, "\n")):
        # Cs: halves of surrogate pairs, which are no text
        if not isinstance(text, str) or any(unicodedata.category(c) in ("Cc", "Cs") for c in text if c not in allowed):
            yield Mistake(f"{key!r} is not plain text", "Leave out tabs and other control characters.", key=key)


def _state_name_problems(state: str, line: int | None = None) -> Iterator[Mistake]:
    if not state or not state.isprintable():
        yield Mistake(f"{state!r} is not a state name", "Use visible characters.", line)


def _halting_problem(move: Move, where: str, line: int | None = None) -> Mistake:
    if move == Move.S:
        return Mistake(f"{where} stays but does not halt", "S means halting: move U, D, L or R, or go to halt.", line)
    return Mistake(
        f"{where} halts with move {move.name}", "Halting is written S: the halting rule makes no move.", line
    )


def rule_problems(
    rules: Sequence[Rule], lines: Sequence[int | None], alphabet: Alphabet, start: str | None
) -> Iterator[Mistake]:
    """Everything wrong with ``rules``, whose lines in a file are ``lines`` (None: not from a file)."""
    if not rules:
        yield NO_RULES
        return
    if not all(is_names((rule.state, rule.seen, rule.written, rule.next)) for rule in rules):
        yield Mistake("a rule's states and symbols must be strings")
        return
    states = {rule.state: line for rule, line in zip(reversed(rules), reversed(lines), strict=True)}
    for state, line in states.items():
        yield from _state_name_problems(state, line)
    first_line: dict[str, dict[str, int | None]] = {}  # nested: a pair as the key would take twice the memory
    unknown_next: dict[str, int | None] = {}
    if start is not None and start not in states:
        yield Mistake(f"start state {start!r} has no rules", f"The states are {_some(sorted(states))}.", key="start")
    for rule, line in zip(rules, lines, strict=True):
        where = f"({rule.state}, {rule.seen})"
        if rule.state == HALT:
            yield Mistake(f"{where}: the halting state has no rules", "Rename the state.", line)
        for symbol in dict.fromkeys((rule.seen, rule.written)):
            if symbol not in alphabet.index:
                do = f"The symbols are {_some(alphabet.symbols)}."
                yield Mistake(f"{where}: {symbol!r} is not a symbol", do, line)
        if rule.next != HALT and rule.next not in states:
            unknown_next.setdefault(rule.next, line)
        if not isinstance(rule.move, Move):
            yield Mistake(f"{where}: {rule.move!r} is not a move", "Use Move.U, D, L, R, or S to halt.", line)
        elif (rule.move == Move.S) != (rule.next == HALT):
            yield _halting_problem(rule.move, where, line)
        known = first_line.setdefault(rule.state, {})
        if rule.seen in known:
            place = f"in line {known[rule.seen]}" if known[rule.seen] else "above"
            yield Mistake(f"{where} has a second rule; the first is {place}", "Keep one of them.", line)
        known.setdefault(rule.seen, line)
    for state, line in unknown_next.items():
        yield from _state_name_problems(state, line)
        yield Mistake(f"state {state!r} is gone to but has no rules", "Add its rules, or halt.", line)


def _some(names: Iterable[str]) -> str:
    listed = list(names)
    return " ".join(listed[:40]) + (" …" if len(listed) > 40 else "")
