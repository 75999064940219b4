"""A disk that loses power: what was asked of it is recorded, and every state a crash could leave is made again.

The rules are POSIX's, not those of a friendly file system. Data that was not flushed since may be there, lost, cut
short or have holes of zeros, in any order; names that were made, changed or removed since their folder was last
flushed may be old or new, each by itself. A rename is either done or not.
"""

import itertools
import math
import os
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

SECTOR = 512
Tree = dict[str, bytes | None]
"""What is in a folder: the content of each file, None for a folder."""


class Recorder:
    """Stands in for the module ``os``: everything is done, and what changes ``root`` is noted in ``operations``."""

    def __init__(self, root: Path) -> None:
        self.root, self.operations = root, []
        self.first = tree_of(root)
        self._handles: dict[int, str] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def mark(self, what: Any) -> None:
        """Remember that the program had come this far."""
        self.operations.append(("mark", what))

    def open(self, path: Any, flags: int, mode: int = 0o777) -> int:
        new = not os.path.lexists(path)
        handle, name = os.open(path, flags, mode), self._name(path)
        self._handles[handle] = name
        if new:
            self.operations.append(("create", name))
        elif flags & os.O_TRUNC:
            self.operations.append(("truncate", name, 0))
        return handle

    def write(self, handle: int, content: Any) -> int:
        before, at = os.fstat(handle).st_size, os.lseek(handle, 0, os.SEEK_CUR)
        written = os.write(handle, content)
        if os.fstat(handle).st_size == before + written:
            at = before  # a file that only grows
        self.operations.append(("write", self._handles[handle], at, bytes(content[:written])))
        return written

    def ftruncate(self, handle: int, size: int) -> None:
        os.ftruncate(handle, size)
        self.operations.append(("truncate", self._handles[handle], size))

    def fsync(self, handle: int) -> None:
        os.fsync(handle)
        self.operations.append(("flush", self._handles[handle]))

    def replace(self, source: Any, target: Any) -> None:
        os.replace(source, target)
        self.operations.append(("rename", self._name(source), self._name(target)))

    def mkdir(self, path: Any) -> None:
        os.mkdir(path)
        self.operations.append(("mkdir", self._name(path)))

    def unlink(self, path: Any) -> None:
        os.unlink(path)
        self.operations.append(("unlink", self._name(path)))

    def _name(self, path: Any) -> str:
        return Path(path).relative_to(self.root).as_posix()


@contextmanager
def recorded(root: Path) -> Iterator[Recorder]:
    """Record what dfst writes below ``root``; all of it goes through dfst.files and filelock."""
    recorder = Recorder(root)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dfst.files.os", recorder)
        patch.setattr("filelock._unix.os", recorder)
        yield recorder


class _File:
    """A file as such, whatever its name: what is on disk for certain, and what was asked for since."""

    def __init__(self, content: bytes = b"") -> None:
        self.safe, self.pending = content, []

    def flush(self) -> None:
        self.safe, self.pending = self.after(len(self.pending)), []

    def after(self, count: int) -> bytes:
        content = self.safe
        for kind, at, data in self.pending[:count]:
            content = content[:at] if kind == "truncate" else content[:at].ljust(at, b"\0") + data
        return content

    def contents(self, rng: random.Random) -> list[bytes]:
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
    """The disk while ``operations`` happen, and what a crash would leave of it."""

    def __init__(self, first: Tree) -> None:
        self._now: dict[str, _File | None] = {
            name: None if content is None else _File(content) for name, content in first.items()
        }
        self._safe = dict(self._now)
        self._pending: list[dict[str, Any]] = []

    def do(self, operation: tuple[Any, ...]) -> None:
        """One operation more."""
        match operation:
            case "create", name:
                self._rename({name: _File()})
            case "mkdir", name:
                self._rename({name: None})
            case "unlink", name:
                self._rename({name: ...})
            case "rename", source, target:
                self._rename({source: ..., target: self._now[source]})
            case "write", name, at, data:
                self._file(name).pending.append(("write", at, data))
            case "truncate", name, size:
                self._file(name).pending.append(("truncate", size, b""))
            case "flush", name if isinstance(self._now.get(name), _File):
                self._file(name).flush()
            case "flush", folder:
                inside = [change for change in self._pending if _folder(change) == folder]
                self._pending = [change for change in self._pending if _folder(change) != folder]
                for change in inside:
                    _apply(self._safe, change)

    def crashes(self, rng: random.Random, most: int = 64) -> Iterator[Tree]:
        """States a crash may leave now: all of them, or ``most`` chosen at random if there are more."""
        some = range(len(self._pending))
        possible = []
        for kept in (kept for size in range(len(some) + 1) for kept in itertools.combinations(some, size)):
            names = dict(self._safe)
            for i in kept:
                _apply(names, self._pending[i])
            names = {n: f for n, f in names.items() if all(str(p) in names for p in Path(n).parents if str(p) != ".")}
            files = dict.fromkeys(file for file in names.values() if file is not None)
            possible.append((names, {file: file.contents(rng) for file in files}))
        if sum(math.prod(map(len, contents.values())) for _, contents in possible) <= most:
            for names, contents in possible:
                for chosen in itertools.product(*contents.values()):
                    yield _tree(names, dict(zip(contents, chosen, strict=True)))
            return
        for (names, contents), which in ((possible[0], 0), (possible[-1], -1)):
            yield _tree(names, {file: ways[which] for file, ways in contents.items()})
        for _ in range(most - 2):
            names, contents = rng.choice(possible)
            yield _tree(names, {file: rng.choice(ways) for file, ways in contents.items()})

    def _rename(self, change: dict[str, Any]) -> None:
        _apply(self._now, change)
        self._pending.append(change)

    def _file(self, name: str) -> _File:
        file = self._now[name]
        assert file is not None
        return file


def _tree(names: dict[str, _File | None], contents: dict[_File, bytes]) -> Tree:
    return {name: None if file is None else contents[file] for name, file in names.items()}


def _folder(change: dict[str, Any]) -> str:
    return str(Path(next(iter(change))).parent)


def _apply(names: dict[str, Any], change: dict[str, Any]) -> None:
    for name, file in change.items():
        if file is ...:
            names.pop(name, None)
        else:
            names[name] = file


def every_crash(recorder: Recorder, *, seed: int = 1) -> Iterator[tuple[list[Any], Tree]]:
    """(the marks passed, what is on disk) for crashes before the first operation, between any two, after the last."""
    disk, rng, marks = Disk(recorder.first), random.Random(seed), []
    yield from (([], tree) for tree in disk.crashes(rng))
    for operation in recorder.operations:
        if operation[0] == "mark":
            marks = [*marks, operation[1]]
        disk.do(operation)
        yield from ((marks, tree) for tree in disk.crashes(rng))


def tree_of(root: Path) -> Tree:
    """What is below ``root``."""
    return {
        path.relative_to(root).as_posix(): path.read_bytes() if path.is_file() else None
        for path in sorted(root.rglob("*"))
    }


def make_tree(root: Path, tree: Tree) -> None:
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
