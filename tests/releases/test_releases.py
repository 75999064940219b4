"""Every release reads the files of those before it, and their callers' code still fits."""

import inspect
import json
from enum import EnumType
from pathlib import Path

import pytest

import dfst
from dfst.files import read_bytes
from dfst.learn.checkpoint import newest_checkpoint
from dfst.prove import checker
from tests.releases.keep import shape

RELEASES = sorted(path for path in Path(__file__).parent.iterdir() if (path / "signatures.json").exists())


@pytest.fixture(params=RELEASES, ids=[path.name for path in RELEASES])
def kept(request) -> Path:
    return request.param


def test_there_is_a_release():
    assert dfst.__version__ in {path.name for path in RELEASES}


def test_machines_and_tasks_load(kept):
    task = dfst.load_task(kept / "task.dfst")
    assert task.machine == dfst.load_machine(kept / "machine.dfst")
    assert task.truth("1099") == "1100"


def test_traces_load(kept):
    traces = dfst.load_traces(kept / "traces.jsonl")
    assert traces == dfst.load_traces(kept / "traces.parquet")
    assert traces == dfst.sample(dfst.load_task(kept / "task.dfst"))


def test_a_run_folder_loads_and_its_model_still_acts(kept):
    run = dfst.RunFolder.open(kept / "run")
    assert run.task().name == "increment"
    assert dfst.rollout(run.model(), "1099").answer.text == "1100"
    state, complaints = newest_checkpoint(kept / "run" / "checkpoints")
    assert state is not None
    assert complaints == []
    assert run.records()[-1].iteration == run.config.recipe.iterations


def test_a_certificate_is_still_verified(kept):
    given = checker.parse(read_bytes(kept / "run" / "certificate.json"))
    assert checker.verify(given)["scope"] == "on every input"
    checker.check_weights(read_bytes(kept / "run" / "one_hot.safetensors"), given)


def test_callers_of_that_release_are_still_understood(kept):
    """Names exist, parameters keep their names and order; new ones have defaults."""
    for name, parameters in json.loads((kept / "signatures.json").read_text()).items():
        assert hasattr(dfst, name), name
        value = getattr(dfst, name)
        assert [p for p in shape(value) if p in parameters] == parameters, name
        if isinstance(value, EnumType) or not parameters:
            continue
        added = [p for n, p in inspect.signature(value).parameters.items() if n not in parameters]
        optional = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
        assert all(p.default is not p.empty or p.kind in optional for p in added), name
