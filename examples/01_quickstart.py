"""From a teacher to its traces to a model that does exactly the same."""

import dfst

teacher = dfst.expert("add10")
result = dfst.run(teacher.machine, "999999999999", "1")
print(f"{teacher.name}: {result.answer.text}, {result.explain()}")

traces = dfst.sample(teacher, seed=42)
report = dfst.coverage(teacher.machine, traces)
print(
    f"{len(traces)} traces of at most {traces.lengths.max()} steps; rules they never use: {report.uncovered or 'none'}"
)

model = dfst.from_machine(teacher.machine, teacher.hidden_dim)
print(f"{model}: {model.parameters} parameters, loss {dfst.loss(model, traces)}")

long_run = dfst.record(teacher.machine, [("9" * 200, "8" * 200)])[0]
assert dfst.replay(model, long_run).exact
print(f"it follows a 200-digit addition step for step, all {len(long_run.seen)} of them")
