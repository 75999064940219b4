"""A disk that loses power: what was asked of it is recorded, and every state a crash could leave is made again.

The rules are POSIX's, not those of a friendly file system. Data that was not flushed since may be there, lost, cut
short or have holes of zeros, in any order; names that were made, changed or removed since their folder was last
flushed may be old or new, each by itself. A rename is either done or not.
"""

import itertools
import math
import os
import random
from contextlib import contextmanager
from pathlib import Path

import pytest

SECTOR = 512


class Recorder:
    """Stands in for the module ``os``: everything is done, and what changes ``root`` is noted in ``operations``."""

    def __init__(self, root):
        self.root, self.operations, self.first, self.handles = root, [], tree_of(root), {}

    def __getattr__(self, name):
        return getattr(os, name)

    def mark(self, what):
        """Remember that the program had come this far."""
        self.operations.append(("mark", what))

    def open(self, path, flags, mode=0o777):
        new = not os.path.lexists(path)
        handle, name = os.open(path, flags, mode), self.below(path)
        self.handles[handle] = name
        if new:
            self.operations.append(("create", name))
        elif flags & os.O_TRUNC:
            self.operations.append(("truncate", name, 0))
        return handle

    def write(self, handle, content):
        before, at = os.fstat(handle).st_size, os.lseek(handle, 0, os.SEEK_CUR)
        written = os.write(handle, content)
        if os.fstat(handle).st_size == before + written:
            at = before  # a file that only grows
        self.operations.append(("write", self.handles[handle], at, bytes(content[:written])))
        return written

    def ftruncate(self, handle, size):
        os.ftruncate(handle, size)
        self.operations.append(("truncate", self.handles[handle], size))

    def fsync(self, handle):
        os.fsync(handle)
        self.operations.append(("flush", self.handles[handle]))

    def replace(self, source, target):
        os.replace(source, target)
        self.operations.append(("rename", self.below(source), self.below(target)))

    def mkdir(self, path):
        os.mkdir(path)
        self.operations.append(("mkdir", self.below(path)))

    def unlink(self, path):
        os.unlink(path)
        self.operations.append(("unlink", self.below(path)))

    def below(self, path):
        return Path(path).relative_to(self.root).as_posix()


@contextmanager
def recorded(root):
    """Record what dfst writes below ``root``; all of it goes through dfst.files and filelock."""
    recorder = Recorder(root)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dfst.files.os", recorder)
        patch.setattr("filelock._unix.os", recorder)
        yield recorder


class File:
    """A file as such, whatever its name: what is on disk for certain, and what was asked for since."""

    def __init__(self, content=b""):
        self.safe, self.pending = content, []

    def flush(self):
        self.safe, self.pending = self.after(len(self.pending)), []

    def after(self, count):
        content = self.safe
        for kind, at, data in self.pending[:count]:
            content = content[:at] if kind == "truncate" else content[:at].ljust(at, b"\0") + data
        return content

    def contents(self, rng):
        """What may be there after a crash; the first is as if nothing, the last as if everything had been written."""
        if not self.pending:
            return [self.safe]
        whole, found = self.after(len(self.pending)), [self.safe]
        for count in range(len(self.pending)):
            content = self.after(count + 1)
            start, end = sorted((len(self.after(count)), len(content)))
            cuts = {start, start + 1, end - 1, *range(start, end, SECTOR), rng.randint(start, end)}
            found += [content[:cut] for cut in sorted(cuts)]
        places = range(len(self.safe), len(whole), SECTOR)
        for lost in ([True] * len(places), *([rng.random() < 0.5 for _ in places] for _ in range(8))):
            torn = bytearray(whole)
            for at, gone in zip(places, lost, strict=True):
                if gone:
                    torn[at : at + SECTOR] = bytes(len(torn[at : at + SECTOR]))
            found.append(bytes(torn))
        return [content for content in dict.fromkeys(found) if content != whole] + [whole]


class Disk:
    """The disk while operations happen: the names that there are, those on disk for certain, and changes since."""

    def __init__(self, first):
        self.now = {name: None if content is None else File(content) for name, content in first.items()}
        self.safe, self.pending = dict(self.now), []

    def do(self, operation):
        """One operation more."""
        match operation:
            case "create", name:
                self.change({name: File()})
            case "mkdir", name:
                self.change({name: None})
            case "unlink", name:
                self.change({name: ...})
            case "rename", source, target:
                self.change({source: ..., target: self.now[source]})
            case ("write", name, at, data):
                self.now[name].pending.append(("write", at, data))
            case "truncate", name, size:
                self.now[name].pending.append(("truncate", size, b""))
            case "flush", name if isinstance(self.now.get(name), File):
                self.now[name].flush()
            case "flush", folder:
                for change in [change for change in self.pending if folder_of(change) == folder]:
                    apply(self.safe, change)
                self.pending = [change for change in self.pending if folder_of(change) != folder]

    def change(self, names):
        apply(self.now, names)
        self.pending.append(names)

    def crashes(self, rng, most=64):
        """States a crash may leave now: all of them, or ``most`` chosen at random if there are more."""
        some = range(len(self.pending))
        possible = []
        for kept in (kept for size in range(len(some) + 1) for kept in itertools.combinations(some, size)):
            names = dict(self.safe)
            for i in kept:
                apply(names, self.pending[i])
            names = {n: f for n, f in names.items() if all(str(p) in names for p in Path(n).parents if str(p) != ".")}
            files = dict.fromkeys(file for file in names.values() if file is not None)
            possible.append((names, {file: file.contents(rng) for file in files}))
        if sum(math.prod(map(len, contents.values())) for _, contents in possible) <= most:
            for names, contents in possible:
                for chosen in itertools.product(*contents.values()):
                    yield as_tree(names, dict(zip(contents, chosen, strict=True)))
            return
        for (names, contents), which in ((possible[0], 0), (possible[-1], -1)):
            yield as_tree(names, {file: ways[which] for file, ways in contents.items()})
        for _ in range(most - 2):
            names, contents = rng.choice(possible)
            yield as_tree(names, {file: rng.choice(ways) for file, ways in contents.items()})


def as_tree(names, contents):
    return {name: None if file is None else contents[file] for name, file in names.items()}


def folder_of(change):
    return str(Path(next(iter(change))).parent)


def apply(names, change):
    names |= change
    for name in [name for name, file in change.items() if file is ...]:
        del names[name]


def every_crash(recorder):
    """(the marks passed, what is on disk) for crashes before the first operation, between any two, after the last."""
    disk, rng, marks = Disk(recorder.first), random.Random(1), []
    yield from (([], tree) for tree in disk.crashes(rng))
    for operation in recorder.operations:
        if operation[0] == "mark":
            marks = [*marks, operation[1]]
        disk.do(operation)
        yield from ((marks, tree) for tree in disk.crashes(rng))


def tree_of(root):
    """What is below ``root``: the content of each file, None for a folder."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(root.rglob("*"))
    }


def make_tree(root, tree):
    """Write ``tree`` into the folder ``root``, and nothing else is in it afterwards."""
    for path in sorted(root.rglob("*"), reverse=True):
        name = path.relative_to(root).as_posix()
        if name not in tree:
            path.rmdir() if path.is_dir() else path.unlink()
    for name, content in sorted(tree.items()):
        path = root / name
        if content is None:
            path.mkdir(exist_ok=True)
        elif not path.exists() or path.read_bytes() != content:
            path.write_bytes(content)
