"""What both checkers say of add2's certificate, and which networks are proven, for docs/certificates.md."""

import shlex
import subprocess
import sys
from collections import Counter

from experiments.pages.page import Row, load, markdown, measured, span

from dfst.prove import checker, network_checker
from dfst.shipped import FOLDER

COMMANDS = {
    "checker": "python -I checker.py certificate.json",
    "network": "python -I network_checker.py certificate.json network.json rounded.safetensors",
    "check": "dfst check certificate.json --teacher add2 --weights one_hot.safetensors --machine machine.dfst",
}
"""For every place of the page the command whose output it shows."""

SCRIPTS = {"checker.py": checker.__file__, "network_checker.py": network_checker.__file__}


def networks() -> str:
    """Of each task and recipe, how many seeds are proven; those of which none is in one row."""
    found: dict[tuple[str, str], dict[tuple[int, str], Row]] = {}
    for row in load("network_proofs")["rows"]:
        found.setdefault((row["task"], row["recipe"]), {})[row["seed"], row["column"]] = row
    rows, none = [], []
    for (task, recipe), own in sorted(found.items()):
        exact = [row for row in own.values() if row["outcome"] == "exact"]
        if not exact:
            none.append(task if recipe == "fast" else f"{task} ({recipe})")
            continue
        counts = {
            column: f"{sum(row['column'] == column for row in exact)} of {sum(of == column for _, of in own)}"
            for column in ("as trained", "steadied")
        }
        sizes = {what: span(row[what] for row in exact) for what in ("bits", "pairs")}
        rows.append({"task": task, "recipe": recipe} | counts | sizes)
    others = Counter(row["outcome"] for own in found.values() for row in own.values() if row["outcome"] != "exact")
    ended = ", ".join(f"{number} {outcome}" for outcome, number in others.items())
    told = f"By fast, no seed is proven of {', '.join(none)}. Networks not proven: {ended}."
    return f"{markdown(rows)}\n\n{told} {measured('network_proofs')}"


def shown() -> dict[str, str]:
    """Each command and its output, in the folder of the model that comes with dfst; and the table of networks."""
    said = {"networks": networks()}
    for place, command in COMMANDS.items():
        program, *words = shlex.split(command)
        words = [SCRIPTS.get(word, word) for word in words]
        before = [sys.executable, *(["-m", "dfst"] if program == "dfst" else [])]
        done = subprocess.run([*before, *words], cwd=FOLDER / "add2", capture_output=True, text=True, check=True)
        said[place] = f"```text\n$ {command}\n{done.stdout.rstrip()}\n```"
    return said
