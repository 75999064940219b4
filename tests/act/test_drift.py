"""How far a network's scores are from another action along a rollout, and where the margin becomes negative."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from dfst import solve
from dfst.shipped import shipped_model
from dfst.teachers.find import find_task
from dfst.training.weights import load_model
from dfst.world.rollout import Outcome
from tests.act.test_rollout import noisy

ADD2 = find_task("add2")
DOCS = Path(__file__).parents[2] / "docs"


def test_margins_do_not_depend_on_the_scale():
    from dataclasses import replace

    model = noisy(ADD2.machine, 1e-3, seed=3)
    scaled = replace(model, weights=model.weights._replace(A=model.A * np.float32(2.0**20)))
    one, two = (solve(m, "1011", "111", beside=ADD2.machine, drift=True).drift for m in (model, scaled))
    assert one == two


@pytest.mark.parametrize("digits", [29, 30, 41, 80])
def test_the_margin_of_the_teachers_action_is_negative_where_the_model_leaves_it(digits):
    """Against the scores themselves, computed again in float64 along the run up to the error."""
    model, machine, ones = load_model(shipped_model("add2").raw), ADD2.machine, "1" * digits
    result = solve(model, ones, ones, beside=machine, drift=True)
    assert result.outcome == Outcome.DIVERGED
    steps = list(islice(machine.configurations(ones, ones), result.steps + 1))
    h = model.h0.astype(np.float64)
    for step in steps[:-1]:
        h = model.A[machine.alphabet.index[step.seen]].astype(np.float64) @ h
    x, wanted = machine.alphabet.index[steps[-1].seen], steps[-1]
    heads = [(model.B[x] @ h, machine.alphabet.index[wanted.written]), (model.C[x] @ h, int(wanted.move))]
    lead = [(s[i] - max(np.delete(s, i))) / max(abs(s)) for s, i in heads]
    assert result.drift.error == pytest.approx(lead, abs=1e-3)
    assert result.drift.margin == min(result.drift.error) < 0 < result.drift.least


def test_the_pages_have_the_margins_of_the_shipped_models():
    """Numbers in the text that nothing renders: whoever ships other models has to write them anew."""
    theory, viewer = (
        " ".join((DOCS / name).read_text(encoding="utf-8").split()) for name in ("theory.md", "viewer.md")
    )
    model = load_model(shipped_model("add2").raw)
    runs = (solve(model, "1" * n, "1" * n, beside=ADD2.machine, drift=True) for n in range(1, 100))
    digits, drift = next((n, run.drift) for n, run in enumerate(runs, 1) if run.divergence)
    assert f"is negative from {digits} digits on" in theory
    last, error = (f"{margin:.2f}" for margin in (drift.last, drift.margin))
    assert f"At {digits} digits, the last step that the network gets right has a margin of {last}" in theory
    assert f"and the next step, the error, has {error}." in theory
    add10, problem = load_model(shipped_model("add10").raw), ("31415926535897932384", "27182818284590452353")
    divergence = solve(add10, *problem, beside=find_task("add10").machine).divergence
    assert divergence is not None
    assert f"matches the teacher for {divergence.step:,} steps" in viewer
