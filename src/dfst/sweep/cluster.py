"""Ray, quietly: several processes on this machine, or a cluster that is there already."""

from __future__ import annotations

import logging
import os
import secrets
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from importlib.util import find_spec
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
_FEW = 16
"""So many processes are no danger to any machine."""

_SETTINGS = b"\x04"
_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + b"\0\0\0" + _SETTINGS + b"\0\0\0\0\0"
"""How HTTP/2, and so gRPC, begins: a fixed text and a frame of settings; the answer is such a frame."""

_NOBODY = "there is no Ray cluster to be reached"
_CHECK = "Check that it runs (ray status), and write it as ray start does, such as 10.0.0.1:6379."

_TOKEN = secrets.token_hex(32)
"""What our processes know each other by. Ray would put one into the home folder, where it changes later clusters."""


def check_cluster(address: str | None, workers: int | None) -> None:
    """Refuse, before anything is written, what :func:`connected` could not use; a missing Ray, too."""
    most = 10_000 if address is not None else max(_FEW, 4 * (os.cpu_count() or 1))
    if workers is not None and not 1 <= workers <= most:
        raise InputError(f"{workers} workers cannot be used", where="--workers", do=f"Use 1 to {most}.")
    if address is not None and address != "auto":
        host, _, port = address.rpartition(":")
        try:
            _knock(host, int(port))
        except (ValueError, OSError, OverflowError):
            raise InputError(_NOBODY, where=f"--address {address}", do=_CHECK) from None
    if find_spec("ray") is None:
        raise MissingExtraError("work spread over processes", "sweep")


@contextmanager
def connected(address: str | None = None, *, workers: int | None = None, threads: int = 1) -> Iterator[Any]:
    """The module ``ray``, connected to the cluster at ``address``, or to processes started here for the time being.

    ``workers`` is how many processes of ``threads`` threads work on this machine (as many as it has cores for by
    default). Nothing is sent to Ray's makers, no dashboard is started, and Ray's own log stays in its files; for its
    sake stdout is closed meanwhile.
    """
    check_cluster(address, workers)
    os.environ.update({name: value for name, value in _QUIET.items() if name not in os.environ})
    if address is None and "RAY_AUTH_MODE" not in os.environ:
        os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=_TOKEN)
    try:
        import ray
    except ImportError:
        raise MissingExtraError("work spread over processes", "sweep") from None
    if address is None:
        _start(ray, (workers or max((os.cpu_count() or 1) // threads, 1)) * threads)
    else:
        _join(ray, address)
    logging.getLogger("ray").setLevel(logging.CRITICAL)
    try:
        with Path(os.devnull).open("w") as nowhere, redirect_stdout(nowhere):  # a lost node is printed there by Ray
            yield ray
    finally:
        ray.shutdown()


def _start(ray: Any, cores: int) -> None:
    """Ray on this machine. It gives up after half a minute, which a busy machine may need; so it is tried again."""
    options = {"num_cpus": cores, "object_store_memory": _OBJECT_STORE, "include_dashboard": False}
    for attempt in range(_STARTS):
        try:
            with _deaf():
                ray.init(address="local", **options, log_to_driver=False, logging_level=logging.CRITICAL)
            return
        except Exception as error:  # Ray raises a plain Exception here
            ray.shutdown()
            if attempt == _STARTS - 1:
                do = "Close other programs, or ask for fewer processes with --workers."
                raise InputError(f"Ray did not start ({_first_line(error)})", do=do) from None


@contextmanager
def _deaf() -> Iterator[None]:
    """Ctrl-C goes to every process that the terminal has; those begun in here do not hear it, and so can save."""
    if threading.current_thread() is not threading.main_thread():  # nobody else may say so
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _knock(host: str, port: int) -> None:
    """Is there a server that speaks gRPC, as Ray's does? If not, Ray itself would try for a quarter of an hour."""
    with socket.create_connection((host, port), _PATIENCE) as line:
        if "RAY_USE_TLS" not in os.environ:
            line.sendall(_GREETING)
            if line.recv(9, socket.MSG_WAITALL)[3:4] != _SETTINGS:
                raise ConnectionError("it speaks something else")


def _join(ray: Any, address: str) -> None:
    do = _CHECK
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.CRITICAL)
    except (ValueError, RuntimeError, OSError, OverflowError, ray.exceptions.RayError) as error:
        if "uthentication" in str(error):
            do = "Its token is needed: set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN as on its nodes."
        raise InputError(_NOBODY, where=f"--address {address}", do=do) from None


def slots(ray: Any, threads: int, memory: int = 0) -> int:
    """How many processes of ``threads`` threads and ``memory`` bytes the nodes of the cluster have room for."""
    room = 0
    for node in ray.nodes():
        if node["Alive"]:
            has = node["Resources"]
            cores = int(has.get("CPU", 0) // threads)
            room += min(cores, int(has.get("memory", 0) // memory)) if memory else cores
    return room


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n")[0][:120]
