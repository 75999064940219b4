"""Wrong kinds of arguments, in a Python of its own: here, beartype would complain first."""

import subprocess
import sys

CALLS = """
from dfst import Alphabet, DfstError, Layout, GridMachine, Rule, sample, task
from dfst.teachers.adder import adder
from dfst.teachers.find import find_task
from dfst.training.model import identity_model
from dfst.teachers.multiplier import multiplier
from dfst.world.run import run
add2 = find_task("add2")
machine = add2.machine

def build(rules):
    return GridMachine.from_rules(rules, alphabet=machine.alphabet, layout=Layout(("digit+",)), start="a")

for call in (
    lambda: run(machine, "1", "1", engine="fast"),
    lambda: run(machine, 1, 2),
    lambda: machine.rule("nosuch", "1"),
    lambda: machine.rule("take", "7"),
    lambda: task(10),
    lambda: task([]),
    lambda: adder("10"),
    lambda: multiplier(2.5),
    lambda: build([Rule("a", "0", "0", "R", "a")]),
    lambda: build([Rule(1, "0", "0", 3, "a")]),
    lambda: Alphabet((0, 1), 0),
    lambda: Alphabet(["0", "1"], "0"),
    lambda: Alphabet(("0", "1"), 0),
    lambda: add2.truth(1, 1),
    lambda: identity_model(sample(add2), 12),
    lambda: identity_model(4, 12),
):
    try:
        print("accepted:", call())
    except DfstError as error:
        print("refused:", *str(error).splitlines())
"""


def test_wrong_kinds_are_refused_with_a_sentence():
    done = subprocess.run([sys.executable, "-c", CALLS], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    lines = done.stdout.splitlines()
    fragments = [
        "no engine called 'fast'. Engines are auto, reference, compiled, skipping.",
        "operand 1: it is of type int",
        "no state 'nosuch'",
        "'7' is not a symbol",
        "10 is of type int",
        "[] is of type list",
        "radix '10' has no digits",
        "radix 2.5 has no digits",
        "(a, 0): 'R' is not a move",
        "states and symbols must be strings",
        "tuples of strings",
        "tuples of strings",
        "the blank 0 is not among the symbols",
        "operand 1: it is of type int",
        "Traces is not an Alphabet. Write identity_model(x.alphabet, 12)",
        "int is not an Alphabet",
    ]
    for line, fragment in zip(lines, fragments, strict=True):
        assert line.startswith("refused:")
        assert fragment in line
