"""How cost grows, for docs/scale.md."""

from collections.abc import Iterator
from typing import Any

from experiments.cost_model import predict
from experiments.pages.page import load
from experiments.pages.page import shown as short
from experiments.scale import ACT, MULTIPLY

import dfst

MILLION = 10**6

WHAT = {
    "train": "one iteration of training, one thread",
    "act": "one step of a network",
    "add": "a machine adds two numbers",
    "multiply": "a machine multiplies two numbers",
    "extract": "one extraction",
}
SMALL = ("act", "add", "multiply")
"""Their memory does not matter."""


def amount(value: float, unit: str) -> str:
    """With a unit that people read.

    >>> amount(0.00031, "seconds"), amount(2e6, "bytes"), amount(90_000, "seconds"), amount(7.87, "bytes")
    ('310 µs', '2 MB', '25 h', '7.9 B')
    """
    scales = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "B")]
    if unit.endswith("seconds"):
        scales = [(8760 * 3600, "years"), (48 * 3600, "days"), (3600, "h"), (60, "min"), (1, "s")]
        scales += [(1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns"), (1e-12, "ps")]
    least, name = next((scale for scale in scales if value >= scale[0]), scales[-1])
    size = 24 * 3600 if name == "days" else least
    return f"{float(f'{value / size:.2g}'):g} {name}"


def formulas(record: dict[str, Any]) -> Iterator[str]:
    """A row for every quantity and unit, with how well it predicts; what costs nothing that can be seen is left out."""
    yield "| what | cost | predicted / measured |\n|---|---|---:|"
    for name in WHAT:
        for unit, factors in record[name]["record"]["factors"].items():
            if unit == "bytes" and name in SMALL:
                continue
            parts = [
                amount(factor, unit) + ("" if term == "1" else f" · {term}")
                for term, factor in factors.items()
                if factor
            ]
            yield f"| {title(name, unit)} | {' + '.join(parts)} | {ratios(record, name, unit)} |"
    off = [run["predicted_train_seconds"] / run["train_seconds"] for run in record["runs"]["record"]]
    yield f"| a whole training run, of five tasks | iterations times the first row | {min(off):.2f} to {max(off):.2f} |"


def ratios(record: dict[str, Any], name: str, unit: str) -> str:
    """The least and the largest of the predictions that nothing was fitted to."""
    found = [point["ratio"][unit] for point in record[name]["record"]["unseen"]]
    return f"{min(found):.2f} to {max(found):.2f}"


def title(name: str, unit: str) -> str:
    """What costs, and in which unit."""
    if (name, unit) == ("act", "bytes"):
        return "a whole rollout of a network, bytes"
    return f"{WHAT[name]}, bytes" if unit == "bytes" else WHAT[name]


def worst(record: dict[str, Any]) -> Iterator[str]:
    """How far the predictions are off."""
    ratios = [ratio for name in WHAT for point in record[name]["record"]["unseen"] for ratio in point["ratio"].values()]
    ratios += [run["predicted_train_seconds"] / run["train_seconds"] for run in record["runs"]["record"]]
    off = max(max(ratio, 1 / ratio) for ratio in ratios)
    yield f"Of {len(ratios)} predictions the worst is off by a factor of {off:.2f}."


def million_runs(record: dict[str, Any]) -> Iterator[str]:
    """What a million runs of a task come to."""
    yield "| task | training + proof, one run | cores for a week | run folder | a million | files |"
    yield "|---|---:|---:|---:|---:|---:|"
    for run in record["runs"]["record"]:
        seconds = run["train_seconds"] + run["certify_seconds"]
        both = (amount(run[kind], "seconds") for kind in ("train_seconds", "certify_seconds"))
        cores = MILLION * seconds / (7 * 24 * 3600)
        space = amount(run["bytes"], "bytes"), amount(MILLION * run["bytes"], "bytes")
        yield f"| {run['task']} | {' + '.join(both)} | {cores:,.0f} | {' | '.join(space)} | {run['files']} million |"


def power(value: float) -> str:
    """A large number, such as 2·10¹²."""
    digits, exponent = f"{value:.1e}".split("e")
    return f"{float(digits):g}·10{str(int(exponent)).translate(str.maketrans('0123456789', '⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def million_digits(record: dict[str, Any]) -> Iterator[str]:
    """Numbers of a million digits; what was measured says so."""
    yield "| who | steps | one core | memory |\n|---|---:|---:|---:|"
    measured = {tuple(point["what"]): point for point in record["add"]["record"]["unseen"]}[("add2", MILLION)]
    spent = [amount(measured["measured"][unit], unit) for unit in ("seconds", "bytes")]
    yield f"| a machine adds, **measured** | {power(measured['sizes']['steps'])} | {' | '.join(spent)} |"
    sizes = {"digits": MILLION}
    factors = record["multiply"]["record"]["factors"]
    spent = [amount(predict(MULTIPLY.terms[unit], factors[unit], sizes), unit) for unit in ("seconds", "bytes")]
    longest = record["multiply"]["record"]["unseen"][-1]["sizes"]
    steps = longest["steps"] * (MILLION / longest["digits"]) ** 2
    yield f"| a machine multiplies | {power(steps)} | {' | '.join(spent)} |"
    factors, runs = record["act"]["record"]["factors"], {"add2": measured["sizes"]["steps"], "mult10": steps}
    for name, steps in runs.items():
        task = dfst.task(name)
        sizes = {"d": task.hidden_dim, "K": len(task.machine.alphabet), "digits": MILLION}
        seconds, size = (predict(ACT.terms[unit], factors[unit], sizes) for unit in ("seconds", "bytes"))
        told = amount(steps * seconds, "seconds"), amount(size, "bytes")
        yield f"| the network of {name} | {power(steps)} | {' | '.join(told)} |"


def made(record: dict[str, Any]) -> Iterator[str]:
    """Where the numbers come from; parts may have been measured at different commits."""
    facts, runs = record["train"]["manifest"], {}
    for name, part in record.items():
        run = part["manifest"]
        runs.setdefault((short(run["commit"]), run["command"]), []).append(name)
    yield f"Measured on {facts['cpu']} ({facts['cores']} cores):"
    for (commit, command), names in runs.items():
        yield f"{', '.join(names)} at commit {commit} by `{command}`."


def shown() -> dict[str, str]:
    """Every place of the page."""
    places, record = (made, worst, formulas, million_runs, million_digits), load("scale")
    return {show.__name__: "\n".join(show(record)) for show in places}
