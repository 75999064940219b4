"""What was measured about learning, for docs/training.md and docs/lasting.md."""

from collections.abc import Callable, Sequence
from statistics import median

from experiments.pages.page import TASKS, Row, load, markdown, measured, reached, span

from dfst.judging.lengths import own_length


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
    """From nothing to a lasting network; the least agreement of the seeds."""
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


def grouped(told: dict[str, list[Row]]) -> dict[str, list[str]]:
    """Each task of the paper by itself, those of the gallery together."""
    others = [task for task in told if task not in TASKS]
    return {task: [task] for task in told if task in TASKS} | {f"{len(others)} of the gallery": others}


def asked(rows: Sequence[Row]) -> list[Row]:
    """How many traces a proof took; the gallery in one line."""
    told = by_task(rows)
    lines = []
    for name, tasks in grouped(told).items():
        own = [row for task in tasks for row in told[task]]
        proven = {task: [row["traces"] for row in told[task] if row["checked"]] for task in tasks}
        lines.append(
            {
                "task": name,
                "traces by default": span(row["default_traces"] for row in own),
                "asked for: median": span((median(counts) for counts in proven.values()), "{:,g}"),
                "all": span(count for counts in proven.values() for count in counts),
                "proven": f"{sum(map(len, proven.values()))} of {len(own)}",
            }
        )
    return lines


def noise(rows: Sequence[Row]) -> list[Row]:
    """What became of traces with wrong records."""
    shares = sorted({row["share"] for row in rows})
    lines = []
    told = by_task(rows)
    for task, tasks in grouped(told).items():
        own = [row for each in tasks for row in told[each]]
        proven = {}
        for share in shares:
            these = [row["verdict"] == "exact" for row in own if row["share"] == share]
            proven[f"{share:.0%} wrong"] = f"{sum(these)} of {len(these)}" if these else "–"
        wrong, found, changed = (sum(row[name] for row in own) for name in ("corrupted", "found", "clean_changed"))
        facts = {"wrong records found": f"{found:,} of {wrong:,}", "right ones changed": f"{changed:,}"}
        lines.append({"task": task, **proven, **facts})
    return lines


def table(name: str, rows_of: Callable[[Sequence[Row]], list[Row]]) -> str:
    """A table, and where it comes from."""
    return f"{markdown(rows_of(load(name)['rows']))}\n\n{measured(name)}"


def shown() -> dict[str, str]:
    """The places of docs/training.md."""
    return {name: table(name, rows) for name, rows in (("time_to_proof", times), ("asking", asked), ("noise", noise))}


def time_to_lasting() -> str:
    """The place of docs/lasting.md."""
    return table("time_to_lasting", lasting)
