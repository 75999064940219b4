"""Nothing that strangers may have written crashes, hangs, fills the memory, or reaches what is outside its folder."""

import ast
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

import dfst
from dfst.errors import FileFormatError, InputError
from dfst.files import is_file_name, parse_toml, read_toml
from dfst.names import find_policy, task_of
from dfst.prove import checker
from dfst.runs.run_folder import RunFolder
from dfst.teachers.task_file import load_task
from dfst.training.weights import model_bytes
from tests.fuzz.bombs import BOMBS, measure
from tests.fuzz.mutate import mutated
from tests.fuzz.targets import ALWAYS, KEPT, MAX_FACTOR, TARGETS, tried

TIMES = os.environ.get("DFST_TIMES")
"""experiments/faults.py asks for more than the suite has time for."""

COUNTS = {"command": 60}
MEASURED = 40  # memory is measured for one input of so many, because measuring it makes everything slow
ACCEPTED = {"as many rules as may be", "a number of 200,000 digits"}
pytestmark = pytest.mark.fuzz


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_a_few_mutated_files(target, tmp_path, record_property):
    """A finding is anything but a value or a refusal in words; results/fuzz.json has a million inputs."""
    rng, seeds, path = random.Random(f"{target} 1"), TARGETS[target].seeds(), tmp_path / TARGETS[target].name
    for content in seeds:
        tried(target, content, path)  # what is imported or compiled on first use does not count
    counts, findings = {"inputs": COUNTS.get(target, 600) * int(TIMES or "1"), "finding": 0}, []
    for number in range(counts["inputs"]):
        content = mutated(rng.choice(seeds), seeds, rng)
        kind, what = tried(target, content, path, measured=number % MEASURED == 0)
        counts[kind] = counts.get(kind, 0) + 1
        findings += [(content, what)] if kind == "finding" else []
    record_property("mutated", json.dumps({target: counts}))
    assert findings == []


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_small_files_are_read_or_refused_in_words(name, record_property):
    facts = measure(name, memory=False)
    assert facts["result"] == ("accepted" if name in ACCEPTED else "refused")
    if TIMES:  # how long that takes, and how much memory, is in results/fuzz.json
        record_property("bombs", json.dumps({name: facts | measure(name, memory=True)}))


@pytest.mark.parametrize("name", ["many wrong rules", "tables in a config", "many tensors"])
def test_small_files_take_little_memory(name):
    facts = measure(name, memory=True)
    assert facts["factor"] * facts["bytes"] <= MAX_FACTOR * facts["bytes"] + ALWAYS


def test_what_is_longer_than_it_may_be_gets_a_sentence(tmp_path):
    (tmp_path / "config.toml").write_text("# a comment\n" * 4000)
    with pytest.raises(FileFormatError, match="the file is larger than 32 KiB"):
        read_toml(tmp_path / "config.toml")
    with pytest.raises(dfst.errors.MachineError, match="the header is not valid TOML: it is too long"):
        dfst.GridMachine.parse("name = 'x'\n" + "# a comment\n" * 4000 + "---\na 0 -> = R a\n")
    with pytest.raises(checker.Rejected, match="the file is too large"):
        checker.parse(b"[" + b"[]," * 2**22 + b"[]]")


def test_the_fuzzer_knows_a_finding_when_it_sees_one(tmp_path, monkeypatch):
    def wrong(path):
        raise KeyError("x")

    monkeypatch.setitem(TARGETS, "machine", TARGETS["machine"]._replace(read=wrong))
    assert tried("machine", b"x", tmp_path / "f")[0] == "finding"
    monkeypatch.setitem(TARGETS, "machine", TARGETS["machine"]._replace(read=lambda path: bytearray(5 * 2**20)))
    assert "bytes of memory" in tried("machine", b"x", tmp_path / "f", measured=True)[1]
    monkeypatch.setattr("tests.fuzz.targets.MAX_SECONDS", 0.01)
    monkeypatch.setitem(TARGETS, "machine", TARGETS["machine"]._replace(read=lambda path: sum(range(3 * 10**7))))
    what = tried("machine", b"x", tmp_path / "f")[1]
    assert "of computing" in what or "Hang" in what  # it ends by itself, or is ended


@pytest.mark.parametrize("trick", ["../x", "/etc/passwd", "..", "a/b", "a\\b", "c:x", "x\0y", ""])
def test_names_that_are_paths(trick):
    assert not is_file_name(trick)


@pytest.mark.parametrize("trick", ["../secret.csv", "/etc/passwd", "..", "sub/secret.csv", "..\\\\secret.csv"])
def test_answers_are_beside_their_task(trick, tmp_path):
    (tmp_path / "secret.csv").write_text("1,1\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "secret.csv").write_text("1,1\n")
    text = (KEPT / "task.dfst").read_text().replace("[task]", f'[task]\nanswers = "{trick}"')
    assert trick in text
    (tmp_path / "sub" / "task.dfst").write_text(text)
    with pytest.raises(FileFormatError, match="is not the name of a file"):
        load_task(tmp_path / "sub" / "task.dfst")


def test_the_name_of_a_task_is_no_place_to_write(work):
    (work / "x.dfst").write_text((KEPT / "task.dfst").read_text().replace('name = "increment"', 'name = "../../x"'))
    words = [sys.executable, "-c", "from dfst.cli import main; main()", "train", "x.dfst"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 2
    assert "its name '../../x' cannot be that of a folder. Choose one with --out." in done.stderr
    assert not (work.parent / "x").exists()


def test_the_task_a_run_names_is_not_a_path(work):
    (work / "teacher.dfst").write_text((KEPT / "task.dfst").read_text())
    (work / "run").mkdir()
    text = (KEPT / "run" / "config.toml").read_text().replace('task = "increment"', f'task = "{work}/teacher.dfst"')
    assert str(work) in text
    (work / "run" / "config.toml").write_text(text)
    with pytest.raises(FileFormatError, match="does not come with dfst"):
        RunFolder.open(work / "run").task()


def test_the_name_of_a_model_is_not_a_path(work):
    (work / "teacher.dfst").write_text((KEPT / "task.dfst").read_text())
    from dataclasses import replace

    model = replace(dfst.load(KEPT / "run" / "model.safetensors"), name=f"{work}/teacher.dfst")
    (work / "m.safetensors").write_bytes(model_bytes(model))
    with pytest.raises(InputError, match="does not say which task"):
        task_of(find_policy("m.safetensors"))


def test_keys_of_many_parts():
    assert parse_toml("a.b.c = 1\n[x.y]\nz = 'a.b.c.d'\n") == {"a": {"b": {"c": 1}}, "x": {"y": {"z": "a.b.c.d"}}}
    for text in ("a." * 40 + "a = 1", "[" + "a . " * 40 + "a]", '"x".' * 40 + "x = 1", "t = {" + "a." * 40 + "a=1}"):
        with pytest.raises(ValueError, match="too many parts"):
            parse_toml(text)


def test_nothing_is_unpickled_or_evaluated():
    """The package names none of what could run code that is in a file, but where just that is promised.

    FILE.py:Name runs that file, and network_checker.py alone the checker beside it: their bytes, never a cache.
    """
    wrong, promised = [], {("own.py", "exec"), ("network_checker.py", "exec"), ("network_checker.py", "compile")}
    for path in Path(dfst.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            if isinstance(node, ast.ImportFrom):
                names.append(node.module or "")
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                names.append(node.func.id)
            if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
                names.append("allow_pickle")
            banned = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "eval", "exec", "compile", "allow_pickle"}
            wrong += [(path.name, name) for name in names if name in banned]
    assert set(wrong) == promised
