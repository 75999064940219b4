"""A comparison ends within its limits, says which one it reached, and never calls exact what it has not proven."""

import pytest

from dfst.prove import compare as comparing
from dfst.prove.compare import compare
from dfst.prove.verdict import Conclusion
from tests.prove.test_user_machines import SORT3, sort3, user_machine


def test_counted_work_ends_at_the_same_place_every_time(monkeypatch):
    monkeypatch.setattr(comparing, "WORK", 200)
    monkeypatch.setattr(comparing, "WORK_PER_RULE", 0)
    verdicts = [compare(user_machine("sort3"), sort3()) for _ in range(2)]
    assert verdicts[0].conclusion == Conclusion.UNDECIDED
    assert verdicts[0].explain().startswith("undecided: the limit of 200 units of work was reached; neither excluded")
    assert len({(v.explain(), v.size, v.rounds, v.tried) for v in verdicts}) == 1


def test_seconds_end_it_with_the_reason():
    verdict = compare(user_machine("anbncn"), user_machine("anbncn"), seconds=1e-9)
    assert verdict.conclusion == Conclusion.UNDECIDED
    assert verdict.explain() == "undecided: the limit of 1e-09 seconds was reached"
    assert verdict.proof is None


@pytest.mark.parametrize("work", [1, 100, 1000, 10_000])
def test_a_wrong_machine_is_never_exact_whatever_the_limit(monkeypatch, work):
    monkeypatch.setattr(comparing, "WORK", work)
    monkeypatch.setattr(comparing, "WORK_PER_RULE", 0)
    learner = sort3(SORT3.replace("s5 c -> b L s6", "s5 c -> b L s2"))
    assert compare(user_machine("sort3"), learner).conclusion != Conclusion.EXACT


def test_it_says_what_it_is_doing():
    said = []
    compare(user_machine("sort3"), sort3(), progress=said.append)
    assert said[0] == "comparing: 35 abstract configurations; refined 0 times"
    assert all(text.startswith("comparing: ") for text in said)
