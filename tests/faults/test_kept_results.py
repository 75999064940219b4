"""The results that docs/reliability.md shows say that nothing is wrong."""

import json
from pathlib import Path

RESULTS = Path(__file__).parents[2] / "results"


def test_nothing_was_lost_or_got_past():
    faults, fuzz = (json.loads((RESULTS / f"{name}.json").read_text()) for name in ("faults", "fuzz"))
    assert faults["kills"]["kills"] >= 200
    assert faults["kills"]["failed"] == []
    assert faults["kills"]["different"] == 0
    assert all(facts["undetected"] == 0 for facts in faults["flips"].values())
    assert sum(facts["inputs"] for facts in fuzz["mutated"].values()) >= 10**6
    assert all(facts["finding"] == 0 for kind in ("mutated", "guided") for facts in fuzz[kind].values())
    assert all(facts["seconds"] <= 1 for facts in fuzz["bombs"].values())


def test_the_cluster_lost_nothing():
    counts = json.loads((RESULTS / "cluster.json").read_text())["counts"]
    assert counts["trials"] >= 40
    assert counts["lost"] == counts["doubled"] == counts["strange"] == counts["interrupted_with_other_weights"] == 0


def test_two_workers_are_worth_nearly_two():
    assert json.loads((RESULTS / "sweep_bench.json").read_text())["two_workers_to_twice_one"] >= 0.9
