"""Put the measured table between the markers of the README: python -m experiments.render_readme [--check]

With --check nothing is written, and the exit status says whether the README shows what results/ holds.
"""

from pathlib import Path

from experiments.page import ROOT, keep
from experiments.report.results import commits, load_results, raw_lengths, table1
from experiments.report.tables import markdown, table1_grid

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


if __name__ == "__main__":
    keep("README.md", {"table1": measured(ROOT / "results")})
