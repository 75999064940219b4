"""What speaks for an extracted machine: joins from the weakest on, reasons, problems worth recording."""

import json
import re

import pytest

from dfst import record, sample
from dfst.extraction.pipeline import extract
from dfst.extraction.report import report, suggest
from dfst.teachers.find import find_task
from tests.extraction.test_extract import disguised


@pytest.fixture(scope="module")
def evidence():
    teacher = find_task("add10")
    return extract(disguised(teacher.machine), sample(teacher)).evidence


def test_joins_are_ranked_from_the_weakest(evidence):
    assert [join.rank for join in evidence.joins] == list(range(1, len(evidence.joins) + 1))
    shared = [join.shared for join in evidence.joins]
    assert shared == sorted(shared)
    assert all(re.match(r"s\d+: ", join.explain()) for join in evidence.joins)
    assert all(join.state in evidence.machine.states for join in evidence.joins)


def test_a_join_says_what_was_compared(evidence):
    told = [join.explain() for join in evidence.joins]
    assert any("two-way" in text and "steps compared" in text for text in told)
    assert any(re.search(r"\(\d+, \d+\) after \d+ steps joined \(", text) for text in told)


def test_where_the_machine_is_stuck_is_suggested_first_and_settles_it():
    teacher = find_task("add2")
    model, machine = disguised(teacher.machine), teacher.machine
    problems: list[tuple[str, ...]] = [("0", "0"), ("1", "0")]

    def stuck():
        evidence = extract(model, record(machine, problems), rehearsing=False).evidence
        return [each for each in suggest(evidence) if each.join is None]

    while (suggested := stuck()) and len(problems) < 14:
        assert "stuck" in suggested[0].why
        problems.append(suggested[0].problem)
    assert not suggested  # a dozen problems, asked for one by one, leave nothing open


def test_the_report_speaks_of_everything():
    teacher = find_task("add2")
    few = record(teacher.machine, [("000", "010"), ("0", "1")])
    found = report(extract(disguised(teacher.machine), few))
    assert json.loads(json.dumps(found.to_json())) == found.to_json()
    text = found.explain()
    assert "Consistent with all of 2 traces" in text
    assert "runs of the model's own were used besides" in text
    assert "Worth recording next:" in text
    bare = report(extract(disguised(teacher.machine), few, rehearsing=False)).explain()
    assert "The machine is stuck after" in bare
