"""A protocol learned from its log alone, then proven equal to a reference model, or refuted with the shortest input."""

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
words = {tuple(rng.choices(vault.machine.alphabet.classes["input"], k=rng.randint(2, 10))) for _ in range(150)}
traces = vault.record([(" ".join(word),) for word in sorted(words)])
Path("log.csv").write_text(to_csv(traces), encoding="utf-8")
print(to_io_traces(traces)[0])

print(dfst.learn("log.csv", dfst.Options(out=Path("alone"))).explain())
print(dfst.learn("log.csv", dfst.Options(out=Path("proven")), teacher="vault.dot").explain())

Path("other.dot").write_text(REFERENCE.replace("say name / come in", "say name / we know"), encoding="utf-8")
print(dfst.compare("other.dot", "proven:machine"))
print(dfst.export("proven:machine", "learned.dot"))
