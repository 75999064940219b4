"""Natural mistakes with policies, programs and traces of one's own; as a program, it prints each answer."""

import traceback
from pathlib import Path

import dfst
from dfst.world.layout import Layout

traces = dfst.sample("add2")


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


@dfst.teacher(symbols="01", problems="01", answer=len)
def program(head):
    head.move("R")


def of(*given, alphabet="01_"):
    return dfst.Traces.of(alphabet, list(given))


def rolled(policy, *operands):
    return dfst.rollout(policy, *(operands or ("1", "1")), teacher="add2")


MISTAKES = {
    # policies
    "a class for a policy": lambda: dfst.measure_lengths(Whole, "add2", to=3),
    "no begin": lambda: rolled(NoBegin()),
    "no act": lambda: rolled(NoAct()),
    "no task": lambda: dfst.measure_lengths(Whole(), to=3),
    "no task for a rollout": lambda: dfst.rollout(Whole(), "1", "1"),
    "a task that is none": lambda: dfst.diff(act(task="ad2")),
    "a symbol that is none": lambda: rolled(act(symbol="7")),
    "a number that is none": lambda: rolled(act(symbol=9)),
    "a fraction for a symbol": lambda: rolled(act(symbol=0.5)),
    "a truth value for a symbol": lambda: rolled(act(symbol=True)),
    "a move in words": lambda: rolled(act(move="right")),
    "a move that is none": lambda: rolled(act(move=7)),
    "two instead of three": lambda: rolled(lambda state, symbol: (symbol, "R")),
    "one instead of three": lambda: rolled(lambda state, symbol: "R"),
    "an error of its own": lambda: rolled(raises),
    "a function of no arguments": lambda: rolled(lambda: None),
    "a word that it sees": lambda: rolled(act(sees="words")),
    "no steps": lambda: rolled(act(step_limit=0)),
    "a batch that is none": lambda: rolled(act(symbol=1, batched=True)),
    "operands of another task": lambda: rolled(act(), "7"),
    "no traces and no task": lambda: dfst.extract(Whole()),
    "traces of another alphabet": lambda: dfst.certify(act(), "add2", traces=dfst.sample("increment")),
    "a policy that never halts": lambda: dfst.extract(act(), traces),
    "a machine of a policy": lambda: dfst.compare("add2", act(task="add2")),
    "weights of a policy": lambda: dfst.load_model("fractions:Fraction"),
    "a module without it": lambda: dfst.evaluate("fractions:Policy", "add2"),
    "a file that is not there": lambda: dfst.evaluate("nothing.py:Policy", "add2"),
    "a page with another ending": lambda: dfst.view("add2", "1", "1", out="view.txt"),
    # programs
    "a program that is none": lambda: dfst.observe("flip", ["01"], symbols="01"),
    "no problems": lambda: dfst.observe(plain, [], symbols="01"),
    "a number for a problem": lambda: dfst.observe(plain, [10], symbols="01"),
    "an empty problem": lambda: dfst.observe(plain, [""], symbols="01"),
    "a problem of other symbols": lambda: dfst.observe(plain, ["12"], symbols="01"),
    "a problem with a blank": lambda: dfst.observe(plain, ["1_0"], symbols="01"),
    "nothing between operands": lambda: dfst.observe(plain, [("1", "0")], symbols="01"),
    "operands of two numbers": lambda: dfst.observe(plain, [("1",), ("1", "0")], symbols="01"),
    "a stray symbol": lambda: dfst.observe(stray, ["1"], symbols="01"),
    "a program without end": lambda: dfst.observe(on_and_on, ["1"], symbols="01", step_limit=50),
    "a program that only looks": lambda: dfst.observe(looks, ["1"], symbols="01", step_limit=50),
    "a step after the last": lambda: dfst.observe(after, ["1"], symbols="01"),
    "a program of chance": lambda: dfst.observe(chance, ["1", "10"], symbols="01"),
    "a program that fails": lambda: dfst.observe(lambda head: head.nothing(), ["1"], symbols="01"),
    "a layout that does not fit": lambda: dfst.observe(plain, ["1"], symbols="01", layout=Layout(("digit+",))),
    "a teacher of no symbols": lambda: dfst.teacher(symbols="01", problems=""),
    "a teacher of other symbols": lambda: dfst.teacher(symbols="01", problems="ab"),
    "another task's machine": lambda: dfst.certify("teacher:add2", program),
    "an answer that is a number": lambda: program.truth("10"),
    "a proof against a program": lambda: dfst.compare(program, "add2:machine"),
    # traces
    "a text for a trace": lambda: of("1_"),
    "columns of two lengths": lambda: of(("1_", "0", "RS")),
    "a trace of nothing": lambda: of([]),
    "an unknown symbol": lambda: of(("2_", "0_", "RS")),
    "an unknown move": lambda: of(("1_", "0_", "XS")),
    "a step of two": lambda: of([("1", "0"), ("_", "_")]),
    "a number for an alphabet": lambda: of(("1_", "0_", "RS"), alphabet=2),
    "a symbol twice": lambda: of(("1_", "0_", "RS"), alphabet="011"),
    "traces without input": lambda: dfst.fit(of(("_", "_", "S"))),
    "a frame without columns": lambda: dfst.from_pandas({"seen": []}),
    "a step without output": lambda: dfst.from_io_traces([[(1,)]]),
    "an output that is none": lambda: dfst.from_io_traces([[(1, "right")]]),
    "another format": lambda: dfst.from_abbadingo("trace 1"),
    "a line cut short": lambda: dfst.from_abbadingo("1 3\n1 2 1/0,R\n"),
    # other learners
    "a merging method misspelt": lambda: dfst.merge(traces, "edms"),
    "merging a name": lambda: dfst.merge("add2"),
    "a sureness of two": lambda: dfst.to_sul("add2:raw", sure=2),
    "nothing to learn from": lambda: dfst.to_sul(object()),
    "no problems for the oracle": lambda: dfst.ProblemOracle(dfst.to_sul("add2:machine"), []),
    "an oracle of something else": lambda: dfst.ProblemOracle("add2", [("1", "1")]),
    "an input that is none": lambda: dfst.to_sul("add2:machine").query((7,)),
}

if __name__ == "__main__":
    for name, mistake in MISTAKES.items():
        try:
            print(f"{name}: no error: {mistake()!r}"[:200])
        except dfst.DfstError as error:
            print(f"{name}: {type(error).__name__}: {str(error).splitlines()[0]}")
        except Exception as error:
            last = traceback.extract_tb(error.__traceback__)[-1]
            print(f"{name}: NOT A SENTENCE: {type(error).__name__}: {error} ({Path(last.filename).name}:{last.lineno})")
