"""A teacher in disguise is found exactly, from the model and its traces alone."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import dfst
from dfst import from_machine, record, sample
from dfst.extraction.pipeline import extract
from dfst.prove.compare import compare
from dfst.prove.verdict import Conclusion
from dfst.teachers.find import find_task
from dfst.teachers.sampling import Sampling
from dfst.world.rollout import Outcome


def disguised(machine, seed=0):
    """The one-hot model of a machine in another basis: the same behaviour, but no component means anything."""
    model = from_machine(machine).astype(np.float64)
    d = model.hidden_dim
    M = np.random.default_rng(seed).normal(size=(d, d)) + 3 * np.eye(d)
    back = np.linalg.inv(M)
    turned = replace(
        model, weights=model.weights._replace(A=M @ model.A @ back, B=model.B @ back, C=model.C @ back, h0=M @ model.h0)
    )
    return turned.astype(np.float32)


@pytest.fixture(scope="module")
def add2():
    teacher = find_task("add2")
    return teacher, disguised(teacher.machine), sample(teacher)


@pytest.fixture(scope="module")
def extraction(add2):
    return extract(add2[1], add2[2])


@pytest.mark.parametrize(
    ("task", "traces"), [("add2", 20), ("add10", 225), pytest.param("mult2", 60, marks=pytest.mark.slow)]
)
def test_a_teacher_in_disguise_is_found_exactly(task, traces):
    teacher = find_task(task)
    p, q, _ = (1, 3, 0) if task.startswith("add") else (1, 5, 0)
    data = sample(teacher, Sampling(p, q, traces))
    found = extract(disguised(teacher.machine), data)
    assert found.evidence.followed == len(data)
    assert compare(teacher.machine, found.machine).conclusion == Conclusion.EXACT


def test_extraction_is_deterministic(add2, extraction):
    again = extract(add2[1], add2[2])
    assert again.machine == extraction.machine
    assert again.rounds == extraction.rounds
    assert again.evidence.joins == extraction.evidence.joins


def test_what_nothing_speaks_for_stays_undefined(add2):
    teacher, model, _ = add2
    one = record(teacher.machine, [("0", "0")])
    machine = extract(model, one, rehearsing=False).machine
    assert machine.run("0", "0").answer.text == "0"
    assert machine.run("1", "0").outcome == Outcome.STUCK
    used = {(int(x), int(s), int(m)) for x, s, m in zip(*one[0], strict=True)}
    symbols = machine.alphabet.index
    rules = {(symbols[rule.seen], symbols[rule.written], int(rule.move)) for rule in machine.rules()}
    assert rules == used


def test_rehearsal_fills_in_what_was_never_recorded(add2):
    teacher, model, _ = add2
    few = record(teacher.machine, [("000", "010"), ("0", "1")])
    bare, full = extract(model, few, rehearsing=False), extract(model, few)
    assert compare(teacher.machine, bare.machine).conclusion == Conclusion.REFUTED
    assert compare(teacher.machine, full.machine).conclusion == Conclusion.EXACT
    assert len(full.evidence.rehearsed) > 0
    assert full.evidence.open_probes == 0
    assert full.evidence.unrecorded
    assert bare.evidence.unrecorded == ()


def test_extraction_never_reads_the_teacher(add2, extraction, tmp_path):
    _, model, traces = add2
    model.save(tmp_path / "model.safetensors")
    traces.save(tmp_path / "traces.jsonl")
    script = """
import sys
sys.modules["dfst.teachers"] = None  # importing it fails
from dfst.training.weights import load_model
from dfst.extraction.pipeline import extract
from dfst.extraction.report import suggest
from dfst.traces.files import load_traces
found = extract(load_model("model.safetensors"), load_traces("traces.jsonl"))
suggest(found.evidence)
assert not any(name.startswith("dfst.teachers.") for name in sys.modules)
found.machine.save("machine.dfst")
"""
    subprocess.run([sys.executable, "-c", script], cwd=tmp_path, check=True)
    assert dfst.load(tmp_path / "machine.dfst") == extraction.machine
