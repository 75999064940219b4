"""Compiling with numba: without the GIL, and kept on disk where there is a place to keep it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba


def compiled(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """``numba.njit`` with a disk cache; without one if neither the package's folder nor the user's can be written."""

    def decorate(function: Callable[..., Any]) -> Any:
        try:
            return numba.njit(nogil=True, cache=True, **options)(function)
        except RuntimeError:  # numba: no locator available for the cache
            return numba.njit(nogil=True, **options)(function)

    return decorate
