import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

from dfst import FileFormatError, InputError
from dfst.prove import checker
from dfst.prove.certificate import (
    certificate,
    file_hash,
    load_certificate,
    machine_hash,
    machine_json,
    save_certificate,
)
from dfst.prove.compare import compare
from dfst.shipped import shipped_models
from dfst.teachers.find import find_task


@pytest.fixture(scope="module")
def made():
    teacher = find_task("add2").machine
    proof = compare(teacher, teacher).proof
    assert proof is not None
    return certificate(teacher, teacher, proof, {"model": "ab" * 32, "data": "cd" * 32})


def test_saved_and_loaded(made, work):
    save_certificate(made, "a.json")
    assert load_certificate("a.json") == made
    save_certificate(load_certificate("a.json"), "b.json")
    assert Path("a.json").read_bytes() == Path("b.json").read_bytes()
    assert file_hash("a.json") == file_hash("b.json")
    assert Path("a.json").stat().st_size < 50_000


def test_compressed(made, work):
    save_certificate(made, "a.json")
    save_certificate(made, "a.json.gz")
    assert gzip.decompress(Path("a.json.gz").read_bytes()) == Path("a.json").read_bytes()
    assert load_certificate("a.json.gz") == made
    assert checker.main(["a.json.gz"]) == 0
    first = Path("a.json.gz").read_bytes()
    save_certificate(made, "a.json.gz")
    assert Path("a.json.gz").read_bytes() == first


@pytest.mark.parametrize("text", ["", "[1]", "{", '{"a": 1, "a": 2}', "7"])
def test_files_that_are_no_certificates(text, work):
    Path("bad.json").write_text(text)
    with pytest.raises(FileFormatError):
        load_certificate("bad.json")
    with pytest.raises(InputError):
        load_certificate("missing.json")


def test_the_checker_is_a_script_of_its_own(made, work):
    """It runs where nothing of ours can be imported."""
    save_certificate(made, "a.json")
    Path("teacher.json").write_text(json.dumps(machine_json(find_task("add2").machine)))
    Path("other.json").write_text(json.dumps(machine_json(find_task("add3").machine)))
    Path("checker.py").write_text(Path(checker.__file__).read_text())

    def run(*arguments):
        command = [sys.executable, "-I", "checker.py", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    right = run("a.json", "--teacher", "teacher.json")
    assert right.returncode == 0, right.stderr
    assert f"teacher: {machine_hash(find_task('add2').machine)}" in right.stdout
    assert run("a.json", "--teacher", "other.json").returncode == 1
    assert run("missing.json").returncode == 2
    source = Path("checker.py").read_text()
    assert len(source.splitlines()) <= 370  # longer than our other files: it must stay one file, alone
    assert "dfst." not in "".join(line for line in source.splitlines() if "import" in line)


def test_names_do_not_matter(made):
    renamed = json.loads(json.dumps(made))
    renamed["teacher"]["states"][0] = "elsewhere"
    renamed["digest"] = checker.sha256({key: value for key, value in renamed.items() if key != "digest"})
    assert checker.verify(renamed) == checker.verify(made)


@pytest.mark.parametrize("model", shipped_models(), ids=lambda model: model.task)
def test_the_cards_say_whether_the_teacher_may_get_stuck(model):
    shown = load_certificate(model.certificate)["claim"]["teacher_never_stuck"]
    text = model.card.read_text(encoding="utf-8")
    assert ("It also shows that the teacher never gets stuck" in text) is shown
    assert ("It does not show that the teacher never gets stuck" in text) is not shown
