"""Measuring belongs to a commit: scripts refuse sources that are not committed, or mark what they measure."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dfst.manifest import manifest

ROOT = Path(__file__).parents[2]
SCRIPT = """\
from experiments.measuring import asked, kept, save
from dfst.manifest import manifest

out, *_ = asked()
rows = kept(out, {"rows": []})["rows"]
save(out, {"rows": [*rows, {"one": 1, "manifest": manifest()}]})
"""


@pytest.fixture(scope="module")
def committed(tmp_path_factory):
    """A checkout of what is here now, all of it committed."""
    folder = tmp_path_factory.mktemp("measuring") / "checkout"
    ignored = shutil.ignore_patterns("__pycache__", "models")
    for name in ("src", "experiments"):
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    (folder / "results").mkdir()
    (folder / "experiments/one.py").write_text(SCRIPT, encoding="utf-8")
    for name in ("README.md", "results/table1.json", ".gitignore"):
        shutil.copy(ROOT / name, folder / name)
    git = ["git", "-c", "user.name=a", "-c", "user.email=a@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "all"]):
        subprocess.run([*git, *words], cwd=folder, check=True)
    return folder


@pytest.fixture
def checkout(committed, tmp_path):
    return Path(shutil.copytree(committed, tmp_path / "checkout"))


def measure(checkout, *words):
    environment = os.environ | {"PYTHONPATH": str(checkout / "src")}
    command = [sys.executable, "-m", "experiments.one", *words]
    return subprocess.run(command, cwd=checkout, env=environment, capture_output=True, text=True, check=False)


def test_what_measuring_writes_is_no_change_of_the_sources(checkout):
    (checkout / "results/table1.json").write_text("{}")
    (checkout / "README.md").write_text("another table")
    (checkout / "src/dfst" / "teachers/gallery/results.json").write_text("{}")
    (checkout / "src/dfst" / "teachers/gallery/gcd.certificate.json.gz").write_text("")
    done = measure(checkout, "results/one.json")
    assert done.returncode == 0, done.stderr
    facts = json.loads((checkout / "results/one.json").read_text())["rows"][0]["manifest"]
    assert re.fullmatch("[0-9a-f]{40}", facts["commit"])
    assert facts["command"] == "python -m experiments.one results/one.json"


@pytest.mark.parametrize("name", ["src/dfst/seeds.py", "experiments/new.py", "src/dfst/teachers/gallery/new.dfst"])
def test_changed_sources_are_refused_before_any_work(checkout, name):
    with (checkout / name).open("a") as file:
        file.write("\n")
    done = measure(checkout, "out.json", "no-such-run")
    assert done.returncode == 1
    assert done.stderr.startswith(f"{name}: not committed; commit first, or add --uncommitted")
    assert not (checkout / "out.json").exists()
    done = measure(checkout, "out.json", "--uncommitted")
    assert done.returncode == 0, done.stderr
    (row,) = json.loads((checkout / "out.json").read_text())["rows"]
    assert re.fullmatch(r"[0-9a-f]{40}\+", row["manifest"]["commit"])


def test_without_a_checkout_no_commit_can_be_named(checkout):
    shutil.rmtree(checkout / ".git")
    done = measure(checkout, "out.json")
    assert (done.returncode, "no git checkout" in done.stderr) == (1, True)


def test_a_command_can_be_pasted_into_a_shell(monkeypatch):
    words = ["dfst", "solve", "my model.safetensors", "$HOME", "it's", ""]
    monkeypatch.setattr(sys, "argv", ["/somewhere/bin/dfst", *words[1:]])
    monkeypatch.setattr(sys.modules["__main__"], "__spec__", None)
    assert shlex.split(manifest()["command"]) == words


def test_rows_of_no_commit_are_not_continued(checkout):
    """Beside rows of a clean commit, they would pass for such rows."""
    assert measure(checkout, "results/one.json").returncode == 0
    assert measure(checkout, "results/one.json").returncode == 0
    record = json.loads((checkout / "results/one.json").read_text())
    assert [row["one"] for row in record["rows"]] == [1, 1]
    del record["rows"][0]["manifest"]
    (checkout / "results/one.json").write_text(json.dumps(record))
    done = measure(checkout, "results/one.json")
    assert (done.returncode, "do not say at which commit they were measured; remove it" in done.stderr) == (1, True)


def test_every_result_has_one_command_and_one_line_in_the_documentation():
    results = {path.name for path in (ROOT / "results").glob("*.json")}
    made = results - {"paper.json"}
    script = (ROOT / "experiments/reproduce.sh").read_text(encoding="utf-8")
    commands = re.findall(r"python -m experiments\.(\w+) results/(\w+\.json)", script)
    assert sorted(name for _, name in commands) == sorted(made)
    assert {name for module, name in commands if f"{module}.json" != name} == {"fuzz.json", "cluster.json"}
    page = (ROOT / "docs/results.md").read_text(encoding="utf-8")
    assert sorted(re.findall(r"^- `(\w+\.json)`: ", page, re.M)) == sorted(results)
    assert all((ROOT / f"experiments/{module}.py").is_file() for module, _ in commands)


def test_every_part_of_the_reproduction_is_run():
    script = (ROOT / "experiments/reproduce.sh").read_text(encoding="utf-8")
    parts = set(re.findall(r"^(\w+)\(\) \{", script, re.M)) - {"train", "gallery_tasks"}
    order = " ".join(re.findall(r'^ORDER\+?="(.*)"$', script, re.M)).split()
    assert (sorted(order), len(order)) == (sorted(parts), len(parts))
    assert set(re.findall(r'^TIMED="(.*)"$', script, re.M)[0].split()) < parts
