"""Put what was measured about learning into its pages: python -m experiments.render_training [--check]

With --check nothing is written, and the exit status says whether the page shows what results/ holds.
"""

from collections.abc import Sequence
from statistics import median_low

from experiments.page import ROOT, keep
from experiments.report.results import commits, load_results, span
from experiments.report.tables import TASKS, Row, markdown, reached

from dfst.study.self_agreement import own_length


def by_task(rows: Sequence[Row]) -> dict[str, list[Row]]:
    """The rows of every task; those of the paper first."""
    names = dict.fromkeys([*TASKS, *(row["task"] for row in rows)])
    found = {name: [row for row in rows if row["task"] == name] for name in names}
    return {name: own for name, own in found.items() if own}


def times(rows: Sequence[Row]) -> list[Row]:
    """From nothing to a checked certificate."""
    return [
        {
            "task": task,
            "traces": f"{own[0]['traces']:,}",
            "proven and checked": f"{sum(row['checked'] for row in own)} of {len(own)} seeds",
            "iterations": span(row["iterations"] for row in own),
            "seconds": span(round(row["seconds"]) for row in own),
        }
        for task, own in by_task(rows).items()
    ]


def lasting(rows: Sequence[Row]) -> list[Row]:
    """From nothing to a raw model that lasts; the least agreement of the seeds."""
    return [
        {
            "task": task,
            "seeds": len(own),
            "dimensions": span(row["hidden_dim"] for row in own),
            "agrees with its own machine to": reached(min(row["agrees"] for row in own), own_length(task)),
            "seconds": span(round(row["seconds"]) for row in own),
        }
        for task, own in by_task(rows).items()
    ]


def asked(rows: Sequence[Row]) -> list[Row]:
    """How many traces a proof took."""
    lines = []
    for task, own in by_task(rows).items():
        proven = [row["traces"] for row in own if row["checked"]]
        lines.append(
            {
                "task": task,
                "by default": f"{own[0]['default_traces']:,}",
                "asked for: median": median_low(proven) if proven else "–",
                "all": ", ".join(map(str, sorted(proven))) or "–",
                "proven": f"{len(proven)} of {len(own)} seeds",
            }
        )
    return lines


def noise(rows: Sequence[Row]) -> list[Row]:
    """What became of traces with wrong records."""
    lines = []
    for task, own in by_task(rows).items():
        for share in sorted({row["share"] for row in own}):
            these = [row for row in own if row["share"] == share]
            wrong, found = (sum(row[name] for row in these) for name in ("corrupted", "found"))
            lines.append(
                {
                    "task": task,
                    "wrong": f"{share:.0%}",
                    "proven": f"{sum(row['verdict'] == 'exact' for row in these)} of {len(these)} seeds",
                    "wrong records found": f"{found:,} of {wrong:,}",
                    "right ones changed": f"{sum(row['clean_changed'] for row in these):,}",
                }
            )
    return lines


def shown(name: str, rows: Sequence[Row]) -> str:
    """A table, and where it comes from."""
    made = ", ".join(commits(load_results(ROOT / "results", name)))
    return f"{markdown(rows)}\n\nMeasured: `results/{name}.json` at commit {made}."


PAGES = {
    "docs/training.md": {"time_to_proof": times},
    "docs/lasting.md": {"time_to_lasting": lasting},
    "docs/appendix-learning.md": {"asking": asked, "noise": noise},
}

if __name__ == "__main__":
    for page, tables in PAGES.items():
        rows = {name: load_results(ROOT / "results", name)["rows"] for name in tables}
        keep(page, {name: shown(name, table(rows[name])) for name, table in tables.items()})
