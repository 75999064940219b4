"""docs/scale.md shows what was measured, and its predictions hold within a factor of two."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_page_on_scale_shows_what_was_measured():
    pytest.importorskip("scipy")
    subprocess.run([sys.executable, "-m", "experiments.render_scale", "--check"], cwd=ROOT, check=True)


def test_predictions_are_within_a_factor_of_two():
    record = json.loads((ROOT / "results" / "scale.json").read_text(encoding="utf-8"))
    for name in ("train", "act", "add", "multiply", "extract", "plan", "results"):
        points = record[name]["record"]["unseen"]
        assert len(points) >= 3
        assert all(0.5 <= ratio <= 2 for point in points for ratio in point["ratio"].values()), name
    assert all(0.5 <= run["predicted_train_seconds"] / run["train_seconds"] <= 2 for run in record["runs"]["record"])
