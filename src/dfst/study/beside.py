"""A learner on its teacher's problems: only if both live in the same world."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from dfst.act.policy import OwnPolicy
from dfst.training.model import DFST
from dfst.world.machine import GridMachine
from dfst.world.same import check_same_world, in_order_of, same_symbols, world_difference

ASK = "Correct its layout, or use the teacher's instead with --teacher-layout (in Python teacher_layout=True)."

Learner = TypeVar("Learner", bound=DFST | GridMachine | OwnPolicy)


def beside(teacher: GridMachine, learner: Learner, *, teacher_layout: bool = False, where: str = "") -> Learner:
    """The learner on the teacher's problems, if its world is the teacher's; any other is refused with a sentence.

    What comes back has the teacher's order of symbols and its names of classes, which mean the same. With
    ``teacher_layout`` the symbols have to be the same, and the teacher's layout takes the place of the learner's own:
    for one that learned from bare traces, and knows its layout only from what was seen. Whoever asks for that says so,
    and writes what comes back.

    >>> import dfst
    >>> beside(dfst.task("add2").machine, dfst.from_machine(dfst.task("add2").machine)).name
    'add2'
    """
    learner = in_order_of(teacher, learner)
    if not (teacher_layout and learner.layout is not None and same_symbols(learner, teacher)):
        check_same_world(learner, teacher, where=where, do=ASK)
    return replace(learner, alphabet=teacher.alphabet, layout=teacher.layout)


def borrowed_layout(learner: DFST | GridMachine | OwnPolicy, teacher: GridMachine) -> str | None:
    """In words: ``learner`` is judged on the teacher's layout, not on its own; None if both have the same."""
    other = world_difference(in_order_of(teacher, learner), teacher)
    return None if other is None else f"the teacher's, as asked for; its own and the teacher's have different {other}"
