"""The measured counts in docs/reliability.md and its appendix: python -m experiments.render_reliability [--check]"""

import json
from typing import Any

from experiments.page import ROOT, keep

from dfst.manifest import shown


def faults(record: dict[str, Any]) -> str:
    """A row for each class of faults, those of the cluster and of bad files in short."""
    kills, flipped = record["kills"], record["flips"]
    broken, read = result("cluster")["counts"], result("fuzz")
    inputs = [facts for kind in ("mutated", "guided") for facts in read[kind].values()]
    lost = f"of {broken['trials']} trials {broken['lost']} lost, {broken['doubled']} doubled"
    different = (
        f"{len(kills['failed'])} resumes failed, {kills['different']} of {kills['runs']} runs with other weights"
    )
    rows = [
        ("SIGKILL at a random instant of a training run", kills["kills"], different),
        *(
            (f"a crash of the disk, while saving {name}", count, "always the old state or the new one")
            for name, count in record["crashes"].items()
        ),
        *(
            (f"an operation fails: {name}", count, "a sentence each, then resumed to the same weights")
            for name, count in record["failures"].items()
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


def fuzz(record: dict[str, Any]) -> str:
    """A row for each reader, and one for all."""
    lines, total = [], 0
    for name, facts in record["mutated"].items():
        guided = record["guided"].get(name, {})
        count = facts["inputs"] + guided.get("inputs", 0)
        found = facts["finding"] + guided.get("finding", 0)
        total += count
        lines.append(f"| {name} | {facts['inputs']:,} | {guided.get('inputs', 0):,} | {found} |")
    lines.append(f"| **all: {total:,}** | | | |")
    head = "| reader | mutated | guided by coverage | findings left |"
    return table(head, "|---|---:|---:|---:|", lines) + made(record)


def bombs(record: dict[str, Any]) -> str:
    """The slowest bombs, and those that take the most memory beyond ten times their size."""
    all_of_them = record["bombs"]

    def beyond(name: str) -> float:
        return (all_of_them[name]["factor"] - 10) * all_of_them[name]["bytes"]

    worst = sorted(all_of_them, key=beyond, reverse=True)[:9]
    worst += [n for n in sorted(all_of_them, key=lambda n: -all_of_them[n]["seconds"])[:4] if n not in worst]
    lines = []
    for name in worst:
        facts = all_of_them[name]
        mib = facts["factor"] * facts["bytes"] / 2**20
        kept = "no" if beyond(name) > 4 * 2**20 else "yes"
        lines.append(f"| {name} | {facts['bytes']:,} | {facts['seconds']} | {mib:.1f} | {kept} | {facts['result']} |")
    head = "| file | bytes | seconds | MiB of memory | at most ten times the file and 4 MiB | |"
    told = f"The worst of {len(all_of_them)}. {made({'manifest': record['bombs_manifest']})}"
    return table(head, "|---|---:|---:|---:|---|---|", lines) + told


def cluster(record: dict[str, Any]) -> str:
    """The counts, and the log of the run they come from."""
    lines = [f"| {name.replace('_', ' ')} | {count} |" for name, count in record["counts"].items()]
    log = "\n".join(f"    {line}" for line in record["log"][:-1])
    return table("| | |", "|---|---:|", lines) + f"{log}\n\n{made(record)}"


def sweep_bench(record: dict[str, Any]) -> str:
    """A line per measurement, and what follows from them."""
    names = {0: "a bare loop", 1: "one worker", 2: "two workers"}
    lines = [
        f"| {names[row['workers']]} | {row['per_minute']} | {row['whole_seconds']} | {row['load_before']} |"
        for row in record["rows"]
    ]
    ratio, extra = record["two_workers_to_twice_one"], record["overhead_seconds_per_trial"]
    bare = record["seconds_per_trial"]["bare"]
    what = f"{record['trials']} trials of add2, {record['iterations']:,} iterations each, on two cores."
    told = f"Two workers against twice one: {ratio}. A sweep adds {1000 * extra:.0f} ms to a trial of {bare} s "
    told += f"(against the bare loop, on {record['overhead_measured_on']})."
    head = "| | trials per minute | seconds in all, start included | load of the machine before |"
    return f"{what}\n\n{table(head, '|---|---:|---:|---:|', lines)}{told} {made(record)}"


def table(head: str, columns: str, lines: list[str]) -> str:
    """A table, and room for what follows it."""
    return "\n".join([head, columns, *lines]) + "\n\n"


def made(record: dict[str, Any]) -> str:
    """Where the numbers come from."""
    facts = record["manifest"]
    return f"Measured at commit {shown(facts['commit'])} by `{facts['command']}`."


TABLES = {
    "faults": ("faults", faults),
    "cluster": ("cluster", cluster),
    "fuzz": ("fuzz", fuzz),
    "bombs": ("fuzz", bombs),
    "sweep_bench": ("sweep_bench", sweep_bench),
}
"""For every place of the pages: the result that it shows, and how."""


def result(name: str) -> dict[str, Any]:
    return json.loads((ROOT / "results" / f"{name}.json").read_text(encoding="utf-8"))


if __name__ == "__main__":
    pages = {place: show(result(name)) for place, (name, show) in TABLES.items()}
    keep("docs/reliability.md", {"faults": pages.pop("faults")})
    keep("docs/appendix-reliability.md", pages)
