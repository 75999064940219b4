"""Where a new training run may be made: nothing of anybody else's is ever written over."""

from __future__ import annotations

from pathlib import Path

from dfst.errors import InputError
from dfst.files import UNFINISHED
from dfst.lock import LOCK_FILE

TRACES, START, ASKING = "traces.jsonl", "start.safetensors", "asking.safetensors"
CHANGES, NOISY_TRACES = "changes.jsonl", "noisy.jsonl"
"""The steps that were corrected, and the traces as they were recorded."""

FIRST = {LOCK_FILE, "task.dfst", TRACES, START, ASKING, CHANGES, NOISY_TRACES, "manifest.json"}
"""What is in a run folder before it has a config."""


def check_new(path: Path) -> None:
    """Refuse a place where there is something already (but what is left of a run killed while it was made)."""
    if path.is_file():
        raise InputError("it is a file, not a folder", where=str(path), do="Choose a folder with --out.")
    if path.exists() and any(path.iterdir()) and not is_begun(path):
        do = "Continue it with --resume, or choose another folder with --out."
        raise InputError("the folder is not empty", where=str(path), do=do)


def is_begun(path: Path) -> bool:
    """Whether the folder holds nothing but the beginning of a run that was killed while it was made, or nothing."""
    if path.is_file():
        return False
    names = {name.name for name in path.iterdir()} if path.is_dir() else set()
    names = {name for name in names if not (name[0] == "." and name.endswith(UNFINISHED))}
    return names <= FIRST and (not names or LOCK_FILE in names)
