"""Machines, models, policies and programs that never halt, through every verb: an answer that a person can wait for."""

import os
import signal
import time
from contextlib import suppress
from pathlib import Path

import pytest

import dfst
from dfst.errors import DfstError
from dfst.gym import GridWorld
from dfst.world.rollout import Outcome
from tests.small import header

SECONDS = 10 if os.environ.get("DFST_SHAPES") == "off" else 60
"""Of computing, which on a busy computer takes longer by the clock; checks of shapes are no part of an answer."""

RULES = {
    "cycle": "a digit -> = R b\na _ -> = R b\nb digit -> = L a\nb _ -> = L a",
    "walker": "a digit -> = R a\na _ -> = R a",
    "counter": "a digit -> = R a\na _ -> = L b\nb 1 -> 0 L b\nb 0 -> 1 R a\nb _ -> 1 R a",
}
"""Two cells for ever; away over blanks; a binary counter that grows, which nobody finds out."""

ENDS = {
    "cycle": "repeats itself every 2 steps, seen after 10002 steps, in state a at cell (0, 0)",
    "walker": "moves on over blanks for ever, seen after 10000 steps, in state a at cell (10000, 0)",
    "counter": "stopped at the step limit",
}

COMMANDS = {
    "check F": "on 1 it gives no answer (",
    "doctor F": "the teacher does not halt, such as 0 (",
    "solve F 101": "there is no answer (it did not halt",
    "solve W 101": "there is no answer (it did not halt",
    "data F": "on 0 the machine does not halt: ",
    "train F": "on 0 the machine does not halt: ",
    "learn F": "on 0 the machine does not halt: ",
    "learn F --ask": "on 0 the machine does not halt: ",
    "eval F --teacher F": "on 1 the teacher ",
    "eval W --teacher F": "on 1 the teacher ",
    "diff F --teacher F": "exact: ",
    "diff W --teacher F": "on 1 the teacher ",
    "diff F 101 --teacher F": "on 101 the two act alike for all ",
    "diff W 101 --teacher F": "on 101 the two act alike for all ",
    "view F 101": " steps; ",
    "view W 101 --teacher F": " steps; ",
    "view F 101 --out f.svg": "takes more than 600 steps",
    "export F --out machine.svg": "wrote machine.svg",
    "export F": 'start = "a"',
    "export F --out m.safetensors": "wrote m.safetensors",
    "certify F --teacher F": "exact: ",
    "certify W --teacher F": "needs the training traces",
    "extract W": "needs the training traces",
}


@pytest.fixture(scope="module", autouse=True)
def compiled():
    """Compiling, which happens once on a computer, is no part of any answer."""
    add2 = dfst.task("add2")
    for engine in ("compiled", "skipping"):
        add2.machine.run("1", "1", engine=engine, record=engine == "compiled")
    model = dfst.from_machine(add2.machine)
    dfst.measure_lengths(model, add2, to=1)
    dfst.solve(model, "1", "1")


@pytest.fixture
def files(work):
    Path("answers.csv").write_text("1,0\n0,1\n")
    for name, rules in RULES.items():
        text = header(name, "a") + f'[task]\nanswers = "answers.csv"\n---\n{rules}\n'
        Path(f"{name}.dfst").write_text(text)
        dfst.from_machine(f"{name}.dfst").save(f"{name}.safetensors")


@pytest.fixture
def in_time():
    """Fails at once what would hang, and afterwards what took too long."""

    def ring(*_):
        raise TimeoutError("no answer")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(20 * SECONDS)
    began = time.process_time()
    yield
    took = time.process_time() - began
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)
    assert took < SECONDS


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_answers(files, in_time, command, name, call):
    words = [{"F": f"{name}.dfst", "W": f"{name}.safetensors"}.get(word, word) for word in command.split()]
    _, out, err = call(*words)
    assert COMMANDS[command] in out + err
    if COMMANDS[command] == "on 1 the teacher " and name == "counter":  # nobody knows that it never halts
        assert "the teacher did not halt within 100,000,001 steps. Does it ever halt?" in err
    elif "does not halt: " in COMMANDS[command] or COMMANDS[command] == "on 1 the teacher ":
        assert f"does not halt: {ENDS[name].partition(',')[0]}" in out + err


CALLS = {
    "solve": lambda n, m, own: dfst.solve(n, "101"),
    "rollout": lambda n, m, own: dfst.solve(m, "101", beside=n),
    "sample": lambda n, m, own: dfst.sample(n),
    "record": lambda n, m, own: dfst.record(n, [("1",)]),
    "learn": lambda n, m, own: dfst.learn(n, dfst.Options(out="run")),
    "evaluate": lambda n, m, own: dfst.evaluate(m, n),
    "evaluate a policy": lambda n, m, own: dfst.evaluate(own, n, to=3),
    "measure_lengths": lambda n, m, own: dfst.measure_lengths(m, n, to=3),
    "diff": lambda n, m, own: dfst.diff(m, teacher=n),
    "solve a policy": lambda n, m, own: dfst.solve(dfst.policy(own, task=n), "101"),
    "compare": lambda n, m, own: dfst.compare(n, n),
    "truth": lambda n, m, own: dfst.task(n).truth("101"),
    "wrong_answers": lambda n, m, own: dfst.task(n).wrong_answers(),
    "doctor": lambda n, m, own: dfst.doctor(n),
    "GridWorld": lambda n, m, own: GridWorld(n).reset(seed=0),
}


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("call", CALLS)
def test_every_function_answers(files, in_time, call, name):
    def own(state, symbol):
        return state, symbol, "R"

    with suppress(DfstError):
        assert CALLS[call](f"{name}.dfst", dfst.from_machine(f"{name}.dfst"), own) is not None


def test_a_program_that_never_ends_is_refused(in_time):
    def there_and_back(head):
        while True:
            head.move("R")
            head.move("L")

    def stare(head):
        while head.see() != "?":
            pass

    for program, what in ((there_and_back, "takes more than 100000 steps"), (stare, "looks and looks")):
        with pytest.raises(dfst.errors.InputError, match=what):
            dfst.observe(program, ["1"], symbols="01")
        task = dfst.teacher(symbols="01", problems="01")(program)
        with pytest.raises(dfst.errors.InputError, match=what):
            dfst.record(task, [("1",)])


def test_more_steps_can_be_asked_for(files):
    assert dfst.solve("counter.dfst", "1", step_limit=10**8 + 10**6).steps == 10**8 + 10**6
    assert dfst.solve("counter.safetensors", "1", step_limit=10**7 + 10**6).steps == 10**7 + 10**6
    with pytest.raises(DfstError, match="after 20000000 steps"):
        dfst.record("counter.dfst", [("1",)], step_limit=2 * 10**7)
    assert dfst.solve("counter.dfst", "1").outcome == Outcome.STEP_LIMIT
