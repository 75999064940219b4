"""Put the table of other learners into docs/baselines.md: python -m experiments.render_baselines [--check]

With --check nothing is written, and the exit status says whether the page shows what results/ holds.
"""

from experiments.page import ROOT, keep
from experiments.report.results import baselines, commits, load_results
from experiments.report.tables import markdown

FILES = ("table1", "merging", "baselines")


def shown() -> str:
    """One row per learner, two columns per task that other learners were tried on; settings are left out."""
    results = ROOT / "results"
    rows = baselines(results)
    methods = dict.fromkeys(_learner(row) for row in rows)
    tasks = [task for task in dict.fromkeys(row["task"] for row in rows) if _of(rows, task).keys() == methods.keys()]
    lines = []
    for method in methods:
        line = {"learner": method}
        for task in tasks:
            row = _of(rows, task)[method]
            line |= {f"{task}: RLG": row["RLG"], f"{task}: exact": _share(row["its machine is exact"])}
        lines.append(line)
    made = (f"`results/{name}.json` at commit {', '.join(commits(load_results(results, name)))}" for name in FILES)
    return f"{markdown(lines)}\n\nMeasured: {'; '.join(made)}."


def _of(rows: list[dict], task: str) -> dict[str, dict]:
    return {_learner(row): row for row in rows if row["task"] == task}


def _learner(row: dict) -> str:
    """Its name without the setting that was best for one task."""
    return row["method"].partition(",")[0]


def _share(exact: str) -> str:
    """Of "proven, 10/10 seeds" and "0/2 data seeds" the numbers."""
    return next(word for word in exact.split() if "/" in word)


if __name__ == "__main__":
    keep("docs/baselines.md", {"baselines": shown()})
