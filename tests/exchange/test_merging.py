"""State merging by AALpy: its machines follow every trace, and what cannot be done gets a sentence."""

import sys

import pytest

import dfst
from dfst import DfstError, sample
from dfst.errors import MissingExtraError
from dfst.exchange.merging import METHODS, merge_traces
from dfst.teachers.find import find_task
from dfst.traces.coverage import followed


@pytest.mark.parametrize("method", METHODS)
def test_merged_machines_follow_every_trace(method):
    pytest.importorskip("aalpy")
    teacher = find_task("add2")
    traces = sample(teacher)
    machine = merge_traces(traces, teacher.machine.layout, method, min_evidence=1)
    assert (followed(machine, traces)[1] == traces.lengths).all()
    assert len(machine.states) < 40


def test_a_missing_extra_ends_in_a_sentence(monkeypatch):
    teacher = find_task("add2")
    monkeypatch.setitem(sys.modules, "aalpy.learning_algs", None)
    with pytest.raises(MissingExtraError, match=r"needs `dfst\[arena\]`"):
        merge_traces(sample(teacher), teacher.machine.layout)


def test_merging_that_takes_too_long_is_given_up():
    pytest.importorskip("aalpy")
    for method in METHODS:
        with pytest.raises(DfstError, match=r"did not end: the limit of 0.001 seconds was reached. Give fewer"):
            dfst.exchange.merge(sample("add10"), method, seconds=0.001)
