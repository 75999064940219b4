"""Table 1 in docs/results.md, and its main rows there and in the README: python -m experiments.render_readme [--check]

With --check nothing is written, and the exit status says whether both pages show what results/ holds.
"""

from pathlib import Path

from experiments.page import ROOT, keep
from experiments.report.results import commits, load_results, table1
from experiments.report.tables import TASKS, markdown, table1_grid

FILES = ("table1", "extraction", "time_to_proof", "raw_lengths", "ranks", "curves")
"""What the numbers of the page come from."""


def measured(results: Path) -> str:
    """The commits at which they were measured, file by file."""
    models = dict.fromkeys(commit for row in table1(results) for commit in row["models_commits"])
    files = {name: commits(load_results(results, name)) for name in FILES}
    made = "; ".join(f"`{name}.json` {', '.join(found)}" for name, found in files.items())
    return f"{made}; the models of `table1.json` {', '.join(models)}."


SHOWN = {
    ("DFST, as published", "RLG"): "network, as published",
    ("ours", "network as trained: RLG / PLG"): "network, as trained",
    ("ours", "lasting network, chosen without a teacher"): "network, lasting",
    ("ours", "extracted machine, proven"): "machine extracted from it",
}
"""The rows that come first, and what they are called there."""


def main_rows(results: Path) -> str:
    """What matters most of table 1, a row per kind of learner."""
    rows = {(row["framework"], row["figure"]): row for row in table1_grid(results)}
    return markdown([{"digits": name, **{task: rows[key][task] for task in TASKS}} for key, name in SHOWN.items()])


def other_rows(results: Path) -> str:
    """The rest of table 1 (lengths over seeds have a table of their own); ours is what has no other name."""
    rows = [
        row
        for row in table1_grid(results)
        if (row["framework"], row["figure"]) not in SHOWN and "over seeds" not in row["figure"]
    ]
    names = [row["figure"] if row["framework"] == "ours" else f"{row['framework']}: {row['figure']}" for row in rows]
    return markdown(
        [{"figure": name, **{task: row[task] for task in TASKS}} for name, row in zip(names, rows, strict=True)]
    )


if __name__ == "__main__":
    first = main_rows(ROOT / "results")
    shown = {"main": first, "table1": other_rows(ROOT / "results"), "commits": measured(ROOT / "results")}
    keep("docs/results.md", shown)
    keep("README.md", {"table1": first})
