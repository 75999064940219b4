"""One table of machines x inputs x answers, used by every engine; the answers are Python's own integers."""

from typing import NamedTuple

from dfst.teachers.arithmetic import arithmetic_task
from dfst.teachers.lessons import ArithmeticTask


class Case(NamedTuple):
    task: str
    a: str
    b: str

    @property
    def teacher(self) -> ArithmeticTask:
        return arithmetic_task(self.task)

    @property
    def answer(self) -> str:
        """Computed here from scratch, not by the library."""
        kind = self.task.rstrip("0123456789")
        radix = int(self.task.removeprefix(kind))
        a, b = int(self.a, radix), int(self.b, radix)
        return numeral(a + b if kind == "add" else a * b, radix)


def numeral(number: int, radix: int) -> str:
    """``number`` in digits 0 to 9, then letters, as Python's own ``int`` reads them."""
    digits = "0123456789abcdefghijklmnopqrstuvwxyz"
    text = ""
    while number or not text:
        number, last = divmod(number, radix)
        text = digits[last] + text
    return text


def _cases():
    for task in ("add2", "add3", "add10", "add16", "add36", "mult2", "mult3", "mult10", "mult16", "mult36"):
        digits = arithmetic_task(task).machine.alphabet.classes["digit"]
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
