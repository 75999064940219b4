"""The results that docs/reliability.md shows say that nothing is wrong."""

import json
from pathlib import Path

from tests.fuzz.bombs import BOMBS
from tests.fuzz.targets import ALWAYS

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


def test_what_takes_more_than_ten_times_the_file_is_known():
    bombs = json.loads((RESULTS / "fuzz.json").read_text())["bombs"]
    assert set(bombs) >= set(BOMBS)
    much = {name for name, facts in bombs.items() if (facts["factor"] - 10) * facts["bytes"] > ALWAYS}
    rules = {"many lines of many rules", "as many rules as may be"}
    assert much <= {*rules, "many members", "a number of 200,000 digits"}
    assert all(facts["factor"] * facts["bytes"] < 50 * 2**20 for facts in bombs.values())


def test_the_cluster_lost_nothing():
    counts = json.loads((RESULTS / "cluster.json").read_text())["counts"]
    assert counts["trials"] >= 40
    assert counts["lost"] == counts["doubled"] == counts["strange"] == counts["interrupted_with_other_weights"] == 0


def test_two_workers_are_worth_nearly_two():
    assert json.loads((RESULTS / "sweep_bench.json").read_text())["two_workers_to_twice_one"] >= 0.9
