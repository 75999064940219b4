"""Model cards as hubs read them, and folders that hold a model."""

import contextlib
import io
import re
import shutil

import pytest

from dfst import RunFolder, solve
from dfst.names import find_policy
from dfst.runs.card import Measured, card_header
from dfst.runs.options import Options
from dfst.shipped import shipped_models
from dfst.teachers.find import find_task
from dfst.training.weights import load_model
from tests.small import header

yaml = pytest.importorskip("yaml")


def head(text):
    """The YAML in front of a card."""
    match = re.match(r"---\n(.*?)\n---\n", text, flags=re.S)
    assert match
    return yaml.safe_load(match[1])


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    """A short training run."""
    options = Options(iterations=200).on(find_task("add2"))
    folder = RunFolder.create(tmp_path_factory.mktemp("runs") / "run", options)
    folder.train()
    return folder


def test_a_runs_card_says_what_hubs_want_to_know_and_no_more_than_is_known(run):
    facts = head((run.path / "README.md").read_text(encoding="utf-8"))
    assert (facts["license"], facts["library_name"]) == ("apache-2.0", "dfst")
    assert "add2" in facts["tags"]
    assert set(facts) == {"license", "library_name", "tags"}  # nothing was measured but the loss


def test_the_code_in_a_runs_card_works(run, monkeypatch):
    code = re.search(r"```python\n(.*?)```", (run.path / "README.md").read_text(encoding="utf-8"), flags=re.S)
    assert code
    monkeypatch.chdir(run.path)
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(code[1], {})
    assert said.getvalue().strip()


@pytest.mark.parametrize("model", shipped_models(), ids=lambda model: model.task)
def test_the_shipped_cards_index_is_what_their_text_says(model):
    text = model.card.read_text(encoding="utf-8")
    facts = head(text)
    (index,) = facts["model-index"]
    (result,) = index["results"]
    values = [metric["value"] for metric in result["metrics"]]
    body = " ".join(text.split("---\n", 2)[2].split())
    said = re.findall(r"RLG (\d+), PLG (\d+) \(measured to (\d+) digits", body)
    assert [str(value) for value in values] == [number for rlg, plg, _ in said for number in (rlg, plg)]
    for metric, to in zip(result["metrics"], [to for *_, to in said for _ in range(2)], strict=True):
        assert metric["name"].endswith(f"measured to {to} digits")
        assert (model.card.parent / re.findall(r"\w+\.safetensors", metric["name"])[0]).exists()


@pytest.mark.parametrize("name", ["a: b", "- x", "#", '"', "yes", "1e3", "ü\\n", "---"])
def test_any_name_is_safe_in_yaml(name):
    facts = head(card_header(name, [Measured("rlg", name, 3)], on=name))
    assert facts["tags"][-1] == facts["model-index"][0]["name"] == name
    assert facts["model-index"][0]["results"][0]["metrics"] == [{"type": "rlg", "name": name, "value": 3}]


@pytest.mark.parametrize("name", ["x<script>alert(1)</script>", "[x](y)", "![x](y)", "`x", "a*b* c", "__d__", "&lt;"])
def test_a_name_is_text_in_a_card(call, work, name):
    markdown = pytest.importorskip("markdown_it").MarkdownIt("commonmark")
    (work / "x.dfst").write_text(header(name=name) + "---\nwalk digit -> = R walk\nwalk _ -> = S halt\n")
    assert call("train", "x.dfst", "--iterations", "20", "--out", "run")[0] == 0
    body = (work / "run" / "README.md").read_text(encoding="utf-8").split("---\n", 2)[2]
    title, _, text, *_ = [each for each in markdown.parse(body) if each.content or each.type == "paragraph_open"]
    assert {child.type for child in title.children} | {child.type for child in text.children} <= {"text", "softbreak"}
    assert title.children[0].content.startswith(name)
    assert f"of the teacher {name} with" in "".join(child.content or " " for child in text.children)


def test_a_folder_with_a_model_is_enough(run, tmp_path):
    shutil.copy(run.model_path, tmp_path / "model.safetensors")
    assert load_model(tmp_path) == load_model(str(tmp_path)) == run.model() == load_model(run.path)
    assert find_policy(str(tmp_path)) == run.model()
    (tmp_path / "model.safetensors").rename(tmp_path / "any.safetensors")
    assert load_model(tmp_path) == run.model()
    assert solve(load_model(tmp_path), "1", "1", step_limit=10).steps <= 10
