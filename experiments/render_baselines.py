"""Put the table of other learners into docs/baselines.md: python -m experiments.render_baselines [--check]

With --check nothing is written, and the exit status says whether the page shows what results/ holds.
"""

from experiments.page import ROOT, keep

from dfst.show.result_tables import markdown
from dfst.study.results import baselines


def shown() -> str:
    """One row per task and learner, as results/ has them now."""
    made = "From `results/table1.json`, `results/merging.json` and `results/baselines.json`, which name their commits"
    return f"{markdown(baselines(ROOT / 'results'))}\n\n{made}."


if __name__ == "__main__":
    keep("docs/baselines.md", {"baselines": shown()})
