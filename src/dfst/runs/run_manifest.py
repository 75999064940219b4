"""manifest.json of a training run: what it was made with, and what it was resumed with."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

from dfst.errors import DfstError, printable
from dfst.files import read_text, write_atomically
from dfst.manifest import manifest
from dfst.runs.run_config import RunConfig
from dfst.traces.traces import Traces

MANIFEST = "manifest.json"


def write_manifest(folder: Path, config: RunConfig, traces: Traces) -> None:
    """When the training begins."""
    facts = {"seed": config.seed, "data_seed": config.data_seed, "data_sha256": traces.sha256}
    _write(folder, manifest(**facts, task=config.task, recipe=config.recipe.name))


def write_resumption(folder: Path) -> None:
    """When it goes on, if the sources are others than those that the training began with."""
    facts = manifest()
    now = {name: facts[name] for name in ("created", "command", "commit")}
    try:
        made = json.loads(read_text(folder / MANIFEST))
        known = [made["commit"], *(each["commit"] for each in made.get("resumed", []))]
    except (DfstError, ValueError, RecursionError, LookupError, AttributeError, TypeError):
        made, known = {}, []  # it is lost or damaged: this is all that is known
    if now["commit"] not in known:
        _write(folder, made | {"resumed": [*made.get("resumed", []), now]})


def how_to_resume(folder: Path) -> str:
    """What to do to resume the training run in ``folder``: the command that began it, as far as that is known."""
    try:
        command = json.loads(read_text(folder / MANIFEST))["command"]
    except (DfstError, ValueError, RecursionError, LookupError, TypeError):
        command = None
    if not isinstance(command, str) or not command.startswith("dfst "):
        return "Resume it with what began it, and --resume (in Python resume=True)."
    words = re.sub(r" --(resume|out[ =]('[^']*'|\S+))(?= |$)", "", command)
    return printable(f"Resume it with the command that began it: {words} --out {shlex.quote(str(folder))} --resume")


def _write(folder: Path, facts: dict[str, Any]) -> None:
    write_atomically(folder / MANIFEST, (json.dumps(facts, indent=2) + "\n").encode())
