"""One file of every kind, in the first version of its format: it still loads, and still means the same."""

from pathlib import Path

import dfst
from dfst.files import read_bytes
from dfst.prove import checker
from dfst.runs.checkpoint import newest_checkpoint
from dfst.teachers.task_file import load_task

KEPT = Path(__file__).parent / "1"


def test_machines_and_tasks_load():
    task = load_task(KEPT / "task.dfst")
    assert task.machine == dfst.load(KEPT / "machine.dfst")
    assert task.truth("1099") == "1100"


def test_traces_load():
    traces = dfst.load(KEPT / "traces.jsonl")
    assert traces == dfst.sample(load_task(KEPT / "task.dfst"))


def test_a_run_folder_loads_and_its_model_still_acts():
    run = dfst.RunFolder.open(KEPT / "run")
    assert run.task().name == "increment"
    assert dfst.solve(run.model(), "1099").answer.text == "1100"
    state, complaints = newest_checkpoint(KEPT / "run" / "checkpoints")
    assert state is not None
    assert complaints == []
    assert run.records()[-1].iteration == run.options.iterations


def test_a_certificate_is_still_verified():
    given = checker.parse(read_bytes(KEPT / "run" / "certificate.json"))
    assert checker.verify(given)["scope"] == "on every input"
    checker.check_weights(read_bytes(KEPT / "run" / "one_hot.safetensors"), given)
