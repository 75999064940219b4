"""An ordinary Python function watched at work: it gets a head on the grid, and what the head does becomes a trace."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dfst.errors import DfstError, InputError, in_your_code, shown
from dfst.records import checked
from dfst.traces.consistency import check_agreement
from dfst.traces.traces import Trace, Traces
from dfst.traces.understand import ANY
from dfst.world.alphabet import Alphabet, alphabet_of
from dfst.world.grid import Cell, Grid
from dfst.world.layout import Layout
from dfst.world.moves import MOVE_NAMES, OFFSETS, Move
from dfst.world.worlds import World

Program = Callable[["Head"], Any]

STEPS = 100_000
"""A program that takes more steps is stopped, unless more are allowed."""

_LOOKS = 20
"""So many looks at the grid for each step that is allowed: a loop that never moves is stopped, too."""

INPUT = "input"
"""The class of the symbols that problems are made of."""


class Head:
    """What a program has of the grid: the cell under it. It sees, writes and moves; when the program returns, it halts.

    >>> head = Head(World(alphabet_of("01")), [1, 1], (0, 0), 100)
    >>> head.see()
    '1'
    >>> head.write("0")
    >>> head.move("R")
    >>> head.do("0", "R")
    >>> head.see(), len(head.steps)
    ('_', 2)
    """

    def __init__(self, world: World, tape: Sequence[int], cell: Cell, step_limit: int) -> None:
        self.alphabet, self.grid, self.cell = world.alphabet, Grid(world, tape), cell
        self.steps: list[tuple[int, int, int]] = []
        self.halted = False
        self._limit, self._looks, self._arrived = step_limit, 0, self.grid[cell]

    def see(self) -> str:
        """The symbol under the head, as it stands now."""
        self._looks += 1
        if self._looks > _LOOKS * self._limit:
            raise InputError("the program looks and looks, but does not move", do="Is there a loop without a move?")
        return self.alphabet.symbols[self.grid[self.cell]]

    def write(self, symbol: str) -> None:
        """Write ``symbol`` on the cell under the head; before the head moves, the last one counts."""
        self._still_acting("writes")
        if not isinstance(symbol, str) or symbol not in self.alphabet.index:
            do = f"The symbols are {' '.join(self.alphabet.symbols)}; list all that are written in symbols=."
            raise InputError(f"{shown(symbol)} is not a symbol here", do=do)
        self.grid[self.cell] = self.alphabet.index[symbol]

    def move(self, move: str | int) -> None:
        """Go up, down, left or right (U, D, L, R): one step. S halts, and nothing may follow."""
        self._still_acting("moves")
        number = MOVE_NAMES.find(move) if isinstance(move, str) and len(move) == 1 else move
        if isinstance(number, (bool, float, str)) or number not in range(len(Move)):
            raise InputError(f"{shown(move)} is no move", do="Moves are U D L R, and S, which halts.")
        if len(self.steps) == self._limit:
            do = "Does it end? Allow more with step_limit."
            raise InputError(f"the program takes more than {self._limit} steps", do=do)
        self.steps.append((self._arrived, self.grid[self.cell], int(number)))
        self.halted = number == Move.S
        self.cell = (self.cell[0] + OFFSETS[number][0], self.cell[1] + OFFSETS[number][1])
        self._arrived = self.grid[self.cell]

    def do(self, symbol: str, move: str | int) -> None:
        """Write ``symbol``, then move: one step."""
        self.write(symbol)
        self.move(move)

    def _still_acting(self, does: str) -> None:
        if self.halted:
            raise InputError(f"the program {does} after it has halted", do="The move S ends it: return after it.")


@checked
def observe(
    program: Program,
    problems: Iterable[str | Sequence[str]],
    *,
    symbols: str | Sequence[str] | Alphabet | World = "",
    between: str = "",
    answer_row: int | None = None,
    step_limit: int = STEPS,
) -> Traces:
    """What can be observed of a Python function at work on ``problems``: seen, written, moved.

    ``program`` gets a :class:`Head` on the first symbol of a problem, which is written on row 0; loops, variables and
    library calls are its own business. ``symbols`` are all that may be seen or written (the blank is ``_``). A problem
    is a word, or several operands with the symbol ``between`` them. The answer is read on ``answer_row``: by default
    the one row that every run leaves something on. A :class:`dfst.World` as ``symbols`` says all that in one.

    >>> def flip(head):
    ...     while head.see() != "_":
    ...         head.do("1" if head.see() == "0" else "0", "R")
    >>> traces = observe(flip, ["0", "10", "110"], symbols="01")
    >>> traces, traces.alphabet.decode(traces[1].written), traces.layout.parts
    (<Traces: 3 traces of flip, 9 steps>, '01_', ('input+',))
    """
    if not callable(program):
        raise InputError(f"{shown(program)} is not a function", do="Give a function that takes a head.")
    given = [_operands(problem) for problem in problems]
    if not given:
        raise InputError("there are no problems", do="Give at least one, such as ['10', '11'].")
    name = getattr(program, "__name__", "program")
    guessing = answer_row is None and not isinstance(symbols, World)
    world = symbols if isinstance(symbols, World) else world_of(given, symbols, between)
    if mistake := next(world.problems(), None):
        raise InputError(mistake.what, where="layout", do=mistake.do)
    if answer_row is not None:
        world = replace(world, layout=replace(world.known, answer_row=answer_row))
    found, grids = [], []
    for problem in given:
        head = watch(program, problem, world, step_limit)
        found.append(Trace(*np.array(head.steps, np.uint8).T.copy()))
        grids += [head.grid] if guessing else []
    if guessing:
        world = replace(world, layout=replace(world.known, answer_row=_answer_row(grids, name)))
    traces = Traces.of(world, found, given, name)
    try:
        check_agreement(traces)
    except InputError as error:
        do = "A program may decide only by what its head sees, not by chance or by the problem's number."
        raise InputError(error.what, where=name, do=do) from None
    return traces


def watch(program: Program, problem: tuple[str, ...], world: World, step_limit: int) -> Head:
    """The head after ``program`` has worked on ``problem``, with all its steps; the last one halts."""
    head = Head(world, world.place(problem).tolist(), world.known.head, step_limit)
    where = f"{getattr(program, '__name__', 'program')} on {' and '.join(problem)}"
    try:
        program(head)
        if not head.halted:
            head.move("S")
    except DfstError as error:
        raise InputError(error.what, where=where, do=error.do) from error
    except BaseException as error:
        what = f"it raised {in_your_code(error)} after {len(head.steps)} steps"
        raise InputError(what, where=where, do="Correct the program there.") from error
    return head


def world_of(problems: Sequence[tuple[str, ...]], symbols: str | Sequence[str] | Alphabet, between: str) -> World:
    """The alphabet of ``symbols`` and the layout of ``problems``: operands of the symbols that occur in them."""
    count = len(problems[0])
    if odd := next((problem for problem in problems if len(problem) != count), None):
        raise InputError(f"{odd} has {len(odd)} operands, {problems[0]} has {count}", do="Give every problem as many.")
    if count > 1 and not between:
        do = 'Say what stands between them on the grid, such as between="+".'
        raise InputError(f"a problem has {count} operands", do=do)
    occurring = dict.fromkeys("".join("".join(problem) for problem in problems))
    plain = alphabet_of(symbols or [*sorted(occurring), *([between] if between else [])])
    if between and between not in plain.index:
        plain = Alphabet((*plain.symbols, between), plain.blank)
    used: set[int] = set()
    for operand in (operand for problem in problems for operand in problem):
        try:
            used |= set(plain.encode(operand).tolist())
        except InputError as error:
            do = f"Add it to symbols=; they are {' '.join(plain.symbols)}."
            raise InputError(error.what, where=f"the problem {shown(operand)}", do=do) from None
    own = tuple(plain.symbols[number] for number in sorted(used))
    if plain.blank in own:
        raise InputError("a problem holds the blank", do=f"A problem is made of other symbols than {plain.blank}.")
    every = tuple(symbol for symbol in plain.symbols if symbol != plain.blank)
    alphabet = Alphabet(plain.symbols, plain.blank, {INPUT: own, ANY: every})
    return World(alphabet, Layout((f"{INPUT}+", *(between, f"{INPUT}+") * (count - 1)), (0, 0), 0, ANY))


def _operands(problem: Any) -> tuple[str, ...]:
    given = (problem,) if isinstance(problem, str) else problem
    if not isinstance(given, (tuple, list)) or not all(isinstance(operand, str) for operand in given):
        do = "Give a text, such as '1011', or a tuple of texts for several operands."
        raise InputError(f"the problem {shown(problem)} is no text", do=do)
    if not given or not all(given):
        raise InputError(f"the problem {problem!r} is empty", do="Give at least one symbol.")
    return tuple(given)


def _answer_row(grids: Sequence[Grid], name: str) -> int:
    """The row on which every run leaves something; the nearest to the input, with a warning, if there are several."""
    rows = [{int(y) for y in grid.points()[1]} for grid in grids]
    common = sorted(set.intersection(*rows), key=lambda y: (abs(y), y))
    if len(common) > 1:
        rest = f"row {common[0]} is read as the answer. Say which with answer_row=."
        warnings.warn(f"{name} leaves something on rows {' and '.join(map(str, common))}; {rest}", stacklevel=3)
    return common[0] if common else 0
