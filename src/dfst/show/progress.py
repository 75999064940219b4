"""Training runs as people watch them: bars on a terminal, a plain line now and then elsewhere; interruptible."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from dfst.errors import DfstError
from dfst.manifest import cores_allowed
from dfst.runs.run_folder import RunFolder
from dfst.training.fit import Progress as TrainingProgress
from dfst.until_proven.lasting import train_run

Result = tuple[float | None, float, str]
"""(loss or None, seconds, what went wrong or nothing)."""


_SECONDS_PER_LINE, _SHARE_PER_LINE, _LONGEST_SILENCE = 30.0, 0.1, 300.0
"""Off a terminal a line is due after 30 seconds and a tenth of the run, or five minutes: a short run says nothing."""


class _StoppedError(Exception):
    """Another thread asked this run to stop."""


class PlainLines:
    """Progress off a terminal: lines for a log, without control characters."""

    def __init__(self, name: str, total: int, say: Callable[[str], None]) -> None:
        self.name, self._total, self._say = name, total, say
        self._first: tuple[float, int] | None = None
        self._last = (0.0, 0)

    def watch(self, iteration: int, loss: float, now: float) -> None:
        """Say where the run stands, if it is time to; ``now`` is in seconds."""
        if self._first is None:
            self._first = self._last = (now, iteration)
        (began, start), (said, done) = self._first, self._last
        due = _SECONDS_PER_LINE if iteration - done >= _SHARE_PER_LINE * self._total else _LONGEST_SILENCE
        if now - said < due:
            return
        self._last = (now, iteration)
        where = f"iteration {iteration:,} of {self._total:,} ({iteration / self._total:.0%}), loss {loss:.2e}"
        if iteration == start:  # it goes on with a finished stage, whose model is being compared
            self._say(f"{self.name}: {where}")
            return
        speed = (iteration - start) / (now - began)
        left = (self._total - iteration) / speed
        rest = f"{left:.0f} s" if left < 100 else f"{left / 60:.0f} min"
        self._say(f"{self.name}: {where}, {speed:,.0f} it/s, about {rest} left")


COMPILES = "starting; the first run on a machine compiles for about half a minute, later ones load that in a second"
"""What to say before anything is trained."""


def watch_runs(
    folders: Sequence[RunFolder], *, at_a_time: int | None, checkpoint_seconds: float, note: Callable[[str], None]
) -> list[Result]:
    """Train all ``folders``, ``at_a_time`` side by side (None: one per core), with a bar or lines for each.

    Ctrl-C saves every run that is under way and says how to go on.
    """
    console = Console(stderr=True)
    columns = (
        *(TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn()),
        *(TextColumn("loss {task.fields[loss]}"), TextColumn("{task.fields[speed]}"), TimeRemainingColumn()),
    )
    workers = min(len(folders), at_a_time or cores_allowed())
    stop = threading.Event()
    note(COMPILES)
    with Progress(*columns, console=console, disable=not console.is_terminal) as bars:

        def train(folder: RunFolder) -> Result:
            config, began = folder.config, time.monotonic()
            bar = bars.add_task(folder.path.name, total=config.recipe.iterations, loss="…", speed="")
            since, start, lines = began, 0, PlainLines("", 0, note)

            def watch(progress: TrainingProgress) -> None:
                nonlocal since, start, lines
                now = time.monotonic()
                name = " ".join(filter(None, (folder.path.name, progress.stage)))
                if not lines.name:
                    note(f"{folder.path.name}: training started (setup took {now - began:.1f} s)")
                if name != lines.name:
                    since, start, lines = now, progress.iteration, PlainLines(name, progress.iterations, note)
                    bars.reset(bar, total=progress.iterations, description=name)
                if not console.is_terminal:
                    lines.watch(progress.iteration, progress.loss, now)
                elapsed, done = now - since, progress.iteration - start
                speed = f"{done / elapsed:.0f} it/s" if done and elapsed > 0.5 else ""
                bars.update(bar, completed=progress.iteration, loss=f"{progress.loss:.2e}", speed=speed)
                if stop.is_set():
                    raise _StoppedError

            try:
                loss = train_run(folder, watch=watch, note=note, checkpoint_seconds=checkpoint_seconds)
            except DfstError as error:
                return None, round(time.monotonic() - began, 1), error.sentence
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
            note("stopped; everything is saved. The same command with --resume continues from here.")
            raise
