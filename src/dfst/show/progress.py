"""Training runs as people watch them: bars on a terminal, a plain line now and then elsewhere; interruptible."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from dfst.errors import printable
from dfst.training.fit import Progress as TrainingProgress

_SECONDS_PER_LINE, _SHARE_PER_LINE, _LONGEST_SILENCE = 30.0, 0.1, 300.0
"""Off a terminal a line is due after 30 seconds and a tenth of the run, or five minutes: a short run says nothing."""


class StoppedError(Exception):
    """Another thread asked this run to stop."""


class PlainLines:
    """Progress off a terminal: lines for a log, without control characters."""

    def __init__(self, name: str, total: int, began: float, start: int, say: Callable[[str], None]) -> None:
        """It begins at the time ``began``, in seconds, with iteration ``start``."""
        self.name, self.began, self.start, self._total, self._say = name, began, start, total, say
        self._last = (began, start)

    def watch(self, iteration: int, loss: float, now: float) -> None:
        """Say where the run stands, if it is time to; ``now`` is in seconds."""
        said, done = self._last
        due = _SECONDS_PER_LINE if iteration - done >= _SHARE_PER_LINE * self._total else _LONGEST_SILENCE
        if now - said < due:
            return
        self._last = (now, iteration)
        where = f"iteration {iteration:,} of {self._total:,} ({iteration / self._total:.0%}), loss {loss:.2e}"
        if iteration > self.start:  # else it goes on with a finished stage, whose model is being compared
            speed = (iteration - self.start) / (now - self.began)
            left = (self._total - iteration) / speed
            rest = f"{left:.0f} s" if left < 100 else f"{left / 60:.0f} min"
            where += f", {speed:,.0f} it/s, about {rest} left"
        self._say(f"{self.name}: {where}")


COMPILES = "starting; the first run on a machine compiles for about half a minute, later ones load that in a second"
"""What to say before anything is trained."""


class Watching:
    """Bars on a terminal, or lines elsewhere, for training runs side by side, as a context.

    ``stop`` ends every one of them at its next look, when it has saved.
    """

    def __init__(self, note: Callable[[str], None]) -> None:
        self.note, self.stop, self._console = note, threading.Event(), Console(stderr=True)
        columns = (
            *(TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn()),
            *(TextColumn("loss {task.fields[loss]}"), TextColumn("{task.fields[speed]}"), TimeRemainingColumn()),
        )
        self._bars = Progress(*columns, console=self._console, disable=not self._console.is_terminal)

    def __enter__(self) -> Watching:
        self.note(COMPILES)
        self._bars.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bars.stop()

    def of(self, folder: str, iterations: int) -> Callable[[TrainingProgress], None]:
        """What watches the training run in ``folder``."""
        bar = self._bars.add_task(printable(folder), total=iterations, loss="…", speed="")
        lines = PlainLines("", 0, time.monotonic(), 0, self.note)

        def watch(progress: TrainingProgress) -> None:
            nonlocal lines
            now = time.monotonic()
            name = " ".join(filter(None, (folder, progress.stage)))
            if not lines.name:
                self.note(f"{folder}: training started (setup took {now - lines.began:.1f} s)")
            if name != lines.name:
                lines = PlainLines(name, progress.iterations, now, progress.iteration, self.note)
                self._bars.reset(bar, total=progress.iterations, description=printable(name))
            if not self._console.is_terminal:
                lines.watch(progress.iteration, progress.loss, now)
            elapsed, done = now - lines.began, progress.iteration - lines.start
            speed = f"{done / elapsed:.0f} it/s" if done and elapsed > 0.5 else ""
            self._bars.update(bar, completed=progress.iteration, loss=f"{progress.loss:.2e}", speed=speed)
            if self.stop.is_set():
                raise StoppedError

        return watch
