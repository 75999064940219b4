"""Rocq checks certificates: what is exported is what the file says, and both checkers accept the same."""

import json
import random
import re
import shutil
import subprocess
import sys
import tomllib
from hashlib import sha256
from pathlib import Path

import pytest

from dfst import DFST, check, load
from dfst.act.weights import Weights
from dfst.prove import checker, rocq_file, rocq_theorem
from dfst.prove.certificate import load_certificate
from dfst.prove.rocq import LIBRARY, Compiler, RocqChecked, RocqMissing, check_with_rocq
from dfst.shipped import shipped_models
from dfst.teachers.arithmetic import arithmetic_task
from dfst.teachers.task_file import gallery_folder
from dfst.training.weights import model_bytes

ROOT = Path(__file__).parents[2]
CERTIFICATES = sorted(gallery_folder().glob("*.certificate.json.gz")) + [
    model.certificate for model in shipped_models()
]
needs_rocq = pytest.mark.skipif(shutil.which("coqc") is None, reason="Rocq's compiler coqc is not installed")


def gallery_certificate(name):
    return gallery_folder() / f"{name}.certificate.json.gz"


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """The compiler, and a folder with the checker, its proof and the networks."""
    compiler = Compiler.found()
    return compiler, compiler.library(tmp_path_factory.mktemp("rocq"), (*LIBRARY, "network/OneHot"))


def printed(compiled, folder, text):
    compiler, library = compiled
    (folder / "Try.v").write_text(text, encoding="utf-8")
    return compiler.run(folder / "Try.v", library)


def text_in(exported, name):
    """A text, read back by other means than those that wrote it."""
    pieces = re.findall(rf"^Definition {name}(\d+) : list N := \[\n([0-9;]+)\]\.$", exported, re.M)
    joined = re.search(rf"^Definition {name} : list N := (.*)\.$", exported, re.M)[1].split(" ++ ")
    assert joined == [f"{name}{number}" for number, _ in pieces]
    return bytes(int(byte) for _, numbers in pieces for byte in numbers.split(";")).decode()


@pytest.mark.parametrize("path", CERTIFICATES, ids=lambda path: path.parent.name + "/" + path.name.split(".")[0])
def test_what_is_exported_is_what_the_certificate_says(path):
    given = load_certificate(path)
    exported = rocq_file.data(given)
    report = checker.verify(given)
    for what in ("teacher", "learner"):
        plain = text_in(exported, f"{what}_text")
        assert json.loads(plain) == checker.core(given, given[what])
        assert sha256(plain.encode()).hexdigest() == report[what]
        assert f"Definition {what}_hash : N := 0x{report[what]}.\n" in exported
    numbers = [[int(n) for n in re.findall(r"\d+", line)] for line in re.findall(r"^(?:mem|any) .*", exported, re.M)]
    assert numbers == [[*member, *hints] for member, hints in zip(given["members"], given["steps"], strict=True)]
    halves = re.search(r"Definition halves_0 .*?Definition halves_ :", exported, re.S)[0]
    runs = [(int(column), int(many == "true")) for column, many in re.findall(r"\((\d+),(true|false)\)", halves)]
    assert runs == [tuple(run) for half in given["halves"] for run in half]
    low, height, starts = re.search(r"Evidence \((-?\d+)\) (\d+) columns_ halves_ \[(.*)\] members_", exported).groups()
    assert [int(low), int(low) + int(height) - 1] == given["rows"]
    assert [int(n) for n in starts.split(";")] == given["starts"]


@pytest.mark.parametrize("model", shipped_models(), ids=lambda model: model.task)
def test_the_weights_are_described_as_they_are(model):
    content = model.one_hot.read_bytes()
    exported = rocq_file.weights(content)
    header = text_in(exported, "header").encode()
    assert content[8:].startswith(header)
    assert len(header) == int.from_bytes(content[:8], "little")
    assert f"0x{sha256(content).hexdigest()}" in exported


def test_without_rocq_a_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(RocqMissing, match="apt-get install coq"):
        check_with_rocq(gallery_certificate("increment"))
    with pytest.raises(RocqMissing, match="does not run"):
        check_with_rocq(gallery_certificate("increment"), coqc="no-such-compiler")


def test_a_certificate_that_proves_nothing_gets_the_sentence_of_the_checker(tmp_path):
    given = load_certificate(gallery_certificate("increment"))
    (tmp_path / "bad.json").write_text(json.dumps(given | {"starts": []}))
    with pytest.raises(checker.Rejected, match="a start is not covered"):
        check_with_rocq(tmp_path / "bad.json")


def test_the_theorem_in_words():
    facts = {"teacher_sha256": "ab", "learner_sha256": "cd", "members": 7, "version": "8.16.1", "prepared": 0.0}
    for strong in (True, False):
        words = RocqChecked(**facts, together=strong, never_stuck=strong, seconds=1.5).explain()
        assert ("or both are stuck" in words, "always has a rule" in words) == (strong, strong)
        assert ("up to where the teacher gets stuck" in words) == (not strong)


def test_the_wheel_holds_what_is_compiled():
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    assert build["wheel"]["force-include"] == {f"proofs/{name}.v": f"dfst/prove/proofs/{name}.v" for name in LIBRARY}


def test_what_has_to_be_read_is_short_and_everything_is_compiled():
    files = [path for path in (ROOT / "proofs").rglob("*.v") if path.parent.name != "data"]
    listed = (ROOT / "proofs" / "_CoqProject").read_text().split()[3:]
    assert sorted(path.relative_to(ROOT / "proofs").as_posix() for path in files) == sorted(listed)
    lines = len((ROOT / "proofs" / "Statement.v").read_text().splitlines())
    assert lines <= 170
    for page in ("proofs/README.md", "docs/proofs.md"):
        assert f"`{'proofs/' * (page[0] == 'd')}Statement.v` ({lines} lines" in (ROOT / page).read_text()
    for path in files:
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 300, path
        assert not re.search(r"^\s*(Admitted|Axiom|Axioms|Parameter|Conjecture|Admit)\b", text, re.M), path
        assert not re.search(r"\badmit\b|Unset Guard|bypass_check|type-in-type", text), path


@pytest.mark.parametrize("radix", [2, 3, 10, 36])
def test_the_steps_that_are_proven_are_those_that_are_measured(radix):
    """The exact counts of adder/Rounds.v and multiplier/Teacher.v."""
    draw = random.Random(radix)
    digits = arithmetic_task(f"add{radix}").machine.alphabet.classes["digit"]
    for _ in range(12):
        a, b = ("".join(draw.choices(digits, k=draw.randint(1, 6))) for _ in range(2))
        total = int(a, radix) + int(b, radix)
        sums = [sum(int(digit, radix) for digit in word) for word in (a, b)]
        digit_sum = 0
        while total:
            total, digit = divmod(total, radix)
            digit_sum += digit
        carries = (sum(sums) - digit_sum) // (radix - 1)
        n, m = len(a), len(b)
        steps = arithmetic_task(f"add{radix}").machine.run(a, b, engine="reference").steps
        assert steps == n + 2 * m * m + 13 * m + 12 + 2 * carries
        assert carries <= max(n, m)
        times = arithmetic_task(f"mult{radix}").machine.run(a, b, engine="reference").steps
        assert times == m * (10 * n + 2 * m + 13) + 8 * n + 2 * m + 5


@needs_rocq
@pytest.mark.slow
def test_rocq_proves_a_certificate_of_the_gallery(tmp_path):
    checked = check_with_rocq(gallery_certificate("binary-to-unary"), cache=tmp_path)
    assert (checked.together, checked.never_stuck, checked.members) == (True, False, 79)
    assert checked.prepared > 0
    again = check_with_rocq(gallery_certificate("increment"), cache=tmp_path)
    assert (again.prepared, again.never_stuck) == (0, True)
    assert [path.name for path in tmp_path.iterdir()] == [Compiler.found().library(tmp_path).name]


def rounded(name):
    """The weights of a proven network of the gallery, and its bits."""
    return (gallery_folder() / f"{name}.rounded.safetensors").read_bytes(), load(f"{name}:rounded").bits


@needs_rocq
@pytest.mark.slow
def test_rocq_proves_a_network_beside_a_certificate():
    weights, bits = rounded("rule110")
    checked = check("rule110:rounded", rocq=True).rocq
    assert (checked.network_sha256, checked.network_bits) == (sha256(weights).hexdigest(), bits)
    assert f"the network with SHA-256 {checked.network_sha256}, hidden state rounded to 1 bit," in checked.explain()
    without = check("rule110", rocq=True).rocq
    assert (without.network_sha256, without.left_out) == ("", "")
    left_out = check_with_rocq(gallery_certificate("binary-to-unary"), network=rounded("rule110"))
    assert "not given to Rocq: the network itself. Its theorem is only about teachers" in left_out.explain()
    assert not left_out.network_sha256


@needs_rocq
@pytest.mark.slow
def test_rocq_refuses_a_network_that_does_not_follow(compiled, tmp_path):
    given, (weights, bits) = load_certificate(gallery_certificate("increment")), rounded("increment")
    right = rocq_theorem.theorem(given, (weights, bits))
    assert printed(compiled, tmp_path, right).returncode == 0
    model = load("increment:raw")
    A = model.A.copy()
    A[3] = 0
    other = model_bytes(DFST(model.world, Weights(A, model.B, model.C, model.h0), model.name))
    wrong = {
        "other weights": rocq_theorem.theorem(given, (other, bits)),
        "a file cut short": rocq_theorem.theorem(given, (weights[:-4], bits)),
        "another task's": rocq_theorem.theorem(given, (rounded("rule110")[0], bits)),
        "another byte": right.replace("trained0 : list N := [\n", "trained0 : list N := [\n1", 1),
        "another hash": right.replace("trained_hash : N := 0x", "trained_hash : N := 0xf", 1),
        "another hash in the claim": right.replace("sha256 W = 0x", "sha256 W = 0xf", 1),
        "other bits in the claim": right.replace(f"acts_like t {bits} w", f"acts_like t {bits + 1} w", 1),
    }
    for what, text in wrong.items():
        assert text != right, what
        assert printed(compiled, tmp_path, text).returncode != 0, what
    with pytest.raises(rocq_file.Refused, match="bits is not a whole number"):
        rocq_theorem.theorem(given, (weights, "1. Admitted"))


@needs_rocq
@pytest.mark.slow
def test_rocq_refuses_what_does_not_follow(compiled, tmp_path):
    given = load_certificate(gallery_certificate("increment"))
    right = rocq_theorem.theorem(given)
    assert printed(compiled, tmp_path, right).returncode == 0
    weaker = given | {"claim": {"scope": "", "teacher_never_stuck": False}}
    wrong = {
        "another claim": rocq_theorem.theorem(weaker),
        "another text": right.replace("text0 : list N := [\n123;34;", "text0 : list N := [\n123;33;", 1),
        "another hash": right.replace("_hash : N := 0x", "_hash : N := 0xf", 1),
        "another hash in the claim": right.replace("\n  0x", "\n  0xf", 1),
        "no starts": re.sub(r"halves_ \[[0-9;]*\] members_", "halves_ [] members_", right),
    }  # fmt: skip
    for what, text in wrong.items():
        assert text != right, what
        assert printed(compiled, tmp_path, text).returncode != 0, what


@needs_rocq
@pytest.mark.slow
def test_python_and_rocq_say_the_same(tmp_path):
    """A part of what results/rocq.json counts: changed certificates, and runs of machines and networks."""
    words = [sys.executable, "-m", "experiments.rocq", tmp_path / "out.json", "0.01", "mutants", "runs"]
    subprocess.run([*words, "--uncommitted"], cwd=ROOT, check=True)
    record = json.loads((tmp_path / "out.json").read_text())
    assert record["mutants"]["disagreements"] == record["runs"]["machines_and_networks_that_differ"] == 0
    assert min(record["mutants"][what] for what in ("accepted", "refused")) > 10
    assert record["runs"]["runs"] > 10
