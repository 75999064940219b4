"""Who learns protocols best from which logs, for docs/logs.md."""

import math
from collections.abc import Iterator
from statistics import linear_regression, mean

from experiments.pages.page import Row, commits, load, markdown, measured

KEYS = ("kind", "noise", "unknown")
SEEDS = (0, 1, 2)
METHODS = {"network", "extraction", "merging", "both"}
WORDS = {"walks": "random walks", "telling": "telling"}
CLOSE, SIZE = 0.01, 1.5
"""How much worse than its network a machine may be, and how much larger than the reference."""

RIGHT = {"network": "network", "its machine": "extraction", "RPNI": "merging", "Alergia": "alergia"}
EXACT = {"exact: its machine": "extraction", "exact: RPNI": "merging", "exact: `learn`": "both"}
"""Columns, and whose rows they show."""

Logs = dict[tuple[str, int], dict[str, Row]]
"""By model and seed, by method."""


def logs() -> dict[tuple[str, int, int], Logs]:
    """By kind of log; only those that all methods learned from."""
    found: dict[tuple[str, int, int], Logs] = {}
    rows = load("logs")["rows"] + [row | {"method": "alergia"} for row in load("log_rivals")["rows"]]
    for row in rows:
        kind = row["kind"], row["noise"], row["unknown"]
        found.setdefault(kind, {}).setdefault((row["model"], row["seed"]), {})[row["method"]] = row
    kinds = sorted(found, key=lambda kind: (kind[0] != "walks", *kind[1:]))
    complete = {kind: {key: each for key, each in found[kind].items() if each.keys() >= METHODS} for kind in kinds}
    return {kind: each for kind, each in complete.items() if each}


def title(kind: str, noise: int, unknown: int) -> str:
    """A kind of log in words."""
    return WORDS[kind] + (f", {noise} % wrong" if noise else "") + (f", {unknown} % unknown" if unknown else "")


def share(found: Logs, method: str) -> str:
    """The mean share of fresh walks that are answered right to the end; of nothing learned, none."""
    rows = [each[method] for each in found.values() if method in each]
    if len(rows) == len(found) and not any("held_out" in row for row in rows):
        return "refuses"
    return f"{mean(row.get('held_out', 0.0) for row in rows):.3f}" if len(rows) == len(found) else "–"


def exact(found: Logs, method: str) -> str:
    """How many are exact."""
    values = [each[method]["verdict"] for each in found.values() if method in each]
    return str(values.count("exact")) if len(values) == len(found) else "–"


def table() -> str:
    """A row for each kind of log, of seed 0: others are measured only where it takes a minute."""
    rows = []
    for kind, every in logs().items():
        found = {key: each for key, each in every.items() if key[1] == 0}
        row: Row = {"log": title(*kind), "logs": len(found)}
        row |= {name: share(found, method) for name, method in RIGHT.items()}
        rows.append(row | {name: exact(found, method) for name, method in EXACT.items()})
    return markdown(rows, ["---", *["---:"] * (len(rows[0]) - 1)])


def compared() -> Iterator[str]:
    """The machine beside its network, and beside the reference."""
    walked = [each for kind, found in logs().items() if kind[0] == "walks" for each in found.values()]
    pairs = [(each["network"], each["extraction"]) for each in walked if "held_out" in each["extraction"]]
    close = sum(machine["held_out"] >= network["held_out"] - CLOSE for network, machine in pairs)
    small = sum(machine["found"] <= SIZE * machine["states"] for _, machine in pairs)
    yield f"On random walks the machine is within {CLOSE} of its network, or better, in {close} of {len(pairs)} cases,"
    yield f"and has at most {SIZE} times the reference's states in {small}."


def seeds() -> Iterator[str]:
    """How much other seeds change: other logs, and other weights."""
    each = [(found, model) for found in logs().values() for model in sorted({model for model, _ in found})]
    each = [(found, model) for found, model in each if all((model, seed) in found for seed in SEEDS)]
    if not each:
        return
    yield f"With {len(SEEDS)} seeds ({len(each)} logs that take less than a minute):"
    for method, name in (("network", "the network"), ("extraction", "its machine")):
        shares = [mean(found[model, seed][method].get("held_out", 0.0) for found, model in each) for seed in SEEDS]
        yield f"{name} {', '.join(f'{share:.3f}' for share in shares)};"
    exacts = [sum(found[model, seed]["both"]["verdict"] == "exact" for found, model in each) for seed in SEEDS]
    yield f"exact by `learn` {', '.join(map(str, exacts))}."


def mistakes() -> Iterator[str]:
    """What became of wrong records."""
    rows = [each["extraction"] for found in logs().values() for each in found.values()]
    rows = [row for row in rows if row["noise"] and "wrong" in row]
    wrong, corrected, changed = (sum(row[what] for row in rows) for what in ("wrong", "corrected", "changed"))
    yield f"Of {wrong:,} wrong records in {len(rows)} logs {corrected:,} were corrected;"
    yield f"{changed:,} right ones were changed."


def ladder() -> str:
    """How cost grows with telling logs."""
    rows = []
    for row in load("log_ladder")["rows"]:
        learned = (
            f"{row['network']}, {row['found']} states"
            if not row["wrong_steps"]
            else f"{row['wrong_steps']:,} wrong steps"
        )
        rows.append({
            "model": row["model"],
            "states": row["states"],
            "steps": f"{row['steps']:,}",
            "RPNI": f"{row['merging']}, {row['merging_seconds']:.0f} s",
            "iterations": f"{row['iterations']:,}",
            "training": f"{row['training_seconds']:.0f} s",
            "extraction": f"{row['extraction_seconds']:.0f} s",
            "its machine": learned,
            "memory": f"{row['proof_peak_mb']:,} MB",
        })  # fmt: skip
    return markdown(rows, ["---", *["---:"] * (len(rows[0]) - 1)])


def growth() -> str:
    """How iterations and seconds grow with the steps of a log."""

    def power(of: str, rows: list[Row]) -> str:
        steps, values = ([math.log(row[name]) for row in rows] for name in ("steps", of))
        return f"steps^{linear_regression(steps, values).slope:.1f}"

    rows = load("log_ladder")["rows"]
    learned = [row for row in rows if not row["wrong_steps"]]
    iterations, training = (power(of, learned) for of in ("iterations", "training_seconds"))
    how = f"iterations grow like {iterations}, training time like {training}"
    return f"Where the network learned, {how}; RPNI's time grows like {power('merging_seconds', rows)}."


def shown() -> dict[str, str]:
    """Every place of the page."""
    models = {row["model"] for row in load("logs")["rows"]}
    made = f"{len(models)} models; measured at commits {commits(load('logs'))} (`results/logs.json`)"
    made += f" and {commits(load('log_rivals'))} (`results/log_rivals.json`)."
    told = " ".join([*compared(), *mistakes(), *seeds()])
    climbed = [ladder(), growth(), measured("log_ladder")]
    return {"logs": "\n\n".join([table(), told, made]), "ladder": "\n\n".join(climbed)}
