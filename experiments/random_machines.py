"""Random machines, for laws that must hold for every machine and not only for ours."""

import random

from dfst.world.alphabet import Alphabet
from dfst.world.layout import Layout
from dfst.world.machine import HALT, GridMachine, Rule
from dfst.world.moves import Move

ALPHABET = Alphabet(("0", "1", "_", "#"), "_", {"digit": ("0", "1")})


def from_rules(rules: list[Rule]) -> GridMachine:
    """A machine of a few rules, which begins with the first one's state."""
    return GridMachine.from_rules(rules, alphabet=ALPHABET, layout=Layout(("digit+",)), start=rules[0].state)


def random_machine(rng: random.Random, states: int = 5) -> GridMachine:
    """A machine over 0 1 _ # with some pairs undefined and some halting: runs wander, halt or get stuck."""
    names = [f"q{i}" for i in range(rng.randint(1, states))]
    rules = []
    for state in names:
        for seen in ALPHABET.symbols:
            written = rng.choice(ALPHABET.symbols)
            kind = rng.random()
            if kind < 0.1:
                continue
            if kind < 0.2:
                rules.append(Rule(state, seen, written, Move.S, HALT))
            else:
                rules.append(Rule(state, seen, written, rng.choice(list(Move)[:4]), rng.choice(names)))
    known = {rule.state for rule in rules}
    rules = [rule for rule in rules if rule.next == HALT or rule.next in known]
    known = {rule.state for rule in rules}
    rules = [
        rule._replace(next=rng.choice(sorted(known))) if rule.next not in {*known, HALT} else rule for rule in rules
    ]
    if not rules:
        return random_machine(rng, states)
    head = (rng.randint(-2, 3), rng.randint(-1, 1))
    layout = Layout(("digit+",), head=head, answer_row=rng.randint(-1, 1))
    start = rng.choice(sorted(known))
    return GridMachine.from_rules(rules, alphabet=ALPHABET, layout=layout, start=start)


def random_input(rng: random.Random) -> str:
    return "".join(rng.choice("01") for _ in range(rng.randint(1, 9)))
