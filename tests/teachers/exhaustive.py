"""Every pair of digit strings up to a length, against Python's integers: python exhaustive.py TASK LENGTH.

A script of its own, so that a million runs are not slowed down by the shape checks of the test suite.
"""

import sys
from itertools import product

from dfst import Outcome
from dfst.teachers.find import find_task
from dfst.world.run import run


def check(task: str, longest: int) -> int:
    """The number of pairs checked; the first wrong one raises."""
    teacher = find_task(task)
    digits = teacher.machine.alphabet.classes["digit"]
    numbers = ["".join(word) for length in range(1, longest + 1) for word in product(digits, repeat=length)]
    values = {number: int(number, teacher.radix) for number in numbers}
    adds = task.startswith("add")
    for a, b in product(numbers, repeat=2):
        result = run(teacher.machine, a, b, engine="compiled")
        answer = result.answer
        expected = values[a] + values[b] if adds else values[a] * values[b]
        if result.outcome != Outcome.HALTED or not answer.only_answer_left or answer.text is None:
            raise AssertionError(f"{task} {a} {b}: {result.explain()}, {answer}")
        if int(answer.text, teacher.radix) != expected or answer.text != (answer.cells.lstrip("0") or "0"):
            raise AssertionError(f"{task} {a} {b}: {answer.text} is wrong")
    return len(numbers) ** 2


if __name__ == "__main__":
    print(check(sys.argv[1], int(sys.argv[2])))
