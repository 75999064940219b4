"""What the file of a sweep may say: lists, ranges, and a sentence for every mistake."""

import pytest

from dfst.errors import InputError
from dfst.sweep.sweep_file import Range, load_sweep, parse_sweep
from dfst.sweep.trial import trials

TRIAL = {"task": "increment", "iterations": 20}

MISTAKES = [
    ("", "it has no table [trial]"),
    ("[trial]", "[trial] names no task"),
    ("trial = 1", "trial = 1 has the wrong kind of value"),
    ("[trial]\ntask = 1", "task = 1 has the wrong kind of value"),
    ("[trial]\ntask = []", "task is an empty list"),
    ("[trial]\ntask = 'incremnt'", "there is no task called 'incremnt'"),
    ("[trial]\ntask = 'add2'\nsed = 1", "Did you mean seed?"),
    ("[trial]\ntask = 'add2'\nseed = 'x'", "seed = 'x' names no seeds"),
    ("[trial]\ntask = 'add2'\nseed = '5:5'", "seed = '5:5' names no seeds"),
    ("[trial]\ntask = 'add2'\nseed = '0:99999999'", "these are more than 1000000 trials"),
    ("[trial]\ntask = 'add2'\nseed = [1, 1]", "seed names a value twice"),
    ("[trial]\ntask = 'add2'\nseed = true", "seed = True has the wrong kind of value"),
    ("[trial]\ntask = 'add2'\nseed = 1.5", "seed = 1.5 has the wrong kind of value"),
    ("[trial]\ntask = 'add2'\nlearning_rate = ['x']", "learning_rate = 'x' has the wrong kind of value"),
    ("[trial]\ntask = 'add2'\nlearning_rate = 7", "learning_rate: 7.0 cannot be used"),
    ("[trial]\ntask = 'add2'\nrecipe = 'slow'", "there is no recipe 'slow'"),
    ("[trial]\ntask = 'add2'\nrecipe = 'practice'", "there is no recipe 'practice'"),
    ("[trial]\ntask = 'add2'\nn = 1", "n = 1 is fewer than"),
    ("engine = 'tpu'\n[trial]\ntask = 'add2'", "there is no engine 'tpu'"),
    ("retries = -1\n[trial]\ntask = 'add2'", "retries = -1 cannot be used"),
    ("time_limit = nan\n[trial]\ntask = 'add2'", "time_limit = nan cannot be used"),
    ("workers = 3\n[trial]\ntask = 'add2'", "'workers' is not an option of a sweep"),
    ("certify = 1\n[trial]\ntask = 'add2'", "certify = 1 has the wrong kind of value"),
    ("[trial]\ntask = 'add2'\n[search]", "does not say how many points"),
    ("[trial]\ntask = 'add2'\n[search]\npoints = 3", "nothing to search over"),
    ("[trial]\ntask = 'add2'\n[search]\npoints = 3\ngoal = 'fame'\nbatch = [1]", "no goal 'fame'"),
    ("[trial]\ntask = 'add2'\n[search]\npoints = 3\nbatch = 4", "this is no range to search"),
    ("[trial]\ntask = 'add2'\n[search]\npoints = 3\nbatch = {from = 4, to = 2}", "this is no range to search"),
    ("[trial]\ntask = 'add2'\n[search]\npoints = 3\nbatch = {from = 0, to = 2, log = true}", "no range to search"),
    ("[trial]\ntask = 'add2'\nbatch = 2\n[search]\npoints = 3\nbatch = [1]", "both in [trial] and in [search]"),
    ("[trial]\ntask = 'add2'\n[search]\npoints = 3\ngoal = 'rlg'\nbatch = [1]", "the goal rlg needs rlg_to"),
    ("[trial]\ntask = 'add2'\n[search]\npoints = 3\nseed = [0]\nbatch = [1]", "seed = [0] has the wrong kind"),
]


@pytest.mark.parametrize(("text", "fragment"), MISTAKES, ids=[fragment for _, fragment in MISTAKES])
def test_every_mistake_in_a_file_gets_a_sentence(tmp_path, text, fragment):
    path = tmp_path / "s.toml"
    path.write_text(text)
    with pytest.raises(InputError) as caught:
        trials(load_sweep(path))
    assert fragment in str(caught.value)
    assert str(path) in str(caught.value)
    assert caught.value.do
    assert len(str(caught.value)) < 300


def test_ranges():
    table = {"points": 3, "batch": [8, 16], "learning_rate": {"from": 0.001, "to": 1, "log": True}}
    search = parse_sweep({"trial": TRIAL, "search": table}).search
    assert search is not None
    assert search.ranges == {"learning_rate": Range(0.001, 1.0, True), "batch": Range(choices=(8, 16))}
