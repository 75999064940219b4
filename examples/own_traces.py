"""Only recorded steps of somebody else's program, no teacher at all: what does it do, and how sure can one be?"""

import json
from pathlib import Path

import dfst
from dfst.extraction.report import report


def steps(bits: str) -> dict:
    """A program that turns ones into zeros and zeros into ones, from left to right, as it was seen to run."""
    flipped = "".join("10"[int(bit)] for bit in bits)
    return {"x": bits + "_", "s": flipped + "_", "m": "R" * len(bits) + "S"}


lines = [{"format": 1, "symbols": ["0", "1", "_"], "blank": "_"}]
lines += [steps(format(number, "b")) for number in range(1, 40)]
Path("flips.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")

traces = dfst.load("flips.jsonl")
model, history = dfst.fit(traces, hidden_dim=6)
extraction = dfst.extract(model, traces)
print(report(extraction, suggestions=2))
print(dfst.solve(extraction.machine, "1100" * 10).answer)
