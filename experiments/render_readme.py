"""Put the measured table between the markers of the README: python -m experiments.render_readme [--check]

With --check nothing is written, and the exit status says whether the README shows what results/ holds.
"""

from experiments.page import ROOT, keep

from dfst.show.result_tables import markdown, table1_grid
from dfst.study.results import table1


def shown() -> str:
    """Table 1 as it is in results/ now."""
    results = ROOT / "results"
    made: dict[str, list[str]] = {}
    for row in table1(results):
        made.setdefault(row["commit"][:12], []).append(row["task"])
    where = ", ".join(f"{commit} ({', '.join(tasks)})" for commit, tasks in made.items())
    how = "`python experiments/table1.py results/table1.json runs`, shown by `dfst report table1`"
    return f"{markdown(table1_grid(results))}\n\nMeasured at commit {where} by {how}."


if __name__ == "__main__":
    keep("README.md", {"table1": shown()})
