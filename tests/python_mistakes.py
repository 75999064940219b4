"""Natural mistakes in Python; as a program, it prints for each what is answered, without the type checks of tests."""

import traceback
from pathlib import Path

import dfst
from dfst.traces.noise import corrupted
from dfst.training.model import identity_model

add2, mult2 = dfst.task("add2"), dfst.task("mult2")
traces = add2.sample()
model = dfst.load_model("add2:raw")
unnamed = identity_model(traces.alphabet, 3, name="mine", layout=add2.machine.layout)

MISTAKES = {
    "a task's name misspelt": lambda: dfst.task("ad2"),
    "a number for a task": lambda: dfst.task(10),
    "an empty name": lambda: dfst.task(""),
    "a radix that is too large": lambda: dfst.task("add99"),
    "traces of nothing": lambda: dfst.sample("nothing"),
    "traces of a class": lambda: dfst.sample(dfst.DFST),
    "too few traces": lambda: dfst.sample("add2", dfst.Sampling(p=1, q=3, n=1)),
    "too many operands": lambda: dfst.solve("add2", "1", "1", "1"),
    "numbers for operands": lambda: dfst.solve("add2", 1, 1),
    "a number to differ on": lambda: dfst.diff("add2:raw", 58),
    "another radix": lambda: dfst.solve("add2", "12", "1"),
    "a variant misspelt": lambda: dfst.solve("add2:row", "1", "1"),
    "nobody": lambda: dfst.solve(None, "1", "1"),
    "a policy that is nowhere": lambda: dfst.load("nowhere"),
    "weights of a machine": lambda: dfst.load_model("add2:machine"),
    "a machine of floats": lambda: dfst.load_machine("add2:raw"),
    "a file that is not there": lambda: dfst.load_traces("nothing.jsonl"),
    "training on a name": lambda: dfst.fit("add2"),
    "training on a task": lambda: dfst.fit(add2),
    "an unknown recipe": lambda: dfst.fit(traces, recipe="slow"),
    "a recipe of several stages": lambda: dfst.fit(traces, recipe="lasting"),
    "no dimensions": lambda: dfst.fit(traces, hidden_dim=0),
    "an unknown engine": lambda: dfst.fit(traces, engine="tpu"),
    "a model of another alphabet": lambda: dfst.fit(traces, model=dfst.from_machine(dfst.task("add3").machine)),
    "extraction from a machine": lambda: dfst.extract(add2.machine, traces),
    "extraction without traces": lambda: dfst.extract(model),
    "machines of two worlds": lambda: dfst.compare("add2", dfst.task("add10").machine),
    "a comparison with a number": lambda: dfst.compare("add2", 3),
    "a comparison with floats": lambda: dfst.compare("add2", model),
    "another task's teacher": lambda: dfst.certify("add2:machine", "add10"),
    "nobody's model": lambda: dfst.certify(unnamed, traces=traces),
    "no length": lambda: dfst.evaluate("add2:machine", to=0),
    "a policy that cannot act": lambda: dfst.measure_lengths(object(), "add2", to=3),
    "one operand of two": lambda: dfst.diff("add2", "1"),
    "no certificate": lambda: dfst.check("nothing.json"),
    "a number for a certificate": lambda: dfst.check(5),
    "floats have no certificate": lambda: dfst.check("add2:raw"),
    "a certificate of what is wrong": lambda: dfst.compare(
        "add2", dfst.extract(model, dfst.record("add2", [("0", "0")]), rehearsing=False).machine
    ).certificate(),
    "traces with another ending": lambda: dfst.save_traces(traces, "x.csv"),
    "a text that is no machine": lambda: dfst.parse_machine("nonsense"),
    "a problem as one text": lambda: dfst.record("add2", ["11"]),
    "a rollout of a machine": lambda: dfst.rollout(add2.machine, "1", "1"),
    "more dimensions than there are": lambda: dfst.reduce(model, traces, 99),
    "half a dimension": lambda: dfst.reduce(model, traces, 8.5),
    "dimensions as a text": lambda: dfst.reduce(model, traces, "8"),
    "reducing on a task": lambda: dfst.reduce(model, add2, 8),
    "reducing a machine": lambda: dfst.reduce(add2.machine, traces, 8),
    "reducing what was never trained": lambda: dfst.reduce(identity_model(traces.alphabet, 6), traces, 3),
    "the walks of a machine": lambda: dfst.steady(add2.machine),
    "nearness as a text": lambda: dfst.steady(model, "0.1"),
    "weights of a task": lambda: dfst.from_machine(add2),
    "weights of too few dimensions": lambda: dfst.from_machine(add2.machine, 3),
    "training with dimensions as a text": lambda: dfst.fit(traces, hidden_dim="8"),
    "learning with half a dimension": lambda: dfst.learn("add2", hidden_dim=8.5),
    "training from a machine": lambda: dfst.fit(traces, model=add2.machine),
    "a recipe misspelt": lambda: dfst.recipe("slow"),
    "a recipe's field misspelt": lambda: dfst.recipe("fast").changed(iteration=3),
    "a number for the doctor": lambda: dfst.doctor(3),
    "a number to be learned": lambda: dfst.learn(3),
    "a task to be learned misspelt": lambda: dfst.learn("ad2"),
    "no time to learn": lambda: dfst.learn("add2", seconds=0),
    "another teacher for a task": lambda: dfst.learn("add2", teacher="add10"),
    "traces that are asked": lambda: dfst.learn(traces, ask=True),
    "asking for noise": lambda: dfst.learn("add2", ask=True, noisy=True),
    "more of given traces": lambda: dfst.learn(traces, n=30),
    "traces that contradict themselves": lambda: dfst.learn(corrupted(traces, 0.05)),
    "more noise than there can be": lambda: corrupted(traces, 2),
    "a machine saved as a model": lambda: dfst.save_model(add2.machine, "m.safetensors"),
    "a folder for a model": lambda: dfst.load_model(Path(".")),
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
