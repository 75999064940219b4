"""Numpy's linear algebra on one thread: the last bits of a product or a decomposition depend on how many there are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from threadpoolctl import threadpool_limits

_TURN = Lock()
"""The limit is one for the whole process: of two training runs in it, the first to be done would lift the other's."""


@contextmanager
def one_thread() -> Iterator[None]:
    """Same weights, same bytes, however many cores there are (with OpenBLAS, MKL or BLIS; others cannot be told)."""
    with _TURN, threadpool_limits(1, user_api="blas"):
        yield
