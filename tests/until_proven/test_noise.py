"""Wrong records are found where a trained model does not agree with them, and the grid says whether it is right."""

import json
from dataclasses import replace

import numpy as np
import pytest

import dfst
from dfst.traces.consistency import check_agreement
from dfst.traces.record import corrupted
from dfst.until_proven.correcting import CHANGES, correct

RUN = dfst.Options(seed=1, out="run")


def test_wrong_records_are_corrected_and_the_machine_is_exact(work):
    right = dfst.sample("increment")
    said = []
    learned = dfst.learn(corrupted(right, 0.02, seed=1), RUN, noisy=True, teacher="increment", say=said.append)
    assert learned.exact
    assert learned.corrected == 6
    assert learned.traces == right
    changes = [json.loads(line) for line in (work / "run" / CHANGES).read_text(encoding="utf-8").splitlines()]
    wrong = corrupted(right, 0.02, seed=1)
    steps = np.flatnonzero((wrong.written != right.written) | (wrong.moves != right.moves)).tolist()
    assert [int(right.offsets[change["trace"]]) + change["step"] for change in changes] == steps
    assert sum("should be" in text for text in said) == 6
    assert dfst.load("run/noisy.jsonl") == wrong
    assert "6 steps corrected" in str(learned)
    again = dfst.learn(wrong, replace(RUN, resume=True), noisy=True, teacher="increment")
    assert (again.exact, again.corrected) == (True, 6)


def test_without_mistakes_nothing_is_changed(work):
    learned = dfst.learn("increment", RUN, noisy=True)
    assert (learned.exact, learned.corrected, learned.dropped) == (True, 0, 0)


def test_traces_that_only_disagree_with_each_other_are_corrected_and_the_doctor_is_content(work):
    right = dfst.sample("increment")
    twice = dfst.record("increment", [*right.problems, *right.problems[:3]])
    written = twice.written.copy()
    written[-1] = (written[-1] + 1) % 10  # what the last step writes nobody sees
    wrong = replace(twice, written=written)
    with pytest.raises(dfst.errors.InputError, match="see the same but act differently"):
        check_agreement(wrong)
    learned = dfst.learn(wrong, RUN, noisy=True, teacher="increment")
    assert (learned.exact, learned.corrected, learned.dropped) == (True, 1, 0)
    assert [finding.cause for finding in dfst.doctor("run")] == []


def test_too_many_inconsistent_traces_are_refused_in_the_words_of_the_docs():
    increment = dfst.task("increment")
    options = dfst.Options(iterations=1).on(increment)
    with pytest.raises(dfst.DfstError, match="after 1 iteration more than a tenth of the traces are still inconsist"):
        correct(corrupted(dfst.sample(increment), 0.5), options)
