"""A disk on which one operation fails: full, read-only, broken. Every operation of a run gets its turn.

python -m experiments.breaking.failing prints how many failures were tried.
"""

import errno
import json
import os
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from dfst import DfstError, InputError, RunFolder, recipe
from dfst.runs.checkpoint import newest_checkpoint
from dfst.runs.new_folder import is_begun
from dfst.runs.run_config import RunConfig
from dfst.teachers.find import find_task

OPERATIONS = ("open", "write", "fsync", "replace", "mkdir", "ftruncate", "unlink")
REASONS = {
    "disk full": errno.ENOSPC,
    "quota": errno.EDQUOT,
    "read-only": errno.EROFS,
    "not allowed": errno.EACCES,
    "broken disk": errno.EIO,
}


class FailingOs:
    """Stands in for the module ``os``: after ``fails_at`` operations all others end in an error."""

    def __init__(self, fails_at: int | None, reason: int, operations: tuple[str, ...]) -> None:
        self.count, self.fails_at, self.reason, self.operations = 0, fails_at, reason, operations

    def __getattr__(self, name: str) -> Any:
        given = getattr(os, name)
        return given if name not in self.operations else lambda *words: self._do(name, given, words)

    def _do(self, name: str, given: Any, words: tuple[Any, ...]) -> Any:
        self.count += 1
        if self.fails_at is not None and self.count > self.fails_at:
            if name == "write" and len(words[1]) > 1:
                os.write(words[0], words[1][: len(words[1]) // 2])  # there was room for some of it
            raise OSError(self.reason, os.strerror(self.reason))
        return given(*words)


@contextmanager
def failing(fails_at: int | None, reason: int = errno.ENOSPC, only: str = ""):
    """After ``fails_at`` operations (of one kind) nothing can be written any more."""
    fake = FailingOs(fails_at, reason, (only,) if only else OPERATIONS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dfst.files.os", fake)
        patch.setattr("filelock._unix.os", fake)
        yield fake


def failures(iterations: int, reasons: list[str], folder: Path) -> int:
    """How many failures a run was given; after each there is a sentence, and the run can go on as if nothing was."""
    config = RunConfig("add2", recipe("fast", "add2").changed(iterations=iterations), find_task("add2").sampling, 12)

    def train(path: Path) -> None:
        made = path.exists() and not is_begun(path)
        run = RunFolder.open(path) if made else RunFolder.create(path, config)
        run.train(checkpoint_seconds=0.0)

    with failing(None) as counter:
        train(folder / "whole")
    whole, tried = (folder / "whole" / "model.safetensors").read_bytes(), 0
    for reason in reasons:
        for fails_at in range(counter.count):
            path = folder / f"{reason}-{fails_at}"
            sentence = ""
            with failing(fails_at, REASONS[reason]) as disk:
                try:
                    train(path)
                except InputError as error:
                    sentence = str(error)
            if disk.count > fails_at:  # a block more or less, and the run has fewer operations
                hidden = not sentence  # only the removal of what is not needed may fail without a word
                assert hidden or os.strerror(REASONS[reason]) in sentence
                assert not hidden or (path / "README.md").exists()
                tried += 1
            with suppress(FileNotFoundError):
                assert newest_checkpoint(path / "checkpoints")[1] == []
            try:
                train(path)
            except DfstError as error:
                raise AssertionError(f"{reason} at {fails_at}: {error}") from error
            assert (path / "model.safetensors").read_bytes() == whole
    return tried


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as place:
        print(json.dumps({"failures": failures(6, list(REASONS), Path(place))}))
