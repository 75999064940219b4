"""Put the table of other learners into docs/baselines.md: python -m experiments.render_baselines [--check]

With --check nothing is written, and the exit status says whether the page shows what results/ holds.
"""

from experiments.page import ROOT, keep
from experiments.report.results import baselines, commits, load_results
from experiments.report.tables import markdown

FILES = ("table1", "merging", "baselines")


def shown() -> str:
    """One row per task and learner, as results/ has them now."""
    results = ROOT / "results"
    made = (f"`results/{name}.json` at commit {', '.join(commits(load_results(results, name)))}" for name in FILES)
    return f"{markdown(baselines(results))}\n\nMeasured: {'; '.join(made)}."


if __name__ == "__main__":
    keep("docs/baselines.md", {"baselines": shown()})
