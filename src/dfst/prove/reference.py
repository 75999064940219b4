"""What cannot be a reference."""

from __future__ import annotations

from dfst.errors import InputError
from dfst.prove.partial_input import PartialInput
from dfst.world.machine import GridMachine


def check_reference(teacher: GridMachine) -> None:
    """Refuse a teacher that is stuck on the first symbol of every input: any learner would act like it.

    >>> from dfst import task
    >>> check_reference(task("mult2").machine)
    """
    (x, y), row = teacher.layout.head, teacher.table[teacher.start]
    inputs, blank = PartialInput(teacher.world), teacher.alphabet.blank_index
    on_input = y == 0 and x >= 0
    first = [seen for seen in range(len(row)) if inputs.possible({x: seen})] if on_input else [blank]
    if all(row[seen] is None for seen in first):
        do = "Give a reference that answers some first input, or none."
        raise InputError("it has no rule for the first symbol of any input", where=teacher.name, do=do)
