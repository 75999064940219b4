"""A sweep on a terminal: how many trials are done, and what every worker is doing."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console, Group
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from dfst.sweep.crew import Job
from dfst.sweep.driver import State

_SHOWN = 20
"""Workers that have a line; of more there is only the number."""

_QUIET_SECONDS = 30.0
"""Without a terminal, a line this often."""


@contextmanager
def watching(note: Callable[[str], None]) -> Iterator[Callable[[State], None]]:
    """A live table on stderr; where there is no terminal, a line now and then through ``note``."""
    console = Console(stderr=True)
    if console.is_terminal:
        with Live(console=console, refresh_per_second=4, transient=True) as live:
            yield lambda state: live.update(table(state))
        return
    said = [time.monotonic()]

    def say(state: State) -> None:
        if time.monotonic() - said[0] >= _QUIET_SECONDS:
            said[0] = time.monotonic()
            note(headline(state))

    yield say


def headline(state: State) -> str:
    """Where it stands, in a line.

    >>> from collections import Counter
    >>> headline(State(8, 3, [], Counter(done=2, failed=1), 1))
    '3 of 8 trials ended: 2 done, 1 failed; 0 under way; 1 retry'
    """
    kinds = ", ".join(f"{count} {status}" for status, count in sorted(state.statuses.items())) or "none yet"
    retries = f"; {state.retried} {'retry' if state.retried == 1 else 'retries'}" if state.retried else ""
    return f"{state.done} of {state.total} trials ended: {kinds}; {len(state.jobs)} under way{retries}"


def table(state: State) -> Group:
    """The same with a line per worker."""
    lines = Table(box=None, pad_edge=False, show_header=bool(state.jobs))
    for name in ("worker", "trial", "doing", "loss", "seconds", "MB"):
        lines.add_column(name, justify="right" if name in ("loss", "seconds", "MB") else "left", no_wrap=True)
    for job in state.jobs[:_SHOWN]:
        lines.add_row(*(Text(text) for text in _line(job)))
    rest = len(state.jobs) - _SHOWN
    more = [Text(f"and {rest} workers more")] if rest > 0 else []
    bar = ProgressBar(total=max(state.total, 1), completed=state.done, width=60)
    return Group(Text(headline(state)), bar, lines, *more, Text(state.news, style="dim"))


def _line(job: Job) -> tuple[str, ...]:
    status = job.status
    doing = status.get("stage", "starting")
    if "iteration" in status:
        doing = f"{doing} {status['iteration'] / status['iterations']:.0%}"
    loss = f"{status['loss']:.2e}" if "loss" in status else ""
    memory = f"{status['memory']:.0f}" if "memory" in status else ""
    return job.place, job.trial.name, doing, loss, f"{time.monotonic() - job.began:.0f}", memory
