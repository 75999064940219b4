"""Nothing but whole numbers reaches Rocq from a certificate, and no build overlooks a file that has changed."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dfst.errors import DfstError
from dfst.prove import rocq, rocq_file
from dfst.prove.certificate import load_certificate
from dfst.prove.rocq import check_with_rocq
from dfst.shipped import shipped_model, shipped_models
from dfst.teachers.task_file import gallery_folder

ROOT = Path(__file__).parents[2]
PROOFS = ROOT / "proofs"
EXPORT = ROOT / "src" / "dfst" / "prove" / "rocq_file.py"
needs_checkout = pytest.mark.skipif(not (ROOT / ".ci" / "inject.py").exists(), reason="only a checkout has .ci")


def certificate(name="increment"):
    return load_certificate(gallery_folder() / f"{name}.certificate.json.gz")


def changed(place, value):
    """The certificate of increment with ``value`` at ``place``."""
    given = json.loads(json.dumps(certificate()))
    *path, last = place
    inside = given
    for key in path:
        inside = inside[key]
    inside[last] = value
    return given


def exported(given, folder, *words):
    """What the exporter prints and says, called as the build calls it."""
    file = folder / "certificate.json"
    file.write_text(given if isinstance(given, str) else json.dumps(given))
    call = [sys.executable, "-I", str(EXPORT), str(file), *words]
    return subprocess.run(call, capture_output=True, text=True)


PLACES = [
    ("starts", 0), ("rows", 0), ("rows", 1), ("sets", 0, 0), ("columns", 0, 0), ("halves", 1, 0, 0),
    ("halves", 1, 0, 1), ("members", 0, 0), ("members", 0, 2), ("members", 0, 5), ("steps", 0, 0), ("teacher", "start"),
    ("learner", "table", 0, 0, 1), ("layout", "head", 0), ("layout", "answer_row"),
]  # fmt: skip
NO_NUMBERS = ["0] members_.", "1", 1.0, 1.5, True, False, [1], [[1]], {"a": 1}]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: ".".join(map(str, place)))
def test_only_whole_numbers_are_exported(place):
    """Inside a machine or the layout, a string or a list goes out as bytes, which cannot do harm."""
    inside_text = place[0] in ("teacher", "learner", "layout")
    for value in NO_NUMBERS:
        if inside_text and not isinstance(value, (bool, float)):
            assert re.fullmatch(lines(), rocq_file.data(changed(place, value)))
            continue
        sentence = rf"{re.escape(str(place[-1]))}.* is not a whole number but .*only whole numbers are"
        with pytest.raises(rocq_file.Refused, match=sentence):
            rocq_file.data(changed(place, value))
    for value in () if inside_text else (2**70, -(2**70), 10**400, *([-1] if place[0] != "rows" else [])):
        with pytest.raises(rocq_file.Refused, match="is not a whole number from"):
            rocq_file.data(changed(place, value))


@pytest.mark.parametrize(
    ("place", "value", "sentence"),
    [
        (["starts"], "0] members_.", "starts is not a list"),
        (["starts"], {"0": 1}, "starts is not a list"),
        (["rows"], [0], "rows is not a list of 2 entries"),
        (["rows"], [5, 0], "the number of rows is not a whole number from 0 to 2000"),
        (["columns"], [[99999]], r"columns\[0\]\[0\] is not a whole number from 0 to"),
        (["halves"], [[[0, 2]]], r"halves\[0\]\[0\]\[1\] is not a whole number from 0 to 1"),
        (["halves"], [[[0]]], r"halves\[0\]\[0\] is not a list of 2 entries"),
        (["steps"], [], "steps is not a list of 16 entries"),
        (["sets"], [[251]], r"sets\[0\]\[0\] is not a whole number from 0 to 250"),
        (["members", 0], [0, 0, 0], r"members\[0\] has 3 entries; a member has 2 or 6"),
    ],
)
def test_another_shape_is_refused(place, value, sentence):
    with pytest.raises(rocq_file.Refused, match=sentence):
        rocq_file.data(changed(place, value))


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", "7", "[" * 100_000, '{"starts": ' * 5000, "9" * 5000, '{"rows": NaN}', "\x00"],
    ids=lambda content: content[:12],
)  # fmt: skip
def test_the_exporter_answers_with_a_sentence(content, tmp_path):
    done = exported(content, tmp_path)
    assert done.returncode == 1
    assert done.stdout == ""
    assert re.fullmatch(r".*certificate\.json: this is not a certificate \(\w+\)\.\n", done.stderr)


def test_weights_of_another_shape_are_refused():
    content = shipped_model("add2").one_hot.read_bytes()
    length = int.from_bytes(content[:8], "little")
    for shape in ('["]."]', "[1.0]", "[true]", "[99999999]", "[]", "[-1]"):
        header = re.sub(rb'("h0":\{[^}]*"shape":)\[\d+\]', rb"\1" + shape.encode(), content[8 : 8 + length])
        with pytest.raises(rocq_file.Refused, match="shape of h0"):
            rocq_file.weights(len(header).to_bytes(8, "little") + header + content[8 + length :])
    with pytest.raises(rocq_file.Refused, match="shape of h0"):
        rocq_file.weights(b"")
    # any other text of the header goes out as the numbers of its bytes
    odd = b'{"h0": {"shape": [3]}, "\xff]. Axiom no : False. (*": 1}'.replace(b"\xff", "é".encode())
    made = rocq_file.weights(len(odd).to_bytes(8, "little") + odd)
    assert re.fullmatch(lines(), made)


def test_trained_weights_go_out_as_the_numbers_of_their_bytes():
    for content in (b"", b"]. Axiom no : False. (*", shipped_model("add2").one_hot.read_bytes()[:5000]):
        assert re.fullmatch(lines(), rocq_file.trained(content))


def lines():
    """The lines that data may have, as the build knows them."""
    return "((" + "|".join((PROOFS / "data_lines.txt").read_text().splitlines()) + ")\n)*"


def test_data_has_no_other_lines_than_the_build_allows():
    allowed = re.compile(lines())
    for path in [*gallery_folder().glob("*.certificate.json.gz"), *(model.certificate for model in shipped_models())]:
        assert allowed.fullmatch(rocq_file.data(load_certificate(path))), path
    made = rocq_file.data(certificate())
    for line in ("Axiom no : False.", "Notation judge := true.", "Definition judge := 0.", 'Declare ML Module "x".'):
        assert not allowed.fullmatch(made + line + "\n"), line
    for text in ("members_. Axiom no : False", "members_", "Evidence"):
        assert not allowed.fullmatch(made.replace("halves_ [", f"halves_ [{text};"))
    strange = certificate() | {"symbols": ["]. Axiom no : False. (*", '"', "\n", "é", *"456789+_"]}
    assert allowed.fullmatch(rocq_file.data(strange))


def test_no_proof_imports_data():
    for path in PROOFS.rglob("*.v"):
        if path.parent.name != "data":
            loaded = re.findall(r"^From .*?\.$|^Require .*?\.$|^Import .*?\.$", path.read_text(), re.M | re.S)
            assert not [line for line in loaded if "data." in line and ("Import" in line or "Export" in line)], path
    theorems = (PROOFS / "Theorems.v").read_text()
    assert theorems.rindex(" : Prop :=") < theorems.index("From Dfst Require models.Add2")


def test_every_model_and_task_has_its_theorem():
    build = (PROOFS / "Makefile").read_text().replace("\\\n", " ")
    models, tasks, trained = (
        re.search(rf"^{name} := (.*)$", build, re.M)[1].split() for name in ("MODELS", "TASKS", "TRAINED")
    )
    trained = [f"{name}-trained" for name in trained]
    assert sorted(models) == sorted(model.task for model in shipped_models())
    assert sorted(tasks) == sorted(path.name.split(".")[0] for path in gallery_folder().glob("*.certificate.json.gz"))
    theorems = (PROOFS / "Theorems.v").read_text()
    everything = re.search(r"^Definition everything := \((.*?)\)\.$", theorems, re.M | re.S)[1]
    for name in (name.replace("-", "_") for name in models + tasks + trained):
        assert re.search(rf"^Theorem {name}_proven : {name}\.\s", theorems, re.M)
        assert f"{name}_proven" in everything.replace("\n", " ").replace(" ", "").split(",")
    done = subprocess.run(
        [sys.executable, "-I", "literals.py", *models, *tasks, *trained], cwd=PROOFS, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stdout


@pytest.fixture
def copied(tmp_path):
    """What the attack changes: the model add2, and Theorems.v with what compares its hashes."""
    (tmp_path / "src/dfst/models").mkdir(parents=True)
    shutil.copytree(shipped_model("add2").certificate.parent, tmp_path / "src/dfst/models/add2")
    (tmp_path / "proofs").mkdir()
    for name in ("Theorems.v", "literals.py"):
        shutil.copy(PROOFS / name, tmp_path / "proofs")
    return tmp_path


def compared(folder):
    return subprocess.run(
        [sys.executable, "-I", str(folder / "proofs/literals.py"), "add2"], capture_output=True, text=True
    )


@needs_checkout
@pytest.mark.parametrize("words", [[], ["--literals"]], ids=["", "hashes changed to fit"])
def test_injected_text_is_refused(copied, words):
    subprocess.run([sys.executable, str(ROOT / ".ci/inject.py"), str(copied), *words], check=True)
    model = copied / "src/dfst/models/add2"
    given = (model / "certificate.json").read_text()
    done = exported(given, copied, "--weights", str(model / "one_hot.safetensors"))
    assert (done.returncode, done.stdout) == (1, "")
    assert "starts[0] is not a whole number but '0] members_." in done.stderr
    assert compared(copied).returncode == (0 if words else 1)


def test_a_changed_file_is_not_the_one_of_the_theorem(copied):
    assert compared(copied).returncode == 0
    with (copied / "src/dfst/models/add2/one_hot.safetensors").open("ab") as file:
        file.write(b"\n")
    done = compared(copied)
    assert done.returncode == 1
    assert "Theorems.v does not name the SHA-256 of add2's one_hot.safetensors. The hashes of add2 are" in done.stdout
    assert "make -C proofs literals" in done.stdout


def test_a_certificate_that_is_too_large_for_rocq_gets_a_sentence(monkeypatch):
    monkeypatch.setattr(rocq, "CHARACTERS", 1000)
    with pytest.raises(
        DfstError, match=r"too large for Rocq: \d+ characters to read; the limit is 1000.*Check it without"
    ):
        check_with_rocq(gallery_folder() / "increment.certificate.json.gz")


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in for the compiler is a shell script")
def test_rocq_may_not_take_forever(tmp_path):
    slow = tmp_path / "coqc"
    slow.write_text(
        '#!/bin/sh\ncase "$*" in --print-version) echo 8.16.1 4.14;; *Certificate.v) exec sleep 60;; esac\n'
    )
    slow.chmod(0o755)
    with pytest.raises(DfstError, match=r"Rocq did not finish within 0\.3 seconds.*Check it without Rocq"):
        check_with_rocq(
            gallery_folder() / "increment.certificate.json.gz", coqc=slow, cache=tmp_path / "cache", seconds=0.3
        )  # fmt: skip
