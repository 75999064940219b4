"""The folder that certify writes: its files fit together, whatever was there before and whenever it is interrupted."""

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import dfst
from dfst.judging import certification
from dfst.prove import checker
from dfst.prove.certificate import Certificate, load_certificate
from dfst.runs.options import Options
from dfst.shipped import shipped_model
from dfst.teachers.find import find_task
from dfst.world.machine_file import load_machine
from tests.act.test_lockstep import changed
from tests.small import header
from tests.wrong_files import PROGRAM

ADD2 = find_task("add2").machine
WRONG = changed(ADD2, ADD2.states.index("back"), ADD2.alphabet.index["_"], next_state=-2)
PROOF = ("certificate.json", "one_hot.safetensors")


@pytest.fixture
def proof(work):
    """A folder with a proof."""
    folder = work / "proof"
    dfst.certify(ADD2.with_origin("mine"), ADD2, out=folder)
    assert checker.verify(load_certificate(folder / "certificate.json"))
    return folder


def test_an_old_proof_does_not_survive_a_refutation(call, proof):
    WRONG.save("wrong.dfst")
    code, out, _ = call("certify", "wrong.dfst", "--out", proof)
    assert (code, "is refuted" in out, "machine.dfst, not proven; there is no certificate" in out) == (1, True, True)
    assert not any((proof / name).exists() for name in PROOF)
    assert load_machine(proof / "machine.dfst") == WRONG
    record = json.loads((proof / "certification.json").read_text())
    assert (record["verdict"], record["machine"]) == ("refuted", str(proof / "machine.dfst"))
    assert not {"certificate", "checked", "one_hot"} & set(record)


@pytest.mark.parametrize("step", [dfst.GridMachine, dfst.DFST, Certificate, "write_atomically"])
@pytest.mark.parametrize("learner", [ADD2, WRONG])
def test_after_a_crash_no_certificate_lies_beside_what_it_is_not_about(proof, monkeypatch, step, learner):
    """The new machine differs in its text only, or really; the process ends just before a file is written."""

    def crash(*_):
        raise KeyboardInterrupt

    place, name = (certification, step) if isinstance(step, str) else (step, "save")
    monkeypatch.setattr(place, name, crash)
    learner = replace(learner, about="another text")
    try:
        dfst.certify(learner.with_origin("other"), ADD2, out=proof)
    except KeyboardInterrupt:
        assert not (proof / "certification.json").exists()
    if (proof / "certificate.json").exists():
        given = load_certificate(proof / "certificate.json")
        for what, name in (("machine", "machine.dfst"), ("one_hot", "one_hot.safetensors")):
            assert given["hashes"][what] == hashlib.sha256((proof / name).read_bytes()).hexdigest()


def test_an_interruption_before_the_verdict_leaves_the_old_proof_whole(proof, monkeypatch):
    def crash(*_, **__):
        raise KeyboardInterrupt

    before = {path.name: path.read_bytes() for path in proof.iterdir()}
    monkeypatch.setattr(certification, "compare", crash)
    with pytest.raises(KeyboardInterrupt):
        dfst.certify(WRONG.with_origin("wrong"), ADD2, out=proof)
    assert {path.name: path.read_bytes() for path in proof.iterdir()} == before


def test_files_that_are_not_what_was_written_are_noticed(work, monkeypatch):
    save = dfst.GridMachine.save
    monkeypatch.setattr(dfst.GridMachine, "save", lambda machine, path: save(WRONG, path))
    with pytest.raises(dfst.errors.FileFormatError, match="not those of the certified machine"):
        dfst.certify(ADD2.with_origin("mine"), ADD2, out=work / "proof")
    assert not (work / "proof" / "certificate.json").exists()


@pytest.mark.parametrize("name", ["machine.dfst", "one_hot.safetensors"])
def test_what_is_to_be_certified_is_not_written_over(call, proof, name):
    dfst.sample(find_task("add2")).save("t.jsonl")
    before = {path.name: path.read_bytes() for path in proof.iterdir()}
    words = ("--traces", "t.jsonl") if name.endswith("safetensors") else ()
    code, _, err = call("certify", f"proof/{name}", *words, "--out", "proof")
    assert (code, "Give another folder with --out" in err) == (2, True)
    assert {path.name: path.read_bytes() for path in proof.iterdir()} == before


def test_an_old_proof_does_not_survive_a_test_beside_a_program(call, work):
    (work / "mine.py").write_text(PROGRAM)
    (work / "flip.dfst").write_text(f"{header()}---\nwalk 0 -> 1 R walk\nwalk 1 -> 0 R walk\nwalk _ -> = S halt\n")
    (work / "keep.dfst").write_text((work / "flip.dfst").read_text().replace("0 -> 1", "0 -> 0"))
    assert call("certify", "flip.dfst", "--teacher", "flip.dfst", "--out", "proof")[0] == 0
    for subject in ("proof", "proof/machine.dfst"):  # what is tested is not written over either
        before = {path.name: path.read_bytes() for path in (work / "proof").iterdir()}
        code, _, err = call("certify", subject, "--teacher", "mine.py:flip", "--out", "proof")
        assert (code, "Give another folder with --out" in err) == (2, True)
        assert {path.name: path.read_bytes() for path in (work / "proof").iterdir()} == before
    code, out, _ = call("certify", "keep.dfst", "--teacher", "mine.py:flip", "--out", "proof")
    assert (code, "tested, not proven" in out) == (1, True)
    assert [path.name for path in (work / "proof").iterdir()] == ["machine.dfst"]
    assert load_machine(work / "proof" / "machine.dfst") == load_machine(work / "keep.dfst")


@pytest.mark.slow
def test_solve_says_which_of_the_two_it_uses_after_certify(call):
    """A run folder is its float model; the proof there is about the machine. The weights are those that are shipped."""
    task = find_task("add2")
    config = Options().on(task)
    dfst.RunFolder.create(Path("run"), config)
    shutil.copy(shipped_model("add2").raw, "run/model.safetensors")
    assert call("solve", "run", "1", "1")[2].strip() == "run: float model as trained, not proven."
    code, out, _ = call("certify", "run", "--raw-to", "3")
    assert (code, "its own RLG is at least 3 digits" in out) == (0, True)
    said = "run: float model as trained, not proven; the certificate is about the extracted machine, run:machine."
    assert call("solve", "run", "1", "1")[2].strip() == said
    code, out, err = call("solve", "run:machine", "1" * 200, "1" * 200)
    right = task.truth("1" * 200, "1" * 200)
    assert (code, out.splitlines()[0], err.strip()) == (0, right, "run:machine: extracted machine.")


def test_a_name_cannot_reorder_or_forge_what_is_printed(call):
    forged = replace(WRONG, name="\u202e2dda\u2028teacher: add2")
    forged.save("mine.dfst")
    code, out, err = call("certify", "mine.dfst", "--teacher", "mine.dfst", "--out", "out")
    assert code == 0
    assert "teacher: a teacher that dfst does not know (the file calls it '\\u202e2dda\\u2028teacher: add2')" in out
    for line in (out + err).split("\n"):
        assert line.isprintable()
    _, out, _ = call("certify", "mine.dfst", "--teacher", "mine.dfst", "--out", "out", "--json")
    assert json.loads(out)["task"] == forged.name
    assert all(line.isprintable() for line in out.split("\n"))


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("machine.dfst", "Give the machine.dfst that dfst certify wrote with the certificate."),
        ("one_hot.safetensors", "Give the one_hot.safetensors that dfst certify wrote with the certificate."),
        (
            "model.safetensors",
            "The certificate is about a machine that was extracted from other weights; certify these.",
        ),
    ],
)
def test_a_folder_is_compared_with_its_own_files(name, sentence, call, work):
    assert call("learn", "increment", "--out", "sw", "--seed", 3)[0] == 0
    assert "compared: weights and machine and model: the same as certified." in call("check", "sw")[1]
    replace(dfst.task("double").machine, name="increment").save("double.dfst")
    dfst.from_machine("teacher:double").save("double.safetensors")
    shutil.copy(f"double{Path(name).suffix}", work / "sw" / name)
    code, out, err = call("check", "sw", "--teacher", "increment")
    assert (code, out) == (1, "")
    assert err.startswith(f"dfst: sw/{name}: rejected: ")
    assert err.endswith(f". {sentence}\n")
    with pytest.raises(dfst.errors.RejectedError):
        dfst.check("sw")
    (work / "sw" / name).unlink()
    assert call("check", "sw")[0] == 0


def test_a_model_of_which_the_certificate_says_nothing_is_named(call, proof):
    assert "not compared" not in call("check", "proof")[1]
    dfst.load("add2:raw").save(proof / "model.safetensors")
    code, out, _ = call("check", "proof")
    said = "not compared: model.safetensors, since the certificate does not say from which model it comes."
    assert (code, out.splitlines()[-1]) == (0, said)


def test_what_is_loaded_knows_where_it_comes_from_and_what_is_made_of_it_does_not():
    model = dfst.load("add2:raw")
    assert dfst.certify(model, raw_length=0).facts["model"] == "add2:raw"
    assert replace(model, weights=model.weights._replace(A=2 * model.A)).origin.source == ""
    with pytest.raises(dfst.errors.InputError, match="needs the training traces"):
        dfst.extract(replace(model, weights=model.weights._replace(A=2 * model.A)))
