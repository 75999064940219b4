"""Ray, quietly: several processes on this machine, or a cluster that is there already."""

from __future__ import annotations

import logging
import os
import secrets
import socket
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

from dfst.errors import InputError, MissingExtraError

_OBJECT_STORE = 100 * 2**20
"""Bytes; what passes between our processes is a few kilobytes."""

_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_DEDUP_LOGS": "0",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0",
}

_STARTS = 3
_PATIENCE = 10.0

_TOKEN = secrets.token_hex(32)
"""What our processes know each other by. Ray would put one into the home folder, where it changes later clusters."""


@contextmanager
def connected(address: str | None = None, *, workers: int | None = None) -> Iterator[Any]:
    """The module ``ray``, connected to the cluster at ``address``, or to processes started here for the time being.

    ``workers`` is how many processes work on this machine (one per core by default). Nothing is sent to Ray's makers,
    no dashboard is started, and Ray's own log stays in its files; for its sake stdout is closed meanwhile.
    """
    if workers is not None and not 1 <= workers <= 10_000:
        raise InputError(f"{workers} workers cannot be used", where="--workers", do="Use 1 or more.")
    os.environ.update({name: value for name, value in _QUIET.items() if name not in os.environ})
    if address is None and "RAY_AUTH_MODE" not in os.environ:
        os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=_TOKEN)
    try:
        import ray
    except ImportError:
        raise MissingExtraError("work spread over processes", "sweep") from None
    if address is None:
        _start(ray, workers or os.cpu_count() or 1)
    else:
        _join(ray, address)
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    try:
        with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):  # a lost node is printed there by Ray
            yield ray
    finally:
        ray.shutdown()


def _start(ray: Any, workers: int) -> None:
    """Ray on this machine. It gives up after half a minute, which a busy machine may need; so it is tried again."""
    options = {"num_cpus": workers, "object_store_memory": _OBJECT_STORE, "include_dashboard": False}
    for attempt in range(_STARTS):
        try:
            ray.init(address="local", **options, log_to_driver=False, logging_level=logging.CRITICAL)
            return
        except Exception as error:  # Ray raises a plain Exception here
            ray.shutdown()
            if attempt == _STARTS - 1:
                do = "Close other programs, or ask for fewer processes with --workers."
                raise InputError(f"Ray did not start ({_first_line(error)})", do=do) from None


def _join(ray: Any, address: str) -> None:
    where = f"--address {address}"
    do = "Check that it runs (ray status), and write it as ray start does, such as 10.0.0.1:6379."
    host, _, port = address.rpartition(":")
    try:
        if address != "auto":  # Ray itself would try for minutes
            socket.create_connection((host, int(port)), _PATIENCE).close()
        ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL)
    except (ValueError, RuntimeError, OSError, OverflowError, ray.exceptions.RayError) as error:
        if "uthentication" in str(error):
            do = "Its token is needed: set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN as on its nodes."
        raise InputError("there is no Ray cluster to be reached", where=where, do=do) from None


def slots(ray: Any, threads: int) -> int:
    """How many processes of ``threads`` threads the cluster has room for, now."""
    return sum(int(node["Resources"].get("CPU", 0) // threads) for node in ray.nodes() if node["Alive"])


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n")[0][:120]
