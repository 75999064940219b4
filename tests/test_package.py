"""What is handed out: the command line without a script, and a source distribution that can be tested."""

import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import dfst

ROOT = Path(__file__).parent.parent


def test_python_m_dfst_is_the_command_line():
    words = [sys.executable, "-m", "dfst"]
    done = subprocess.run([*words, "--version"], capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip()) == (0, dfst.__version__)
    done = subprocess.run([*words, "solve", "ad2"], capture_output=True, text=True)
    assert (done.returncode, done.stderr.startswith("dfst: there is no policy called 'ad2'")) == (2, True)


@pytest.fixture
def files():
    """The files of the checkout, relative to it."""
    if not (ROOT / ".git").exists():
        pytest.skip("not in a checkout, so nobody knows which files belong to it")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return listed.splitlines()


def project():
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


EXTRAS = (
    r"""(?:dfst|["'\s]\.)\[([a-z,]+)\]""",  # dfst[jax], ".[dev,jax]"
    r"""[Ee]xtras?((?:\s*`+[a-z]+`+,?(?:\ and)?)+)""",
    r"""\(extra ([a-z]+)\)""",
    r"""MissingExtraError\("[^"]*", "([a-z]+)"\)""",
)


def test_every_extra_that_a_file_names_can_be_installed(files):
    """Workflows, pages, messages and the extras themselves; the changelog names those that are gone."""
    found = {}
    for file in files:
        if file.endswith((".py", ".md", ".toml", ".yml", "/run")) and file != "CHANGELOG.md":
            text = (ROOT / file).read_text(encoding="utf-8")
            for named in (each for pattern in EXTRAS for each in re.findall(pattern, text)):
                found |= dict.fromkeys(set(re.findall("[a-z]+", named)) - {"and"}, file)
    known = set(project()["optional-dependencies"])
    assert {name: file for name, file in found.items() if name not in known} == {}
    assert set(found) == known


def test_every_supported_python_is_tried():
    """The oldest is the one required; each has a classifier and a place in the matrix of the workflow."""
    workflow = ROOT / ".github" / "workflows" / "ci.yml"
    if not workflow.exists():
        pytest.skip("the workflows are in a checkout alone")
    tried = re.findall(r'"(3\.\d+)"', re.search(r"python: \[(.*)\]", workflow.read_text(encoding="utf-8"))[1])
    stated = [line.rpartition(" ")[2] for line in project()["classifiers"] if "Python :: 3." in line]
    assert stated == tried
    assert tried[-1] == "3.15"
    assert project()["requires-python"] == f">={tried[0]}"


def test_the_source_distribution_leaves_nothing_out(files):
    """Everything in the repository but what only its own CI needs: tests read conftest.py, results and experiments."""
    tops = {file.partition("/")[0] for file in files} - {
        ".ci",
        ".github",
        ".gitignore",
        ".pre-commit-config.yaml",
        "pyproject.toml",
    }
    rules = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"]
    assert set(rules["sdist"]["include"]) == tops
    assert {"conftest.py", "tests", "experiments", "results"} <= tops


def test_links_of_the_readme_work_on_a_package_index():
    """Once the repository's address is filled in; before that they are left alone, for nobody knows where they lead."""
    with_addresses = runpy.run_path(str(ROOT / "hatch_build.py"))["with_addresses"]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert with_addresses(text, "") == text
    links = re.findall(r"\]\(([^)]+)\)", with_addresses(text, "https://example.org/dfst"))
    published = [link.removeprefix("https://example.org/dfst/") for link in links if "example.org" in link]
    assert all(link.startswith("https://") for link in links)
    assert "raw/main/docs/pictures/adder_film.svg" in published
    assert all((ROOT / link.split("/", 2)[2]).is_file() for link in published)
