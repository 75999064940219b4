"""The tables of docs/reliability.md are those of the kept results, and the results say that nothing is wrong."""

import json

from experiments.faults import FAULTS, FUZZ, PAGE, rendered


def test_the_page_says_what_the_results_say():
    page = PAGE.read_text(encoding="utf-8")
    assert rendered(page) == page


def test_the_results_hold():
    faults, fuzz = json.loads(FAULTS.read_text()), json.loads(FUZZ.read_text())
    assert faults["kills"]["kills"] >= 200
    assert faults["kills"]["failed"] == []
    assert faults["kills"]["different"] == 0
    assert all(facts["undetected"] == 0 for facts in faults["flips"].values())
    assert sum(facts["inputs"] for facts in fuzz["mutated"].values()) >= 10**6
    assert all(facts["finding"] == 0 for kind in ("mutated", "guided") for facts in fuzz[kind].values())
    assert all(facts["seconds"] <= 1 for facts in fuzz["bombs"].values())
