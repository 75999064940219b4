"""Numpy's linear algebra on one thread: the last bits of a product or a decomposition depend on how many there are."""

from __future__ import annotations

from contextlib import AbstractContextManager

from threadpoolctl import threadpool_limits


def one_thread() -> AbstractContextManager[object]:
    """Same weights, same bytes, however many cores there are (with OpenBLAS, MKL or BLIS; others cannot be told)."""
    return threadpool_limits(1, user_api="blas")
