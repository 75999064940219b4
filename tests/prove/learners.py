"""Learners to compare with a teacher, made from the teacher itself: other tables, same behaviour; or one entry off."""

import random

import numpy as np

from dfst.world.machine import HALTED, UNDEFINED, GridMachine
from dfst.world.moves import Move


def with_tables(machine: GridMachine, states, start, following, written, move) -> GridMachine:
    return GridMachine("learner", machine.world, tuple(states), start, following, written, move)


def renumbered(machine: GridMachine, rng: random.Random) -> GridMachine:
    """The same machine with its states in another order."""
    count = len(machine.states)
    order = rng.sample(range(count), count)  # order[new] = old
    place = {old: new for new, old in enumerate(order)} | {HALTED: HALTED, UNDEFINED: UNDEFINED}
    following = np.vectorize(place.__getitem__)(machine.next_state[order]).astype(np.int32)
    names = [f"s{i}" for i in range(count)]
    return with_tables(machine, names, place[machine.start], following, machine.written[order], machine.move[order])


def split(machine: GridMachine, state: int, rng: random.Random) -> GridMachine:
    """``state`` twice: each rule that leads there leads to one of the two at random."""
    count = len(machine.states)
    rows = [*range(count), state]
    following, written, move = (array[rows].copy() for array in (machine.next_state, machine.written, machine.move))
    for q, x in np.argwhere(following == state):
        following[q, x] = rng.choice((state, count))
    names = [*machine.states, machine.states[state] + "'"]
    return with_tables(machine, names, machine.start, following, written, move)


def split_by_rule(machine: GridMachine, state: int) -> GridMachine:
    """A copy of ``state`` for each rule that leads there."""
    into = [(int(q), int(x)) for q, x in np.argwhere(machine.next_state == state)]
    rows = [*range(len(machine.states)), *[state] * (len(into) - 1)]
    following, written, move = (array[rows].copy() for array in (machine.next_state, machine.written, machine.move))
    for i, (q, x) in enumerate(into[1:]):
        following[q, x] = len(machine.states) + i
    for i in range(len(into) - 1):  # what led from the state to itself stays within each copy
        for x in np.flatnonzero(machine.next_state[state] == state):
            following[len(machine.states) + i, x] = len(machine.states) + i
    names = [*machine.states, *(f"{machine.states[state]}.{i}" for i in range(1, len(into)))]
    return with_tables(machine, names, machine.start, following, written, move)


def pruned(machine: GridMachine, used: set[tuple[int, int]]) -> GridMachine:
    """Only the pairs in ``used`` are defined, as in a machine that was learned from runs."""
    following = machine.next_state.copy()
    for q, x in np.argwhere(following != UNDEFINED):
        if (int(q), int(x)) not in used:
            following[q, x] = UNDEFINED
    kept = [q for q in range(len(machine.states)) if (following[q] != UNDEFINED).any()]
    place = {q: i for i, q in enumerate(kept)} | {HALTED: HALTED, UNDEFINED: UNDEFINED}
    following = np.vectorize(lambda q: place.get(q, UNDEFINED))(following[kept]).astype(np.int32)
    names = [machine.states[q] for q in kept]
    return with_tables(machine, names, place[machine.start], following, machine.written[kept], machine.move[kept])


def used_pairs(machine: GridMachine, problems) -> set[tuple[int, int]]:
    """Every pair (state, symbol) that a run on one of the problems uses."""
    k = len(machine.alphabet)
    return {divmod(pair, k) for problem in problems for pair in set(machine.run(*problem, record=True).pairs.tolist())}


def mutated(machine: GridMachine, rng: random.Random) -> tuple[GridMachine, tuple[int, int]]:
    """``machine`` with one entry changed, and which: its symbol, its move, its next state, or whether there is one."""
    states, symbols = machine.next_state.shape
    following, written, move = (array.copy() for array in (machine.next_state, machine.written, machine.move))
    defined = np.argwhere(following != UNDEFINED)
    while True:
        anywhere = rng.random() < 0.1
        q, x = divmod(rng.randrange(states * symbols), symbols) if anywhere else rng.choice(defined.tolist())
        old = (int(following[q, x]), int(written[q, x]), int(move[q, x]))
        kind = rng.choice(("write", "move", "next", "next", "drop"))
        new = [*old]
        if old[0] == UNDEFINED or kind == "next":
            new[0] = rng.randrange(states)
        if old[0] == UNDEFINED or kind == "write":
            new[1] = rng.randrange(symbols)
        if old[0] == UNDEFINED or kind == "move":
            new[2] = rng.randrange(4)
        if kind == "drop":
            new[0] = UNDEFINED
        if new[0] >= 0 and new[2] == Move.S:
            new[2] = rng.randrange(4)
        if new[0] == HALTED and new[2] != Move.S:
            new[0] = rng.randrange(states)
        following[q, x], written[q, x], move[q, x] = new
        if tuple(new) != old and (following[q] != UNDEFINED).any():
            return with_tables(machine, machine.states, machine.start, following, written, move), (q, x)
        following[q, x], written[q, x], move[q, x] = old
