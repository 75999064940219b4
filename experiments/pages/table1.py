"""The paper's Table 1 with ours beside it, for docs/results.md and the README."""

from experiments.pages.lengths import chosen_alone
from experiments.pages.page import TASKS, Row, load, markdown, reached

from dfst.judging.checking import check_network
from dfst.shipped import shipped_models

FILES = ("table1", "extraction", "time_to_proof", "raw_lengths", "ranks", "curves")
"""What the numbers of docs/results.md come from."""

BOUNDS = {"at least": "≥ ", "at most": "≤ "}
FIRST = {
    "DFST, as published: RLG": "network, as published",
    "network as trained: RLG / PLG": "network, as trained",
    "lasting network, chosen without a teacher": "network, lasting",
    "lasting network, rounded, proven": "network, rounded",
    "extracted machine, proven": "machine extracted from it",
}
"""The rows that come first, and what they are called there."""


def seeds() -> dict[str, str]:
    """For every task, how many of the models trained by the recipe fast were proven exact, of how many.

    Each seed of model and data counts once, wherever it was judged; if twice, then both verdicts must be exact.
    """
    runs = [(run, run["verdict"] == "exact") for run in load("extraction")["runs"] if run["rehearsing"]]
    runs += [(row["raw"]["manifest"], row["certified"]) for row in load("table1")["rows"]]
    runs += [(row, row["exact"]) for row in load("raw_lengths")["rows"] if row["recipe"] == "fast" and row["kept"]]
    exact: dict[str, dict[tuple[int, int], bool]] = {}
    for run, said in runs:
        verdicts, key = exact.setdefault(run["task"], {}), (run["seed"], run["data_seed"])
        verdicts[key] = verdicts.get(key, True) and said
    return {task: f"{sum(verdicts.values())}/{len(verdicts)}" for task, verdicts in exact.items()}


def rows() -> dict[str, Row]:
    """Every figure of the table, and of each its cells by task; a dash where there is none."""
    grid: dict[str, Row] = {}
    published, ours = load("paper")["rows"], {row["task"]: row for row in load("table1")["rows"]}
    for framework in dict.fromkeys(row["framework"] for row in published):
        for name in ("rlg", "plg"):
            found = [row for row in published if row["framework"] == framework]
            cells = {row["task"]: f"{BOUNDS[row[f'{name}_is']]}{row[name]:,}" for row in found}
            grid[f"{framework}: {name.upper()}"] = cells
    lasting, learned = chosen_alone(load("raw_lengths")["rows"]), load("time_to_proof")["rows"]
    raw = {task: row["raw"] for task, row in ours.items()}
    grid["teacher's traces"] = {task: f"{row['traces']:,}" for task, row in raw.items()}
    grid["parameters"] = {task: f"{row['parameters']:,}" for task, row in ours.items()}
    grid["longest numbers in training"] = {task: str(row["digits"]) for task, row in raw.items()}
    grid["network as trained: RLG / PLG"] = {task: lengths(row) for task, row in raw.items()}
    grid["lasting network, chosen without a teacher"] = {task: lengths(row) for task, row in lasting.items()}
    sizes = {task: f"{row['hidden_dim']} / {row['parameters']:,}" for task, row in lasting.items()}
    grid["its dimensions / parameters"] = sizes
    grid["extracted machine, actually run"] = {task: lengths(row["extracted"]) for task, row in ours.items()}
    shipped = {model.task: check_network(model.certificate) for model in shipped_models() if model.rounded.exists()}
    grid["lasting network, rounded, proven"] = {task: "**every length**" for task, report in shipped.items() if report}
    proven = {task: "**every length**" if row["certified"] else "not proven" for task, row in ours.items()}
    grid["extracted machine, proven"] = proven
    grid["seeds proven exact, recipe fast"] = seeds()
    grid["seeds proven exact by `dfst learn`"] = {
        task: f"{sum(row['exact'] and row['checked'] for row in learned if row['task'] == task)}"
        f"/{sum(row['task'] == task for row in learned)}"
        for task in TASKS
    }
    seconds = {task: f"{row['raw']['seconds']:.0f} + {row['certify_seconds']:.0f} s" for task, row in ours.items()}
    grid["training + proof, 2 cores"] = seconds
    return {figure: {task: cells.get(task, "–") for task in TASKS} for figure, cells in grid.items()}


def lengths(row: Row) -> str:
    """RLG / PLG, or one number where they are the same."""
    return " / ".join(reached(value, row["measured_to"]) for value in dict.fromkeys((row["rlg"], row["plg"])))


def main_rows() -> str:
    """What matters most of the table, a row per kind of learner."""
    found = rows()
    return markdown([{"digits": name, **found[figure]} for figure, name in FIRST.items()])


def shown() -> dict[str, str]:
    """The rest of the table."""
    rest = [{"figure": figure, **cells} for figure, cells in rows().items() if figure not in FIRST]
    return {"table1": markdown(rest)}
