"""Put what was measured into docs/lasting.md: python -m experiments.render_lasting [--check]

With --check nothing is written, and the exit status says whether the page shows what results/ holds.
"""

from statistics import median_low

from experiments.page import ROOT, keep
from experiments.report.raw_lengths import Row, final
from experiments.report.results import commits, load_results, raw_lengths, span
from experiments.report.tables import markdown, raw_lengths_grid, reached

from dfst.lesson.stages import POLISH
from dfst.study.lengths import PAPER_LENGTHS

RESULTS = ROOT / "results"
LONG = 1000
"""Digits that the raw model of a small adder must last."""


def length(rows: list[Row]) -> str:
    """The median RLG; ≥ if that is as far as it was measured."""
    if not rows:
        return "–"
    return reached(median_low(row["rlg"] for row in rows), rows[0]["measured_to"])


def dimensions(ranks: dict[str, Row], lasting: dict[str, list[Row]]) -> str:
    """What the teacher says about the number of dimensions, beside what was found."""
    return markdown(
        [
            {
                "task": task,
                "teacher's states": facts["states"],
                "at least": facts["at_least"],
                "fewest that fitted": span(row["fewest"] for row in final(lasting[task]) if row["fewest"]),
                "loss with one fewer": span(
                    (row["too_few"][1] for row in final(lasting[task]) if one_fewer(row)), "{:.0e}"
                ),
                "seeds": len(final(lasting[task])),
            }
            for task, facts in ranks.items()
            if final(lasting[task])
        ]
    )


def one_fewer(row: Row) -> bool:
    """Whether it was tried with exactly one dimension fewer than the fewest that fitted."""
    return row["too_few"] is not None and row["too_few"][0] == row["fewest"] - 1


def first_fits(rows: list[Row]) -> list[Row]:
    """What the recipe begins with, as trained: the widest stage of every run whose stages have rows."""
    trained = as_trained(rows)
    widest = max((row["hidden_dim"] for row in trained), default=0)
    return [row for row in trained if row["hidden_dim"] == widest]


def narrowest(rows: list[Row]) -> list[Row]:
    """The stages with the fewest dimensions that fitted, as trained."""
    return [row for row in as_trained(rows) if row["hidden_dim"] == row["fewest"]]


def as_trained(rows: list[Row]) -> list[Row]:
    """The stages in which dimensions were taken away."""
    return [row for row in rows if not row["steady"] and row["stage"] and not row["stage"].startswith(POLISH)]


def walks(ranks: dict[str, Row], lasting: dict[str, list[Row]]) -> str:
    """The teacher's walks over every symbol, and the eigenvalues near 1 of the models before and after."""
    lines = []
    for task in PAPER_LENGTHS:
        rows = lasting.get(task, [])
        columns, seeds = same_seeds(
            {
                "eigenvalues 1, first fit": first_fits(rows),
                "eigenvalues 1, fewest dimensions": narrowest(rows),
                "kept model, steady": [row for row in final(rows) if row["steady"]],
            }
        )
        for symbols, teacher in runs(ranks[task]["walks"]) if seeds else ():
            names = symbols.split()
            ones = {
                column: span(row["spectrum"]["ones"][x] for row in part for x in names)
                for column, part in columns.items()
            }
            line = {"task": task, "symbols": f"`{symbols}`", "teacher's walks": teacher, **ones}
            lines.append(line | {"seeds": len(seeds)})
    return markdown(lines)


def same_seeds(columns: dict[str, list[Row]]) -> tuple[dict[str, list[Row]], set[int]]:
    """Of every column the rows whose seeds are in all of them; and those seeds."""
    seeds = set.intersection(*({row["seed"] for row in column} for column in columns.values()))
    return {name: [row for row in column if row["seed"] in seeds] for name, column in columns.items()}, seeds


def runs(walks: dict[str, int]) -> list[tuple[str, int]]:
    """Symbols that are walked over alike, together."""
    numbers = dict.fromkeys(walks.values())
    return [(" ".join(symbol for symbol, count in walks.items() if count == number), number) for number in numbers]


def ways(ranks: dict[str, Row], lasting: dict[str, list[Row]]) -> str:
    """Median RLG over the seeds of which all stages were measured: fewer dimensions, steady walks, both."""
    lines = []
    for task in (task for task in ranks if any(row["stage"] for row in lasting[task])):
        first, rows = first_fits(lasting[task]), lasting[task]
        stages = {row["stage"] for row in first}
        columns, seeds = same_seeds(
            {
                "first fit": first,
                "its walks made steady": [row for row in rows if row["stage"] in stages and row["steady"]],
                "fewest dimensions": narrowest(rows),
                "what the recipe ends with": final(rows),
            }
        )
        lines.append({"task": task, **{name: length(part) for name, part in columns.items()}, "seeds": len(seeds)})
    return markdown(lines)


def published(ranks: dict[str, Row], rows: list[Row]) -> str:
    """The seeds of the paper's recipe: those with an eigenvalue 1 for every walk of the teacher, and the others."""
    lines = []
    for task in PAPER_LENGTHS:
        seeds = [row for row in final(rows) if (row["task"], row["recipe"]) == (task, "paper")]
        counted = [(row, row["spectrum"]["ones"]) for row in seeds if row["spectrum"]]
        for what, enough in (("at least as many as walks", True), ("fewer than walks", False)) if seeds else ():
            part = [row for row, ones in counted if _enough(ones, ranks[task]["walks"]) == enough]
            part.sort(key=lambda row: row["rlg"])
            far = ", ".join(reached(row["rlg"], row["measured_to"]) for row in part) or "–"
            lines.append({"task": task, "eigenvalues 1": what, "seeds": len(part), "RLG": far})
    return markdown(lines)


def _enough(ones: dict[str, int], walks: dict[str, int]) -> bool:
    return all(ones[symbol] >= count for symbol, count in walks.items())


def smallest(lasting: dict[str, list[Row]]) -> str:
    """The adders with the fewest parameters that last for a thousand digits and whose machine is proven equal."""
    lines = []
    for task in ("add2", "add10"):
        fit = [row for row in final(lasting[task]) if row["exact"] and row["rlg"] >= LONG]
        for row in sorted(fit, key=lambda row: (row["parameters"], row["seed"]))[:1]:
            line = {"task": task, "d": row["hidden_dim"], "parameters": f"{row['parameters']:,}"}
            line["raw RLG"] = reached(row["rlg"], row["measured_to"])
            lines.append(line | {"its machine": "proven equal to the teacher", "seed": row["seed"]})
    return markdown(lines)


def shown() -> dict[str, str]:
    """Every place of the page."""
    ranks = {row["task"]: row for row in load_results(RESULTS, "ranks")["rows"]}
    rows = raw_lengths(RESULTS)
    ours = [row for row in rows if row["recipe"] == "lasting"]
    lasting = {task: [row for row in ours if row["task"] == task] for task in ranks}
    names = ("curves", "ranks", "raw_lengths")
    made = (f"`results/{name}.json` at commit {', '.join(commits(load_results(RESULTS, name)))}" for name in names)
    return {
        "dimensions": dimensions(ranks, lasting),
        "walks": walks(ranks, lasting),
        "ways": ways(ranks, lasting),
        "published": published(ranks, rows),
        "spreads": markdown(raw_lengths_grid([row for row in rows if row["task"] in PAPER_LENGTHS])),
        "smallest": smallest(lasting),
        "measured": f"Measured: {'; '.join(made)}.",
    }


if __name__ == "__main__":
    keep("docs/lasting.md", shown())
