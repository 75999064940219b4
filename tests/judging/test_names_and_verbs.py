"""One name, one meaning: every kind of name in every verb."""

from pathlib import Path

import pytest

import dfst
from dfst import own
from dfst.runs.options import Options
from dfst.shipped import shipped_model
from dfst.training.weights import load_model

ADD2 = shipped_model("add2")
POLICIES = {
    "add2": lambda: load_model(ADD2.one_hot),
    "add2:raw": lambda: load_model(ADD2.raw),
    "add2:lasting": lambda: load_model(ADD2.lasting),
    "add2:machine": lambda: dfst.load(str(ADD2.machine)),
    "teacher:add2": lambda: dfst.task("add2").machine,
    "run": lambda: load_model(ADD2.raw),
    "run:machine": lambda: dfst.load(str(ADD2.machine)),
    "mine.dfst": lambda: dfst.task("add2").machine,
    "mine.safetensors": lambda: load_model(ADD2.one_hot),
}
FLOATS = ("add2:raw", "add2:lasting", "mine.safetensors")
MACHINES = ("add2:machine", "teacher:add2", "run:machine", "mine.dfst")
NO_TASK = ("add2:raw", "add2:lasting", "add2:machine", "run:machine", "mine.safetensors")

VERBS = {  # the words, and the names that the verb refuses, because they have no such side
    "solve": ("solve {} 1 1", ()),
    "view": ("view {} 1 1 --out view.html", ()),
    "eval": ("eval {} --to 1", ()),
    "diff": ("diff {} 1 1", ()),
    "certify": ("certify {} --raw-to 0 --out proof", ("mine.safetensors",)),
    "extract": ("extract {}", (*MACHINES, "mine.safetensors")),
    "export": ("export {} --out m.dfst", FLOATS),
    "export --out m.svg": ("export {} --out m.svg", FLOATS),
}
TASK_VERBS = {
    "data": ("data {}", NO_TASK),
    "train": ("train {} --iterations 2 --out new", NO_TASK),
}
SLOW = ("certify", "extract")


@pytest.fixture
def place(work, monkeypatch):
    """A run folder with the shipped weights and machine, a machine file and a weights file."""
    task = dfst.task("add2")
    dfst.RunFolder.create(Path("run"), Options().on(task))
    Path("run/model.safetensors").write_bytes(ADD2.raw.read_bytes())
    Path("run/machine.dfst").write_bytes(ADD2.machine.read_bytes())
    task.machine.save("mine.dfst")
    Path("mine.safetensors").write_bytes(ADD2.one_hot.read_bytes())
    return work


def cases(verbs):
    slow = {verb: [pytest.mark.slow] if verb in SLOW else [] for verb in verbs}
    return [pytest.param(verb, name, marks=slow[verb]) for verb in verbs for name in POLICIES]


@pytest.mark.parametrize(("verb", "name"), cases(VERBS))
def test_a_policy_is_the_same_in_every_verb(place, monkeypatch, call, verb, name):
    if verb.endswith(".svg"):
        pytest.importorskip("pygraphviz")
    words, refused = VERBS[verb]
    seen, find = [], own.find_policy
    monkeypatch.setattr(own, "find_policy", lambda text: seen.append(find(text)) or seen[-1])
    code, _, err = call(*words.format(name).split())
    assert seen[0].origin.source == name
    assert seen[0] == POLICIES[name]()
    if name in refused:
        assert (code, err.startswith("dfst: ")) == (2, True)
    else:
        assert code == 0, err


@pytest.mark.parametrize(("verb", "name"), cases(TASK_VERBS))
def test_a_task_is_the_same_in_every_verb(place, call, verb, name):
    words, refused = TASK_VERBS[verb]
    code, _, err = call(*words.format(name).split())
    assert code == (2 if name in refused else 0), err


@pytest.mark.parametrize("name", ["add2", "add2:machine", "run", "add2:raw", "add2:lasting", "teacher:add2"])
def test_check_speaks_of_the_certificate_if_there_is_one(place, call, name):
    Path("run/certificate.json").write_bytes(ADD2.certificate.read_bytes())
    code, out, err = call("check", name)
    if name in ("add2", "add2:machine", "run"):
        assert (code, "verified: on every input of every length" in out) == (0, True)
    else:
        assert (code, "no certificate comes with it" in err) == (2, True)
