"""A crash at every write, flush and rename leaves the old state or the new one, never anything else."""

import os

import pytest
from experiments.breaking.crashes import CASES
from experiments.breaking.disk import every_crash, make_tree, recorded, tree_of

import dfst.files
from dfst.files import write_atomically


def folders(tmp_path):
    for name in ("root", "again"):
        (tmp_path / name).mkdir()
    return tmp_path / "root", tmp_path / "again"


@pytest.mark.parametrize("case", [*list(CASES)[:-1], pytest.param(list(CASES)[-1], marks=pytest.mark.slow)])
def test_every_crash_leaves_the_old_state_or_the_new_one(case, tmp_path):
    assert CASES[case](*folders(tmp_path)) > 30


def careful(path, content):
    write_atomically(path, content)


def in_place(path, content):
    handle = dfst.files.os.open(path, os.O_WRONLY | os.O_TRUNC)
    dfst.files.os.write(handle, content)
    dfst.files.os.fsync(handle)
    os.close(handle)


def without_flush(path, content):
    handle = dfst.files.os.open(path.with_name("new"), os.O_WRONLY | os.O_CREAT)
    dfst.files.os.write(handle, content)
    os.close(handle)
    dfst.files.os.replace(path.with_name("new"), path)


def rename_not_flushed(path, content):
    handle = dfst.files.os.open(path.with_name("new"), os.O_WRONLY | os.O_CREAT)
    dfst.files.os.write(handle, content)
    dfst.files.os.fsync(handle)
    os.close(handle)
    dfst.files.os.replace(path.with_name("new"), path)


@pytest.mark.parametrize(
    ("writer", "during", "after"),
    [(careful, True, True), (in_place, False, True), (without_flush, False, False), (rename_not_flushed, True, False)],
)
def test_the_disk_finds_out_who_is_careless(writer, during, after, tmp_path):
    """``during``: a crash leaves old or new; ``after``: once it returned, new."""
    root, again = folders(tmp_path)
    old, new = b"o" * 2000, b"n" * 3000
    (root / "file").write_bytes(old)
    with recorded(root) as recorder:
        writer(root / "file", new)
        recorder.mark("written")
    found = {False: set(), True: set()}
    for marks, tree in every_crash(recorder):
        make_tree(again, tree)
        assert tree_of(again) == tree
        found[bool(marks)].add((again / "file").read_bytes())
    assert (found[False] <= {old, new}) == during
    assert (found[True] == {new}) == after
