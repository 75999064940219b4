"""A task of one's own, written as a machine file: parity. Learned from its traces, then proven: a few seconds."""

import dfst
from dfst.teachers.task_file import parse_task

PARITY = """
format = 1
name = "parity"
about = "Replaces a word of bits by its parity."
symbols = ["0", "1", "_"]
blank = "_"
start = "even"

[classes]
bit = ["0", "1"]

[input]
cells = ["bit+"]

[answer]
cells = "bit"

---
# state  sees  ->  writes  move  next
even     0     ->  _       R     even
even     1     ->  _       R     odd
odd      0     ->  _       R     odd
odd      1     ->  _       R     even
even     _     ->  0       S     halt
odd      _     ->  1       S     halt
"""

task = parse_task(PARITY.lstrip())
traces = task.sample()
model, history = dfst.fit(traces, hidden_dim=task.hidden_dim)
machine = dfst.extract(model, traces).machine
print(dfst.compare(task, machine))
print(dfst.solve(machine, "10110" * 20).answer)
