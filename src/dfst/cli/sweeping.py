"""The verb sweep: run many trials, on this computer, in shards or on a cluster; and report what they came to."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path
from typing import Any

from cyclopts import App

from dfst.cli.app import MANY, Flag, Json, app
from dfst.cli.output import note, print_json, progress_bar, show_rows

sweep_app = App(name="sweep", help="Run the training runs that a TOML file describes, and report them.", group=MANY)
app.command(sweep_app)


@sweep_app.command
def run(
    file: Path,
    *,
    out: Path | None = None,
    address: str | None = None,
    workers: int | None = None,
    shard: str | None = None,
    retry_failed: Flag = False,
    json: Json = False,
) -> None:
    """Run the trials that a TOML file describes: a grid of tasks, seeds, data sizes and recipes.

    Every trial is a run folder. Finished trials are kept, so the same command resumes a sweep that was stopped. Exit
    code 0: all trials have a result; 1: some ended early.

    Parameters
    ----------
    file
        The sweep; docs/sweeps.md shows how to write one.
    out
        The folder for run folders and results; sweeps/NAME by default.
    address
        A Ray cluster, such as 10.0.0.1:6379 or auto (extra sweep); without it, this computer does the work.
    workers
        How many trials to run at a time; one per core by default.
    shard
        Run only one part of the trials, such as 3/16 for the third of 16; each part is one job of a queue, with the
        same --out.
    retry_failed
        Rerun the trials that ended early (a failure, a limit, a lost worker).

    """
    from dfst.sweep.run import run_sweep
    from dfst.sweep.sweep_file import Shard, load_sweep

    wanted, part = load_sweep(file), None if shard is None else Shard.parse(shard)
    folder = out or Path("sweeps") / file.stem
    options = {"address": address, "workers": workers, "shard": part, "retry_failed": retry_failed}
    try:
        with progress_bar("trials") as advance:
            rows = run_sweep(wanted, folder, **options, watch=advance, say=note)
    except KeyboardInterrupt:
        note("stopped; everything is saved. The same command resumes from here.")
        raise
    if json:
        print_json({"folder": str(folder), "trials": rows})
    else:
        _show(rows, folder)
    sys.exit(0 if all(row["status"] == "done" for row in rows) else 1)


@sweep_app.command
def report(folder: Path, *, json: Json = False) -> None:
    """Report the results so far: for every setting, the share of seeds proven exact, with Wilson's 95 % interval.

    Parameters
    ----------
    folder
        The folder of the sweep.

    """
    from dfst.errors import InputError
    from dfst.sweep.rows import ResultSet, summary

    rows = ResultSet(folder).rows()
    if not rows:
        raise InputError("no trial has ended yet", where=str(folder), do="Wait, or start dfst sweep run again.")
    if json:
        print_json({"settings": summary(rows), "ended early": [row for row in rows if row["status"] != "done"]})
        return
    _show(rows, folder)


def _show(rows: list[dict[str, Any]], folder: Path) -> None:
    """A line for every setting, and why what ended early did."""
    from dfst.sweep.rows import summary

    formats = {"interval": lambda ends: "{:.0%} – {:.0%}".format(*ends), "loss": "{:.2e}".format}
    formats |= {"seconds": "{:.1f}".format}
    lines = summary(rows)
    told = [name for name in lines[0] if any(line[name] is not None for line in lines)]
    if not any(line["ended early"] for line in lines):
        told.remove("ended early")
    shown = [
        {name: "–" if line[name] is None else formats.get(name, lambda value: value)(line[name]) for name in told}
        for line in lines
    ]
    counts = Counter(row["status"] for row in rows)
    kinds = ", ".join(f"{count} {status}" for status, count in sorted(counts.items()))
    show_rows(shown, title=f"{folder}: {len(rows)} trial{'s' * (len(rows) != 1)}, {kinds}")
    for row in rows:
        if row["status"] != "done":
            print(f"{row['trial']}: {row['status']}: {row['problem']}")
