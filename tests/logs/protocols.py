"""Protocols of our own making, and walks through them, for the tests of logs."""

import random
from collections import defaultdict

from dfst.world.conversation import Turn, conversation_machine, turns_of
from dfst.world.machine import GridMachine

DOOR = [
    Turn("closed", "lock", "ok", "locked"),
    Turn("closed", "open door", "ok", "open"),
    Turn("closed", "unlock", "error", "closed"),
    Turn("locked", "unlock", "ok", "closed"),
    Turn("locked", "open door", "error", "locked"),
    Turn("locked", "lock", "error", "locked"),
    Turn("open", "open door", "error", "open"),
    Turn("open", "lock", "ok", "bolt out"),
    Turn("open", "unlock", "error", "open"),
    Turn("bolt out", "open door", "error", "bolt out"),
    Turn("bolt out", "lock", "error", "bolt out"),
    Turn("bolt out", "unlock", "ok", "open"),
]
"""A door with a bolt; its inputs have spaces."""

Log = list[list[tuple[str, str]]]


def door(*left_out: tuple[str, str]) -> GridMachine:
    """The door, partial where (state, input) is left out."""
    return conversation_machine([turn for turn in DOOR if turn[:2] not in left_out], "closed", name="door")


def random_protocol(seed: int, states: int = 6, inputs: int = 4, outputs: int = 3) -> GridMachine:
    """A Mealy machine made by chance."""
    rng = random.Random(seed)
    turns = [
        Turn(f"q{q}", f"in {x}", f"out{rng.randrange(outputs)}", f"q{rng.randrange(states)}")
        for q in range(states)
        for x in range(inputs)
    ]
    return conversation_machine(turns, "q0", name=f"protocol{seed}")


def walks(machine: GridMachine, number: int, *, longest: int = 12, seed: int = 1) -> Log:
    """Conversations with a machine, each of random inputs that it answers."""
    rng, table = random.Random(seed), defaultdict(list)
    for turn in turns_of(machine):
        table[turn.state].append(turn)
    found: Log = []
    for _ in range(number):
        state, talk = machine.states[machine.start], []
        for _ in range(rng.randint(1, longest)):
            turn = rng.choice(table[state])
            talk.append((turn.input, turn.output))
            state = turn.next
        found.append(talk)
    return found


def answers(machine: GridMachine, inputs: list[str]) -> list[str]:
    """The outputs to ``inputs``, by looking them up."""
    table = {(turn.state, turn.input): turn for turn in turns_of(machine)}
    state, said = machine.states[machine.start], []
    for each in inputs:
        said.append(table[state, each].output)
        state = table[state, each].next
    return said
