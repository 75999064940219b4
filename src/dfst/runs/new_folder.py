"""Where a training run may write: nothing of anybody else's is ever written over, nor a model that was proven."""

from __future__ import annotations

from pathlib import Path

from dfst.errors import FileFormatError, InputError
from dfst.files import UNFINISHED, read_text
from dfst.lock import LOCK_FILE

TRACES, START, ASKING = "traces.jsonl", "start.safetensors", "asking.safetensors"
CHANGES, NOISY_TRACES = "changes.jsonl", "noisy.jsonl"
"""The steps that were corrected, and the traces as they were recorded."""

KEPT = "kept"
"""The file that names the iteration whose model was kept when a training was ended early, for good."""

FIRST = {LOCK_FILE, "task.dfst", TRACES, START, ASKING, CHANGES, NOISY_TRACES, "manifest.json"}
"""What is in a run folder before it has a config."""


def check_new(path: Path) -> None:
    """Refuse a place where there is something already (but what is left of a run killed while it was made)."""
    if path.is_file():
        raise InputError("it is a file, not a folder", where=str(path), do="Choose a folder with --out.")
    if within := next((parent for parent in path.parents if parent.is_file()), None):
        raise InputError("it is a file, not a folder", where=str(within), do="Choose a folder with --out.")
    if not is_begun(path):
        do = "Continue it with --resume, or choose another folder with --out."
        raise InputError("the folder is not empty", where=str(path), do=do)


def is_begun(path: Path) -> bool:
    """Whether the folder holds nothing but the beginning of a run that was killed while it was made, or nothing."""
    if path.is_file():
        return False
    names = {name.name for name in path.iterdir()} if path.is_dir() else set()
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


def check_not_kept(run: Path) -> None:
    """Refuse to train on: the certificate there is about the model that was kept."""
    if (iterations := kept(run)) is not None:
        what = f"its training was ended after {iterations} iterations, when that model was proven"
        raise InputError(what, where=str(run), do="Train in another folder (--out).")
