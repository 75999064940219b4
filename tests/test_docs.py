"""The documentation says what is so: its commands run, its lists are complete."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import dfst
from dfst.teachers.arithmetic import PAPER_LENGTHS
from dfst.teachers.find import gallery
from dfst.teachers.task_file import load_task

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"

NOT_RUN = {  # a line that begins like this is not run, because …
    "pip install": "the package is installed already, and tests need no network",
    "python -m experiments": "hours; experiments/ has scripts of its own that reproduce everything",
}
NOT_HERE = {
    "commands.md": "made from command_examples.sh, which is run below",
    "your-own-algorithm.md": ".ci/run plays it on a base install",
}


def commands(text):
    blocks = re.findall(r"^```sh\n(.*?)^```", text, flags=re.M | re.S)
    lines = [line for block in blocks for line in block.splitlines()]
    return [line for line in lines if line.strip() and not line.startswith(tuple(NOT_RUN))]


PAGES = {
    page.name: lines
    for page in sorted(DOCS.glob("*.md"))
    if page.name not in NOT_HERE and (lines := commands(page.read_text(encoding="utf-8")))
}


SHARED = re.compile(r"dfst train add2( --out (?P<out>\S+))?\s*(#.*)?")
"""The training that several pages begin with: one run folder for all of them, copied to where the page wants it."""


@pytest.fixture(scope="session")
def adder(tmp_path_factory):
    """The run folder of ``dfst train add2``."""
    folder = tmp_path_factory.mktemp("shared")
    run_script(["dfst train add2 --out adder"], folder)
    return folder / "adder"


def with_shared_run(lines, adder):
    for line in lines:
        match = SHARED.fullmatch(line)
        out = (match["out"] or "runs/add2-fast-s42") if match else ""
        yield f"mkdir -p $(dirname {out}) && cp -r {adder} {out}" if match else line


def run_script(lines, folder):
    """Run shell lines in ``folder``, which gets the checkout's results and nothing else; a failure stops them."""
    (folder / "results").symlink_to(ROOT / "results")
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    words = ["bash", "-euxo", "pipefail", "-c", "\n".join(lines)]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, timeout=1500)
    assert done.returncode == 0, done.stderr[-3000:]


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_the_commands_of_a_page_run(page, tmp_path, adder):
    run_script(with_shared_run(PAGES[page], adder), tmp_path)


@pytest.mark.slow
def test_the_machine_of_the_page_on_your_own_algorithm_is_correct(tmp_path):
    """It is not only equal to what learns it: it counts down, and stays at zero, as Python does."""
    lines = commands((DOCS / "your-own-algorithm.md").read_text(encoding="utf-8"))
    run_script(lines[: lines.index("dfst data count-down.dfst")], tmp_path)
    task = load_task(tmp_path / "count-down.dfst")
    for length in range(1, 8):
        for number in range(2**length):
            said = task.machine.run(f"{number:0{length}b}").answer.text
            assert int(said, 2) == max(0, number - 1)
    assert dfst.doctor(str(tmp_path / "count-down.dfst")) == []


@pytest.mark.slow
def test_the_example_of_every_command_runs(tmp_path, adder):
    lines = (DOCS / "command_examples.sh").read_text(encoding="utf-8").splitlines()
    run_script(with_shared_run([line for line in lines if not line.startswith(tuple(NOT_RUN))], adder), tmp_path)


@pytest.mark.parametrize("what", ["commands", "gallery", "stub"])
def test_what_a_script_writes_is_up_to_date(what):
    """Every command with an example, every task, every public name for type checkers."""
    subprocess.run([sys.executable, DOCS / f"{what}.py", "--check"], check=True)


def test_every_room_with_public_names_has_its_page():
    rooms = {module.split(".")[1] for module in (*dfst._CONTENTS, *dfst.exchange._CONTENTS)}
    pages = "".join(page.read_text(encoding="utf-8") for page in (DOCS / "reference").glob("*.md"))
    shown = re.findall(r"```\{room\} (\w+)\n", pages)  # the verbs share a page
    assert sorted(shown) == sorted(rooms)


def test_no_output_is_stored_in_the_notebook():
    text = (DOCS / "tutorial.ipynb").read_text(encoding="utf-8")
    assert '"outputs": []' in text
    assert not re.search(r'"(output_type|image/png)"|"execution_count": \d', text)


def test_the_menu_is_short():
    """Fifteen pages and an appendix."""
    listed = re.findall(r"```\{toctree\}\n(.*?)```", (DOCS / "index.md").read_text(encoding="utf-8"), flags=re.S)
    names = ["index", *(line for block in listed for line in block.splitlines() if re.fullmatch(r"[a-z-]+", line))]
    assert len(names) == 16
    assert names[-1] == "appendix"


def test_the_pages_are_short():
    """Each thing is told once: 25,000 words, tables and generated pages included."""
    words = {page.name: len(page.read_text(encoding="utf-8").split()) for page in DOCS.glob("*.md")}
    assert sum(words.values()) <= 25_000, words
    assert words["theory.md"] <= 700
    assert words["claims.md"] <= 900
    assert words["lasting.md"] <= 1500


def test_every_link_inside_the_pages_leads_somewhere():
    for page in [ROOT / "README.md", *DOCS.glob("*.md")]:
        for link in re.findall(r"\]\(([^)\s#:]+\.[a-z]+)(?:#[^)\s]*)?\)", page.read_text(encoding="utf-8")):
            assert (page.parent / link).is_file(), (page.name, link)


def test_every_picture_is_on_a_page():
    pages = "".join(page.read_text(encoding="utf-8") for page in (*DOCS.glob("*.md"), ROOT / "README.md"))
    pictures = [path for path in (DOCS / "pictures").rglob("*") if path.suffix in (".svg", ".png")]
    assert [path.name for path in pictures if path.relative_to(DOCS).as_posix() not in pages] == []


def test_the_paper_is_called_what_it_is_called():
    paper = json.loads((ROOT / "results" / "paper.json").read_text(encoding="utf-8"))["source"].split(", Table")[0]
    for page in (ROOT / "README.md", ROOT / "CITATION.cff", DOCS / "faq.md"):
        assert paper in " ".join(page.read_text(encoding="utf-8").split()), page


def test_where_the_measures_are_defined_it_is_said_that_the_papers_are_of_answers(call):
    """Ours are of actions: right answers are not enough (tests/judging/test_lengths.py)."""
    pages = [ROOT / "README.md", *(DOCS / f"{name}.md" for name in ("results", "acting", "faq"))]
    for said in [call("eval", "--help")[1], *(page.read_text(encoding="utf-8") for page in pages)]:
        assert re.search(r"(equal|of)\s+answers", said), said[:60]


def test_pages_count_the_tasks_that_there_are():
    """The gallery are the tasks besides the four of the paper."""
    paper, own = len(PAPER_LENGTHS), len(gallery())
    for page, words in (
        (ROOT / "README.md", f"shows {paper + own} tasks, the four of the paper and {own} more"),
        (ROOT / "README.md", f"lists {own} algorithms besides addition and multiplication"),
        (
            DOCS / "gallery.md",
            f"These are the {paper + own} tasks that come with dfst: four from the paper, and the {own}",
        ),
        (DOCS / "claims.md", f"The {own} tasks of the gallery"),
        (DOCS / "results.md", f"the {own} tasks of the gallery"),
        (DOCS / "proofs.md", f"the other {own - 3} tasks of the gallery"),
        (ROOT / "proofs" / "README.md", f"the other {own - 3} tasks of the gallery"),
    ):
        assert words in " ".join(page.read_text(encoding="utf-8").split()), (page.name, words)


def test_pages_count_the_states_of_the_shipped_machines():
    states = {task: len(dfst.load(f"{task}:machine").states) for task in PAPER_LENGTHS}
    for page, words in (
        ("article.md", f"{states['add2']} states for binary addition, {states['add10']} for decimal"),
        (
            "quickstart.md",
            f"add10: verified: on every input of every length, the certified machine ({states['add10']} states)",
        ),
        ("quickstart.md", f"the extracted machine ({states['add2']} states) is exact"),
        ("certificates.md", f"the certified machine ({states['add2']} states)"),
    ):
        assert words in " ".join((DOCS / page).read_text(encoding="utf-8").split()), (page, words)
