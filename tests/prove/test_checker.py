"""The checker against its cases, hostile files and attackers, and the cases against faults in the checker."""

import json
import subprocess
import sys

import pytest

from dfst.prove import checker
from tests.prove.checker_files import CASES, hostile
from tests.prove.scripts import output

SLOW = {"case_every_hint_matters"}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name in SLOW else name for name in CASES]
)
def test_case(name):
    CASES[name](checker)


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere the system may not limit memory")
@pytest.mark.parametrize("name", hostile(checker))
def test_small_files_cannot_keep_it_busy(name, tmp_path):
    """Each is refused for what it asks for, in a few seconds and in little memory."""
    content, why = hostile(checker)[name]
    path = tmp_path / "c.json"
    path.write_text(json.dumps(content), "utf-8")
    watched = f"""
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_AS, (2**29, 2**29))
resource.setrlimit(resource.RLIMIT_CPU, (8, 8))
sys.argv = ["checker.py", {str(path)!r}]
runpy.run_path({checker.__file__!r}, run_name="__main__")
"""
    done = subprocess.run([sys.executable, "-I", "-c", watched], capture_output=True, text=True, check=False)
    assert done.returncode == 1, (done.returncode, done.stderr[-300:])
    assert done.stdout.startswith("rejected: ")
    assert why in done.stdout


@pytest.mark.slow
def test_attacks():
    counts = output("attacks", 100, 2)
    assert sum(number for what, number in counts.items() if what.endswith("rejected")) > 80


@pytest.mark.slow
def test_the_cases_notice_faults_in_the_checker():
    counts = output("checker_mutations", 40)
    assert counts["faults"] > 10
    assert counts["faults"] - counts["caught"] <= 1
