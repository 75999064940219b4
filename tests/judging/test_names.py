"""A file or folder in the working folder cannot pose as a teacher, a model or a task of dfst's own."""

import json
import shutil
import sys
from pathlib import Path

import pytest

import dfst
from dfst import RunFolder, from_machine
from dfst.errors import NameWarning
from dfst.names import find_policy
from dfst.runs.options import Options
from dfst.shipped import shipped_model
from dfst.teachers.arithmetic import arithmetic_task
from dfst.teachers.find import find_task
from dfst.teachers.task_file import load_task
from dfst.training.weights import load_model
from dfst.world.machine_file import dump_machine
from tests.prove.test_check_verb import wrong_adder

NOTE = "note: {0} means dfst's own {0}, not the {1} of that name here. Write ./{0} for the {1}."


@pytest.fixture(scope="module")
def sent(tmp_path_factory):
    """What somebody sends: an adder that says 1 + 7 = 9, its weights, and a proof that it acts like itself."""
    folder = tmp_path_factory.mktemp("sent")
    machine = wrong_adder()
    dfst.certify(machine.with_origin("bad"), machine, out=folder)
    return folder


@pytest.fixture(params=["file", "folder"])
def shadow(request, sent, work):
    """A file or folder called add10 with the wrong adder; which of the two it is."""
    shutil.copytree(sent, "sent")
    if request.param == "file":
        shutil.copy("sent/machine.dfst", "add10")
    else:
        Path("add10").mkdir()
        shutil.copy("sent/one_hot.safetensors", "add10")
    return request.param


@pytest.mark.parametrize("words", [("solve", "teacher:add10"), ("solve", "add10")])
def test_the_built_in_one_answers_and_a_message_says_so(call, shadow, words):
    code, out, err = call(*words, "1", "7")
    assert (code, out.splitlines()[0]) == (0, "8")
    assert err.splitlines()[0] == NOTE.format("add10", shadow)
    assert err.count("note:") == 1


def test_the_other_one_is_reached_by_its_path(call, shadow):
    code, out, err = call("solve", "./add10", "1", "7")
    assert (code, out.splitlines()[0], "note:" in err) == (0, "9", False)
    if shadow == "file":
        assert call("solve", "./add10", "1", "7")[1].splitlines()[0] == "9"
        assert call("diff", "sent/machine.dfst", "--teacher", "./add10")[0] == 0


def test_the_built_in_one_is_the_judge(call, shadow):
    for words in (
        ("check", "sent/certificate.json", "--teacher", "add10"),
        ("certify", "sent/machine.dfst", "--teacher", "add10", "--out", "again"),
        ("certify", "sent/machine.dfst", "--out", "again"),
        ("diff", "sent/machine.dfst", "--teacher", "add10"),
        ("diff", "sent/one_hot.safetensors", "1", "7", "--teacher", "add10"),
    ):
        assert call(*words)[0] == 1, words
    code, out, _ = call("eval", "sent/machine.dfst", "--teacher", "add10", "--to", "1", "--rlg", "--json")
    assert (code, json.loads(out)["rlg"]) == (0, 0)


def test_every_other_verb_means_the_built_in_one_too(call, shadow):
    good = dump_machine(arithmetic_task("add10").machine)
    code, out, err = call("export", "teacher:add10")
    assert (code, out, NOTE.format("add10", shadow) in err) == (0, good, True)
    for words in (("doctor", "add10"), ("data", "add10", "--n", "300"), ("view", "teacher:add10", "1", "7")):
        code, _, err = call(*words)
        assert NOTE.format("add10", shadow) in err, words
    with pytest.warns(NameWarning):
        assert find_task("add10").machine == arithmetic_task("add10").machine
    with pytest.warns(NameWarning):
        assert find_policy("add10") == load_model(shipped_model("add10").one_hot)


@pytest.mark.skipif(sys.platform == "win32", reason="a colon is no character of a file's name there")
def test_variants_are_dfsts_own_too(call, sent, work):
    for name, right in (("add10:raw", "raw"), ("add10:lasting", "lasting")):
        Path(name).mkdir()
        shutil.copy(sent / "one_hot.safetensors", name)
        code, out, err = call("solve", name, "1", "7")
        assert (code, out.splitlines()[0], NOTE.format(name, "folder") in err) == (0, "8", True)
        with pytest.warns(NameWarning):
            assert find_policy(name) == load_model(getattr(shipped_model("add10"), right))
    shutil.copy(sent / "machine.dfst", "teacher:add10")
    code, out, err = call("solve", "teacher:add10", "1", "7")
    assert (code, out.splitlines()[0], NOTE.format("teacher:add10", "file") in err) == (0, "8", True)


def test_names_of_the_gallery_are_dfsts_own(call, sent, work):
    shutil.copy(sent / "machine.dfst", "increment")
    code, out, err = call("solve", "teacher:increment", "17")
    assert (code, out.splitlines()[0], NOTE.format("increment", "file") in err) == (0, "18", True)
    code, out, err = call("solve", "increment", "17")  # what was learned, from its certificate
    assert (code, out.splitlines()[0], NOTE.format("increment", "file") in err) == (0, "18", True)
    assert call("solve", "./increment", "1", "7")[1].splitlines()[0] == "9"


def test_a_run_folder_cannot_bring_its_own_add10_unnoticed(call, sent, work):
    """Its teacher adds 1 and 7 to 9, as its weights do: eval and diff compare with it, and say so."""
    theirs = load_task(sent / "machine.dfst")
    RunFolder.create(Path("run"), Options().on(find_task("add10")), theirs)
    shutil.copy(sent / "one_hot.safetensors", "run/model.safetensors")
    note = "note: run: its teacher is called add10, but it is not dfst's own add10."
    code, out, err = call("eval", "run", "--to", "1", "--rlg", "--json")
    assert (code, json.loads(out)["rlg"], note in err) == (0, 1, True)
    code, out, err = call("eval", "run", "--to", "1", "--rlg", "--json", "--teacher", "add10", "--out", "right.json")
    assert (code, json.loads(out)["rlg"], note in err) == (0, 0, False)
    assert note in call("diff", "run", "--to", "1")[2]


def test_any_other_folder_keeps_its_bare_name(call, work):
    Path("adder").mkdir()
    from_machine(find_task("add2").machine).save("adder/model.safetensors")
    code, out, err = call("solve", "adder", "1", "1")
    assert (code, out.splitlines()[0], "note:" in err) == (0, "10", False)
    find_task("add2").machine.save("add99")  # no teacher of dfst's has that name
    assert call("solve", "teacher:add99", "1", "1")[1].splitlines()[0] == "10"


FLOATS = ("raw*", "lasting*")


def test_who_acts_is_said(call, work):
    said = {
        "add10": "add10: learned machine as one-hot weights, proven equal to its teacher.",
        "add10:machine": "add10:machine: learned machine, proven equal to its teacher.",
        "add10:raw": "add10:raw: float model as trained (recipe fast), not proven.",
        "add2:lasting": "add2:lasting: float model of the recipe lasting, not proven.",
        "teacher:add10": "teacher:add10: teacher.",
        "add3": "add3: teacher (nothing learned comes with dfst).",
    }
    for name, sentence in said.items():
        assert call("solve", name, "1", "1")[2].strip() == sentence
    shutil.copytree(shipped_model("add2").one_hot.parent, "adder", ignore=shutil.ignore_patterns(*FLOATS))
    assert call("solve", "adder", "1", "1")[2].strip() == f"adder: weights in {Path('adder/one_hot.safetensors')}."
    shutil.copy(shipped_model("add2").raw, "adder/model.safetensors")
    code, out, err = call("solve", "adder", "1", "1", "--json")
    assert err.strip() == f"adder: weights in {Path('adder/model.safetensors')}."
    assert (code, json.loads(out)["who"]) == (0, f"weights in {Path('adder/model.safetensors')}")
