"""The measured counts in docs/reliability.md: python experiments/render_reliability.py [--check]"""

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]


def cluster(record: dict[str, Any]) -> str:
    """The counts, and the log of the run they come from."""
    rows = "\n".join(f"| {name.replace('_', ' ')} | {count} |" for name, count in record["counts"].items())
    log = "\n".join(f"    {line}" for line in record["log"][:-1])
    return f"| | |\n|---|---|\n{rows}\n\n{log}\n\n{made(record)}\n"


def sweep_bench(record: dict[str, Any]) -> str:
    """A line per measurement, and what follows from them."""
    names = {0: "a bare loop", 1: "one worker", 2: "two workers"}
    rows = "\n".join(
        f"| {names[row['workers']]} | {row['per_minute']} | {row['whole_seconds']} | {row['load_before']} |"
        for row in record["rows"]
    )
    ratio, extra = record["two_workers_to_twice_one"], record["overhead_seconds_per_trial"]
    bare = record["seconds_per_trial"]["bare"]
    what = f"{record['trials']} trials of add2, {record['iterations']:,} iterations each, on two cores."
    told = f"Two workers against twice one: {ratio}. Overhead against the bare loop: {extra} s on {bare} s per trial."
    head = "| | trials per minute | seconds in all, start included | load of the machine before |\n|---|---|---|---|"
    return f"{what}\n\n{head}\n{rows}\n\n{told} {made(record)}\n"


def made(record: dict[str, Any]) -> str:
    """Where the numbers come from."""
    facts = record["manifest"]
    return f"Measured at commit {str(facts['commit'])[:12]} by `{facts['command']}`."


def rendered(text: str) -> str:
    """``text`` with what is in results/ now."""
    for name, show in {"cluster": cluster, "sweep_bench": sweep_bench}.items():
        path = ROOT / "results" / f"{name}.json"
        if not path.exists():  # not measured yet
            continue
        record = json.loads(path.read_text(encoding="utf-8"))
        markers = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        text = markers.sub(lambda match: match[1] + show(record) + match[2], text)  # noqa: B023 called at once
    return text


def main() -> None:
    """Write or check."""
    path = ROOT / "docs" / "reliability.md"
    old = path.read_text(encoding="utf-8")
    new = rendered(old)
    if "--check" in sys.argv:
        sys.exit(0 if new == old else "docs/reliability.md does not show what results/ holds: render it again")
    path.write_text(new, encoding="utf-8")


if __name__ == "__main__":
    main()
