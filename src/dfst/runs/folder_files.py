"""What a run folder holds beside its training: where one may be made, its manifest, and whether it was ended early.

Nothing of anybody else's is ever written over, nor a model that was proven. manifest.json says what a training run was
made with, whose it is, and what it was resumed with.
"""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

from dfst.errors import DfstError, FileFormatError, InputError, printable
from dfst.files import UNFINISHED, read_text, write_atomically
from dfst.lock import LOCK_FILE
from dfst.manifest import manifest
from dfst.runs.options import Options
from dfst.traces.traces import Traces

MANIFEST = "manifest.json"
TRACES, START, ASKING = "traces.jsonl", "start.safetensors", "asking.safetensors"
CHANGES, NOISY_TRACES, EXPLAINS = "changes.jsonl", "noisy.jsonl", "explains.dfst"
"""The steps that were corrected, the traces as they were recorded, and the machine that explains a corrected log."""

HELD_OUT = "held_out.jsonl"
"""The conversations of a log that were kept back."""

KEPT = "kept"
"""The file that names the iteration whose model was kept when a training was ended early, for good."""

FIRST = {LOCK_FILE, "task.dfst", TRACES, START, ASKING, CHANGES, NOISY_TRACES, EXPLAINS, MANIFEST}
"""What is in a run folder before it has a config."""


def check_new(path: Path) -> None:
    """Refuse a place where there is something already (but what is left of a run killed while it was made)."""
    if within := next((each for each in (path, *path.parents) if each.is_file()), None):
        raise InputError("it is a file, not a folder", where=str(within), do="Choose a folder with --out.")
    if not is_begun(path):
        do = "Continue it with --resume, or choose another folder with --out."
        raise InputError("the folder is not empty", where=str(path), do=do)


def is_begun(path: Path) -> bool:
    """Whether the folder holds nothing but the beginning of a run that was killed while it was made, or nothing."""
    if path.is_file():
        return False
    names = {each.name for each in path.iterdir()} if path.is_dir() else set()
    names = {name for name in names if not (name[0] == "." and name.endswith(UNFINISHED))}
    return names <= FIRST and (not names or LOCK_FILE in names)


def kept(run: Path) -> int | None:
    """The iteration whose model was kept; None if the training was not ended early."""
    path = run / KEPT
    if not path.exists():
        return None
    text = read_text(path, limit=2**10).strip()
    if not (text.isascii() and text.isdecimal()):
        do = "Write the iteration there whose model was kept (README.md says which), or train in another folder."
        raise FileFormatError("it is damaged: it holds no number of iterations", where=str(path), do=do)
    return int(text)


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
    """What to do to resume the training run in ``folder``."""
    again = f"--out {shlex.quote(str(folder))} --resume"
    return printable(f"Resume it with the command that began it ({MANIFEST} names it) and {again}")


def write_facts(folder: Path, facts: dict[str, Any]) -> None:
    """The manifest itself."""
    write_atomically(folder / MANIFEST, (json.dumps(facts, indent=2) + "\n").encode())
