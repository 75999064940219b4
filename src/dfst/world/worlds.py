"""The world that a policy acts in: which symbols there are, and how a problem stands among them on the grid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from itertools import count, product
from typing import Any

import numpy as np

from dfst.errors import FileFormatError, InputError, Mistake, printable, quoted, shortened
from dfst.records import read_record
from dfst.shapes import UInt8
from dfst.world.alphabet import Alphabet, alphabet_from
from dfst.world.layout import INPUT, MAX_DISTANCE, OUTPUT, Layout
from dfst.world.parts import Part

_ASK = "Correct its layout, or use the teacher's instead with --teacher-layout (in Python teacher_layout=True)."
_OWN_TASK = "Compare it with the teacher of its own task."
NO_LAYOUT = "Use a model that was trained on a task, or give it a world with a layout (dataclasses.replace)."
_LAYOUT = 'Write it as {"parts": ["digit+"], "head": [0, 0], "answer_row": 0, "answer_class": "digit"}.'


@dataclass(frozen=True)
class World:
    """An alphabet, and a layout (None: nobody knows how problems stand on the grid).

    Two worlds are equal to the letter; :meth:`difference` says whether a rollout obeys anything that differs.

    >>> from dfst import task
    >>> world = task("add2").machine.world
    >>> [part.name for part in world.parts], world.alphabet.decode(world.place(["10", "1"]))
    (['digit', '+', 'digit'], '10+1')
    """

    alphabet: Alphabet
    layout: Layout | None = None

    @property
    def known(self) -> Layout:
        """The layout; refused where there is none."""
        if self.layout is None:
            raise InputError("the model does not say how a problem is written on the grid", do=NO_LAYOUT)
        return self.layout

    @cached_property
    def parts(self) -> tuple[Part, ...]:
        """The parts of an input, taken apart here alone."""
        alphabet, found = self.alphabet, list[Part]()
        gap = "" if alphabet.single_characters else " "
        for part in self.known.parts:
            fixed, name = part in alphabet.index, _class_in(part)
            symbols = (part,) if fixed else alphabet.classes[name]
            numbers = tuple(alphabet.index[symbol] for symbol in symbols)
            found.append(Part(part if fixed else name, symbols, numbers, not fixed and part != name, fixed, gap))
        return tuple(found)

    def problems(self) -> Iterator[Mistake]:
        """Everything about the layout that does not fit the alphabet."""
        layout, alphabet = self.known, self.alphabet
        if not layout.parts:
            do = 'List its parts, such as ["digit+", "+", "digit+"].'
            yield Mistake("the input layout is empty", do, key="input.cells")
        for part in layout.parts:
            name = _class_in(part)
            if part == alphabet.blank:
                do = "Leave it out: cells are blank anyway."
                yield Mistake("a blank cannot be part of the input layout", do, key="input.cells")
            elif part not in alphabet.index and name not in alphabet.classes:
                what = f"input part {part!r} is neither a symbol nor a class (or class+)"
                yield Mistake(what, f"The classes are {' '.join(alphabet.classes) or 'none'}.", key="input.cells")
            elif part not in alphabet.index and alphabet.blank in alphabet.classes[name]:
                yield Mistake(f"input part {part!r} may be blank", "Use a class without the blank.", key="input.cells")
        near = f"Stay within {MAX_DISTANCE} cells."
        if len(layout.head) != 2 or not all(isinstance(number, int) for number in layout.head):
            yield Mistake("the start cell must be (x, y)", "Such as (0, 0).", key="input.head")
        elif max(map(abs, layout.head)) > MAX_DISTANCE:
            yield Mistake("the start cell is too far from the input", near, key="input.head")
        if not isinstance(layout.answer_row, int):
            yield Mistake("the answer's row must be a whole number", "Such as 0.", key="answer.row")
        elif abs(layout.answer_row) > MAX_DISTANCE:
            yield Mistake("the answer's row is too far from the input", near, key="answer.row")
        members = alphabet.classes.get(layout.answer_class)
        if members is None:
            what = f"the answer's class {layout.answer_class!r} is not defined"
            yield Mistake(what, "Add it to the classes.", key="answer.cells")
        elif alphabet.blank in members:
            what = f"the answer's class {layout.answer_class!r} holds the blank"
            yield Mistake(what, "Use a class without the blank.", key="answer.cells")
        if layout.leading is not None and members is not None and layout.leading not in members:
            what = f"the leading symbol {layout.leading!r} is not in the answer's class {layout.answer_class!r}"
            yield Mistake(what, f"Use one of {' '.join(members)}.", key="answer.leading")

    @property
    def operands(self) -> tuple[Part, ...]:
        """The parts that a problem fills in, in order."""
        return tuple(part for part in self.parts if not part.fixed)

    @cached_property
    def is_conversation(self) -> bool:
        """Whether inputs are answered one by one (see :mod:`dfst.world.conversation`)."""
        layout = self.layout
        if layout is None or len(self.parts) != 1 or (layout.head, layout.answer_row) != ((0, 0), 0):
            return False
        (reads,), says = self.parts, layout.answer_class
        return reads.many and (reads.name.strip("()"), says.strip("()")) == (INPUT, OUTPUT)

    @property
    def inputs(self) -> tuple[str, ...]:
        """The symbols that conversations are made of."""
        return self.parts[0].symbols

    def place(self, operands: Sequence[str]) -> UInt8[np.ndarray, " length"]:
        """The input row for ``operands``; refuses operands that are empty, too many, too few, or of other symbols."""
        wanted = self.operands
        if len(operands) != len(wanted):
            fixed = dict.fromkeys(part.name for part in self.parts if part.fixed)
            example = " ".join(part.symbols[-1] for part in wanted)
            apart = " with a space between them" if len(wanted) > 1 else ""
            alone = f"; {' '.join(fixed)} is written for you" if fixed else ""
            what = f"{len(operands)} operand{'s' * (len(operands) != 1)} given, {len(wanted)} needed"
            raise InputError(what, do=f"Give {len(wanted)}{apart}, such as {example}{alone}.")
        given = iter(enumerate(operands, 1))
        pieces = [np.array(part.numbers, np.uint8) if part.fixed else self._operand(part, *next(given))
                  for part in self.parts]  # fmt: skip
        return np.concatenate(pieces)

    def _operand(self, part: Part, number: int, text: str) -> UInt8[np.ndarray, " length"]:
        where, name, use = f"operand {number}", part.name, f"Use {' '.join(part.symbols)}."
        if not isinstance(text, str):
            raise InputError(f"it is of type {type(text).__name__}", where=where, do="Operands are strings of symbols.")
        try:
            symbols = self.alphabet.encode(text)
        except InputError as error:
            raise InputError(error.what, where=where, do=use) from None
        if not self.alphabet.all_in(symbols, name):
            raise InputError(f"{quoted(text)} is not made of {name}s only", where=where, do=use)
        if not len(symbols):
            do = f"Give at least one {name}: {' '.join(part.symbols)}."
            raise InputError("it is empty", where=where, do=do)
        if not part.many and len(symbols) != 1:
            raise InputError(f"{quoted(text)} is {len(symbols)} symbols long", where=where, do=f"Give one {name}.")
        return symbols

    def shortest_problems(self) -> Iterator[tuple[str, ...]]:
        """All problems, by the number of their symbols; for ever, if an operand may be of any length.

        >>> from dfst import task
        >>> from itertools import islice
        >>> list(islice(task("increment").machine.world.shortest_problems(), 9, 12))
        [('9',), ('00',), ('01',)]
        """
        operands = self.operands
        least = len(operands)
        for total in count(least) if any(operand.many for operand in operands) else [least]:
            lengths = [range(1, total - least + 2) if operand.many else [1] for operand in operands]
            for chosen in product(*lengths):
                if sum(chosen) == total:
                    yield from product(*(each.words(length) for each, length in zip(operands, chosen, strict=True)))

    def difference(self, other: World) -> str:
        """What differs between two worlds, in words; empty if nothing does that a rollout obeys.

        Names of classes decide nothing, nor do classes that no part uses: what counts is which symbols may stand where.
        """
        if self == other:
            return ""
        ours, theirs = self.alphabet, other.alphabet
        if ours.symbols != theirs.symbols:
            return "orders of the same symbols" if set(ours.symbols) == set(theirs.symbols) else "symbols"
        if ours.blank != theirs.blank:
            return f"blanks ({ours.blank} and {theirs.blank})"
        mine, yours = self.layout, other.layout
        if mine is None or yours is None:
            return "" if mine is yours else "layouts (one of them is unknown)"
        if [part._replace(name="", symbols=(), numbers=(part.mask,)) for part in self.parts] != [
            part._replace(name="", symbols=(), numbers=(part.mask,)) for part in other.parts
        ]:
            return f"inputs ({self._shown()} and {other._shown()})"
        for what, one, two in (
            ("start cells", mine.head, yours.head),
            ("answer rows", mine.answer_row, yours.answer_row),
            ("leading symbols of an answer", mine.leading, yours.leading),
        ):
            if one != two:
                return f"{what} ({'none' if one is None else one} and {'none' if two is None else two})"
        one, two = ours.classes[mine.answer_class], theirs.classes[yours.answer_class]
        if set(one) != set(two):
            return f"symbols of an answer ({shortened(' '.join(one))} and {shortened(' '.join(two))})"
        return ""

    def _shown(self) -> str:
        """The parts of the input as a file writes them, with the symbols of each class."""
        parts = (
            part.name if part.fixed else f"{part.name}{'+' * part.many} of {''.join(part.symbols)}"
            for part in self.parts
        )
        return shortened(printable(", ".join(parts)))

    def has_symbols_of(self, other: World) -> bool:
        """Whether the same symbols, in the same order, can stand on both grids."""
        ours, theirs = self.alphabet, other.alphabet
        return (ours.symbols, ours.blank) == (theirs.symbols, theirs.blank)

    def header(self) -> dict[str, Any]:
        """What the header of a file says of it, ready for JSON, in this order: hashes of shipped files rest on it."""
        classes = {name: list(members) for name, members in self.alphabet.classes.items()}
        found = {"symbols": list(self.alphabet.symbols), "blank": self.alphabet.blank, "classes": classes}
        if self.layout is None:
            return found
        lists = {"parts": list(self.layout.parts), "head": list(self.layout.head)}
        return found | {"layout": asdict(self.layout) | lists}


def _class_in(part: str) -> str:
    """The class that a part of a layout names, if it names one."""
    return part.removesuffix("+")


def world_from(header: Mapping[str, Any]) -> World:
    """The world that ``header`` describes (its other keys do not matter; of a layout only ``parts`` is needed).

    Raises :class:`dfst.errors.FileFormatError` if a value is of the wrong kind or does not fit.
    """
    alphabet = alphabet_from(header)
    if "layout" not in header:
        return World(alphabet)
    rest = {"head": [0, 0], "answer_row": 0, "answer_class": "digit", "leading": None}
    layout = read_record(Layout, header["layout"], where="layout", do=_LAYOUT, **rest)
    world = World(alphabet, layout)
    for problem in world.problems():
        raise FileFormatError(str(problem))
    return world


def in_order_of(world: World, subject: Any) -> Any:
    """``subject``, whose symbols, if they are those of ``world`` in another order, are put in its order.

    A machine, a model and traces can be; a policy of one's own stays as it is.
    """
    ours, theirs = subject.world.alphabet, world.alphabet
    if ours.symbols == theirs.symbols or set(ours.symbols) != set(theirs.symbols):
        return subject
    return subject.reordered(Alphabet(theirs.symbols, ours.blank, ours.classes))


def check_same_world(learner: Any, teacher: Any, *, where: str = "", do: str = "") -> None:
    """Refuse a learner whose world is not the teacher's; ``do`` is what helps if only their layouts differ."""
    where = where or printable(learner.name)
    if learner.world.layout is None:
        raise InputError("the model does not say how a problem is written on the grid", where=where, do=NO_LAYOUT)
    if what := learner.world.difference(teacher.world):
        do = do if learner.world.has_symbols_of(teacher.world) and do else _OWN_TASK
        raise InputError(f"it and the teacher {printable(teacher.name)} have different {what}", where=where, do=do)


def in_world_of(teacher: Any, learner: Any, *, teacher_layout: bool = False, where: str = "") -> Any:
    """The learner on the teacher's problems, if its world is the teacher's; any other is refused with a sentence.

    What comes back has the teacher's order of symbols and its names of classes, which mean the same. With
    ``teacher_layout`` the symbols have to be the same, and the teacher's layout takes the place of the learner's own:
    for one that learned from bare traces, and knows its layout only from what was seen. Whoever asks for that says so,
    and writes what comes back.
    """
    learner = in_order_of(teacher.world, learner)
    borrows = teacher_layout and learner.world.layout is not None and learner.world.has_symbols_of(teacher.world)
    if not borrows:
        check_same_world(learner, teacher, where=where, do=_ASK)
    return replace(learner, world=teacher.world)


def borrowed_layout(learner: Any, teacher: Any) -> str | None:
    """In words: ``learner`` is judged on the teacher's layout, not on its own; None if both have the same."""
    other = in_order_of(teacher.world, learner).world.difference(teacher.world)
    return f"the teacher's, as asked for; its own and the teacher's have different {other}" if other else None
