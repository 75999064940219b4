"""Learn decimal addition from 225 traces, read the machine out of the weights, and prove it: about a minute."""

import dfst

task = dfst.task("add10")
traces = task.sample(seed=42)
model, history = dfst.fit(traces)
machine = dfst.extract(model, traces).machine
verdict = dfst.compare(task, machine)
assert verdict.exact
verdict.certificate().save("add10.json")
print(dfst.check("add10.json"))
print(dfst.solve(machine, "9" * 500, "1").answer)
