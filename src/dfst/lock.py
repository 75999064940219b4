"""One process at a time in a folder, by a lock that the operating system frees, whatever ends the process."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dfst.errors import InputError

LOCK_FILE = ".lock"
"""It stays in the folder, since a file that is removed while somebody waits for it would be locked twice."""

_PLACE = 2**30  # on Windows nobody else can read what is locked, so the lock is beyond the text


@contextmanager
def only_process(folder: Path, *, do: str) -> Iterator[None]:
    """Work in ``folder`` alone; if another process (or thread) is there already, it is named and ``do`` is the advice.

    There are no stale locks: the kernel frees it when the process ends, killed or not. On a network file system it is
    as good as that system's own locks, between machines often worth nothing; one that has none goes without.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder, only_process(Path(folder), do=""):
    ...     sorted(path.name for path in Path(folder).iterdir())
    ['.lock']
    """
    try:
        handle = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        what, advice = f"nothing can be written there ({error.strerror})", "Check that you may, and that there is room."
        raise InputError(what, where=str(folder), do=advice) from None
    try:
        if not _locked(handle):
            holder = os.read(handle, 20).decode(errors="replace").strip()
            named = f" (number {holder})" if holder.isdecimal() else ""
            raise InputError(f"another process{named} is at work in it", where=str(folder), do=do)
        _sign(handle)
        yield
    finally:
        os.close(handle)


def _locked(handle: int) -> bool:
    """Whether the lock is ours now; a file system without locks lets everybody in."""
    if sys.platform == "win32":
        import msvcrt

        os.lseek(handle, _PLACE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        finally:
            os.lseek(handle, 0, os.SEEK_SET)
        return True
    import fcntl

    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True


def _sign(handle: int) -> None:
    """Leave this process's number for those who come later; a full disk may prevent that, which does no harm."""
    try:
        os.ftruncate(handle, 0)
        os.write(handle, f"{os.getpid()}\n".encode())
    except OSError:
        pass
