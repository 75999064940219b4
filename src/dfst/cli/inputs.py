"""What the verbs read alike: machines by name, operands."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

if TYPE_CHECKING:
    from dfst.learn.model import DFST
    from dfst.world.machine import GridMachine


TeacherLayout = Annotated[
    bool, Parameter(negative="", help="Judge it on the teacher's layout: if its own was only guessed from traces.")
]
"""An option of the verbs that compare with a teacher."""


def machine_named(task: str) -> GridMachine:
    """A teacher by name, or a machine file by path."""
    from dfst.teachers.find import find_task

    return find_task(task).machine


def read_operand(text: str, machine: GridMachine | DFST) -> str:
    """An operand as given, or the content of the file named behind @; line ends and spaces only separate symbols."""
    from dfst.files import read_text

    if not text.startswith("@") or len(text) == 1:
        return text
    return ("" if machine.alphabet.single_characters else " ").join(read_text(text[1:]).split())
