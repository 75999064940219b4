"""Training runs on a terminal: live, interruptible, several at a time."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from dfst.errors import DfstError
from dfst.learn.fit import Progress as TrainingProgress
from dfst.learn.run_folder import RunFolder

Result = tuple[float | None, float, str]
"""(loss or None, seconds, what went wrong or nothing)."""


class _StoppedError(Exception):
    """Another thread asked this run to stop."""


def watch_runs(
    folders: Sequence[RunFolder], *, at_a_time: int | None, checkpoint_seconds: float, note: Callable[[str], None]
) -> list[Result]:
    """Train all ``folders``, ``at_a_time`` side by side (None: one per core), with a bar for each.

    Ctrl-C saves every run that is under way and says how to go on.
    """
    console = Console(stderr=True)
    columns = (
        *(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()),
        *(TextColumn("loss {task.fields[loss]}"), TextColumn("{task.fields[speed]}"), TimeRemainingColumn()),
    )
    workers = min(len(folders), at_a_time or os.cpu_count() or 1)
    stop = threading.Event()
    note("starting; the first run on a machine compiles for about half a minute, later ones load that in a second")
    with Progress(*columns, console=console, disable=not console.is_terminal) as bars:

        def train(folder: RunFolder) -> Result:
            config, began = folder.config, time.monotonic()
            bar = bars.add_task(folder.path.name, total=config.recipe.iterations, loss="…", speed="")
            first: list[tuple[float, int]] = []

            def watch(progress: TrainingProgress) -> None:
                now = time.monotonic()
                if not first:
                    first.append((now, progress.iteration))
                    note(f"{folder.path.name}: training since {now - began:.1f} s after the start")
                elapsed = now - first[0][0]
                speed = f"{(progress.iteration - first[0][1]) / elapsed:.0f} it/s" if elapsed > 0.5 else ""
                bars.update(bar, completed=progress.iteration, loss=f"{progress.loss:.2e}", speed=speed)
                if stop.is_set():
                    raise _StoppedError

            try:
                loss = folder.train(watch=watch, note=note, checkpoint_seconds=checkpoint_seconds)
            except DfstError as error:
                return None, round(time.monotonic() - began, 1), str(error)
            return loss, round(time.monotonic() - began, 1), ""

        try:
            if workers == 1:
                return [train(folder) for folder in folders]
            with ThreadPoolExecutor(workers) as pool:
                futures = [pool.submit(train, folder) for folder in folders]
                try:
                    return [future.result() for future in futures]
                except KeyboardInterrupt:
                    stop.set()
                    pool.shutdown(cancel_futures=True)
                    raise
        except KeyboardInterrupt:
            bars.stop()
            note("stopped; everything is saved. The same command with --resume goes on from here.")
            raise
