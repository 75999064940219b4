"""From bare traces to problems: what stood on the grid before each run, and the layout all of them share.

A cell shows what it held at the start when the policy first sees it. So traces alone say where the input stands,
what it is made of and where the policy begins: as far as the policy has looked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from dfst.errors import InputError
from dfst.traces.traces import UNKNOWN, Trace, Traces
from dfst.world.alphabet import Alphabet
from dfst.world.layout import Layout
from dfst.world.machine import GridMachine
from dfst.world.moves import OFFSETS
from dfst.world.worlds import World

Cells = dict[tuple[int, int], int]
Word = tuple[str, ...]

ANY = "symbol"
"""The class of all symbols but the blank; an answer is read as a word of them."""

_HELP = 'Write the layout into the header: "layout": {"parts": ["digit+"], "head": [0, 0]}, with its "classes".'


def understand(traces: Traces) -> Traces:
    """``traces`` with a layout and problems: those they have, or else what can be seen from the steps themselves.

    A symbol that stands equally often in every input separates operands; what lies between is an operand. The answer is
    read on the row on which every run leaves something behind, if there is one.

    >>> import dfst
    >>> add2 = dfst.task("add2").machine
    >>> known = dfst.record(add2, [("1", "1"), ("10", "1"), ("0", "111")])
    >>> bare = dfst.Traces(World(known.alphabet), known.seen, known.written, known.moves, known.offsets)
    >>> guessed = understand(bare)
    >>> guessed.layout.parts, guessed.layout.head == add2.layout.head, guessed.problems[1]
    (('operand1+', '+', 'operand1+'), True, ('10', '1'))
    """
    if traces.layout is not None:
        return traces
    if not len(traces):
        raise InputError("there are no traces", do="Give at least one.")
    given, grids = traces.alphabet, [_before_and_after(trace) for trace in traces]
    inputs = [_input(i, before, given) for i, (before, _) in enumerate(grids)]
    words, (head, *others) = [word for word, _ in inputs], {head for _, head in inputs}
    if others:
        raise InputError("the policy does not always begin at the same cell of the input", do=_HELP)
    separators = _separators(words)
    places = list(zip(*(_split(word, separators) for word in words), strict=True))
    if not all(all(pieces) for pieces in places if any(pieces)):
        separators, places = (), [tuple(words)]  # an operand may not be empty
    operands = [pieces for pieces in places if any(pieces)]
    classes, parts = _classes(operands), []
    names = iter(classes)
    for i, pieces in enumerate(places):
        if any(pieces):
            name, _ = next(names)
            parts.append(name if len(pieces) > 1 and all(len(piece) == 1 for piece in pieces) else f"{name}+")
        parts += separators[i : i + 1]
    symbols = {ANY: tuple(s for s in given.symbols if s != given.blank)}
    symbols |= {name: tuple(s for s in given.symbols if s in members) for name, members in classes}
    rows = [{y for (_, y), symbol in after.items() if symbol != given.blank_index} for _, after in grids]
    answer_row = min((y + head[1] for y in set.intersection(*rows)), key=abs, default=0)
    gap = "" if given.single_characters else " "
    problems = tuple(tuple(gap.join(piece) for piece in each) for each in zip(*operands, strict=True))
    alphabet, layout = Alphabet(given.symbols, given.blank, symbols), Layout(tuple(parts), head, answer_row, ANY)
    return replace(traces, world=World(alphabet, layout), problems=problems)


def on_layout_of(traces: Traces, teacher: GridMachine) -> Traces:
    """Bare ``traces`` on the layout of the ``teacher`` that left them, if each of their inputs is one of its inputs.

    The teacher's layout says which inputs there are; what was seen of them may be less, and is only a guess. Traces
    that say themselves how they stand on the grid, or do not fit, come back with their own layout.
    """
    known = understand(traces)
    if traces.layout is not None or known.alphabet.symbols != teacher.alphabet.symbols:
        return known
    world, alphabet = teacher.world, teacher.alphabet
    signs = tuple(part.name for part in world.parts if part.fixed)
    gap = "" if alphabet.single_characters else " "
    problems = []
    for problem in known.problems:
        tape = known.world.place(problem)
        try:
            pieces = _split(tuple(alphabet.symbols[symbol] for symbol in tape), signs)
            operands = tuple(gap.join(piece) for piece in pieces if piece)
            if known.world.known.head != world.known.head or not np.array_equal(world.place(operands), tape):
                return known
        except (ValueError, InputError):  # a sign is missing, or a symbol stands where the teacher has no such symbol
            return known
        problems.append(operands)
    return replace(traces, world=world, problems=tuple(problems))


def _before_and_after(trace: Trace) -> tuple[Cells, Cells]:
    """What every visited cell held before and after the run; the policy begins at (0, 0)."""
    before, after = {}, {}
    x = y = 0
    for seen, written, move in zip(*(column.tolist() for column in trace), strict=True):
        before.setdefault((x, y), seen)
        after[x, y] = seen if written == UNKNOWN else written
        dx, dy = OFFSETS[move]
        x, y = x + dx, y + dy
    return before, after


def _input(number: int, before: Cells, alphabet: Alphabet) -> tuple[Word, tuple[int, int]]:
    """The input as a word, and the cell where the policy begins, counted from the word's first symbol."""
    blank = alphabet.blank_index
    filled = [cell for cell, symbol in before.items() if symbol != blank]
    rows = {y for _, y in filled}
    if len(rows) != 1:
        what = "sees no input" if not filled else f"sees input on {len(rows)} rows"
        raise InputError(f"trace {number} {what}; the layout cannot be guessed", do=_HELP)
    row, left, right = rows.pop(), min(x for x, _ in filled), max(x for x, _ in filled)
    if any(before.get((x, row), blank) == blank for x in range(left, right + 1)):
        what = f"trace {number} sees an input with a gap, or does not see all of it; the layout cannot be guessed"
        raise InputError(what, do=_HELP)
    word = tuple(alphabet.symbols[before[x, row]] for x in range(left, right + 1))
    return word, (-left, -row)


def _separators(words: Sequence[Word]) -> Word:
    """Symbols that stand equally often in every word, in the same order; none if all words are of one length."""
    if len({len(word) for word in words}) < 2:
        return ()
    constant = {symbol for symbol in words[0] if len({word.count(symbol) for word in words}) == 1}
    orders = {tuple(symbol for symbol in word if symbol in constant) for word in words}
    return orders.pop() if len(orders) == 1 else ()


def _split(word: Word, separators: Word) -> list[Word]:
    """The pieces between the separators, which stand in ``word`` in that order; one more than there are separators."""
    pieces, rest = [], word
    for separator in separators:
        at = rest.index(separator)
        pieces.append(rest[:at])
        rest = rest[at + 1 :]
    return [*pieces, rest]


def _classes(operands: Iterable[Sequence[Word]]) -> list[tuple[str, frozenset[str]]]:
    """A class for each operand: its symbols; operands that share a symbol share the class."""
    members = [frozenset(symbol for word in words for symbol in word) for words in operands]
    for _ in members:  # as often as a union may reach further
        members = [frozenset().union(*(other for other in members if other & own)) for own in members]
    distinct = list(dict.fromkeys(members))
    return [(f"operand{distinct.index(own) + 1}", own) for own in members]
