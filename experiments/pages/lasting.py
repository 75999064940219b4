"""What was measured about lasting networks, for docs/results.md."""

from experiments.pages.lengths import choices, final, spreads
from experiments.pages.page import TASKS, Row, load, markdown, median_length, reached, span


def length(rows: list[Row]) -> str:
    """The median RLG; ≥ if that is as far as it was measured."""
    if not rows:
        return "–"
    return median_length([row["rlg"] for row in rows], rows[0]["measured_to"])


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
    return [row for row in rows if not row["steady"] and row["stage"] and not row["stage"].startswith("polish")]


def walks(ranks: dict[str, Row], lasting: dict[str, list[Row]]) -> str:
    """The teacher's walks over all symbols, and the eigenvalues near 1 of the models before and after."""
    lines = []
    for task in TASKS:
        rows, walked = lasting.get(task, []), ranks[task]["walks"]
        columns, seeds = same_seeds(
            {
                "first fit": first_fits(rows),
                "fewest dimensions": narrowest(rows),
                "lasting, steady": [row for row in final(rows) if row["steady"]],
            }
        )
        if seeds:
            ones = {
                column: span(sum(row["spectrum"]["ones"][x] for x, count in walked.items() if count) for row in part)
                for column, part in columns.items()
            }
            lines.append({"task": task, "teacher's walks": sum(walked.values()), **ones, "seeds": len(seeds)})
    return markdown(lines)


def same_seeds(columns: dict[str, list[Row]]) -> tuple[dict[str, list[Row]], set[int]]:
    """Of every column the rows whose seeds are in all of them; and those seeds."""
    seeds = set.intersection(*({row["seed"] for row in column} for column in columns.values()))
    return {name: [row for row in column if row["seed"] in seeds] for name, column in columns.items()}, seeds


def ways(ranks: dict[str, Row], lasting: dict[str, list[Row]]) -> str:
    """Dimensions, and the median RLG over the seeds of which all stages were measured; the gallery in one line."""
    lines = []
    for task, rows in lasting.items():
        if task in TASKS and final(rows):
            columns = stages(rows)
            about = {"task": task, **dimensions([ranks[task]], final(rows)), "of them": len(columns["lasting"])}
            lines.append(about | {name: length(part) for name, part in columns.items()})
    gallery = {task: rows for task, rows in lasting.items() if task not in TASKS and final(rows)}
    kept = [row for rows in gallery.values() for row in final(rows)]
    columns = [stages(rows) for rows in gallery.values()]
    about = {"task": "gallery", **dimensions([ranks[task] for task in gallery], kept), "of them": len(columns)}
    far = {name: f"{sum(_as_measured(part[name]) for part in columns)} of {len(columns)}" for name in columns[0]}
    return markdown([*lines, about | far])


def dimensions(ranks: list[Row], kept: list[Row]) -> Row:
    """What the teachers say about the number of dimensions, beside what was found."""
    return {
        "teacher's states": span(facts["states"] for facts in ranks),
        "at least": span(facts["at_least"] for facts in ranks),
        "fewest that fitted": span(row["fewest"] for row in kept if row["fewest"]),
        "seeds": len(kept),
    }


def stages(rows: list[Row]) -> dict[str, list[Row]]:
    """The models of the same seeds, as trained, with one of the two changes, with both."""
    first = first_fits(rows)
    names = {row["stage"] for row in first}
    return same_seeds(
        {
            "first fit": first,
            "steady walks only": [row for row in rows if row["stage"] in names and row["steady"]],
            "fewest dimensions only": narrowest(rows),
            "lasting": final(rows),
        }
    )[0]


def _as_measured(rows: list[Row]) -> bool:
    """Whether all of them reach the largest length that was measured."""
    return bool(rows) and all(row["rlg"] == row["measured_to"] for row in rows)


def published(ranks: dict[str, Row], rows: list[Row]) -> str:
    """The seeds of the paper's recipe: those with an eigenvalue 1 for every walk of the teacher, and the others."""
    lines = []
    for task in TASKS:
        seeds = [row for row in final(rows) if (row["task"], row["recipe"]) == (task, "paper")]
        counted = [(row, row["spectrum"]["ones"]) for row in seeds if row["spectrum"]]
        for what, enough in (("at least as many as walks", True), ("fewer than walks", False)) if seeds else ():
            part = [row for row, ones in counted if _enough(ones, ranks[task]["walks"]) == enough]
            part.sort(key=lambda row: row["rlg"])
            ends = [reached(row["rlg"], row["measured_to"]) for row in part]
            far = " to ".join(dict.fromkeys((ends[0], ends[-1]))) if ends else "–"
            lines.append({"task": task, "eigenvalues 1": what, "seeds": len(part), "RLG": far})
    return markdown(lines)


def _enough(ones: dict[str, int], walks: dict[str, int]) -> bool:
    return all(ones[symbol] >= count for symbol, count in walks.items())


def over_seeds(rows: list[Row]) -> str:
    """How long the models of every recipe last, and how good the choice of a seed is."""
    chosen, lines = choices(rows), []
    for (task, recipe), (lengths, to) in sorted(spreads(rows).items(), key=lambda one: (TASKS.index(one[0][0]), one)):
        good = chosen.get((task, recipe))
        line = {"task": task, "recipe": recipe, "seeds": len(lengths), "best RLG": reached(max(lengths), to)}
        line["median"] = median_length(lengths, to)
        line["choice nearly the best (by chance)"] = "–" if good is None else f"{good[0]:.1%} ({good[1]:.0%})"
        lines.append(line)
    return markdown(lines)


def shown() -> dict[str, str]:
    """Its places of the page."""
    ranks = {row["task"]: row for row in load("ranks")["rows"]}
    rows = load("raw_lengths")["rows"]
    ours = [row for row in rows if row["recipe"] == "lasting"]
    lasting = {task: [row for row in ours if row["task"] == task] for task in ranks}
    return {
        "walks": walks(ranks, lasting),
        "ways": ways(ranks, lasting),
        "published": published(ranks, rows),
        "spreads": over_seeds([row for row in rows if row["task"] in TASKS]),
    }
