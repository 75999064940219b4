"""The adder: a carry is nothing but adding one."""

from __future__ import annotations

import operator

from dfst.teachers.sampling import Sampling
from dfst.teachers.task import ArithmeticTask
from dfst.world.alphabet import arithmetic_alphabet
from dfst.world.layout import Layout
from dfst.world.machine import GridMachine, Rule
from dfst.world.moves import Move

_ABOUT = """\
Adds two numbers, digit by digit. Row 0 holds *a* + *b*. *a* is overwritten by the sum; a + in row 1 marks the digit
of *a* being processed. The last digit of *b* is erased, carried left along the blanks of row 1 to that +, and added to
the digit below. If that overflows, the machine moves left in the state that adds 1, because a carry is just adding
one."""

_PAPER = {2: Sampling(1, 3, 20), 10: Sampling(1, 3, 225)}
"""The paper's traces; for other radices the same lengths, and as many as grow with the square of the radix."""

LENGTHS = {2: 3850, 10: 2450}
"""As far as the paper could test, and its RLG = PLG."""


def adder(radix: int) -> ArithmeticTask:
    """The teacher of addition: 9 + radix states, at most 2n² + 16n + 12 steps for two n-digit numbers.

    It starts on the blank left of a. States, in the order of the walk:

    - ``enter``: write a 0 there (room for the last carry), walk right to ``+``, step back
    - ``rise``: on the last digit of a, go up to row 1
    - ``mark``: put the marker ``+`` above the digit being processed, go down
    - ``look``, ``pad``: see to it that a has one more digit to the left, a 0 if need be
    - ``right``: walk right to the end of b
    - ``take``: erase the last digit k of b and go up to carry it; if b is used up, erase ``+`` and finish
    - ``add0``, ``add1``, …: walk left over the blanks of row 1; on the marker go down; on a digit x write x + k, and on
      overflow move left as ``add1``, otherwise go up
    - ``back``: walk right on row 1 to the marker, erase it, step left to mark the next digit
    - ``finish``: walk left on row 1 to the marker, erase it, halt

    What makes it learnable from few traces: memory (k) crosses only blanks, every loop is seen at several
    lengths, and the rare case (a carry) re-enters a common state.

    >>> adder(10).machine.rule("add7", "5")
    Rule(state='add7', seen='5', written='2', move=<Move.L: 2>, next='add1')
    """
    alphabet = arithmetic_alphabet(radix, "+")
    digits = alphabet.classes["digit"]
    rules: list[Rule] = []

    def rule(state: str, seen: str, written: str, move: str, following: str) -> None:
        """In ``state``, seeing ``seen``: write, move, go on."""
        rules.append(Rule(state, seen, written, Move[move], following))

    rule("enter", "_", "0", "R", "enter")
    rule("enter", "+", "+", "L", "rise")
    for x in digits:
        rule("enter", x, x, "R", "enter")
        rule("rise", x, x, "U", "mark")
    rule("mark", "_", "+", "D", "look")
    for x in digits:
        rule("look", x, x, "L", "pad")
        rule("pad", x, x, "R", "right")
        rule("right", x, x, "R", "right")
    rule("pad", "_", "0", "R", "right")
    rule("right", "+", "+", "R", "right")
    rule("right", "_", "_", "L", "take")
    for k in digits:
        rule("take", k, "_", "U", f"add{k}")
    rule("take", "+", "_", "U", "finish")
    for k, carried in enumerate(digits):
        adding = f"add{carried}"
        rule(adding, "_", "_", "L", adding)
        rule(adding, "+", "+", "D", adding)
        for x, digit in enumerate(digits):
            overflow, rest = divmod(x + k, radix)
            rule(adding, digit, digits[rest], *(("L", "add1") if overflow else ("U", "back")))
    rule("back", "_", "_", "R", "back")
    rule("back", "+", "_", "L", "mark")
    rule("finish", "_", "_", "L", "finish")
    rule("finish", "+", "_", "S", "halt")

    name, layout = f"add{radix}", Layout(("digit+", "+", "digit+"), head=(-1, 0), leading="0")
    machine = GridMachine.from_rules(rules, alphabet=alphabet, layout=layout, start="enter", name=name, about=_ABOUT)
    return ArithmeticTask(
        name=name,
        machine=machine,
        hidden_dim=10 + radix,
        sampling=_PAPER.get(radix, Sampling(1, 3, max(225 * radix**2 // 100, 20))),
        recipes={"paper": {"learning_rate": 0.01}, "lasting": {"iterations": 200_000}} if radix == 2 else {},
        length=LENGTHS.get(radix),
        radix=radix,
        operation=operator.add,
    )
