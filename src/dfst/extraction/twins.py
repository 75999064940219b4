"""At last: states that no future can tell apart become one. It changes nothing that the machine does."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from dfst.world.machine import UNDEFINED, GridMachine


def futures(machine: GridMachine) -> list[int]:
    """A number for every state: two states have the same number if no sequence of symbols tells them apart.

    This is partition refinement as by Moore: all states begin in one block, and a block splits while two of its states
    act differently or lead to different blocks. A missing rule is an answer of its own. The blocks are numbered in the
    order of their first states.

    >>> import dfst
    >>> machine = dfst.task("add2").machine
    >>> futures(machine) == list(range(len(machine.states)))
    True
    """
    following, defined = machine.next_state, machine.next_state != UNDEFINED
    actions = [np.where(defined, array, 0) for array in (machine.written, machine.move)]
    block, blocks = np.zeros(len(machine.states), int), 1
    while True:
        targets = _led(following, block)
        rows = map(tuple, np.hstack([block[:, None], targets, *actions]).tolist())
        number: dict[tuple[int, ...], int] = {}
        block = np.array([number.setdefault(row, len(number)) for row in rows])
        if len(number) == blocks:  # as many as before: since blocks only split, they are the same
            return block.tolist()
        blocks = len(number)


def without_twins(machine: GridMachine) -> tuple[GridMachine, list[int]]:
    """The machine with one state for each future, and the number of the state that each state has become.

    The states keep their order, the first of several its place; they are called s0, s1 and so on.
    """
    became = futures(machine)
    first = [became.index(i) for i in range(1 + max(became))]
    smaller = replace(
        machine,
        states=tuple(f"s{i}" for i in range(len(first))),
        start=became[machine.start],
        next_state=_led(machine.next_state[first], np.array(became, np.int32)),
        written=machine.written[first],
        move=machine.move[first],
    )
    return smaller, became


def _led(following: np.ndarray, became: np.ndarray) -> np.ndarray:
    """Where a table leads when state q is called ``became[q]``; HALTED and UNDEFINED stay."""
    return np.where(following >= 0, became[np.maximum(following, 0)], following)
