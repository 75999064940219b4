"""The tasks of arithmetic by their names: addR and multR."""

from __future__ import annotations

import re
from functools import lru_cache

from dfst.errors import InputError
from dfst.teachers import adder, multiplier
from dfst.teachers.task import ArithmeticTask

PAPER_LENGTHS = {
    f"{kind}{radix}": length
    for kind, made in (("add", adder), ("mult", multiplier))
    for radix, length in made.LENGTHS.items()
}
"""The paper's four tasks, and as far as it could test them."""


def is_arithmetic(name: str) -> bool:
    """Whether ``name`` is that of a built-in adder or multiplier, and of no other task, however it begins.

    >>> is_arithmetic("mult10"), is_arithmetic("multiset"), is_arithmetic("add99")
    (True, False, False)
    """
    match = re.fullmatch(r"(add|mult)([1-9][0-9]?)", name)
    return match is not None and 2 <= int(match[2]) <= 36


@lru_cache(maxsize=32)
def arithmetic_task(name: str) -> ArithmeticTask:
    """The task called ``addR`` or ``multR``, for any radix R from 2 to 36."""
    match = re.fullmatch(r"(add|mult)([0-9]+)", name) if isinstance(name, str) else None
    if not match:
        raise InputError(f"there is no task called {name!r}", do="Tasks are addR and multR, such as add2 or mult10.")
    radix = int(match[2]) if len(match[2]) < 4 else 0
    if not 2 <= radix <= 36 or match[2] != str(radix):
        do = f"Try {match[1]}2 or {match[1]}10."
        raise InputError(f"{match[2]!r} is not a radix from 2 to 36", where=name, do=do)
    return adder.adder(radix) if match[1] == "add" else multiplier.multiplier(radix)
