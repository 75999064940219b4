"""Try every class of faults, keep the counts, and write them into docs/reliability.md.

python -m experiments.faults [KILLS] tries them (results/faults.json); python -m experiments.faults render only writes
the tables of docs/reliability.md from results/faults.json and results/fuzz.json.
"""

import json
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from experiments.kill_training import kill_training
from tests.faults.crashes import crashes
from tests.faults.failing import REASONS, failures
from tests.faults.flips import flips

from dfst.manifest import manifest

ROOT = Path(__file__).parent.parent
FAULTS, FUZZ = ROOT / "results" / "faults.json", ROOT / "results" / "fuzz.json"
PAGE = ROOT / "docs" / "reliability.md"


def fail() -> dict[str, int]:
    """Failures by their reason."""
    counts = {}
    for reason in REASONS:
        with tempfile.TemporaryDirectory() as folder:
            counts[reason] = failures(4, [reason], Path(folder))
    return counts


def keep(kills: int) -> None:
    """Try everything; what does not hold ends in an exception."""
    record: dict[str, Any] = {"manifest": manifest()}
    jobs: dict[str, Callable[[], Any]] = {
        "flips": flips,
        "crashes": crashes,
        "failures": fail,
        "kills": lambda: kill_training(kills),
    }
    for name, job in jobs.items():
        began = time.monotonic()
        record[name] = job()
        record[f"{name}_seconds"] = round(time.monotonic() - began)
        print(name, json.dumps(record[name]), flush=True)
    FAULTS.write_text(json.dumps(record, indent=1) + "\n")


def fault_table(record: dict[str, Any]) -> str:
    """A row for each class of faults."""
    kills, flipped = record["kills"], record["flips"]
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
    ]
    lines = [f"| {what} | {count:,} | {outcome} |" for what, count, outcome in rows]
    return "\n".join(["| fault | tried | outcome |", "|---|---:|---|", *lines])


def fuzz_table(record: dict[str, Any]) -> str:
    """A row for each reader, and one for all."""
    lines, total = [], 0
    for name, facts in record["mutated"].items():
        guided = record["guided"].get(name, {})
        count = facts["inputs"] + guided.get("inputs", 0)
        found = facts["finding"] + guided.get("finding", 0)
        total += count
        lines.append(f"| {name} | {facts['inputs']:,} | {guided.get('inputs', 0):,} | {found} |")
    lines.append(f"| **all: {total:,}** | | | |")
    return "\n".join(["| reader | mutated | guided by coverage | findings left |", "|---|---:|---:|---:|", *lines])


def bomb_table(record: dict[str, Any]) -> str:
    """The slowest bombs, and those that take the most memory for their size."""
    bombs = {name: facts for name, facts in record["bombs"].items() if facts["bytes"] >= 50_000}
    worst = sorted(bombs, key=lambda name: -bombs[name]["seconds"])[:4]
    worst += [name for name in sorted(bombs, key=lambda name: -bombs[name]["factor"])[:8] if name not in worst]
    rows = [(name, bombs[name]) for name in worst]
    lines = [f"| {n} | {f['bytes']:,} | {f['seconds']} | {f['factor']} | {f['result']} |" for n, f in rows]
    return "\n".join(["| file | bytes | seconds | memory / size | |", "|---|---:|---:|---:|---|", *lines])


def rendered(page: str) -> str:
    """The page with its tables as the results are now."""
    faults, fuzz = json.loads(FAULTS.read_text()), json.loads(FUZZ.read_text())
    tables = {"faults": fault_table(faults), "fuzz": fuzz_table(fuzz), "bombs": bomb_table(fuzz)}
    for name, table in tables.items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        before, rest = page.split(begin)
        page = f"{before}{begin}\n\n{table}\n\n{end}{rest.split(end)[1]}"
    return page


if __name__ == "__main__":
    if sys.argv[1:] != ["render"]:
        keep(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
    PAGE.write_text(rendered(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
