import pytest

from dfst.prove import checker
from tests.prove.checker_cases import CASES
from tests.prove.scripts import output

SLOW = {"case_every_hint_matters"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in CASES]
)
def test_case(name):
    CASES[name](checker)


@pytest.mark.slow
def test_attacks():
    counts = output("attacks", 100, 2)
    assert sum(number for what, number in counts.items() if what.endswith("rejected")) > 80


@pytest.mark.slow
def test_the_cases_notice_faults_in_the_checker():
    counts = output("checker_mutations", 40)
    assert counts["faults"] > 10
    assert counts["faults"] - counts["caught"] <= 1
