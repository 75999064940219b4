"""What both checkers say of add2's certificate, and which networks are proven, for docs/certificates.md."""

import shlex
import subprocess
import sys
from collections import Counter
from itertools import product

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
    """Of each task, how many of the seeds measured are proven, by recipe and column."""
    found: dict[str, list[Row]] = {}
    for row in load("network_proofs")["rows"]:
        found.setdefault(row["task"], []).append(row)
    rows, others = [], Counter[str]()
    for task, own in sorted(found.items()):
        exact = [row for row in own if row["outcome"] == "exact"]
        others.update(row["outcome"] for row in own if row["outcome"] != "exact")
        told: Row = {"task": task}
        for which in product(("lasting", "fast"), ("as trained", "steadied")):
            outcomes = [row["outcome"] for row in own if (row["recipe"], row["column"]) == which]
            told[", ".join(which)] = f"{outcomes.count('exact')}/{len(outcomes)}" if outcomes else "–"
        rows.append(told | {what: span(row[what] for row in exact) if exact else "–" for what in ("bits", "pairs")})
    ended = ", ".join(f"{number:,} {outcome}" for outcome, number in others.most_common())
    return f"{markdown(rows)}\n\nNot proven: {ended}. {measured('network_proofs')}"


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
