"""The measured results of a checkout (results/*.json) as rows of tables."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from experiments.report.raw_lengths import chosen_alone

from dfst.errors import InputError
from dfst.files import read_text
from dfst.manifest import MARK, shown
from dfst.sweep.share import Share

Row = dict[str, Any]


def load_results(folder: Path, name: str) -> dict[str, Any]:
    """The content of ``folder``/``name``.json."""
    path = folder / f"{name}.json"
    if not path.exists():
        do = "Run this in a checkout of the repository, or name its results folder with --results."
        raise InputError("there are no such results here", where=str(path), do=do)
    try:
        return json.loads(read_text(path))
    except ValueError:
        raise InputError("it is not JSON", where=str(path), do="Restore it from the repository.") from None


def span(values: Iterable[float], form: str = "{:,}") -> str:
    """All of them: one number, or from the least to the largest."""
    ends = sorted(values)
    return " to ".join(dict.fromkeys(form.format(end) for end in (ends[0], ends[-1]))) if ends else "–"


def manifests(value: Any, name: str | None = None) -> Iterator[tuple[dict[str, Any], str | None]]:
    """Every manifest in ``value``, however deep, with the ``name`` of the row that it is in.

    A training that was resumed from other sources has one for these, too.

    >>> list(manifests({"rows": [{"name": "gcd", "made": {"commit": "1f68", "command": "dfst bench"}}]}))
    [({'commit': '1f68', 'command': 'dfst bench'}, 'gcd')]
    """
    if isinstance(value, dict) and {"commit", "command"} <= value.keys():
        yield value, name
        yield from manifests(value.get("resumed"), name)
    elif isinstance(value, dict):
        for part in value.values():
            yield from manifests(part, value.get("name", name))
    elif isinstance(value, list):
        for part in value:
            yield from manifests(part, name)


def commits(value: Any) -> list[str]:
    """The commits that ``value`` was made at, as pages show them, each once.

    >>> commits([{"commit": "1f6834e86886fd09+", "command": "dfst bench"}])
    ['1f6834e86886+']
    """
    return list(dict.fromkeys(shown(facts["commit"]) for facts, _ in manifests(value)))


def uncommitted(folder: Path, *names: str) -> str:
    """A sentence if some numbers in these files were measured on sources that were not committed, else nothing."""
    files = {
        name: [commit for commit in commits(load_results(folder, name)) if commit.endswith(MARK)] for name in names
    }
    marked = [f"{name}.json at {', '.join(found)}" for name, found in files.items() if found]
    return f"measured on sources that were not committed: {'; '.join(marked)}" if marked else ""


def table1(folder: Path) -> list[Row]:
    """Our rows of the paper's Table 1, one per task.

    ``raw_…`` is the float model of the fast recipe, trained on the teacher's traces alone at the paper's dimensions;
    ``raw_…_alone`` that of the recipe lasting, also on the teacher's traces alone, chosen among its seeds without a
    teacher (None: not measured); ``extracted_…`` the machine of the first, really run. An RLG or PLG that equals its
    ``…measured_to`` is a lower bound.
    """
    certified, lasting = seeds(folder), chosen_alone(raw_lengths(folder))
    rows = []
    for facts in load_results(folder, "table1")["rows"]:
        raw, extracted = facts["raw"], facts["extracted"]
        share, alone = certified[facts["task"]], lasting.get(facts["task"], {})
        rows.append(
            {
                "task": facts["task"],
                "samples": raw["traces"],
                "parameters": facts["parameters"],
                "max_train_digits": raw["digits"],
                "raw_rlg": raw["rlg"],
                "raw_plg": raw["plg"],
                "raw_loss": raw["loss"],
                "raw_measured_to": raw["measured_to"],
                "raw_rlg_alone": alone.get("rlg"),
                "raw_plg_alone": alone.get("plg"),
                "alone_hidden_dim": alone.get("hidden_dim"),
                "alone_parameters": alone.get("parameters"),
                "alone_seed": alone.get("seed"),
                "alone_measured_to": alone.get("measured_to"),
                "alone_seconds": alone.get("run_seconds"),
                "extracted_rlg": extracted["rlg"],
                "extracted_plg": extracted["plg"],
                "extracted_measured_to": extracted["measured_to"],
                "certified": facts["certified"],
                "states": facts["states"],
                "seeds_certified": str(share),
                "seeds_interval": [round(bound, 3) for bound in share.interval],
                "train_seconds": raw["seconds"],
                "certify_seconds": facts["certify_seconds"],
                "commit": facts["manifest"]["commit"],
                "command": facts["manifest"]["command"],
                "models_commits": commits([facts.get(part) for part in ("raw", "certify_manifest")]),
            }
        )
    return rows


def raw_lengths(folder: Path) -> list[Row]:
    """Every raw model whose length was measured, over seeds and recipes."""
    return load_results(folder, "raw_lengths")["rows"]


def seeds(folder: Path) -> dict[str, Share]:
    """For every task, how many of the models trained by the recipe fast were proven exact.

    Each seed of model and data counts once, wherever it was judged; if twice, then both verdicts must be exact.
    """
    runs = [(run, run["verdict"] == "exact") for run in load_results(folder, "extraction")["runs"] if run["rehearsing"]]
    runs += [(row["raw"]["manifest"], row["certified"]) for row in load_results(folder, "table1")["rows"]]
    runs += [(row, row["exact"]) for row in raw_lengths(folder) if row["recipe"] == "fast" and row["kept"]]
    exact: dict[str, dict[tuple[int, int], bool]] = {}
    for run, said in runs:
        verdicts, key = exact.setdefault(run["task"], {}), (run["seed"], run["data_seed"])
        verdicts[key] = verdicts.get(key, True) and said
    return {task: Share(sum(verdicts.values()), len(verdicts)) for task, verdicts in exact.items()}


def seeds_learned(folder: Path) -> dict[str, Share]:
    """For every task, with how many seeds ``dfst learn``, which stops at the first proof, came to one."""
    verdicts: dict[str, list[bool]] = {}
    for row in load_results(folder, "time_to_proof")["rows"]:
        verdicts.setdefault(row["task"], []).append(row["exact"] and row["checked"])
    return {task: Share(sum(each), len(each)) for task, each in verdicts.items()}


def data_sizes(folder: Path) -> dict[str, dict[str, dict[int, Share]]]:
    """For every task, every way to choose traces (random, covering) and their number: how many were proven exact."""
    counts: dict[str, dict[str, dict[int, list[bool]]]] = {}
    for row in load_results(folder, "data_sizes")["rows"]:
        sizes = counts.setdefault(row["task"], {}).setdefault(row.get("choice", "random"), {})
        sizes.setdefault(row["n"], []).append(row["verdict"] == "exact")
    return {
        task: {
            choice: {n: Share(sum(verdicts), len(verdicts)) for n, verdicts in sorted(sizes.items())}
            for choice, sizes in choices.items()
        }
        for task, choices in counts.items()
    }


def baselines(folder: Path) -> list[Row]:
    """A row per task and learner: the best setting of each, our own beside them."""
    extracted = [run for run in load_results(folder, "extraction")["runs"] if run["rehearsing"]]
    rows = [_dfst(row, [run for run in extracted if run["task"] == row["task"]]) for row in table1(folder)]
    merged = load_results(folder, "merging")["rows"]
    for task, method in dict.fromkeys((row["task"], row["method"]) for row in merged):
        rows.append(_merged([row for row in merged if (row["task"], row["method"]) == (task, method)]))
    neural = load_results(folder, "baselines")["rows"]
    for task, method in dict.fromkeys((row["task"], row["method"]) for row in neural):
        rows.append(_neural([row for row in neural if (row["task"], row["method"]) == (task, method)]))
    order = list(dict.fromkeys(row["task"] for row in rows))
    return sorted(rows, key=lambda row: order.index(row["task"]))


def _dfst(row: Row, extracted: list[Row]) -> Row:
    exact = f"proven, {row['seeds_certified']} seeds" if row["certified"] else "no"
    seconds = row["train_seconds"] + row["certify_seconds"]
    ours = _line(row["task"], "DFST, float", row["samples"], row["parameters"], seconds, row["raw_rlg"])
    states = span([row["states"], *(run["states"] for run in extracted)])
    return ours | {"its machine is exact": exact, "states": states}


def _merged(rows: list[Row]) -> Row:
    """The least evidence that is right most often, chosen with hindsight; its worst data seed's RLG."""
    settings = {row["min_evidence"] for row in rows}
    best = max(
        ([row for row in rows if row["min_evidence"] == setting] for setting in sorted(settings)),
        key=lambda group: (sum(row["verdict"] == "exact" for row in group), _worst(group) or 0),
    )
    seconds = max(row.get("seconds", math.inf) for row in best)
    name = f"{best[0]['method']}, least evidence {best[0]['min_evidence']}"
    exact = f"{Share(sum(row['verdict'] == 'exact' for row in best), len(best))} data seeds"
    worst = _worst(best)
    line = _line(best[0]["task"], name, best[0].get("traces"), None, seconds, worst)
    if worst is not None and worst == best[0]["measured_to"]:
        line["RLG"] = f"≥ {worst}"
    return line | {"its machine is exact": exact, "states": span(row["states"] for row in best if "states" in row)}


def _neural(rows: list[Row]) -> Row:
    """Mean seconds (tuning apart), the RLG of every seed, and what the swap test made of it."""
    first = rows[0]
    seconds = sum(row["seconds"] for row in rows) / len(rows)
    line = _line(first["task"], first["method"], first["traces"], first["parameters"], seconds, None)
    verdicts = [row["extracted"]["verdict"] == "exact" for row in rows if row.get("extracted")]
    line["RLG"] = ", ".join(str(row["rlg"]) for row in rows)
    states = span(row["extracted"]["states"] for row in rows if (row.get("extracted") or {}).get("states"))
    exact = f"{Share(sum(verdicts), len(verdicts))} seeds" if verdicts else "–"
    return line | {"its machine is exact": exact, "states": states}


def _worst(rows: list[Row]) -> int | None:
    """The smallest RLG of ``rows``; None if one was not measured (the method gave up, or was not let loose)."""
    lengths = [row["rlg"] for row in rows if "rlg" in row]
    return min(lengths) if len(lengths) == len(rows) else None


def _line(task: str, method: str, traces: int | None, parameters: int | None, seconds: float, rlg: int | None) -> Row:
    return {
        "task": task,
        "method": method,
        "traces": "–" if traces is None else traces,
        "parameters": "–" if parameters is None else parameters,
        "seconds": round(seconds, 1) if math.isfinite(seconds) else "> limit",
        "RLG": "–" if rlg is None else rlg,
    }
