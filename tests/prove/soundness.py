"""Machines with one entry off: python -m tests.prove.soundness COUNT SEED.

Each is compared with its teacher. None that acts differently on any problem tried (up to 8 digits, chosen so that they
use the changed entry) may be called exact; every refutation is confirmed by the library's own runner. Prints counts.
A script of its own, so that many comparisons are not slowed down by the shape checks of the test suite.
"""

import collections
import itertools
import random
import sys

from dfst.prove.compare import compare
from dfst.prove.lockstep import first_difference
from dfst.prove.verdict import Conclusion
from dfst.teachers.find import find_task
from tests.prove.learners import mutated, renumbered, split, split_by_rule

TASKS = ("add2", "add2", "add3", "mult2", "mult2", "mult3", "add10", "mult10")
FEW = 100
"""Below so many mutations the larger machines, which take long to prepare, are left out."""


def problems(machine, rng):
    """Problems of up to 8 digits: all of up to 3 if there are few digits, and many longer ones."""
    digits = machine.alphabet.classes["digit"]
    words = ["".join(word) for n in (1, 2, 3) for word in itertools.product(digits, repeat=n)]
    pairs: list[tuple[str, ...]] = list(itertools.product(words, words)) if len(words) < 50 else []
    for _ in range(3000):
        kinds = [digits, digits, (digits[0], digits[-1]), (digits[-1],), (digits[0], digits[1])]
        pairs.append(tuple("".join(rng.choices(rng.choice(kinds), k=rng.randint(1, 8))) for _ in range(2)))
    return pairs


def used_pairs(machine, given):
    """Every pair (state, symbol) that a run on one of the problems uses."""
    k = len(machine.alphabet)
    return {divmod(pair, k) for problem in given for pair in set(machine.run(*problem, record=True).pairs.tolist())}


class Bench:
    """A teacher's variants, and for every pair of each of them problems whose runs use it."""

    def __init__(self, task: str, rng: random.Random) -> None:
        self.teacher = find_task(task).machine
        state = rng.randrange(len(self.teacher.states))
        self.learners = [
            self.teacher,
            renumbered(self.teacher, rng),
            split(self.teacher, state, rng),
            split_by_rule(self.teacher, rng.randrange(len(self.teacher.states))),
        ]
        self.users = [collections.defaultdict(list) for _ in self.learners]
        given = problems(self.teacher, rng)
        for learner, users in zip(self.learners, self.users, strict=True):
            k = len(learner.alphabet)
            for problem in given:
                pairs = learner.run(*problem, record=True).pairs
                for pair in set(pairs.tolist()):
                    if len(users[divmod(pair, k)]) < 300:
                        users[divmod(pair, k)].append(problem)


def actions(machine, operands, steps):
    """What a machine does in its first steps, by the library's runner."""
    done = machine.run(*operands, step_limit=steps, record=True)
    k = len(machine.alphabet)
    did = [(int(machine.written[divmod(p, k)]), int(machine.move[divmod(p, k)])) for p in done.pairs.tolist()]
    return did, done.outcome


def judged(bench: Bench, rng: random.Random) -> str:
    """What came of one mutation; raises if the verdict is wrong."""
    which = rng.randrange(len(bench.learners))
    learner, pair = mutated(bench.learners[which], rng)
    users = bench.users[which][pair]
    verdict = compare(bench.teacher, learner, limit=100_000, seconds=60.0)
    where = f"{learner}, entry {pair}"
    if verdict.conclusion == Conclusion.REFUTED:
        found = verdict.counterexample
        assert found is not None
        ours, theirs = (actions(machine, found.operands, found.step + 1) for machine in (learner, bench.teacher))
        assert ours != theirs, f"refuted without reason: {where}"
        assert ours[0][: found.step] == theirs[0][: found.step], f"they part sooner: {where}"
        return "refuted"
    for problem in users:
        found = first_difference(bench.teacher, learner, problem, step_limit=100_000)
        if found is not None:
            assert verdict.conclusion == Conclusion.UNDECIDED, f"called exact, but differs {found}: {where}"
            return "undecided though wrong"
    used = " though the entry is used" if users else ", entry not used"
    return f"{verdict.conclusion.value}{used}"


def soundness(count: int, seed: int) -> collections.Counter:
    rng = random.Random(seed)
    benches = [Bench(task, rng) for task in TASKS if count >= FEW or task in ("add2", "mult2")]
    return collections.Counter(judged(rng.choice(benches), rng) for _ in range(count))


if __name__ == "__main__":
    for outcome, number in sorted(soundness(int(sys.argv[1]), int(sys.argv[2])).items()):
        print(f"{outcome}: {number}")
