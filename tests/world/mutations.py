"""Machine files changed at random: python mutations.py COUNT SEED.

Whatever is done to a file, the answer is a machine or a list of problems with lines: never another exception. A script
of its own, so that many files are not slowed down by the shape checks of the test suite. Prints how many were machines.
"""

import random
import re
import sys
from pathlib import Path

from dfst import MachineError, parse_machine
from dfst.teachers.find import find_task
from dfst.world.machine_file import dump_machine

BROKEN = Path(__file__).parent.parent / "broken_machines"


def mutated(text: str, pieces: list[str], rng: random.Random) -> str:
    """``text`` with something inserted, replaced, cut out or moved, up to three times."""
    for _ in range(rng.randint(1, 3)):
        i, j = sorted(rng.randrange(len(text) + 1) for _ in range(2))
        kind = rng.random()
        if kind < 0.4:
            text = text[:i] + rng.choice(pieces) + text[i:]
        elif kind < 0.7:
            text = text[:i] + rng.choice(pieces) + text[min(j, i + rng.randint(0, 5)) :]
        elif kind < 0.9:
            text = text[:i] + text[min(j, i + 40) :]
        else:
            text = text[:i] + text[j:] + text[i:j]
    return text


def accepted(count: int, seed: int) -> int:
    """How many of ``count`` mutated files are machines; raises for one whose problems have no lines."""
    rng = random.Random(seed)
    files = [path.read_text() for path in sorted(BROKEN.glob("*.dfst")) if path.name != "not_text.dfst"]
    files += [dump_machine(find_task(task).machine) for task in ("add2", "add3")]
    odd = ["\0", "\ufeff", "é", '"', "[", "]]", "{", "..", "*", "\\", "1e999"]
    pieces, machines = [*re.findall(r"\S+|\s", "".join(files)), *odd], 0
    for _ in range(count):
        text = mutated(rng.choice(files), pieces, rng)
        try:
            parse_machine(text)
            machines += 1
        except MachineError as error:
            if not error.mistakes or not all(problem.line for problem in error.mistakes):
                raise AssertionError(f"problems without lines: {text!r}") from error
    return machines


if __name__ == "__main__":
    print(accepted(int(sys.argv[1]), int(sys.argv[2])))
