"""Sampled traces, the same on every computer, and their files."""

import json
from dataclasses import replace

import numpy as np
import pytest

import dfst
from dfst import Traces, sample
from dfst.errors import NoteWarning
from dfst.teachers.find import find_task
from dfst.teachers.sampling import Sampling, problems
from dfst.traces.files import load_traces
from dfst.traces.record import record

# the same on every version of Python and NumPy: a change here is a change of every published data set
GOLDEN = {
    "add2": (20, 78, "02617870ac4a997625abd3b24de44f0ac845208818b4a40d8cfa3e3ecad3d62a"),
    "add10": (225, 78, "0df38b50295a7da014988f3a5a670a49a3456b87493b99c2ad6e72a97fa8dc42"),
    "mult2": (750, 420, "48d25fc1c7608cc326a64bcbe1a86408187ab358eb2d1b8cbb077b8040df499d"),
    "mult10": (10_000, 420, "d359c2127cdc1ee899aa7e4ca428748c4dfdf061d72cc0138c8bd27431b1a89f"),
}


@pytest.mark.parametrize("task", GOLDEN)
def test_the_four_data_sets(task):
    traces = sample(find_task(task), seed=42)
    assert (len(traces), int(traces.lengths.max()), traces.sha256) == GOLDEN[task]
    assert len(set(traces.problems)) == len(traces)


def test_the_sampler_takes_short_same_digit_and_random_pairs():
    add10 = find_task("add10")
    chosen = problems(add10.world, Sampling(p=1, q=3, n=225), seed=1)
    digits = "0123456789"
    assert chosen[:100] == [(a, b) for a in digits for b in digits]
    assert chosen[100:200] == [(a * 3, b * 3) for a in digits for b in digits]
    assert all(1 <= len(a) <= 3 and 1 <= len(b) <= 3 for a, b in chosen[200:])
    assert len(set(chosen)) == 225
    assert chosen != problems(add10.world, Sampling(p=1, q=3, n=225), seed=2)


def test_if_there_are_fewer_problems_all_are_taken():
    add2, few = find_task("add2"), Sampling(p=1, q=2, n=40)
    with pytest.warns(NoteWarning, match="n = 40, but there are only 36 problems of up to 2 symbols; all of them are"):
        chosen = problems(add2.world, few, seed=0)
    assert sorted(chosen) == sorted(problems(add2.world, Sampling(p=2, q=2, n=36), seed=0))
    with pytest.warns(NoteWarning):
        assert len(add2.sample(few)) == 36


def test_the_hash_is_of_the_content():
    machine = find_task("add2").machine
    one, same = record(machine, [("1", "0")]), record(machine, [("1", "0")])
    assert one.sha256 == same.sha256
    assert one == same
    assert one.sha256 != record(machine, [("0", "1")]).sha256
    changed = one.written.copy()
    changed[-1] ^= 1
    assert Traces(one.world, one.seen, changed, one.moves, one.offsets).sha256 != one.sha256


def test_jsonl_by_hand(tmp_path):
    path = tmp_path / "mine.jsonl"
    header = {"format": 1, "symbols": ["one", "two", "_"], "blank": "_"}
    path.write_text(json.dumps(header) + '\n\n{"x": ["one", "_"], "s": ["two", "_"], "m": "RS"}\n')
    traces = load_traces(path)
    assert (traces[0].seen.tolist(), traces[0].written.tolist(), traces[0].moves.tolist()) == ([0, 2], [1, 2], [3, 4])
    traces.save(path)
    assert load_traces(path) == traces


def test_what_is_kept_cannot_be_changed():
    """Others rest on it: hashes, caches and rollouts. The arrays that were given stay as they are."""
    traces, model = dfst.sample("increment"), dfst.from_machine("teacher:increment")
    machine = dfst.task("increment").machine
    for array in (traces.seen, traces.written, traces.offsets, *model.weights, model.A, machine.next_state):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0
    mine = np.zeros(model.h0.shape, np.float32)
    replace(model, weights=model.weights._replace(h0=mine))
    mine[0] = 1
