"""Tables and pictures of measured results."""

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from experiments.report.__main__ import app
from experiments.report.curves import draw_results
from experiments.report.raw_length_plot import draw_raw_lengths
from experiments.report.raw_lengths import final
from experiments.report.results import Share, baselines, data_sizes, load_results, seeds, table1
from experiments.report.tables import markdown, raw_lengths_grid, table1_grid

from dfst import InputError, load_machine
from dfst.shipped import shipped_model
from dfst.study.lengths import PAPER_LENGTHS
from dfst.teachers.find import find_task

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "results"


def test_the_table_has_every_task_and_every_figure(capsys):
    app(["table1", "--results", str(RESULTS), "--json"], exit_on_error=False, result_action="return_value")
    rows = json.loads(capsys.readouterr().out)["rows"]
    assert [row["task"] for row in rows] == list(PAPER_LENGTHS)
    for row in rows:
        assert row["certified"]
        assert row["extracted_rlg"] == row["extracted_plg"] == 10 * PAPER_LENGTHS[row["task"]]
        assert row["raw_rlg"] <= row["raw_plg"]
        assert row["commit"]
        assert "/tmp" not in row["command"]


def test_a_row_of_the_table_is_what_was_measured(tmp_path):
    (tmp_path / "raw_lengths.json").write_text('{"rows": []}')
    for name in ("paper", "extraction", "time_to_proof"):
        (tmp_path / f"{name}.json").write_bytes((RESULTS / f"{name}.json").read_bytes())
    measured = load_results(RESULTS, "table1")["rows"]
    measured[0]["raw"] |= {"rlg": 7, "plg": 9, "measured_to": 9}
    (tmp_path / "table1.json").write_text(json.dumps({"rows": measured}))
    row = table1(tmp_path)[0]
    assert (row["raw_rlg"], row["raw_plg"], row["raw_rlg_alone"]) == (7, 9, None)
    cells = {line["figure"]: line["add2"] for line in table1_grid(tmp_path) if line["framework"] == "ours"}
    assert cells["network as trained: RLG / PLG"] == "7 / ≥ 9"
    assert cells["lasting network, chosen without a teacher"] == "not measured"
    assert markdown(table1_grid(tmp_path)).count("\n") == len(table1_grid(tmp_path)) + 1


def test_of_several_seeds_the_one_that_agrees_longest_with_itself_is_in_the_table(tmp_path):
    for name in ("paper", "extraction", "table1", "time_to_proof"):
        (tmp_path / f"{name}.json").write_bytes((RESULTS / f"{name}.json").read_bytes())
    row = {"task": "add2", "recipe": "lasting", "kept": True, "data_seed": 42, "measured_to": 3850, "hidden_dim": 9}
    row |= {"parameters": 657, "run_seconds": 60.0, "loss": 1e-9, "stage": "polish1", "steady": True}
    rows = [
        row | {"seed": 0, "rlg": 989, "plg": 1000, "agrees": 989},
        row | {"seed": 1, "rlg": 168, "plg": 200, "agrees": 2000},  # its machine is not the teacher: nobody could know
        row | {"seed": 2, "rlg": 3850, "plg": 3850, "agrees": 1500},
        row | {"seed": 10, "rlg": 3850, "plg": 3850, "agrees": 3850},  # no candidate
        row | {"seed": 0, "rlg": 50, "plg": 50, "agrees": 50, "kept": False, "stage": "d10", "steady": False},
        row | {"seed": 3, "recipe": "paper", "rlg": 4, "plg": 4, "agrees": None, "hidden_dim": 12},
    ]
    (tmp_path / "raw_lengths.json").write_text(json.dumps({"rows": rows}))
    found = table1(tmp_path)[0]
    assert (found["raw_rlg_alone"], found["raw_plg_alone"], found["alone_seed"]) == (168, 200, 1)
    assert (found["alone_hidden_dim"], found["alone_parameters"], found["alone_measured_to"]) == (9, 657, 3850)
    cells = {line["figure"]: line["add2"] for line in table1_grid(tmp_path) if line["framework"] == "ours"}
    assert cells["lasting network, chosen without a teacher"] == "168 / 200"
    assert cells["its dimensions / parameters"] == "9 / 657"
    assert cells["recipe lasting, RLG over seeds: best / median"] == "≥ 3,850 / ≥ 2,419.5 of 4"
    assert cells["the paper's recipe, RLG over seeds: best / median"] == "4 / 4 of 1"
    lines = raw_lengths_grid(rows)
    assert [(line["recipe"], line["seeds"], line["best RLG"]) for line in lines] == [
        ("lasting", "4", "≥ 3,850"),
        ("paper", "1", "4"),
    ]
    assert lines[0]["seeds that reach a tenth of the measured length"] == "75%"
    assert lines[0]["choice nearly the best (by chance)"] == "–"  # too few seeds to draw five
    pytest.importorskip("matplotlib")
    draw_raw_lengths(rows, tmp_path / "lengths.svg")
    assert "reached as far as measured" in (tmp_path / "lengths.svg").read_text()


def test_every_run_has_one_model_that_it_ended_with():
    names = ("task", "recipe", "seed", "data_seed")
    rows = load_results(RESULTS, "raw_lengths")["rows"]
    ended = Counter(tuple(row[name] for name in names) for row in rows if row["kept"])
    assert set(ended.values()) == {1}
    assert {tuple(row[name] for name in names) for row in rows} == ended.keys()


@pytest.mark.parametrize(
    "page", ["readme", "baselines", "lasting", "training", "sweeps", "reliability", "certificates"]
)
def test_pages_show_what_was_measured(page):
    subprocess.run([sys.executable, "-m", f"experiments.render_{page}", "--check"], cwd=ROOT, check=True)


def test_seeds_and_sizes_are_counted():
    certified = seeds(RESULTS)
    assert all(certified[task].runs >= 10 for task in ("add2", "add10"))
    assert certified["mult2"].runs >= 3
    assert certified["mult10"].runs >= 1
    for choices in data_sizes(RESULTS).values():
        assert all(0 <= share.successes <= share.runs for sizes in choices.values() for share in sizes.values())


@pytest.mark.parametrize(("successes", "runs"), [(0, 5), (3, 5), (5, 5), (0, 0)])
def test_an_interval_holds_the_share(successes, runs):
    low, high = Share(successes, runs).interval
    assert 0 <= low <= (successes / runs if runs else 0.5) <= high <= 1
    assert high - low > 0.1


def test_every_learner_has_a_row():
    rows = baselines(RESULTS)
    for task in ("add2", "add10", "mult2"):
        names = " ".join(row["method"] for row in rows if row["task"] == task)
        assert all(word in names for word in ("DFST", "rpni", "edsm", "gru", "lstm", "transformer")), (task, names)


def test_pictures(tmp_path):
    pytest.importorskip("matplotlib")
    made = draw_results(RESULTS, tmp_path / "a")
    pages = [page.read_text(encoding="utf-8") for page in (ROOT / "docs").glob("*.md")]
    assert all(any(f"pictures/{path.name}" in page for page in pages) for path in made)
    again = draw_results(RESULTS, tmp_path / "b")
    assert [path.read_bytes() for path in made] == [path.read_bytes() for path in again]


def test_without_results_it_says_where_to_look(tmp_path):
    with pytest.raises(InputError, match="checkout"):
        table1(tmp_path)
    (tmp_path / "extraction.json").write_text("{")
    with pytest.raises(InputError, match="not JSON"):
        seeds(tmp_path)


def test_the_page_on_claims_counts_what_was_measured():
    page = " ".join((ROOT / "docs" / "claims.md").read_text(encoding="utf-8").split())
    assert all(share.successes == share.runs for share in seeds(RESULTS).values())
    assert "(all training runs of the four tasks were proven)" in page
    verdicts = [row["verdict"] for row in load_results(RESULTS, "gallery")["rows"]]
    others = [verdict for verdict in verdicts if verdict != "exact"]
    how_many = {0: "all", 1: "all but one"}.get(len(others), f"all but {len(others)}")
    assert f"`results/gallery.json` ({how_many} of {len(verdicts)}" in page
    assert set(others) <= {"undecided"}


def test_home_and_article_say_how_far_the_network_gets():
    reached = next(row for row in table1(RESULTS) if row["task"] == "add10")["raw_rlg"]
    for name, words in (("index.md", f"beyond {reached} digits"), ("article.md", f"right up to {reached} digits")):
        assert words in " ".join((ROOT / "docs" / name).read_text(encoding="utf-8").split())


def test_the_page_on_training_says_how_far_networks_as_trained_get():
    reached = [row["raw_rlg"] for row in table1(RESULTS)]
    page = " ".join((ROOT / "docs" / "training.md").read_text(encoding="utf-8").split())
    assert f"follows the teacher for {min(reached)} to {max(reached)} digits" in page


def test_the_page_on_results_tells_the_papers_recipe_as_it_was_measured():
    page = " ".join((ROOT / "docs" / "results.md").read_text(encoding="utf-8").split())
    lengths = {task: [] for task in PAPER_LENGTHS}
    for row in final(load_results(RESULTS, "raw_lengths")["rows"]):
        if row["recipe"] == "paper":
            lengths[row["task"]].append(row["rlg"])
            assert row["loss"] < 1e-8 or row["task"] == "mult2"
    far = sum(length == PAPER_LENGTHS["add2"] for length in lengths["add2"])
    assert f"{far} of {len(lengths['add2'])} seeds of add2 reach the paper's 3,850 digits" in page
    assert f"{len(lengths['add10'])} seeds of add10 at most {max(lengths['add10'])} of 2,450" in page
    a, b, c = sorted(lengths["mult2"])
    assert f"Three seeds of mult2 reach {a}, {b} and {c} of 600 digits" in page


def test_the_page_on_extraction_says_why_machines_of_one_task_differ_in_size():
    page = " ".join((ROOT / "docs" / "extraction.md").read_text(encoding="utf-8").split())
    runs = [run for run in load_results(RESULTS, "extraction")["runs"] if run["task"] == "add2" and run["rehearsing"]]
    (shipped,) = [row for row in table1(RESULTS) if row["task"] == "add2"]
    assert shipped["states"] == len(load_machine(shipped_model("add2").machine).states)
    assert (len(runs), {run["trained"]["recipe"] for run in runs}) == (10, {"fast"})
    assert 42 not in {run["seed"] for run in runs}
    assert all(run["verdict"] == "exact" for run in runs)
    states = sorted(run["states"] for run in runs)
    assert (
        f"by the recipe `fast` with seed 42, has {shipped['states']}; ten other seeds of that recipe have {states[0]}"
        f" to {states[-1]}, and the teacher has {len(find_task('add2').machine.states)}."
    ) in page


@pytest.mark.parametrize("task", PAPER_LENGTHS)
def test_the_cards_say_how_far_the_networks_get(task):
    card = " ".join(shipped_model(task).card.read_text(encoding="utf-8").split())
    (row,) = [row for row in table1(RESULTS) if row["task"] == task]
    assert f"It drifts: RLG {row['raw_rlg']}, PLG {row['raw_plg']} (measured to" in card
    assert f"with a loss of {row['raw_loss']:.2e} on its traces" in card
    alone, far = f"RLG {row['raw_rlg_alone']}, PLG {row['raw_plg_alone']}", row["alone_measured_to"]
    assert f"seed {row['alone_seed']}, chosen without a teacher" in card
    assert f"{alone} (measured to {far} digits)" in card
    for kind, of, number in (
        *(("RLG", "raw", row["raw_rlg"]), ("PLG", "raw", row["raw_plg"])),
        *(("RLG", "lasting", row["raw_rlg_alone"]), ("PLG", "lasting", row["raw_plg_alone"])),
    ):
        assert re.search(rf'"{kind} of {of}.safetensors, measured to \d+ digits" value: {number}\b', card)
