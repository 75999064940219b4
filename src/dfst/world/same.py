"""Is it the same world? All that decides which inputs there are, where a policy starts and what its answer is."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol, TypeVar, runtime_checkable

from dfst.errors import InputError, printable, shortened
from dfst.world.alphabet import Alphabet
from dfst.world.layout import Layout

Learner = TypeVar("Learner", bound=Any)

_ASK = "Correct its layout, or use the teacher's instead with --teacher-layout (in Python teacher_layout=True)."
_OWN_TASK = "Compare it with the teacher of its own task."


@runtime_checkable  # so that annotations with it can be checked in the tests
class Worldly(Protocol):
    """Whatever says in which world it acts: a machine or a model."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def alphabet(self) -> Alphabet:
        """The symbols on its grid."""
        ...

    @property
    def layout(self) -> Layout | None:
        """How its problems stand on the grid; None if nobody knows."""
        ...


class Setting(Worldly, Protocol):
    """What decides which problems there are: the symbols, and how a problem stands on the grid."""

    @property
    def layout(self) -> Layout:
        """How problems stand on the grid."""
        ...


def world_difference(learner: Worldly, teacher: Worldly) -> str | None:
    """What differs between two worlds, in words; None if nothing does that a rollout obeys.

    Names of classes decide nothing, nor do classes that no part uses: what counts is which symbols may stand where.
    """
    ours, theirs = learner.alphabet, teacher.alphabet
    if ours.symbols != theirs.symbols:
        return "orders of the same symbols" if set(ours.symbols) == set(theirs.symbols) else "symbols"
    if ours.blank != theirs.blank:
        return f"blanks ({ours.blank} and {theirs.blank})"
    mine, other = learner.layout, teacher.layout
    if mine is None or other is None:
        return None if mine is other else "layouts (one of them is unknown)"
    if _input(mine, ours) != _input(other, theirs):
        return f"inputs ({_shown(mine, ours)} and {_shown(other, theirs)})"
    for what, one, two in (
        ("start cells", mine.head, other.head),
        ("answer rows", mine.answer_row, other.answer_row),
        ("leading symbols of an answer", mine.leading, other.leading),
    ):
        if one != two:
            return f"{what} ({'none' if one is None else one} and {'none' if two is None else two})"
    one, two = ours.classes[mine.answer_class], theirs.classes[other.answer_class]
    if set(one) != set(two):
        return f"symbols of an answer ({shortened(' '.join(one))} and {shortened(' '.join(two))})"
    return None


def check_same_world(learner: Worldly, teacher: Worldly, *, where: str = "", do: str = "") -> None:
    """Refuse a learner whose world is not the teacher's; ``do`` is what helps if only their layouts differ."""
    where = where or printable(learner.name)
    if learner.layout is None:
        do = "Use a model that was trained on a task, or set its layout with dataclasses.replace."
        raise InputError("the model does not say how a problem is written on the grid", where=where, do=do)
    if (what := world_difference(learner, teacher)) is not None:
        do = do if same_symbols(learner, teacher) and do else _OWN_TASK
        raise InputError(f"it and the teacher {printable(teacher.name)} have different {what}", where=where, do=do)


def in_order_of(teacher: Setting | Worldly, learner: Any) -> Any:
    """``learner``, whose symbols, if they are the teacher's in another order, are put in the teacher's order.

    A machine, a model and traces can be; a policy of one's own stays as it is.
    """
    ours, theirs = learner.alphabet, teacher.alphabet
    if ours.symbols == theirs.symbols or set(ours.symbols) != set(theirs.symbols):
        return learner
    return learner.reordered(Alphabet(theirs.symbols, ours.blank, ours.classes))


def beside(teacher: Worldly, learner: Learner, *, teacher_layout: bool = False, where: str = "") -> Learner:
    """The learner on the teacher's problems, if its world is the teacher's; any other is refused with a sentence.

    What comes back has the teacher's order of symbols and its names of classes, which mean the same. With
    ``teacher_layout`` the symbols have to be the same, and the teacher's layout takes the place of the learner's own:
    for one that learned from bare traces, and knows its layout only from what was seen. Whoever asks for that says so,
    and writes what comes back.
    """
    learner = in_order_of(teacher, learner)
    if not (teacher_layout and learner.layout is not None and same_symbols(learner, teacher)):
        check_same_world(learner, teacher, where=where, do=_ASK)
    return replace(learner, alphabet=teacher.alphabet, layout=teacher.layout)


def borrowed_layout(learner: Worldly, teacher: Worldly) -> str | None:
    """In words: ``learner`` is judged on the teacher's layout, not on its own; None if both have the same."""
    other = world_difference(in_order_of(teacher, learner), teacher)
    return None if other is None else f"the teacher's, as asked for; its own and the teacher's have different {other}"


def same_symbols(one: Worldly, other: Worldly) -> bool:
    """Whether the same symbols, in the same order, can stand on both grids."""
    return (one.alphabet.symbols, one.alphabet.blank) == (other.alphabet.symbols, other.alphabet.blank)


def _input(layout: Layout, alphabet: Alphabet) -> list[tuple[str, frozenset[str]]]:
    """The parts of the input by what may stand there: one of these symbols, or one or more of them."""
    found = []
    for part in layout.parts:
        members = [part] if (fixed := part in alphabet.index) else alphabet.classes[part.removesuffix("+")]
        found.append(("1" if fixed else "+" if part.endswith("+") else "1 operand", frozenset(members)))
    return found


def _shown(layout: Layout, alphabet: Alphabet) -> str:
    """The parts as a file writes them, with the symbols of each class."""
    parts = [
        part if part in alphabet.index else f"{part} of {''.join(alphabet.classes[part.removesuffix('+')])}"
        for part in layout.parts
    ]
    return shortened(printable(", ".join(parts)))
