"""The measured counts in docs/reliability.md: python -m experiments.render_reliability [--check]"""

import json
from collections.abc import Iterable
from typing import Any

from experiments.page import ROOT, keep

from dfst.manifest import shown


def faults(record: dict[str, Any]) -> str:
    """A row for each class of faults, those of the cluster and of bad files in short."""
    kills, flipped = record["kills"], record["flips"]
    broken, read = result("cluster")["counts"], result("fuzz")
    inputs = [facts for kind in ("mutated", "guided") for facts in read.get(kind, {}).values()]
    lost = f"of {broken['trials']} trials {broken['lost']} lost, {broken['doubled']} doubled"
    different = (
        f"{len(kills['failed'])} resumes failed, {kills['different']} of {kills['runs']} runs with other weights"
    )
    rows = [
        ("SIGKILL at a random instant of a training run", kills["kills"], different),
        (
            f"a crash of the disk, while saving {listed(record['crashes'])}",
            sum(record["crashes"].values()),
            "always the old state or the new one",
        ),
        (
            f"an operation fails: {listed(record['failures'])}",
            sum(record["failures"].values()),
            "a sentence each, then resumed to the same weights",
        ),
        *(
            (f"one bit flipped in a {name} of add2", facts["bits"], f"{facts['undetected']} not noticed at load")
            for name, facts in flipped.items()
        ),
        ("SIGKILL of a node of a cluster, and of a sweep's driver", broken["drivers"], lost),
        (
            "a file or a command line that is wrong",
            sum(facts["inputs"] for facts in inputs),
            f"{sum(facts['finding'] for facts in inputs)} crashes, hangs or tracebacks left",
        ),
    ]
    lines = [f"| {what} | {count:,} | {outcome} |" for what, count, outcome in rows]
    return table("| fault | tried | outcome |", "|---|---:|---|", lines) + made(record)


def bombs(record: dict[str, Any]) -> str:
    """What the worst of the small files took that were made to take long or much memory."""
    found = record["bombs"].values()
    slowest = max(facts["seconds"] for facts in found)
    most = max(facts["factor"] * facts["bytes"] for facts in found) / 2**20
    larger = sum((facts["factor"] - 10) * facts["bytes"] > 4 * 2**20 for facts in found)
    told = (
        f"Of {len(found)} small files that were made to take long or much memory, the slowest took {slowest} seconds "
    )
    told += f"and the largest {most:.0f} MiB; {larger} took more than ten times the file and 4 MiB. "
    return told + made({"manifest": record.get("bombs_manifest") or record["manifest"]})


def cluster(record: dict[str, Any]) -> str:
    """The counts of one sweep in which a node and the driver were killed."""
    counts = record["counts"]
    told = f"Of {counts['trials']} trials, {counts['lost']} were lost and {counts['doubled']} doubled. Of "
    told += f"the {counts['interrupted']} that were under way at the kills, {counts['retried']} were tried again, and "
    told += f"{counts['interrupted_with_other_weights']} ended with other weights than undisturbed. "
    return told + made(record)


def listed(names: Iterable[str]) -> str:
    """Such as "a model, checkpoints or a journal"."""
    *most, last = names
    return f"{', '.join(most)} or {last}"


def table(head: str, columns: str, lines: list[str]) -> str:
    """A table, and room for what follows it."""
    return "\n".join([head, columns, *lines]) + "\n\n"


def made(record: dict[str, Any]) -> str:
    """Where the numbers come from."""
    facts = record["manifest"]
    return f"Measured at commit {shown(facts['commit'])} by `{facts['command']}`."


TABLES = {"faults": ("faults", faults), "cluster": ("cluster", cluster), "bombs": ("fuzz", bombs)}
"""For every place of the page: the result that it shows, and how."""


def result(name: str) -> dict[str, Any]:
    return json.loads((ROOT / "results" / f"{name}.json").read_text(encoding="utf-8"))


if __name__ == "__main__":
    keep("docs/reliability.md", {place: show(result(name)) for place, (name, show) in TABLES.items()})
