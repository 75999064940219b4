"""A disk on which operations fail (full, read-only, broken): a sentence each time, and the run can be resumed."""

import errno
import json
import os
from contextlib import contextmanager, suppress
from dataclasses import replace

import pytest

from dfst import RunFolder
from dfst.errors import InputError
from dfst.files import Lines
from dfst.runs.checkpoint import newest_checkpoint
from dfst.runs.folder_files import is_begun
from dfst.runs.options import Options
from dfst.teachers.find import find_task

OPERATIONS = ("open", "write", "fsync", "replace", "mkdir", "ftruncate", "unlink")
REASONS = {
    "disk full": errno.ENOSPC,
    "quota": errno.EDQUOT,
    "read-only": errno.EROFS,
    "not allowed": errno.EACCES,
    "broken disk": errno.EIO,
}
TRIED = REASONS if "DFST_TIMES" in os.environ else ("disk full",)
"""All of them for experiments/faults.py."""


class FailingOs:
    """Stands in for the module ``os``: after ``fails_at`` operations all others end in an error."""

    def __init__(self, fails_at, reason, operations):
        self.count, self.fails_at, self.reason, self.operations = 0, fails_at, reason, operations

    def __getattr__(self, name):
        given = getattr(os, name)

        def do(*words):
            self.count += 1
            if self.fails_at is not None and self.count > self.fails_at:
                if name == "write" and len(words[1]) > 1:
                    os.write(words[0], words[1][: len(words[1]) // 2])  # there was room for some of it
                raise OSError(self.reason, os.strerror(self.reason))
            return given(*words)

        return do if name in self.operations else given


@contextmanager
def failing(fails_at, reason=errno.ENOSPC, operations=OPERATIONS):
    """After ``fails_at`` of these operations nothing can be written any more."""
    fake = FailingOs(fails_at, reason, operations)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dfst.files.os", fake)
        patch.setattr("filelock._unix.os", fake)
        yield fake


def train(path):
    options = Options(iterations=2, checkpoint_seconds=0.0).on(find_task("add2"))
    made = path.exists() and not is_begun(path)
    run = replace(RunFolder.open(path), options=options) if made else RunFolder.create(path, options)
    run.train()
    return run.model_path.read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("reason", TRIED)
def test_any_operation_may_fail(reason, tmp_path, record_property):
    tried = 0
    with failing(None) as counter:
        whole = train(tmp_path / "whole")
    for fails_at in range(counter.count):
        path, sentence = tmp_path / f"{fails_at}", ""
        with failing(fails_at, REASONS[reason]) as disk:
            try:
                train(path)
            except InputError as error:
                sentence = str(error)
        if disk.count > fails_at:  # a block more or less, and the run has fewer operations
            # only the removal of what is not needed may fail without a word
            assert os.strerror(REASONS[reason]) in sentence if sentence else (path / "README.md").exists()
            tried += 1
        with suppress(FileNotFoundError):
            assert newest_checkpoint(path / "checkpoints")[1] == []
        assert train(path) == whole
    record_property("failures", json.dumps({reason: tried}))
    assert tried > 30


def test_half_a_line_is_taken_back(tmp_path):
    """The disk takes half of a line and is full then, but a file can still be made shorter."""
    with Lines(tmp_path / "log") as lines:
        lines.add("one")
        with failing(0, operations=("write",)), pytest.raises(InputError, match="No space left"):
            lines.add("two, of which there is room for the half")
        assert (tmp_path / "log").read_text() == "one\n"
        lines.add("three")
    assert (tmp_path / "log").read_text() == "one\nthree\n"
