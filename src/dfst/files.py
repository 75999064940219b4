"""Reading and writing files so that a mistake is a sentence and a crash leaves either the old file or the new one."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dfst.errors import FileFormatError, InputError, quoted

MAX_TEXT_BYTES = 64 * 2**20
"""Text files beyond this are refused: nobody writes a machine of that size, and operands have room for 60M digits."""

MAX_TOML_BYTES = 2**15
"""TOML beyond this is refused: it takes a hundred times its size in memory, and a config is of a few hundred bytes."""

MAX_DATA_BYTES = 4 * 2**30
"""Traces and models beyond this are refused: a trace of n digits takes about 6n² bytes, so this is 26,000 digits."""

UNFINISHED = ".part"
"""How the names of files end that are still being written."""

_FIRST_CHUNK, _CHUNK = 2**16, 2**24
_LONG_KEY = re.compile(
    r"""(?:^|[\[{,])[ \t]*+(?:(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){30}""", re.MULTILINE
)
_BINARY = getattr(os, "O_BINARY", 0)  # only Windows has it
_LOOKED_AT = 4096  # binary data has a zero byte among the first so many, text has none


def read_bytes(path: str | Path, *, limit: int = MAX_DATA_BYTES) -> bytes:
    """The bytes of a file, at most ``limit``; the size a file claims is not trusted, since devices and pipes have none.

    Reading goes in chunks that grow, because asking for so many bytes at once would reserve them all.
    """
    path, chunks, left, size = Path(path), [], limit + 1, _FIRST_CHUNK
    try:
        with path.open("rb") as file:
            while left and (chunk := file.read(min(left, size))):
                chunks.append(chunk)
                left, size = left - len(chunk), min(2 * size, _CHUNK)
    except FileNotFoundError:
        raise InputError("there is no such file", where=str(path), do="Check the path.") from None
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        if path.is_dir():
            raise InputError("it is a folder, not a file", where=str(path), do="Give a file.") from None
        raise _cannot("it cannot be read", path, error, "Check that it is a file and that you may read it.") from None
    if not left:
        size = f"{limit // 2**20} MiB" if limit >= 2**20 else f"{limit // 2**10} KiB"
        do = "Check that it is the file you meant."
        raise FileFormatError(f"the file is larger than {size}", where=str(path), do=do)
    return b"".join(chunks)


def read_text(path: str | Path, *, limit: int = MAX_TEXT_BYTES) -> str:
    """The text of a UTF-8 file of at most ``limit`` bytes, with any kind of line ends."""
    content = read_bytes(path, limit=limit)
    try:
        return plain_line_ends(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        what, do = f"line {line} is not UTF-8 text (byte {error.start})", "Save it as UTF-8."
        if content.startswith((b"\xff\xfe", b"\xfe\xff")):
            what = "it is text in UTF-16"
        elif b"\0" in content[:_LOOKED_AT]:
            what, do = "it is not text but binary data", "Give a text file."
        raise FileFormatError(what, where=str(path), do=do) from None


def read_toml(path: str | Path) -> dict[str, Any]:
    """The values of a TOML file."""
    try:
        return parse_toml(read_text(path, limit=MAX_TOML_BYTES))
    except (ValueError, RecursionError) as error:  # ValueError: TOML's own errors, and numbers of 4300 digits
        match = re.search(r"\(at line (\d+)", str(error))
        what = f"it is not valid TOML{f' (line {match[1]})' if match else ''}"
        raise FileFormatError(what, where=str(path), do="Write lines such as: iterations = 1000") from None


def parse_toml(text: str) -> dict[str, Any]:
    """The values of TOML text; a ValueError or a RecursionError says that it is none.

    Python's parser takes time and memory that grow with the square of the parts of a key, so keys of many are refused.
    """
    if _LONG_KEY.search(text):
        raise ValueError("a key has too many parts")
    return tomllib.loads(text)


def plain_line_ends(text: str) -> str:
    r"""``text`` with every line end, of whatever system, as ``\n``."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def numbered_lines(text: str, first: int = 1) -> Iterator[tuple[int, str]]:
    r"""The lines of ``text`` with their numbers, one after another: a list of all would take twenty times the text.

    >>> list(numbered_lines("a\n\nb\n"))
    [(1, 'a'), (2, ''), (3, 'b'), (4, '')]
    """
    return ((number, line[0]) for number, line in enumerate(re.finditer("^.*$", text, re.MULTILINE), first))


def is_file_name(text: str) -> bool:
    r"""Whether ``text``, found in a file, names a file in a known folder, and no other place: no path, no drive.

    >>> [is_file_name(text) for text in ("answers.csv", "../answers.csv", "/etc/passwd", "..", "a\0", "c:x")]
    [True, False, False, False, False, False]
    """
    short = len(text.encode(errors="replace")) < 200
    return short and text.strip() not in ("", ".", "..") and not set(text) & set("/\\:\0")


def write_atomically(path: str | Path, content: bytes) -> None:
    """Write, flush to disk, rename, flush the folder: after a crash there is the old file or the new one, whole.

    On Windows a folder cannot be flushed, so there the rename itself may be lost in a power cut.
    """
    path = Path(path)
    temporary = path.parent / f".{path.name}.{secrets.token_hex(4)}{UNFINISHED}"
    with _writing(path):
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, 0o666)
        try:
            try:
                _write_all(handle, content)
                os.fsync(handle)
            finally:
                os.close(handle)
            os.replace(temporary, path)
        except BaseException:
            remove(temporary)
            raise
        flush_folder(path.parent)


class Lines:
    """A file to which lines are added, for whoever watches it and for after a crash; each is whole or not there."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with _writing(path):
            self._handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | _BINARY, 0o666)

    def add(self, line: str) -> None:
        """Add a line; if the disk is full, what there was room for is taken back, so that it spoils no later line."""
        with _writing(self._path):
            size = os.fstat(self._handle).st_size
            try:
                _write_all(self._handle, f"{line}\n".encode())
            except OSError:
                os.ftruncate(self._handle, size)
                raise

    def flush(self) -> None:
        """Only after this do the lines survive a power cut."""
        with _writing(self._path):
            os.fsync(self._handle)

    def __enter__(self) -> Lines:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._handle)


def _write_all(handle: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(handle, left[:_CHUNK]) :]


def flush_folder(path: Path) -> None:
    """Make the names in a folder survive a power cut."""
    if os.name != "posix":
        return
    with _writing(path):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: a null byte in the path
        do = "Check that the folder exists, can be written and has room."
        raise _cannot("it cannot be written", path, error, do) from None


def _cannot(what: str, path: str | Path, error: OSError | ValueError, do: str) -> InputError:
    reason = getattr(error, "strerror", None) or str(error)
    return InputError(f"{what} ({reason})", where=str(path), do=do)


def remove_file(path: str | Path) -> None:
    """Remove a file, if it is there."""
    try:
        Path(path).unlink(missing_ok=True)
    except OSError as error:
        raise _cannot("it cannot be removed", path, error, "Remove it yourself, or choose another place.") from None


def remove(path: Path) -> None:
    """Remove a file that is not needed any more; if that cannot be done, it stays."""
    with contextlib.suppress(OSError):
        os.unlink(path)


def remove_unfinished(folder: Path, *names: str) -> None:
    """Remove what a killed process left of files it was writing: those called ``names``, or all."""
    for path in folder.glob(f".*{UNFINISHED}"):
        if not names or path.name[1 : -len(UNFINISHED)].rpartition(".")[0] in names:
            remove(path)


def make_folder(path: Path) -> None:
    """Make a folder, and those above it, unless it exists; they survive a power cut."""
    try:
        if not path.is_dir():
            make_folder(path.parent)
            try:
                os.mkdir(path)
            except FileExistsError:
                if not path.is_dir():  # if it is one, another process was faster
                    raise
            flush_folder(path.parent)
    except (OSError, ValueError) as error:
        if path.is_file():
            raise InputError("it is a file, not a folder", where=str(path), do="Give a folder.") from None
        do = "Choose another place, where you may write."
        raise _cannot("the folder cannot be made", path, error, do) from None


def check_output(path: str | Path, *endings: str, what: str) -> None:
    """Refuse, before any work is done, a file that could not be written or whose name says it is something else."""
    path = Path(path)
    if path.is_dir():
        raise InputError("it is a folder, not a file", where=str(path), do=f"Name a file in it for {what}.")
    if path.suffix not in endings:
        do = f"Use a name that ends in {' or '.join(endings)}."
        raise InputError(f"not a valid name for {what}", where=str(path), do=do)
    if not path.parent.is_dir():
        do = "Make it first, or name another one."
        raise InputError(f"there is no folder {quoted(str(path.parent))}", where=str(path), do=do)
