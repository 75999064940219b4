"""Certificates as files, plain and compressed, and the checker as a script of its own."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest

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


def test_the_checker_is_a_script_of_its_own(made, work):
    """It runs where nothing of ours can be imported."""
    save_certificate(made, "a.json")
    Path("teacher.json").write_text(json.dumps(machine_json(find_task("add2").machine)))
    Path("other.json").write_text(json.dumps(machine_json(find_task("add3").machine)))
    Path("checker.py").write_text(Path(checker.__file__).read_text())

    def run(*arguments):
        command = [sys.executable, "-I", "checker.py", *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=600)

    right = run("a.json", "--teacher", "teacher.json")
    assert right.returncode == 0, right.stderr
    assert f"teacher: {machine_hash(find_task('add2').machine)}" in right.stdout
    assert run("a.json", "--teacher", "other.json").returncode == 1
    assert run("missing.json").returncode == 2
    source = Path("checker.py").read_text()
    assert len(source.splitlines()) <= 370  # longer than our other files: it must stay one file, alone
    assert "dfst." not in "".join(line for line in source.splitlines() if "import" in line)
