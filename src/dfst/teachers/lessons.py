"""A teacher of arithmetic: a machine, what it computes, and for each of its rules a problem that uses it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from dfst.teachers.numerals import to_digits, to_int
from dfst.teachers.sampling import Operands, Sampling
from dfst.teachers.task import Task
from dfst.world.alphabet import Alphabet
from dfst.world.layout import Layout
from dfst.world.machine import GridMachine, Rule
from dfst.world.moves import Move


@dataclass(frozen=True, kw_only=True)
class ArithmeticTask(Task):
    """A teacher of ``operation`` in ``radix``.

    A teacher defines only pairs (state, symbol) that some problem really reaches, so that "reachable" simply means
    "defined"; ``witnesses`` holds such a problem for each of them. ``hidden_dim`` is the dimension of the DFST that
    learns it, as in the paper; the teacher itself may have fewer states.

    >>> from dfst import task
    >>> teacher = task("mult2")
    >>> teacher.machine, teacher.truth("110", "11"), teacher.witnesses["take", "×"]
    (GridMachine('mult2', 27 states, 4 symbols, 61 rules), '10010', ('0', '0'))
    """

    radix: int
    operation: Callable[[int, int], int] = field(repr=False)
    witnesses: Mapping[tuple[str, str], Operands] = field(repr=False)

    def truth(self, *operands: str) -> str:
        """The right answer by Python's integers, without leading zeros; refuses what the machine refuses."""
        self.machine.place(operands)
        alphabet = self.machine.alphabet
        x, y = (to_int(alphabet.decode(alphabet.encode(digits)), self.radix) for digits in operands)
        return to_digits(self.operation(x, y), self.radix)


class Lessons:
    """A teacher in the making: rules are added one by one, each with its witness."""

    def __init__(self) -> None:
        self._lessons: list[tuple[Rule, Operands]] = []

    def add(self, state: str, seen: str, written: str, move: str, following: str, witness: Operands) -> None:
        """In ``state``, seeing ``seen``: write, move, go on; the run on ``witness`` does so."""
        self._lessons.append((Rule(state, seen, written, Move[move], following), witness))

    def task(
        self,
        *,
        name: str,
        about: str,
        radix: int,
        hidden_dim: int,
        operation: Callable[[int, int], int],
        alphabet: Alphabet,
        layout: Layout,
        start: str,
    ) -> ArithmeticTask:
        """The finished teacher."""
        rules = [rule for rule, _ in self._lessons]
        machine = GridMachine.from_rules(rules, alphabet=alphabet, layout=layout, start=start, name=name, about=about)
        witnesses = {(rule.state, rule.seen): witness for rule, witness in self._lessons}
        return ArithmeticTask(
            name=name,
            machine=machine,
            hidden_dim=hidden_dim,
            sampling=_sampling(name, radix),
            radix=radix,
            operation=operation,
            witnesses=witnesses,
        )


_PAPER = {"add2": Sampling(1, 3, 20), "add10": Sampling(1, 3, 225), "mult2": Sampling(1, 5, 750)}
_PAPER["mult10"] = Sampling(1, 5, 10_000)

PAPER_TASKS = tuple(_PAPER)
"""The four tasks of the paper."""


def _sampling(name: str, radix: int) -> Sampling:
    """The paper's p, q and N for its four tasks; for other radices the same p and q, and N in proportion to R²."""
    if name in _PAPER:
        return _PAPER[name]
    like = _PAPER["add10" if name.startswith("add") else "mult10"]
    return Sampling(like.p, like.q, max(like.n * radix**2 // 100, 20))
