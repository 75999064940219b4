"""Results as tables for people: the paper's Table 1 with ours beside it, and the baselines."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from statistics import median, median_high

from experiments.report.raw_lengths import Spread, choices, spreads
from experiments.report.results import Row, load_results, raw_lengths, seeds_learned, table1

TASKS = ("add2", "add10", "mult2", "mult10")
_BOUNDS = {"at least": "≥ ", "at most": "≤ "}


def table1_grid(folder: Path) -> list[Row]:
    """Table 1 as the paper has it: a row per framework and figure, a column per task."""
    published = load_results(folder, "paper")["rows"]
    ours = {row["task"]: row for row in table1(folder)}
    spread = spreads(raw_lengths(folder))
    grid: list[Row] = []

    def add(framework: str, figure: str, cells: dict[str, str]) -> None:
        grid.append({"framework": framework, "figure": figure, **{task: cells.get(task, "–") for task in TASKS}})

    for framework in dict.fromkeys(row["framework"] for row in published):
        rows = [row for row in published if row["framework"] == framework]
        for figure, name in (("RLG", "rlg"), ("PLG", "plg")):
            cells = {row["task"]: f"{_BOUNDS[row[f'{name}_is']]}{row[name]:,}" for row in rows}
            add(framework, figure, cells)
    add("ours", "teacher's traces", {task: f"{row['samples']:,}" for task, row in ours.items()})
    add("ours", "parameters", {task: f"{row['parameters']:,}" for task, row in ours.items()})
    add("ours", "longest numbers in training", {task: str(row["max_train_digits"]) for task, row in ours.items()})

    def add_lengths(figure: str, *names: str) -> None:
        add("ours", figure, {task: _lengths(*(row[name] for name in names)) for task, row in ours.items()})

    add_lengths("network as trained: RLG / PLG", "raw_rlg", "raw_plg", "raw_measured_to")
    figure = "lasting network, chosen without a teacher"
    add_lengths(figure, "raw_rlg_alone", "raw_plg_alone", "alone_measured_to")
    measured = [row for row in ours.values() if row["alone_hidden_dim"]]
    sizes = {row["task"]: f"{row['alone_hidden_dim']} / {row['alone_parameters']:,}" for row in measured}
    add("ours", "its dimensions / parameters", sizes)
    for recipe, figure in (("lasting", "recipe lasting"), ("paper", "the paper's recipe")):
        over = {task: _spread(found) for (task, name), found in spread.items() if name == recipe}
        if over:  # some seeds were measured
            add("ours", f"{figure}, RLG over seeds: best / median", over)
    add_lengths("extracted machine, actually run", "extracted_rlg", "extracted_plg", "extracted_measured_to")
    proven = {task: "**every length**" if row["certified"] else "not proven" for task, row in ours.items()}
    add("ours", "extracted machine, proven", proven)
    add("ours", "seeds proven exact, recipe fast", {task: row["seeds_certified"] for task, row in ours.items()})
    add("ours", "seeds proven exact by `dfst learn`", {task: str(each) for task, each in seeds_learned(folder).items()})
    seconds = {task: f"{row['train_seconds']:.0f} + {row['certify_seconds']:.0f} s" for task, row in ours.items()}
    add("ours", "training + proof, 2 cores", seconds)
    return grid


def raw_lengths_grid(rows: list[Row]) -> list[Row]:
    """How raw models last, a row per task and recipe; and how good the choice of a seed is."""
    chosen = choices(rows)
    grid: list[Row] = []
    for (task, recipe), found in sorted(spreads(rows).items(), key=lambda each: _order(each[0])):
        line = {"task": task, "recipe": recipe, "seeds": str(len(found.lengths))}
        line |= {"best RLG": reached(max(found.lengths), found.to), "median": median_length(*found)}
        line["seeds that reach a tenth of the measured length"] = f"{found.far:.0%}"
        good = chosen.get((task, recipe))
        line["choice nearly the best (by chance)"] = "–" if good is None else f"{good.chosen:.1%} ({good.chance:.0%})"
        grid.append(line)
    return grid


def _order(key: tuple[str, str]) -> tuple[int, str]:
    """The four tasks first, in the paper's order."""
    task, recipe = key
    return TASKS.index(task) if task in TASKS else len(TASKS), f"{task} {recipe}"


def _lengths(rlg: int | None, plg: int | None, limit: int | None) -> str:
    if rlg is None:
        return "not measured"
    return " / ".join(reached(value, limit) for value in dict.fromkeys((rlg, plg)))


def reached(length: int | None, to: int | None) -> str:
    """A length; ≥ if that is as far as it was measured.

    >>> reached(327, 3850), reached(3850, 3850)
    ('327', '≥ 3,850')
    """
    return f"{'≥ ' if length == to else ''}{length:,}"


def median_length(lengths: Sequence[int], to: int) -> str:
    """The median, of an even number the mean of the two in the middle; ≥ if one of these is as far as was measured.

    >>> median_length([4, 563, 1248, 3850], 3850), median_length([4, 3850], 3850)
    ('905.5', '≥ 1,927')
    """
    return f"{'≥ ' if median_high(lengths) == to else ''}{median(lengths):,g}"


def _spread(found: Spread) -> str:
    """Such as 2,610 / 15 of 10."""
    return f"{reached(max(found.lengths), found.to)} / {median_length(*found)} of {len(found.lengths)}"


def markdown(rows: Sequence[Row]) -> str:
    """``rows`` as a Markdown table; a dash, if there are none.

    >>> print(markdown([{"task": "add2", "rlg": 5}]))
    | task | rlg |
    |---|---|
    | add2 | 5 |
    """
    if not rows:
        return "–"
    names = list(rows[0])
    lines = [names, ["---"] * len(names), *([str(row[name]) for name in names] for row in rows)]
    return "\n".join(f"|{'|'.join(line)}|" if line[0] == "---" else f"| {' | '.join(line)} |" for line in lines)
