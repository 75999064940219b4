"""Policy-trajectory observations: as people write them, ragged in memory, padded for training."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np

from dfst.errors import FileFormatError, InputError, shown
from dfst.explained import html_table, left_out
from dfst.files import write_atomically
from dfst.shapes import Int64, UInt8, freeze
from dfst.world.alphabet import Alphabet, alphabet_of
from dfst.world.layout import Layout
from dfst.world.moves import MOVE_NAMES, Move
from dfst.world.rollout import Trace
from dfst.world.worlds import World

_SHOWN, _SHOWN_STEPS = 10, 200
"""How many traces a notebook shows, and from how many steps at most."""

_HOW = 'Give three texts, such as ("1_", "0_", "RS"), or a list of steps, such as [("1", "0", "R"), ("_", "_", "S")].'


UNKNOWN = 255
"""In ``written``: nobody knows what was written; in a log, what the output was. It is no number of a symbol."""

MARK = "?"
"""How that is written in a file, and among the symbols written of a trace; in Python and in JSON it may be None."""


class Batch(NamedTuple):
    """Traces padded to the longest of them; what stands beyond ``lengths`` means nothing."""

    seen: UInt8[np.ndarray, "N T"]
    written: UInt8[np.ndarray, "N T"]
    moves: UInt8[np.ndarray, "N T"]
    lengths: Int64[np.ndarray, " N"]


@dataclass(frozen=True, eq=False, repr=False)
class Traces:
    """A set of N traces over one alphabet, stored end to end: trace i is steps ``offsets[i]`` to ``offsets[i + 1]``.

    ``problems`` holds the operands each trace was recorded on (or is empty, when nobody knows), ``layout`` how they
    stand on the grid (or None); ``task`` is a name, and ``cases`` are the names of the traces in a log (or empty). What
    was written may be ``UNKNOWN`` at some steps.

    >>> import dfst
    >>> traces = dfst.sample(dfst.task("add2"), seed=42)
    >>> len(traces), traces.lengths.max().item(), traces.problems[4]
    (20, 78, ('000', '000'))
    >>> traces.sha256[:16]
    '02617870ac4a9976'
    """

    world: World
    seen: UInt8[np.ndarray, " steps"]
    written: UInt8[np.ndarray, " steps"]
    moves: UInt8[np.ndarray, " steps"]
    offsets: Int64[np.ndarray, " boundaries"]
    problems: tuple[tuple[str, ...], ...] = ()
    task: str = ""
    cases: tuple[str, ...] = ()

    machine: ClassVar[None] = None  # what a task has: whose traces they are nobody knows

    def reordered(self, alphabet: Alphabet) -> Traces:
        """The same traces with their symbols in the order of ``alphabet``."""
        new = np.argsort([self.alphabet.index[symbol] for symbol in alphabet.symbols])
        return self.renumbered(new, world=replace(self.world, alphabet=alphabet))

    def renumbered(self, numbers: Sequence[int] | np.ndarray, **changes: Any) -> Traces:
        """The same traces with other ``numbers`` of their symbols, and other ``changes``; unknown stays unknown."""
        new = np.full(UNKNOWN + 1, UNKNOWN, np.uint8)
        new[: len(numbers)] = numbers
        return replace(self, seen=new[self.seen], written=new[self.written], **changes)

    @property
    def alphabet(self) -> Alphabet:
        """The symbols."""
        return self.world.alphabet

    @property
    def layout(self) -> Layout | None:
        """How problems stand on the grid; None if nobody knows."""
        return self.world.layout

    @property
    def unknown(self) -> np.ndarray:
        """Where nobody knows what was written."""
        return self.written == UNKNOWN

    @property
    def name(self) -> str:
        """What they are traces of."""
        return self.task

    def __post_init__(self) -> None:
        freeze(self, ("seen", "written", "moves", "offsets"))
        steps, offsets = len(self.seen), self.offsets
        if not len(offsets) or offsets[0] != 0 or offsets[-1] != steps or (np.diff(offsets) < 1).any():
            raise FileFormatError("the traces do not fit together", do="Every trace needs at least one step.")
        if len(self.written) != steps or len(self.moves) != steps:
            raise FileFormatError("seen, written and moves differ in length")
        if steps and max(self.seen.max(), self.written.max(initial=0, where=~self.unknown)) >= len(self.alphabet):
            raise FileFormatError("a trace holds a symbol that is not in the alphabet")
        if steps and self.moves.max() >= len(Move):
            raise FileFormatError("a trace holds a move that does not exist")
        if self.problems and len(self.problems) != len(self):
            raise FileFormatError(f"{len(self.problems)} problems for {len(self)} traces")
        if self.cases and len(self.cases) != len(self):
            raise FileFormatError(f"{len(self.cases)} names of cases for {len(self)} traces")

    @classmethod
    def of(
        cls,
        world: World | Alphabet | str | Sequence[str],
        traces: Sequence[Any],
        problems: Sequence[tuple[str, ...]] = (),
        task: str = "",
        cases: Sequence[str] = (),
    ) -> Traces:
        """The set made of single traces: each a ``Trace``, three texts, or a list of (seen, written, move).

        Of the world the symbols alone may be given, among them the blank ``_``. Written symbols that are not known
        are ``?`` (unless that is a symbol) or None.

        >>> Traces.of("01_", [("1_", "0_", "RS"), [("0", "0", "R"), ("_", "_", "S")]])
        <Traces: 2 traces, 4 steps>
        """
        known = world if isinstance(world, World) else World(alphabet_of(world))
        alphabet = known.alphabet
        made = [each if isinstance(each, Trace) else _trace(each, alphabet, i) for i, each in enumerate(traces)]
        for i, (seen, written, moves) in enumerate([*map(len, trace)] for trace in made):
            if not seen == written == moves:  # one by one: their sums may be equal
                what = f"trace {i} sees {seen} symbols, writes {written} and makes {moves} moves"
                raise InputError(what, do="Give as many of each; what is not changed is written again.")
        offsets = np.cumsum([0, *(len(trace.seen) for trace in made)], dtype=np.int64)
        columns = ([np.empty(0, np.uint8), *(trace[i] for trace in made)] for i in range(3))
        seen, written, moves = (np.concatenate(column).astype(np.uint8) for column in columns)
        return cls(known, seen, written, moves, offsets, tuple(problems), task, tuple(cases))

    def save(self, path: str | Path) -> None:
        """Write them to a .jsonl file; :func:`dfst.load` gives back equal traces."""
        from dfst.traces.files import traces_text

        write_atomically(path, traces_text(self, path).encode())

    def part(self, numbers: Sequence[int]) -> Traces:
        """Some of the traces, by their numbers."""
        problems = [self.problems[i] for i in numbers] if self.problems else ()
        cases = [self.cases[i] for i in numbers] if self.cases else ()
        return Traces.of(self.world, [self[i] for i in numbers], problems, self.task, cases)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __repr__(self) -> str:
        count, steps = len(self), len(self.seen)
        of = f" of {self.task}" if self.task else ""
        return f"<Traces: {count} trace{'s' * (count != 1)}{of}, {steps} step{'s' * (steps != 1)}>"

    def __getitem__(self, i: int) -> Trace:
        if not -len(self) <= i < len(self):
            raise IndexError(i)
        part = slice(self.offsets[i % len(self)], self.offsets[i % len(self) + 1])
        return Trace(self.seen[part], self.written[part], self.moves[part])

    def __iter__(self) -> Iterator[Trace]:
        return (self[i] for i in range(len(self)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Traces) and (self.sha256, self.problems) == (other.sha256, other.problems)

    def __hash__(self) -> int:
        return hash(self.sha256)

    @property
    def lengths(self) -> Int64[np.ndarray, " N"]:
        """The number of steps of each trace."""
        return np.diff(self.offsets)

    def padded(self, indices: Sequence[int] | None = None) -> Batch:
        """The traces (or those at ``indices``) side by side, padded with zeros."""
        chosen = np.arange(len(self)) if indices is None else np.asarray(indices, np.int64)
        lengths = self.lengths[chosen]
        steps = np.arange(lengths.max(initial=0))
        inside = steps < lengths[:, None]
        at = (self.offsets[chosen][:, None] + steps)[inside]
        seen, written, moves = (np.zeros(inside.shape, np.uint8) for _ in range(3))
        seen[inside], written[inside], moves[inside] = self.seen[at], self.written[at], self.moves[at]
        return Batch(seen, written, moves, lengths)

    def _repr_html_(self) -> str:
        shown, rows = min(len(self), _SHOWN), []
        for i in range(shown):
            seen, written, moves = (column[:_SHOWN_STEPS] for column in self[i])
            problem = " ".join(self.problems[i]) if self.problems else ""
            gap, names = " "[: not self.alphabet.single_characters], dict(enumerate(self.alphabet.symbols))
            says = gap.join(names.get(number, MARK) for number in written.tolist())
            texts = (self.alphabet.decode(seen), says, "".join(MOVE_NAMES[m] for m in moves))
            rows.append([problem, str(self.lengths[i]), *texts])
        header = ["problem", "steps", "sees", "writes", "moves"]
        title = f"{len(self)} traces of {self.task or 'an unnamed task'}, {len(self.seen)} steps"
        return html_table(rows, header=header, title=title, more=left_out(shown, len(self), "traces"))

    @cached_property
    def sha256(self) -> str:
        """A hash of the content, not of any file: the alphabet and every step. Problems and names do not count."""
        digest = hashlib.sha256(b"dfst traces 1\n")
        digest.update(json.dumps([*self.alphabet.symbols, self.alphabet.blank], ensure_ascii=True).encode())
        digest.update(self.offsets.astype("<i8").tobytes())
        for column in (self.seen, self.written, self.moves):
            digest.update(column.tobytes())
        return digest.hexdigest()


def _trace(given: Any, alphabet: Alphabet, number: int) -> Trace:
    """One trace as people write it: three texts, or a list of steps; ``number`` is its place, for sentences."""
    where = f"trace {number}"
    if isinstance(given, str) or not isinstance(given, Sequence):
        raise InputError(f"it is {shown(given)}", where=where, do=_HOW)
    if len(given) == 3 and isinstance(given[2], str):  # three columns, the moves as one text
        split = list if alphabet.single_characters else str.split
        columns = [*(split(text) if isinstance(text, str) else list(text) for text in given[:2]), list(given[2])]
    else:
        for t, step in enumerate(given):
            if isinstance(step, str) or not isinstance(step, Sequence) or len(step) != 3:
                what = f"step {t} is {shown(step)}, not (seen, written, move)"
                raise InputError(what, where=where, do=_HOW)
        columns = [[step[i] for step in given] for i in range(3)]
    if not any(columns):
        raise InputError("it is empty", where=where, do="A trace has at least the step that halts, with the move S.")
    kinds = (("symbol", alphabet.symbols), ("symbol", alphabet.symbols), ("move", tuple(MOVE_NAMES)))
    gaps: tuple[dict[str | None, int], ...] = ({}, {MARK: UNKNOWN, None: UNKNOWN}, {})
    return Trace(*(_numbers(*each, where) for each in zip(columns, kinds, gaps, strict=True)))


def _numbers(column: list[Any], of: tuple[str, Sequence[str]], gaps: dict[str | None, int], where: str) -> np.ndarray:
    """What is given by its name or its number, as numbers; ``gaps`` are what else may stand there."""
    kind, names = of
    known = gaps | {name: i for i, name in enumerate(names)} | {i: i for i in range(len(names))}
    try:
        return np.array([known[each] for each in column], np.uint8)
    except (KeyError, TypeError):  # TypeError: a list as a symbol
        at = next(t for t, x in enumerate(column) if not isinstance(x, (str, int, type(None))) or x not in known)
        what = f"{shown(column[at])} in step {at} is not a {kind} here"
        raise InputError(what, where=where, do=f"The {kind}s are {' '.join(names)}.") from None
