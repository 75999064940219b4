"""Table 1 in docs/results.md, and its main rows in the README: python -m experiments.render_readme [--check]

With --check nothing is written, and the exit status says whether both pages show what results/ holds.
"""

from pathlib import Path

from experiments.page import ROOT, keep
from experiments.report.results import commits, load_results, raw_lengths, table1
from experiments.report.tables import TASKS, markdown, table1_grid

from dfst.manifest import shown


def measured(results: Path) -> str:
    """Table 1 as it is in the folder ``results`` now, and where its numbers come from."""
    runs: dict[tuple[str, str], list[str]] = {}
    models: dict[str, None] = {}
    for row in table1(results):
        runs.setdefault((shown(row["commit"]), row["command"]), []).append(row["task"])
        models |= dict.fromkeys(row["models_commits"])
    where = ", ".join(f"{commit} by `{command}` ({', '.join(tasks)})" for (commit, command), tasks in runs.items())
    seeds = ", ".join(commits(load_results(results, "extraction")))
    lasting = ", ".join(commits(raw_lengths(results))) or "no commit yet"
    made = (
        f"Measured at commit {where}; models made at {', '.join(models)}, seeds at {seeds}, raw lengths at {lasting}."
    )
    return f"{markdown(table1_grid(results))}\n\n{made} `python -m experiments.report table1` shows it."


SHOWN = {
    ("DFST, as published", "RLG"): "network, as published",
    ("ours", "raw float model, fast recipe: RLG / PLG"): "network, as trained",
    ("ours", "raw, lasting recipe, chosen without a teacher"): "network, trained to last",
    ("ours", "extracted machine, proven"): "machine extracted from it",
}
"""The rows that the README shows, and what they are called there."""


def main_rows(results: Path) -> str:
    """What matters most of table 1, a row per kind of learner."""
    rows = {(row["framework"], row["figure"]): row for row in table1_grid(results)}
    return markdown([{"who": name, **{task: rows[key][task] for task in TASKS}} for key, name in SHOWN.items()])


if __name__ == "__main__":
    keep("docs/results.md", {"table1": measured(ROOT / "results")})
    keep("README.md", {"table1": main_rows(ROOT / "results")})
