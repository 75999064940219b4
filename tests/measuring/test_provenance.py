"""Every published number names a commit of the history that has the script which made it, and no other sources."""

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest

import dfst
from dfst.act.weights import Weights
from dfst.judging.network import NETWORK
from dfst.manifest import MARK
from dfst.names import find_certificate, find_policy, sha256_of
from dfst.prove.certificate import file_hash
from dfst.shipped import RESULTS, catalogue, certified_tasks, shipped_models
from dfst.teachers.find import gallery
from dfst.training.weights import ROUNDED

ROOT = Path(__file__).parents[2]
COPIED = "results/paper.json"
"""No command made it: its figures are the paper's."""

GALLERY = "src/dfst/teachers/gallery"

PATTERNS = ("results/*.json", f"{GALLERY}/results.json", "src/dfst/models/*/manifest.json")
FILES = {
    path.relative_to(ROOT).as_posix(): path
    for pattern in (*PATTERNS, "src/dfst/models/*/README.md")
    for path in sorted(ROOT.glob(pattern))
}


def manifests(value, task=None):
    """(commit, command, task of the row) of every manifest, however deep."""
    if isinstance(value, dict):
        task = value.get("name", task)
        if {"commit", "command"} <= value.keys():
            yield value["commit"], value["command"], task
    for part in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from manifests(part, task)


def origins(name):
    """What a file says about where its numbers come from, each once."""
    text = FILES[name].read_text(encoding="utf-8")
    if name.endswith(".md"):
        return [(commit, command, None) for command, commit in re.findall(r"by `([^`]+)` at commit (\w+\+?)", text)]
    return list(dict.fromkeys(manifests(json.loads(text))))


def needed(name, command, task):
    """The files that the commit must have: the script or package that was run, and a task of the gallery."""
    words = shlex.split(command)
    if words[0] == "dfst" or words[:3] == ["python", "-m", "dfst"]:
        yield "src/dfst"
    elif words[:2] == ["python", "-m"]:
        yield words[2].replace(".", "/") + ".py"
    else:
        yield next((word for word in words if word.endswith(".py")), command)
    if "gallery" in name and task is not None:
        yield next((word for word in words if word.startswith("src/dfst/")), GALLERY) + f"/{task}.dfst"


def git(*words):
    """What git says, None if it refuses."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True)
    return None if done.returncode else done.stdout.strip()


@pytest.mark.parametrize("name", FILES)
def test_every_file_says_where_its_numbers_come_from(name):
    found = origins(name)
    assert bool(found) != (name == COPIED)
    assert [command for commit, command, _ in found if commit in (None, "None") or commit.endswith(MARK)] == []
    assert [command for _, command, _ in found if " /" in command] == []  # no folder of a machine


@pytest.mark.parametrize("name", FILES)
def test_every_commit_is_in_the_history_and_has_what_was_run(name):
    if git("rev-parse", "--is-shallow-repository") != "false":
        pytest.skip("without the full history nothing can be said about commits: git fetch --unshallow")
    for commit, command, task in origins(name):
        assert git("merge-base", "--is-ancestor", commit, "HEAD") is not None, command
        for path in needed(name, command, task):
            assert git("cat-file", "-e", f"{commit}:{path}") is not None, (command, path)


@pytest.mark.parametrize("name", [row.name for row in catalogue() if "rounded" in row.models])
def test_every_network_that_is_proven_says_how_it_was_made(name):
    path = find_certificate(f"{name}:rounded")
    if name in gallery():
        rows = json.loads((path.parent / RESULTS).read_text())["rows"]
        said = next(row["network"] for row in rows if row["name"] == name)
    else:
        said = json.loads((path.parent / "manifest.json").read_text())["network"]
    for what, file in {"network_sha256": NETWORK, "weights_sha256": ROUNDED}.items():
        assert said[what] == file_hash(path.with_name(path.name.replace("certificate.json", file).removesuffix(".gz")))
    source = next(word for word in shlex.split(said["command"]) if word.startswith((f"{name}:", f"{name}=")))
    model = find_policy(f"{name}:rounded")
    plain = dfst.DFST(model.world, Weights(model.A, model.B, model.C, model.h0), model.name)
    assert said["agent_sha256"] == sha256_of(plain if "=" in source else find_policy(source))
    assert ("run" in said) == ("=" in source)


def test_every_model_and_every_task_of_the_gallery_is_among_them():
    files = ("README.md", "manifest.json")
    models = {f"src/dfst/models/{model.task}/{name}" for model in shipped_models() for name in files}
    assert models | {"src/dfst/teachers/gallery/results.json"} <= FILES.keys()
    assert certified_tasks() == gallery()
