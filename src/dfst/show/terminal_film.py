"""A run on the terminal: the grid, the head and the current rule, step by step."""

from __future__ import annotations

import time
from collections.abc import Sequence

import numpy as np
from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from dfst.show.recording import Frame, Recording, differing_step

_FRAMES_PER_SECOND = 30
_ROWS = 12
_SHOWN_STEPS = 3
"""So many first and last steps are printed where nothing can move."""


def play(recordings: Sequence[Recording], speed: float, console: Console | None = None) -> None:
    """Show the runs side by side in time, ``speed`` steps per second; Ctrl-C ends it with a sentence.

    Where stdout is no terminal, the first and the last steps are printed, and the last grid.
    """
    console = Console() if console is None else console
    steps = max(map(len, recordings))
    if not console.is_terminal:
        _print_ends(recordings, console)
        return
    step = 0
    try:
        with Live(_picture(recordings, 0, console.width), console=console, auto_refresh=False) as live:
            began = time.monotonic()
            while step < steps:
                # faster than the eye: several steps a frame
                following = min(steps, max(step + 1, int((time.monotonic() - began) * speed)))
                due = max(began + following / speed, time.monotonic() + 1 / _FRAMES_PER_SECOND)
                time.sleep(max(0.0, due - time.monotonic()))
                step = following
                live.update(_picture(recordings, step, console.width), refresh=True)
    except KeyboardInterrupt:
        console.print(f"stopped at step {step:,} of {steps:,}.")


def _print_ends(recordings: Sequence[Recording], console: Console) -> None:
    for recording in recordings:
        total = len(recording)
        console.print(Text(f"{recording.name} on {' '.join(recording.operands)}"), overflow="fold")
        left_out = range(_SHOWN_STEPS, max(_SHOWN_STEPS, total - _SHOWN_STEPS))
        for step in (*range(min(_SHOWN_STEPS, total)), *range(left_out.stop, total)):
            if step == left_out.stop and left_out:
                console.print(f"  … {len(left_out):,} steps …")
            console.print(Text(f"  {step:>6,}  {recording.explain(step)}"), soft_wrap=True)
        console.print(_grid(recording, recording.frame(total), console.width))
        console.print(Text(f"{recording.rollout.explain()}."), soft_wrap=True)
    if len(recordings) == 2:
        console.print(_difference_line(recordings, max(map(len, recordings))))


def _picture(recordings: Sequence[Recording], step: int, width: int) -> Group:
    lines: list[Text] = []
    for recording in recordings:
        now = min(step, len(recording))
        lines.append(Text(f"{recording.name}  step {now:,} of {len(recording):,}", style="bold"))
        lines.append(_grid(recording, recording.frame(now), width))
        lines.append(Text(recording.explain(now), overflow="ellipsis", no_wrap=True))
        lines.append(Text())
    if len(recordings) == 2:
        lines.append(_difference_line(recordings, step))
    return Group(*lines)


def _grid(recording: Recording, frame: Frame, width: int) -> Text:
    """As much of the grid as fits around the head, which stands in brackets: no colour is needed to see it."""
    symbols = recording.alphabet.symbols
    longest = max(map(len, symbols))
    height, columns = frame.cells.shape
    column, row = frame.head[0] - frame.left, frame.top - frame.head[1]
    fitting = max(1, (width - 1) // (longest + 1))
    left, top = _around(column, fitting, columns), _around(row, _ROWS, height)
    picture = Text(no_wrap=True, overflow="crop")
    for j in range(top, min(top + _ROWS, height)):
        line = np.asarray(frame.cells[j, left : left + fitting])
        for i, symbol in enumerate(line.tolist(), left):
            shown = "·" if symbol == recording.alphabet.blank_index else symbols[symbol]
            here, after = (i, j) == (column, row), (i - 1, j) == (column, row)
            picture.append("[" if here else "]" if after else " ", style="bold cyan" if here or after else "")
            picture.append(shown.ljust(longest), style="bold reverse" if here else "")
        picture.append("]\n" if row == j and column == left + len(line) - 1 else "\n")
    picture.rstrip()
    return picture


def _around(at: int, shown: int, total: int) -> int:
    return max(0, min(at - shown // 2, total - shown))


def _difference_line(recordings: Sequence[Recording], step: int) -> Text:
    difference = differing_step(recordings)
    if difference is None:
        return Text("learner and teacher do the same at every step.")
    when = "have differed since" if step > difference else "will differ at"
    return Text(f"learner and teacher {when} step {difference:,}.", style="bold")
