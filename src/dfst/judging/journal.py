"""A measurement's journal: every finished attempt is a line of a file, so that a stopped measurement goes on."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from dfst.errors import InputError
from dfst.files import Lines, make_folder, read_bytes, write_atomically

Key = tuple[int, str, int]
"""(length, kind of problem, its number)."""


class Journal:
    """Attempts on disk, one JSON line each, behind a first line that says what was measured.

    A journal of something else (another model, another seed) is refused, not mixed up. A line that is damaged, such as
    a last one cut short by a crash, does not count.
    """

    def __init__(self, path: Path, subject: dict[str, Any]) -> None:
        self.path, self._lock = path, threading.Lock()
        self._known: dict[Key, list[Any]] = {}
        lines = read_bytes(path).splitlines() if path.exists() else []
        if lines and _parsed(lines[0]) != subject:
            what = "this journal holds attempts of another policy or another measurement"
            raise InputError(what, where=str(path), do="Give another file, or remove this one.")
        for line in lines[1:]:
            match _parsed(line):
                case [int() as m, str() as kind, int() as number, list() as attempt]:
                    self._known[m, kind, number] = attempt
        make_folder(path.parent)
        kept = [[*key, attempt] for key, attempt in self._known.items()]
        text = "".join(json.dumps(line) + "\n" for line in [subject, *kept])
        write_atomically(path, text.encode())

    def __len__(self) -> int:
        return len(self._known)

    def get(self, key: Key) -> list[Any] | None:
        """The attempt as its fields, or None if there was none yet."""
        return self._known.get(key)

    def add(self, key: Key, attempt: Iterable[Any]) -> None:
        """Remember an attempt; whatever happens later, it is on disk."""
        line = json.dumps([*key, list(attempt)])
        with self._lock, Lines(self.path) as lines:
            lines.add(line)
            lines.flush()


def _parsed(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
