"""Which names run code: a Python file that is named; nothing else in the working folder."""

import sys

import pytest

from dfst.own import find_in_python
from tests.planted import plant

RAN = 'from pathlib import Path\n\nPath("ran").touch()\n'
POLICY = "from beside import START\n\nclass Policy:\n    start = START\n"


@pytest.fixture
def hostile(work):
    """A folder from somebody else, whose Python files leave a mark if they run."""
    (work / "add10").mkdir()
    (work / "add10" / "__init__.py").write_text(RAN)
    (work / "reverse.py").write_text(RAN)
    (work / "typo.py").write_text(RAN)
    (work / "fractions.py").write_text(RAN)
    (work / "package").mkdir()
    (work / "package" / "part.py").write_text(RAN)
    return work


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("solve", "add10:one_hot", 1, 7), "there is no policy called 'add10:one_hot'. add10 has add10:raw, "),
        (("solve", "add10:Raw", 1, 7), "there is no policy called 'add10:Raw'. Did you mean add10:raw? add10 has "),
        (
            ("solve", "reverse:Raw", 1),
            "'reverse:Raw'. Did you mean reverse:raw? reverse has reverse:raw, reverse:rounded, reverse:machine and ",
        ),
        (("learn", "add10:ask"), "there is no task called 'add10:ask'. The task is called add10; "),
        (("train", "reverse:ask"), "there is no task called 'reverse:ask'. The task is called reverse; "),
        (("eval", "typo:Policy"), "there is no policy called 'typo:Policy'."),
        (("eval", "package.part:P"), "there is no policy called 'package.part:P'."),
        (("eval", "fractions:Fraction"), "there is no policy called 'fractions:Fraction'."),
    ],
)
def test_a_mistyped_name_runs_nothing(words, sentence, call, hostile):
    code, _, err = call(*words)
    assert (code, sentence in err.replace("\\", "/")) == (2, True), err
    assert not (hostile / "ran").exists()


def test_a_file_that_is_named_runs_and_finds_its_neighbours(work, monkeypatch):
    monkeypatch.setattr(sys, "path", sys.path[:])
    (work / "sub").mkdir()
    (work / "sub" / "beside.py").write_text("START = 7\n" + RAN)
    (work / "sub" / "policy_of_mine.py").write_text(POLICY)
    (work / "sub" / "other.py").write_text(RAN.replace("ran", "other"))
    try:
        assert find_in_python("sub/policy_of_mine.py:Policy").start == 7
        assert (work / "ran").exists()
        assert find_in_python("other:Policy") is None
        assert not (work / "other").exists()
    finally:
        for name in ("beside", "policy_of_mine"):
            sys.modules.pop(name, None)


LEAVES = """
import sys
import dfst

class Policy:
    task = "add2"
    def begin(self):
        return None
    def act(self, state, symbol):
        {}

class Begins(Policy):
    def begin(self):
        sys.exit("bye")

class Made(Policy):
    def __init__(self):
        sys.exit(0)

@dfst.teacher(symbols="01", problems="01")
def program(head):
    sys.exit(3)
"""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("solve leaves.py:Policy 1 1", "act raised SystemExit (leaves.py, line 10)"),
        ("eval leaves.py:Policy --to 2", "act raised SystemExit (leaves.py, line 10)"),
        ("solve leaves.py:Begins 1 1", "begin raised SystemExit: bye (leaves.py, line 14)"),
        ("diff leaves.py:Made", "loading it raised SystemExit: 0 (leaves.py, line 18)"),
        ("learn leaves.py:program", "it raised SystemExit: 3 (leaves.py, line 22)"),
        ("extract empty.py:Policy", "loading it raised SystemExit (empty.py, line 1)"),
    ],
)
def test_code_that_ends_the_process_ends_in_a_sentence(words, said, call, work, monkeypatch):
    monkeypatch.setattr(sys, "path", sys.path[:])
    (work / "leaves.py").write_text(LEAVES.format("sys.exit()"))
    (work / "empty.py").write_text("raise SystemExit")
    code, out, err = call(*words.split())
    assert (code, out, said in err) == (2, "", True), err


def test_ctrl_c_in_code_of_ones_own_is_ctrl_c(call, work):
    (work / "waits.py").write_text(LEAVES.format("raise KeyboardInterrupt"))
    code, _, err = call("solve", "waits.py:Policy", "1", "1")
    assert (code, err) == (130, "dfst: stopped.\n")


LEARNED = """\
import inspect
from dataclasses import dataclass

@dataclass
class Move:
    symbol: int

class Policy:
    task = "increment"

    def begin(self):
        assert "symbol: int" in inspect.getsource(Move)  # its own text is at hand
        return 0

    def act(self, state, symbol):
        return None
"""


def test_the_file_that_is_named_runs_and_not_a_cache_beside_it(call, work):
    (work / "honest.py").write_text(LEARNED)
    plant(work / "honest.py", LEARNED + RAN)
    try:
        code, out, err = call("solve", "honest.py:Policy", "7")
        assert (code, "stuck" in out) == (1, True), out + err
        assert not (work / "ran").exists()
        (work / "honest.py").write_text(f"{LEARNED}raise ValueError\n")
        assert "honest.py, line 17" in call("solve", "honest.py:Policy", "7")[2]
    finally:
        sys.modules.pop("honest", None)
