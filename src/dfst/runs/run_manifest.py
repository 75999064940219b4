"""manifest.json of a training run: what it was made with, whose it is, and what it was resumed with."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

from dfst.errors import DfstError, InputError, printable
from dfst.files import read_text, write_atomically
from dfst.manifest import manifest
from dfst.runs.options import Options
from dfst.traces.traces import Traces

MANIFEST = "manifest.json"


def write_manifest(folder: Path, options: Options, traces: Traces | None, **more: Any) -> None:
    """When the training begins; the ``traces`` may be still to come."""
    facts = {name: getattr(options, name) for name in ("seed", "data_seed", "task", "recipe")}
    if traces is not None:
        facts["data_sha256"] = traces.sha256
    write_facts(folder, manifest(**facts, **more))


def made_with(folder: Path) -> dict[str, Any]:
    """What the manifest says; nothing if it is lost or damaged."""
    try:
        made = json.loads(read_text(folder / MANIFEST))
    except (DfstError, ValueError, RecursionError):
        return {}
    return made if isinstance(made, dict) else {}


def write_resumption(folder: Path, traces: Traces) -> None:
    """When it goes on, if the sources are others than those that the training began with; other traces are refused."""
    facts, made = manifest(), made_with(folder)
    if made.get("data_sha256", traces.sha256) != traces.sha256:
        what = f"its traces are not those that it began with: SHA-256 {traces.sha256}, not {made['data_sha256']}"
        raise InputError(what, where=str(folder), do="Train in another folder (--out).")
    now = {name: facts[name] for name in ("created", "command", "commit")}
    try:
        before = [*made.get("resumed", [])]
        known = [made["commit"], *(each["commit"] for each in before)]
    except (LookupError, TypeError):
        made, before, known = {}, [], []  # it is lost or damaged: this is all that is known
    if now["commit"] not in known:
        write_facts(folder, made | {"resumed": [*before, now]})


def how_to_resume(folder: Path) -> str:
    """What to do to resume the training run in ``folder``: the command that began it, as far as that is known."""
    made = made_with(folder)
    try:
        words = shlex.split(str(made.get("command")))
    except ValueError:
        words = []
    program = next((name for name in (["dfst"], ["python", "-m", "dfst"]) if words[: len(name)] == name), None)
    if program is None:
        return "Resume it with what began it, and --resume."
    words = words[len(program) :]
    kept: list[str] = []
    for word, before in zip(words, ["", *words], strict=False):  # without its folder, and one seed of several
        if not re.match(r"--(out|seeds|resume)\b", word) and before not in ("--out", "--seeds"):
            kept.append(word)
    if any(word.startswith("--seeds") for word in words):
        kept += ["--seed", str(made.get("seed"))]
    again = shlex.join([*program, *kept, "--out", str(folder), "--resume"])  # quoted: a stranger may have written it
    return printable(f"Resume it with the command that began it: {again}")


def write_facts(folder: Path, facts: dict[str, Any]) -> None:
    """The manifest itself."""
    write_atomically(folder / MANIFEST, (json.dumps(facts, indent=2) + "\n").encode())
