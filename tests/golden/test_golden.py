"""Nothing that others rest on has changed: see table.py, which also writes the golden values anew."""

import gzip
import json
import os

import pytest

import dfst
from dfst.traces.files import load_traces
from tests.golden import table

WANTED = json.loads(table.KEPT.read_text())


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    monkeypatch.setitem(os.environ, "COLUMNS", "100")


@pytest.mark.parametrize("part", ["files", "hashes", "rollouts", "commands"])
def test_as_it_was(part):
    now = json.loads(json.dumps(getattr(table, part)(), sort_keys=True))
    assert now.keys() == WANTED[part].keys()
    assert {name: now[name] for name in now if now[name] != WANTED[part][name]} == {}


WRITTEN = [
    path
    for path in table.shipped()
    if path.suffix in (".dfst", ".safetensors", ".gz") or path.name in ("certificate.json", "traces.jsonl")
    if path.parent.name != "checkpoints" and (path.suffix != ".dfst" or path.name == "machine.dfst")
]
"""The files that dfst writes from what it reads; a task's text keeps its comments."""


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_what_is_saved_again_has_the_same_bytes(path, tmp_path):
    copy = tmp_path / path.name
    if path.suffix in (".dfst", ".safetensors"):
        dfst.load(str(path)).save(copy)
    elif path.name == "traces.jsonl":
        load_traces(path).save(copy)
    else:
        whole = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
        dfst.Certificate(json.loads(whole)).save(copy)
    assert copy.read_bytes() == path.read_bytes()
