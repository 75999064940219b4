"""One process at a time in a folder, by a lock that the operating system frees, whatever ends the process."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from dfst.errors import InputError

LOCK_FILE = ".lock"
"""It stays in the folder, since a file that is removed while somebody waits for it would be locked twice."""

BUSY = "another process is at work in it"
_NO_LOCKS = (errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP)


@contextmanager
def only_process(folder: Path, *, do: str) -> Iterator[None]:
    """Work in ``folder`` alone; if another process (or thread) is there already, ``do`` is the advice.

    There are no stale locks: the kernel frees it when the process ends, killed or not. On a network file system it is
    as good as that system's own locks, between machines often worth nothing; one that has none goes without. Nothing
    is written to the lock file, and a folder that holds a symbolic link is refused.
    """
    from filelock import FileLock, Timeout  # here, as it takes its time to import

    check_no_links(folder)
    lock = FileLock(folder / LOCK_FILE, blocking=False, fallback_to_soft=False, preserve_lock_file=True)
    try:
        lock.acquire()
    except Timeout:
        raise InputError(BUSY, where=str(folder), do=do) from None
    except OSError as error:
        if error.errno not in _NO_LOCKS:
            what = f"nothing can be written there ({error.strerror})"
            raise InputError(what, where=str(folder), do="Check that you may, and that there is room.") from None
    try:
        yield
    finally:
        lock.release()


def check_no_links(folder: Path) -> None:
    """Refuse a folder to work in that holds a symbolic link, itself or one level below.

    Through a link, a folder that somebody else made could have files written or removed anywhere.
    """
    for names in ("*", "*/*"):  # of what is not there nothing: whoever writes there will say so
        for path in sorted(folder.glob(names)):
            if path.is_symlink():
                what = f"{path.relative_to(folder)} in it is a symbolic link, and dfst writes through no link"
                raise InputError(what, where=str(folder), do="Put the file or folder itself there, or remove the link.")
