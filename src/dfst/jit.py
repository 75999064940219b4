"""Compiling with numba: without the GIL, and kept on disk where there is a place to keep it."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba

_IMPORT = re.compile(r"^from (dfst[\w.]*) import", re.MULTILINE)


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """``numba.njit`` with a disk cache; without one if neither the package's folder nor the user's can be written."""

    def decorate(function: Callable[..., Any]) -> Any:
        try:
            found: Any = numba.njit(nogil=True, cache=True, **options)(function)
        except RuntimeError:  # numba: no locator available for the cache
            return numba.njit(nogil=True, **options)(function)
        kept = found._cache._cache_file
        kept._source_stamp = kept._source_stamp, _sources(function.__module__)  # numba looks at the own file alone
        return found

    return decorate


@cache
def _sources(module: str) -> str:
    """A digest of what the kernels of ``module`` are made of: its file and those it imports from.

    Of those that hold kernels, too, what they import from: one kernel is compiled into another.
    """
    try:
        text = Path(str(sys.modules[module].__file__)).read_text(encoding="utf-8")
    except OSError:  # not in a file of its own, as in a zip archive
        return ""
    used = _IMPORT.findall(text) if "from dfst.jit import" in text else []
    return hashlib.sha256("\n".join([text, *map(_sources, used)]).encode()).hexdigest()
