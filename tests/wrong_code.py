"""What the mistakes in Python are made with (mistakes.txt): policies, programs, traces and files of one's own."""

import json
import tempfile
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np

import dfst
from dfst import GridMachine
from dfst.exchange.dot import parse_dot
from dfst.gym import GridWorld
from dfst.sweep.sweep_file import Shard, parse_sweep
from dfst.sweep.trial import trials
from dfst.traces.record import corrupted
from dfst.traces.understand import understand
from dfst.training.model import identity_model
from dfst.world.alphabet import Alphabet
from dfst.world.layout import Layout
from dfst.world.machine import Rule
from dfst.world.rollout import Trace
from dfst.world.worlds import World

__all__ = [
    "Alphabet",
    "GridWorld",
    "Path",
    "Shard",
    "World",
    "corrupted",
    "identity_model",
    "np",
    "parse_dot",
    "replace",
]

add2, mult2 = dfst.task("add2"), dfst.task("mult2")
machine, traces, model = add2.machine, dfst.sample(add2), dfst.load("add2:raw")
plain_model = dfst.from_machine(machine)
unnamed = identity_model(traces.world, 3, name="mine")
begun = GridWorld("add2")
begun.reset(seed=1)


def act(state=None, symbol="1", move="R", **attributes):
    """A policy that always does the same."""

    class Always:
        def begin(self):
            return state

        def act(self, state, seen):
            return state, symbol, move

    policy = Always()
    for name, value in attributes.items():
        setattr(policy, name, value)
    return policy


class NoBegin:
    def act(self, state, symbol):
        return state, symbol, "S"


class NoAct:
    def begin(self):
        return None


class Whole(NoAct, NoBegin):
    pass


def raises(state, symbol):
    raise ValueError("not today")


def stray(head):
    head.write("7")


def on_and_on(head):
    while True:
        head.move("R")


def looks(head):
    while True:
        head.see()


def after(head):
    head.move("S")
    head.move("R")


def chance(head, calls=[]):  # noqa: B006
    calls.append(1)
    head.do("01"[len(calls) % 2], "R")


def plain(head):
    head.move("R")


program = dfst.teacher(symbols="01", problems="01", answer=len)(plain)


def observed(program, *problems, **options):
    return dfst.observe(program, list(problems), symbols="01", **options)


def of(*given, alphabet="01_"):
    return dfst.Traces.of(alphabet, list(given))


def columns(*lengths):
    """Traces whose three columns have these lengths."""
    return of(*(Trace(*(np.zeros(n, np.uint8) for n in each)) for each in lengths))


def rolled(policy, *operands):
    return dfst.solve(policy, *(operands or ("1", "1")), beside="add2")


def built(*rules):
    given = [Rule(*rule) for rule in rules]
    return GridMachine.from_rules(given, alphabet=machine.alphabet, layout=Layout(("digit+",)), start="a")


def sweep(text):
    return trials(parse_sweep(tomllib.loads(text)))


def trial(text):
    return sweep(f"[trial]\ntask = 'add2'\n{text}")


def loaded(*lines):
    """The traces in a file of these lines; its name is left out of the answer."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.jsonl"
        path.write_text("\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines))
        return dfst.load(path)


HEAD = {"format": 1, "symbols": ["0", "1", "_"], "blank": "_", "classes": {"digit": ["0", "1"]}}
STEP = {"x": "1", "s": "0", "m": "S"}


def guessed(*given):
    """What is understood of bare traces (seen, written, moves)."""
    return understand(loaded(HEAD | {"classes": {}}, *({"x": x, "s": s, "m": m} for x, s, m in given)))
