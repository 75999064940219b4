"""A Ray cluster, joined quietly. Ray is for clusters alone: on one computer a sweep and an evaluation use threads."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from dfst.errors import InputError, MissingExtraError

_SETTINGS = {
    **dict.fromkeys(("RAY_USAGE_STATS_ENABLED", "RAY_DEDUP_LOGS", "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO"), "0"),
    **{"RAY_ENABLE_UV_RUN_RUNTIME_ENV": "0", "RAY_task_oom_retries": "2"},  # or what needs too much memory never ends
}
_PATIENCE = 10.0
_MOST, _MOST_HERE = 10_000, max(16, 4 * (os.cpu_count() or 1))
_NOBODY = "there is no Ray cluster to be reached"
_CHECK = "Check that it runs (ray status), and write it as ray start does, such as 10.0.0.1:6379."


def check_workers(workers: int | None, address: str | None) -> None:
    """Refuse, before anything is written, workers or a cluster that cannot be used; a missing Ray, too."""
    most = _MOST_HERE if address is None else _MOST
    if workers is not None and not 1 <= workers <= most:
        raise InputError(f"{workers} workers cannot be used", where="--workers", do=f"Use 1 to {most}.")
    if address is not None and address != "auto":
        host, _, port = address.rpartition(":")
        try:
            socket.create_connection((host, int(port)), _PATIENCE).close()  # Ray itself tries for a quarter of an hour
        except (ValueError, OSError, OverflowError):
            raise InputError(_NOBODY, where=f"--address {address}", do=_CHECK) from None
    if address is not None and find_spec("ray") is None:
        raise MissingExtraError("work spread over a cluster", "sweep")


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """The module ``ray``, connected to the cluster at ``address``.

    Nothing is sent to Ray's makers, and Ray's own log stays in its files; for its sake stdout is closed meanwhile.
    """
    os.environ.update({name: value for name, value in _SETTINGS.items() if name not in os.environ})
    import ray
    from ray.exceptions import RayError

    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL)
    except (ValueError, RuntimeError, OSError, OverflowError, RayError) as error:
        do = _CHECK
        if "uthentication" in str(error):
            do = "Its token is needed: set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN as on its nodes."
        raise InputError(_NOBODY, where=f"--address {address}", do=do) from None
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    try:
        with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):  # a lost node is printed there by Ray
            yield ray
    finally:
        ray.shutdown()


def slots(ray: Any, threads: int, memory: int = 0) -> int:
    """How many tasks of ``threads`` threads and ``memory`` bytes the nodes of the cluster have room for."""
    nodes = [node["Resources"] for node in ray.nodes() if node["Alive"]]
    rooms = [(has.get("CPU", 0) // threads, has.get("memory", 0) // memory if memory else _MOST) for has in nodes]
    return int(sum(map(min, rooms)))
