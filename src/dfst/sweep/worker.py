"""A process that works on trials, one after the other, and says how it gets on."""

from __future__ import annotations

import os
import socket
import threading
from pathlib import Path
from typing import Any

from dfst.training.fit import Progress

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 0


class StoppedError(Exception):
    """The sweep was asked to stop."""


class Worker:
    """Works on trials in ``folder``. Ray runs it in a process of its own and calls it from two threads.

    What goes in and out are texts and numbers.
    """

    def __init__(self, folder: str) -> None:
        self._folder, self._stop = Path(folder), threading.Event()
        self._status: dict[str, Any] = {}

    def ready(self) -> dict[str, Any]:
        """Where it is, and what code it runs."""
        from dfst.sweep.trial import code_version

        return {"node": socket.gethostname(), "pid": os.getpid(), "version": code_version()}

    def run(self, trial: dict[str, Any], attempt: str) -> dict[str, Any]:
        """One trial, from beginning to end: its row of results."""
        from dfst.sweep.trial import Trial, run_trial

        self._status = {}
        wanted = Trial.from_plain(trial)
        row = run_trial(wanted, self._folder, attempt=attempt, watch=self._watch, say=self._say)
        return row | {"node": socket.gethostname()}

    def status(self) -> dict[str, Any]:
        """What it is doing, and how much memory it holds (MB)."""
        return self._status | {"memory": _memory()}

    def stop(self) -> None:
        """Save what there is of the training under way and end it."""
        self._stop.set()

    def _watch(self, progress: Progress) -> None:
        done = {"iteration": progress.iteration, "iterations": progress.iterations, "loss": progress.loss}
        self._status = {"stage": progress.stage or "training"} | done
        if self._stop.is_set():
            raise StoppedError

    def _say(self, stage: str) -> None:
        self._status = {"stage": stage}


def _memory() -> float:
    """Resident memory of this process in MB; 0 where the system does not say it this way."""
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE / 2**20
    except (OSError, ValueError, IndexError):
        return 0.0
