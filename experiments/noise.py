"""Learning from records with mistakes in them: python -m experiments.noise OUT.json TASK...

Of a task's own traces (data seed 42) a share of the steps is recorded wrongly, another symbol or another move, drawn
with the model's seed. Then dfst.learn(traces, noisy=True) corrects them, learns, and its machine is compared with the
teacher.
"""

import json
import tempfile
import time
from itertools import product
from pathlib import Path

import numpy as np
from experiments.measuring import add_rows, asked

import dfst
from dfst.traces.record import corrupted
from dfst.until_proven.correcting import CHANGES

SHARES = (0.01, 0.02, 0.05)
SEEDS = range(5)
SECONDS = 300.0  # for one row


def row(name: str, share: float, seed: int) -> dict:
    """Learn from the corrupted traces; what was found, missed and changed in vain, and the verdict."""
    task = dfst.task(name)
    right = dfst.sample(task)
    noisy = corrupted(right, share, seed=seed)
    wrong = np.flatnonzero((noisy.written != right.written) | (noisy.moves != right.moves)).tolist()
    facts = {"task": name, "share": share, "seed": seed, "traces": len(right), "steps": len(right.seen)}
    facts |= {"corrupted": len(wrong)}
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        run = Path(folder) / "run"
        try:
            learned = dfst.learn(noisy, dfst.Options(seed=seed, out=run), noisy=True, teacher=task, seconds=SECONDS)
        except dfst.DfstError as error:
            return facts | {"verdict": "not corrected", "why": error.what}
        changes = [json.loads(line) for line in (run / CHANGES).read_text(encoding="utf-8").splitlines()]
    changed = {int(right.offsets[change["trace"]]) + change["step"] for change in changes}
    verdict = "not proven" if learned.certification is None else learned.certification.verdict.conclusion.value
    return facts | {
        "found": len(changed & set(wrong)),
        "missed": len(set(wrong) - changed),
        "clean_changed": len(changed - set(wrong)),
        "traces_left_out": learned.dropped,
        "iterations": learned.iterations,
        "seconds": round(time.monotonic() - began, 1),
        "verdict": verdict,
        "why": learned.why,
    }


def main(out: str, *tasks: str) -> None:
    """All shares and seeds of the tasks named."""
    add_rows(out, ("task", "share", "seed"), product(tasks, SHARES, SEEDS), row)


if __name__ == "__main__":
    main(*asked())
