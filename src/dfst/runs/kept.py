"""A training that was ended early, for good: which iteration's model was kept."""

from __future__ import annotations

from pathlib import Path

from dfst.errors import FileFormatError, InputError
from dfst.files import read_text, write_atomically

_FILE = "kept"


def kept(run: Path) -> int | None:
    """The iteration whose model was kept; None if the training was not ended early."""
    path = run / _FILE
    if not path.exists():
        return None
    text = read_text(path, limit=2**10).strip()
    if not (text.isascii() and text.isdecimal()):
        do = "Write the iteration there whose model was kept (README.md says which), or train in another folder."
        raise FileFormatError("it is damaged: it holds no number of iterations", where=str(path), do=do)
    return int(text)


def mark_kept(run: Path, iterations: int) -> None:
    """Say so in the run folder."""
    write_atomically(run / _FILE, f"{iterations}\n".encode())


def check_not_kept(run: Path) -> None:
    """Refuse to train on: the certificate there is about the model that was kept."""
    if (iterations := kept(run)) is not None:
        what = f"its training was ended after {iterations} iterations, when that model was proven"
        raise InputError(what, where=str(run), do="Train in another folder (--out).")
