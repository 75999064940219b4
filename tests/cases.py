"""Machines and inputs for every engine: a table with Python's own integers as answers, and random machines."""

import random
from typing import NamedTuple

from dfst.teachers.arithmetic import arithmetic_task
from dfst.teachers.task import ArithmeticTask
from dfst.world.alphabet import Alphabet
from dfst.world.layout import Layout
from dfst.world.machine import HALT, GridMachine, Rule
from dfst.world.moves import Move

ALPHABET = Alphabet(("0", "1", "_", "#"), "_", {"digit": ("0", "1")})
"""That of random machines."""


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


def from_rules(rules: list[Rule]) -> GridMachine:
    """A machine of a few rules, which begins with the first one's state."""
    return GridMachine.from_rules(rules, alphabet=ALPHABET, layout=Layout(("digit+",)), start=rules[0].state)


def random_machine(rng: random.Random, states: int = 5) -> GridMachine:
    """A machine over 0 1 _ # with some pairs undefined and some halting: runs wander, halt or get stuck."""
    names, rules = [f"q{i}" for i in range(rng.randint(1, states))], []
    for state in names:
        for seen in ALPHABET.symbols:
            written, kind = rng.choice(ALPHABET.symbols), rng.random()
            if 0.1 <= kind < 0.2:
                rules.append(Rule(state, seen, written, Move.S, HALT))
            elif kind >= 0.2:
                rules.append(Rule(state, seen, written, rng.choice(list(Move)[:4]), rng.choice(names)))
    known = {rule.state for rule in rules}
    rules = [rule for rule in rules if rule.next == HALT or rule.next in known]
    known = sorted({rule.state for rule in rules})
    rules = [rule if rule.next in (*known, HALT) else rule._replace(next=rng.choice(known)) for rule in rules]
    if not rules:
        return random_machine(rng, states)
    layout = Layout(("digit+",), head=(rng.randint(-2, 3), rng.randint(-1, 1)), answer_row=rng.randint(-1, 1))
    return GridMachine.from_rules(rules, alphabet=ALPHABET, layout=layout, start=rng.choice(known))


def random_input(rng: random.Random) -> str:
    return "".join(rng.choice("01") for _ in range(rng.randint(1, 9)))
