"""A protocol learned from its log, also with wrong records in it, then proven equal to a reference, or refuted."""

import random
from pathlib import Path

import dfst
from dfst.exchange import to_csv, to_io_traces

REFERENCE = """digraph vault {
  __start0 -> shut;
  shut -> shut [label="knock / silence"];
  shut -> asked [label="say name / who goes there"];
  shut -> shut [label="turn key / click"];
  asked -> open [label="turn key / door opens"];
  asked -> shut [label="knock / go away"];
  asked -> asked [label="say name / we know"];
  open -> open [label="knock / come in"];
  open -> open [label="say name / come in"];
  open -> shut [label="turn key / door shuts"];
}"""
Path("vault.dot").write_text(REFERENCE, encoding="utf-8")

# what a recorder would write: a line for every input and its output, and which conversation it belongs to
rng, vault = random.Random(1), dfst.task("vault.dot")
words = {tuple(rng.choices(vault.machine.alphabet.classes["input"], k=rng.randint(2, 10))) for _ in range(200)}
traces = vault.record([(" ".join(word),) for word in sorted(words)])
Path("log.csv").write_text(to_csv(traces), encoding="utf-8")
print(to_io_traces(traces)[0])

print(dfst.learn("log.csv", dfst.Options(out=Path("alone"))).explain())
print(dfst.learn("log.csv", dfst.Options(out=Path("proven")), teacher="vault.dot").explain())

# one record in a hundred is wrong; the reference only judges what is learned from the others
lines = to_csv(traces).splitlines()
for line in rng.sample(range(1, len(lines)), len(lines) // 100):
    case, read, said = lines[line].split(",")
    lines[line] = f"{case},{read},{'click' if said == 'silence' else 'silence'}"
Path("noisy.csv").write_text("\n".join(lines), encoding="utf-8")
noisy = dfst.learn("noisy.csv", dfst.Options(out=Path("noisy")), noisy=True, teacher="vault.dot", say=print)
print(noisy.explain())

Path("other.dot").write_text(REFERENCE.replace("say name / come in", "say name / we know"), encoding="utf-8")
print(dfst.compare("other.dot", "proven:machine"))
print(dfst.export("proven:machine", "learned.dot"))
