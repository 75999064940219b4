"""A run folder that somebody else made may hold symbolic links: nothing is written or removed through one."""

import os

import pytest

WRITES = "and dfst writes through no link. Put the file or folder itself there, or remove the link."


@pytest.fixture
def trained(call, work):
    """A run folder, to be trained again, and a file and a folder of somebody else's."""
    assert call("train", "increment", "--out", "got", "--iterations", "40")[0] == 0
    (work / "got" / "model.safetensors").unlink()
    (work / "victim.txt").write_text("precious\n")
    (work / "models").mkdir()
    for name in ("alpha", "beta", "gamma"):
        (work / "models" / f"{name}.safetensors").write_bytes(b"mine")
    return work / "got"


def untouched(work):
    kept = {path.name: path.read_bytes() for path in (work / "models").iterdir()}
    assert kept == dict.fromkeys(("alpha.safetensors", "beta.safetensors", "gamma.safetensors"), b"mine")
    assert (work / "victim.txt").read_text() == "precious\n"


@pytest.mark.parametrize(
    "name", [".lock", "metrics.jsonl", "model.safetensors", "manifest.json", "checkpoints/.x.part"]
)
def test_a_linked_file(name, trained, call, work):
    (trained / name).unlink(missing_ok=True)
    os.symlink(work / "victim.txt", trained / name)
    code, _, err = call("train", "increment", "--out", "got", "--resume")
    assert (code, err) == (2, f"dfst: got: {name} in it is a symbolic link, {WRITES}\n")
    untouched(work)


@pytest.mark.parametrize("name", ["checkpoints", "stages", "stages/d8", "eval"])
def test_a_linked_folder(name, trained, call, work):
    if name == "checkpoints":
        (trained / name).rename(work / "old")
    (trained / name).parent.mkdir(exist_ok=True)
    os.symlink(work / "models", trained / name)
    sentence = f"dfst: got: {name} in it is a symbolic link, {WRITES}\n"
    for words in (
        ["train", "increment", "--out", "got", "--resume"],
        ["learn", "increment", "--out", "got", "--resume"],
    ):
        assert call(*words)[::2] == (2, sentence)
    untouched(work)


@pytest.mark.parametrize(
    ("words", "name"), [(("certify", "got"), "machine.dfst"), (("eval", "got", "--to", 2), "eval")]
)
def test_a_trained_run_is_judged_through_no_link(words, name, call, work):
    assert call("train", "increment", "--out", "got", "--iterations", "40")[0] == 0
    (work / "elsewhere").mkdir()
    os.symlink(work / "elsewhere", work / "got" / name)
    assert call(*words)[::2] == (2, f"dfst: got: {name} in it is a symbolic link, {WRITES}\n")
    assert list((work / "elsewhere").iterdir()) == []


def test_a_new_folder_with_a_linked_lock(call, work):
    """It looks like one whose making was interrupted."""
    (work / "victim.txt").write_text("precious\n")
    (work / "new").mkdir()
    os.symlink(work / "victim.txt", work / "new" / ".lock")
    for words in (["train", "increment"], ["learn", "increment", "--ask"]):
        code, _, err = call(*words, "--out", "new")
        assert (code, err.splitlines()[-1]) == (2, f"dfst: new: .lock in it is a symbolic link, {WRITES}")
    assert (work / "victim.txt").read_text() == "precious\n"


def test_the_run_folder_itself_may_be_a_link(call, work):
    """Whoever runs dfst made that one, for a larger disk say."""
    (work / "large").mkdir()
    os.symlink(work / "large", work / "runs")
    assert call("train", "increment", "--out", "runs", "--iterations", "40")[0] == 0
    assert (work / "large" / "model.safetensors").exists()
