"""Pages show what results/ holds, in their tables and in the sentences that name a number."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from dfst.shipped import shipped_model
from dfst.teachers.arithmetic import PAPER_LENGTHS
from dfst.teachers.find import find_task
from dfst.world.machine_file import load_machine

ROOT = Path(__file__).parents[2]


def load(name, part="rows"):
    return json.loads((ROOT / "results" / f"{name}.json").read_text(encoding="utf-8"))[part]


def page(name):
    return " ".join((ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8").split())


TABLE1 = {row["task"]: row for row in load("table1")}


def test_pages_show_what_was_measured():
    subprocess.run([sys.executable, "-m", "experiments.render", "--check"], cwd=ROOT, check=True)


def test_pictures_show_what_was_measured(tmp_path):
    pytest.importorskip("matplotlib")
    subprocess.run([sys.executable, "-m", "experiments.pages.pictures", tmp_path], cwd=ROOT, check=True)
    for path in tmp_path.iterdir():
        assert any(f"pictures/{path.name}" in text.read_text() for text in (ROOT / "docs").glob("*.md")), path.name
        if path.suffix == ".svg":  # the bytes of a .png depend on libraries
            assert path.read_bytes() == (ROOT / "docs" / "pictures" / path.name).read_bytes(), path.name


def test_table_1_has_every_task_and_every_figure():
    assert list(TABLE1) == list(PAPER_LENGTHS)
    for task, row in TABLE1.items():
        assert row["certified"]
        assert row["extracted"]["rlg"] == row["extracted"]["plg"] == 10 * PAPER_LENGTHS[task]
        assert row["raw"]["rlg"] <= row["raw"]["plg"]


def test_every_run_has_one_model_that_it_ended_with():
    names, rows = ("task", "recipe", "seed", "data_seed"), load("raw_lengths")
    ended = Counter(tuple(row[name] for name in names) for row in rows if row["kept"])
    assert set(ended.values()) == {1}
    assert {tuple(row[name] for name in names) for row in rows} == ended.keys()


def test_predictions_of_cost_are_within_a_factor_of_two():
    for name in ("train", "act", "add", "multiply", "extract"):
        points = load("scale", name)["record"]["unseen"]
        assert len(points) >= 3
        assert all(0.5 <= ratio <= 2 for point in points for ratio in point["ratio"].values()), name
    runs = load("scale", "runs")["record"]
    assert all(0.5 <= run["predicted_train_seconds"] / run["train_seconds"] <= 2 for run in runs)


def test_the_page_on_claims_counts_what_was_measured():
    assert all(run["verdict"] == "exact" for run in load("extraction", "runs") if run["rehearsing"])
    assert all(row["exact"] for row in load("raw_lengths") if row["recipe"] == "fast" and row["kept"])
    assert "(all training runs of the four tasks were proven)" in page("claims")
    verdicts = [row["verdict"] for row in load("gallery")]
    others = [verdict for verdict in verdicts if verdict != "exact"]
    how_many = {0: "all", 1: "all but one"}.get(len(others), f"all but {len(others)}")
    assert f"`results/gallery.json` ({how_many} of {len(verdicts)}" in page("claims")
    assert set(others) <= {"undecided"}


def test_pages_say_how_far_networks_as_trained_get():
    reached = {task: row["raw"]["rlg"] for task, row in TABLE1.items()}
    assert f"beyond {reached['add10']} digits" in page("index")
    assert f"right up to {reached['add10']} digits" in page("article")
    assert f"follows the teacher for {min(reached.values())} to {max(reached.values())} digits" in page("training")


def test_the_page_on_results_tells_the_papers_recipe_as_it_was_measured():
    lengths = {task: [] for task in PAPER_LENGTHS}
    for row in load("raw_lengths"):
        if row["recipe"] == "paper" and row["kept"]:
            lengths[row["task"]].append(row["rlg"])
            assert row["loss"] < 1e-8 or row["task"] == "mult2"
    far = sum(length == PAPER_LENGTHS["add2"] for length in lengths["add2"])
    assert f"{far} of {len(lengths['add2'])} seeds of add2 reach the paper's 3,850 digits" in page("results")
    assert f"{len(lengths['add10'])} seeds of add10 at most {max(lengths['add10'])} of 2,450" in page("results")
    a, b, c = sorted(lengths["mult2"])
    assert f"Three seeds of mult2 reach {a}, {b} and {c} of 600 digits" in page("results")


def test_the_page_on_extraction_says_why_machines_of_one_task_differ_in_size():
    runs = [run for run in load("extraction", "runs") if run["task"] == "add2" and run["rehearsing"]]
    shipped = TABLE1["add2"]["states"]
    assert shipped == len(load_machine(shipped_model("add2").machine).states)
    assert (len(runs), {run["trained"]["recipe"] for run in runs}) == (10, {"fast"})
    assert 42 not in {run["seed"] for run in runs}
    states = sorted(run["states"] for run in runs)
    assert (
        f"by the recipe `fast` with seed 42, has {shipped}; ten other seeds of that recipe have {states[0]}"
        f" to {states[-1]}, and the teacher has {len(find_task('add2').machine.states)}."
    ) in page("extraction")


@pytest.mark.parametrize("task", PAPER_LENGTHS)
def test_the_cards_say_how_far_the_networks_get(task):
    card, raw = " ".join(shipped_model(task).card.read_text(encoding="utf-8").split()), TABLE1[task]["raw"]
    assert f"It drifts: RLG {raw['rlg']}, PLG {raw['plg']} (measured to" in card
    assert f"with a loss of {raw['loss']:.2e} on its traces" in card
    lasting = [row for row in load("raw_lengths") if (row["task"], row["recipe"]) == (task, "lasting") and row["kept"]]
    # of the first ten seeds the one that agrees longest with its own machine; of several, that of fewest dimensions
    row = max(lasting, key=lambda row: (row["seed"] < 10, row["agrees"], -row["hidden_dim"], -row["seed"]))
    assert f"seed {row['seed']}, chosen without a teacher" in card
    assert f"RLG {row['rlg']}, PLG {row['plg']} (measured to {row['measured_to']} digits)" in card
    for of, facts in (("raw", raw), ("lasting", row)):
        for kind in ("RLG", "PLG"):
            number = facts[kind.lower()]
            assert re.search(rf'"{kind} of {of}.safetensors, measured to \d+ digits" value: {number}\b', card)
