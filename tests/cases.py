"""One table of machines x inputs x answers, used by every engine; the answers are Python's own integers."""

from typing import NamedTuple

from dfst import expert
from dfst.teachers.lessons import Expert
from dfst.teachers.numerals import to_digits


class Case(NamedTuple):
    task: str
    a: str
    b: str

    @property
    def teacher(self) -> Expert:
        return expert(self.task)

    @property
    def answer(self) -> str:
        """Computed here from scratch, not by the library."""
        radix = self.teacher.radix
        a, b = int(self.a, radix), int(self.b, radix)
        return to_digits(a + b if self.task.startswith("add") else a * b, radix)


def _cases():
    for task in ("add2", "add3", "add10", "add16", "add36", "mult2", "mult3", "mult10", "mult16", "mult36"):
        digits = expert(task).machine.alphabet.classes["digit"]
        one, last = digits[1], digits[-1]
        yield Case(task, "0", "0")
        yield Case(task, last, last)
        yield Case(task, last * 4, one)  # the longest carry
        yield Case(task, one, last * 4)  # b longer than a, carry beyond the end of a
        yield Case(task, last * 5, last * 5)
        yield Case(task, "000", "00" + last)  # leading zeros
        yield Case(task, one + "0" * 6, last)
        yield Case(task, last, one + "0" * 6)
        yield Case(task, (last + "0") * 3, ("0" + last) * 2)
        yield Case(task, "".join(digits[:9]), "".join(digits[-9:]))


CASES = list(_cases())
