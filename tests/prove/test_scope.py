"""What a verdict on a partial teacher says, against brute force on every short input: never more than that shows."""

import itertools
import json
import random
from collections import Counter

import pytest

from dfst.errors import MachineError
from dfst.prove import checker
from dfst.prove.compare import compare
from dfst.prove.verdict import Conclusion
from dfst.world.alphabet import Alphabet
from dfst.world.layout import Layout
from dfst.world.machine import GridMachine, Rule
from dfst.world.moves import OFFSETS, Move

LONGEST, STEPS = 6, 60
GRID = Alphabet(("a", "b", "c", "_"), "_", {"C": ("a", "b"), "D": ("c",)})
TALK = Alphabet(("a", "b", "x", "_"), "_", {"input": ("a", "b"), "output": ("a", "b", "x")})


def table(rules):
    return {(rule.state, rule.seen): (rule.written, rule.move, rule.next) for rule in rules}


def random_rules(rng, talk):
    states, density = [f"q{i}" for i in range(rng.randint(1, 4))], rng.choice((0.6, 0.8, 1.0))
    found = []
    for q, seen in itertools.product(states, "ab_" if talk else "abc_"):
        if rng.random() < density:
            moves = [Move.S if seen == "_" else Move.R] if talk else [Move[m] for m in "UDLRRRLS"]
            move = rng.choice(moves)
            written = "_" if talk and seen == "_" else rng.choice("abx" if talk else "abc_")
            found.append(Rule(q, seen, written, move, "halt" if move == Move.S else rng.choice(states)))
    return found


def learner_of(rng, rules, talk):
    """The same rules, with a rule changed, dropped or added."""
    rules, kind = [*rules], rng.random()
    at = rng.randrange(len(rules))
    if kind < 0.25 and rules[at].seen != "_":
        rules[at] = rules[at]._replace(written=rng.choice("abx" if talk else "abc"))
    elif kind < 0.35:
        del rules[at]
    elif kind < 0.8:
        more = [rule for rule in random_rules(rng, talk) if (rule.state, rule.seen) not in table(rules)]
        rules += [rule for rule in more if rule.next in {"halt", *(each.state for each in rules)}]
    return rules


def brute(teacher, learner, layout, alphabet):
    """What is seen on every short input: whether the two differ, the teacher is stuck, or stuck alone."""
    words = [()]
    for left, part in reversed([*enumerate(reversed(layout.parts))]):  # so many parts are still to come
        members, many = alphabet.classes.get(part.removesuffix("+"), (part,)), part.endswith("+")
        longer = [(*word, x) for word in words for x in members]
        words = longer
        while many and longer:
            longer = [(*word, x) for word in longer if len(word) + left < LONGEST for x in members]
            words = words + longer
    return set().union(*(seen_on(word, teacher, learner, layout.head) for word in words))


def seen_on(word, teacher, learner, head):
    grid, cell, q, s = {(x, 0): symbol for x, symbol in enumerate(word)}, head, "q0", "q0"
    for _ in range(STEPS):
        seen = grid.get(cell, "_")
        theirs, ours = teacher.get((q, seen)), learner.get((s, seen))
        if theirs is None:
            return {"stuck"} if ours is None else {"stuck", "alone"}
        if ours is None or ours[:2] != theirs[:2]:
            return {"differ"}
        if theirs[1] == Move.S:
            return set()
        grid[cell], (dx, dy) = theirs[0], OFFSETS[theirs[1]]
        cell, q, s = (cell[0] + dx, cell[1] + dy), theirs[2], ours[2]
    return set()


def pairs(rng):
    """(teacher, learner, what brute force sees, is it a conversation) for ever."""
    while True:
        talk = rng.random() < 0.4
        alphabet, layout = TALK, Layout(("input+",), answer_class="output")
        if not talk:
            parts = tuple(rng.choice(["C+", "C", "D+", "a", "D"]) for _ in range(rng.randint(1, 3)))
            alphabet, layout = GRID, Layout(parts, (rng.randint(-1, 2), rng.randint(-1, 1)), 0, "C", None)
        rules = random_rules(rng, talk)
        if not any(rule.state == "q0" for rule in rules):
            continue
        other = learner_of(rng, rules, talk)
        try:
            made = [
                GridMachine.from_rules(each, alphabet=alphabet, layout=layout, start="q0") for each in (rules, other)
            ]
        except MachineError:
            continue
        yield *made, brute(table(rules), table(other), layout, alphabet), talk


@pytest.mark.slow
def test_no_verdict_says_more_than_brute_force_shows():
    found = Counter()
    for teacher, learner, seen, talk in pairs(random.Random(57)):
        verdict = compare(teacher, learner, limit=300, rounds=1)
        said = verdict.conclusion
        found[said] += 1
        found[said, talk] += 1
        if verdict.proven:
            report = checker.verify(json.loads(json.dumps(verdict.certificate().content)))
            assert report["scope"] == verdict.scope
            assert "differ" not in seen
            assert not ("stuck" in seen and verdict.teacher_never_stuck)
        if verdict.exact:
            assert "alone" not in seen
        if verdict.refuted:
            assert verdict.counterexample is not None
            word = [teacher.alphabet.symbols[x] for x in teacher.place(verdict.counterexample.operands)]
            rules = [table(each.rules()) for each in (teacher, learner)]
            renamed = [{("q0" if q == m.states[m.start] else q, x): r for (q, x), r in t.items()}
                       for t, m in zip(rules, (teacher, learner), strict=True)]  # fmt: skip
            assert "differ" in seen_on(word, *renamed, teacher.layout.head)
        wanted = (Conclusion.EXACT, Conclusion.UNTIL_STUCK, Conclusion.REFUTED)
        if all(found[each] >= 100 and found[each, True] >= 30 and found[each, False] >= 30 for each in wanted):
            break
        assert sum(found[each] for each in Conclusion) < 3000, found
    assert found[Conclusion.UNDECIDED] < sum(found[each] for each in Conclusion) / 10
