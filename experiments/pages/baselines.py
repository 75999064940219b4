"""Other learners on the same traces, for docs/baselines.md."""

from experiments.pages.page import Row, load, markdown, measured
from experiments.pages.table1 import seeds


def shown() -> dict[str, str]:
    """One row per learner, two columns per task: the RLG, and how many machines were proven exact."""
    proven, merged, neural = seeds(), load("merging")["rows"], load("baselines")["rows"]
    tasks = list(dict.fromkeys(row["task"] for row in neural))
    lines = {"DFST": {row["task"]: (row["raw"]["rlg"], proven[row["task"]]) for row in load("table1")["rows"]}}
    for rows, judged in ((merged, of_merging), (neural, of_network)):
        for name in dict.fromkeys(row["method"] for row in rows):
            lines[name] = {
                task: judged([row for row in rows if (row["task"], row["method"]) == (task, name)]) for task in tasks
            }
    table = [
        {"learner": name}
        | {f"{task}: {what}": cells[task][i] for task in tasks for i, what in enumerate(("RLG", "exact"))}
        for name, cells in lines.items()
    ]
    return {"baselines": f"{markdown(table)}\n\n{measured('table1', 'merging', 'baselines')}"}


def of_merging(rows: list[Row]) -> tuple[str, str]:
    """With the least evidence that is right most often, chosen with hindsight; its worst data seed's RLG."""
    settings = sorted({row["min_evidence"] for row in rows})
    groups = [[row for row in rows if row["min_evidence"] == setting] for setting in settings]
    best = max(groups, key=lambda group: (exact(group), worst(group) or 0))
    least = worst(best)
    bound = "≥ " if least == best[0].get("measured_to") else ""
    return "–" if least is None else f"{bound}{least}", f"{exact(best)}/{len(best)}"


def of_network(rows: list[Row]) -> tuple[str, str]:
    """The RLG of every seed, and what the swap test made of it."""
    extracted = [row["extracted"] for row in rows if row.get("extracted")]
    share = f"{exact(extracted)}/{len(extracted)}" if extracted else "–"
    return ", ".join(str(row["rlg"]) for row in rows), share


def exact(rows: list[Row]) -> int:
    return sum(row["verdict"] == "exact" for row in rows)


def worst(rows: list[Row]) -> int | None:
    """The smallest RLG of ``rows``; None if one was not measured (the method gave up)."""
    lengths = [row["rlg"] for row in rows if "rlg" in row]
    return min(lengths) if len(lengths) == len(rows) else None
