"""A thousand million float steps of one rollout: does anything overflow, and how much is flushed?

The model is the one-hot adder in another basis (an orthogonal mixture of its states, so that every step really
calculates and rounds), with one more direction that dies by a tenth every step: after some hundred steps it is below
2^-100 of the rest and is set to zero.

Usage: python -m experiments.long_rollout OUT.json [STEPS]
"""

from __future__ import annotations

import json
import time
from dataclasses import replace

import numpy as np
from experiments.measuring import asked, save

import dfst
from dfst.manifest import manifest


def mixed_adder() -> dfst.DFST:
    """The adder's 11 states, mixed by an orthogonal matrix, and a dying twelfth direction."""
    plain = dfst.from_machine(dfst.task("add2").machine, 12)
    mix = np.eye(12)
    mix[:11, :11] = np.linalg.qr(np.random.default_rng(1).normal(size=(11, 11)))[0]
    A, h0 = plain.A.astype(np.float64), plain.h0.astype(np.float64)
    A[:, 11, 11], h0[11] = 0.9, 1.0
    parts = {"A": mix @ A @ mix.T, "B": plain.B @ mix.T, "C": plain.C @ mix.T, "h0": mix @ h0}
    return replace(plain, **{name: part.astype(np.float32) for name, part in parts.items()})


def main(out: str, steps: str = "1e9") -> None:
    digits = int((float(steps) / 2) ** 0.5) + 1  # addition takes about 2 n² steps
    begin = time.perf_counter()
    result = dfst.solve(mixed_adder(), "1" * digits, "1" * digits)
    seconds = time.perf_counter() - begin
    right = result.answer.text == dfst.task("add2").truth("1" * digits, "1" * digits)
    record = {
        "digits": digits,
        "steps": result.steps,
        "outcome": result.outcome.value,
        "right": right,
        "rescales": result.rescales,
        "flushed": result.flushed,
        "seconds": round(seconds, 1),
        "manifest": manifest(),
    }
    save(out, record)
    print(json.dumps(record | {"manifest": "…"}))


if __name__ == "__main__":
    main(*asked())
