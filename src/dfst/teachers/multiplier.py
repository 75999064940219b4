"""The multiplier: schoolbook multiplication, one digit of b at a time."""

from __future__ import annotations

import operator

from dfst.teachers.sampling import Sampling
from dfst.teachers.task import ArithmeticTask
from dfst.world.alphabet import arithmetic_alphabet
from dfst.world.layout import Layout
from dfst.world.machine import GridMachine, Rule
from dfst.world.moves import Move

_ABOUT = """\
Multiplies two numbers, as one does by hand. Row 0 holds *a* × *b* and keeps *a*, row -1 holds a working copy of *a*,
and row -2 collects the product. For each digit of *b*, from its right end, the machine copies *a* to row -1 (shifting
it one column left, to where the next partial product belongs), multiplies the copy in place by the digit, and adds it
column by column into row -2."""

_PAPER = {2: Sampling(1, 5, 750), 10: Sampling(1, 5, 10_000)}
"""The paper's traces; for other radices the same lengths, and as many as grow with the square of the radix."""

LENGTHS = {2: 600, 10: 180}
"""As far as the paper could test, and its RLG = PLG."""

_RECIPES = {
    "paper": {"iterations": 3_000_000},
    "fast": {"iterations": 36_000, "learning_rate": 0.001, "growth": 0.3},
    "quick": {"iterations": 24_000, "growth": 0.3},
    "lasting": {"iterations": 150_000},
}
_IN_RADIX_2 = {"fast": {"iterations": 40_000, "learning_rate": 0.001}, "quick": {"iterations": 40_000}}
"""Only larger radices have the growing prefix; elsewhere it slows learning down (mult2: final loss 6e-5 with it, 3e-6
without). With it, quick is shorter, as the proof comes when the learning rate has fallen; a learning rate of 0.001
throughout was refuted twice (experiments/LOG.md)."""


def multiplier(radix: int) -> ArithmeticTask:
    """The teacher of multiplication: 18 + radix(radix + 7)/2 states, about 12n² steps for n digits.

    It starts on the leftmost digit of a. States, in the order of the walk:

    - ``pick``: on a digit x of a, erase it and step left as ``shiftx``: write x there, go down as ``copyx``: write x on
      row -1, go up; ``over``, ``step``: two to the right, to the next digit of a
    - ``gap``, ``right``: when a is copied, walk right over the gap and ``×`` to the end of b
    - ``take``: erase the last digit d of b and go down as ``bringd``; if b is used up, erase ``×`` and ``clear``
    - ``bringd``: walk left over the blanks of row -1 to the working copy
    - ``timesd+c``: multiply by d leftwards, in place, with carry c < d; on the blank at its end write c
    - ``return``: walk right to the end of the partial product
    - ``sumc``: erase its last digit p and go down as ``plusv``, v = p + c; ``plusv``: add v to row -2 and go up with
      the new carry as ``carryc``, which steps left to the next ``sumc``
    - ``seek``: when the partial product is used up, go up and walk right to the leftmost digit of a; again as ``pick``
    - ``clear``, ``clear-copy``, ``clear-up``, ``clear-next``: erase a and its copy from right to left, halt

    The product keeps its leading zeros (n + m digits).

    >>> multiplier(10).machine.rule("times7+3", "9")
    Rule(state='times7+3', seen='9', written='6', move=<Move.L: 2>, next='times7+6')
    """
    alphabet = arithmetic_alphabet(radix, "×")
    digits = alphabet.classes["digit"]
    rules: list[Rule] = []

    def rule(state: str, seen: str, written: str, move: str, following: str) -> None:
        """In ``state``, seeing ``seen``: write, move, go on."""
        rules.append(Rule(state, seen, written, Move[move], following))

    for x in digits:
        rule("pick", x, "_", "L", f"shift{x}")
    rule("pick", "_", "_", "R", "gap")
    rule("pick", "×", "×", "R", "right")
    for x in digits:
        rule(f"shift{x}", "_", x, "D", f"copy{x}")
    for x in digits:
        rule(f"copy{x}", "_", x, "U", "over")
    for x in digits:
        rule("over", x, x, "R", "step")
    rule("step", "_", "_", "R", "pick")
    rule("gap", "_", "_", "R", "gap")
    rule("gap", "×", "×", "R", "right")
    for x in digits:
        rule("right", x, x, "R", "right")
    rule("right", "_", "_", "L", "take")
    for d in digits:
        rule("take", d, "_", "D", f"bring{d}")
    rule("take", "×", "_", "L", "clear")

    def multiply(state: str, d: int, carry: int) -> None:
        """Rules of ``state``: multiply digits by d and add ``carry``."""
        for x, digit in enumerate(digits):
            new_carry, rest = divmod(d * x + carry, radix)
            rule(state, digit, digits[rest], "L", f"times{digits[d]}+{digits[new_carry]}")

    for d, factor in enumerate(digits):
        rule(f"bring{factor}", "_", "_", "L", f"bring{factor}")
        multiply(f"bring{factor}", d, 0)
    for d, factor in enumerate(digits):
        for carry in range(max(d, 1)):
            state = f"times{factor}+{digits[carry]}"
            multiply(state, d, carry)
            rule(state, "_", digits[carry], "R", "return")

    values = (*digits, "10")  # the names of 0 to radix
    rule("return", "_", "_", "L", "sum0")
    rule("sum0", "_", "_", "U", "seek")
    for x, digit in enumerate(digits):
        rule("return", digit, digit, "R", "return")
        rule("sum0", digit, "_", "D", f"plus{digit}")
        rule("sum1", digit, "_", "D", f"plus{values[x + 1]}")
    for v in range(radix + 1):
        state = f"plus{values[v]}"
        for x, digit in enumerate(digits):
            overflow, rest = divmod(x + v, radix)
            rule(state, digit, digits[rest], "U", f"carry{overflow}")
        if v < radix:  # over an empty cell there is never an overflow: a product of n and m digits has at most n + m
            rule(state, "_", digits[v], "U", "carry0")
    for carry in "01":
        rule(f"carry{carry}", "_", "_", "L", f"sum{carry}")

    for x in digits:
        rule("seek", x, "_", "L", f"shift{x}")
    rule("seek", "_", "_", "R", "seek")
    rule("clear", "_", "_", "L", "clear")
    for x in digits:
        rule("clear", x, "_", "D", "clear-copy")
        rule("clear-copy", x, "_", "U", "clear-up")
    rule("clear-up", "_", "_", "L", "clear-next")
    for x in digits:
        rule("clear-next", x, "_", "D", "clear-copy")
    rule("clear-next", "_", "_", "S", "halt")

    name, layout = f"mult{radix}", Layout(("digit+", "×", "digit+"), answer_row=-2, leading="0")
    machine = GridMachine.from_rules(rules, alphabet=alphabet, layout=layout, start="pick", name=name, about=_ABOUT)
    return ArithmeticTask(
        name=name,
        machine=machine,
        hidden_dim=23 + radix * (radix + 1) // 2 + 3 * radix,
        sampling=_PAPER.get(radix, Sampling(1, 5, max(10_000 * radix**2 // 100, 20))),
        recipes=_RECIPES | ({} if radix > 2 else _IN_RADIX_2),
        length=LENGTHS.get(radix),
        radix=radix,
        operation=operator.mul,
    )
