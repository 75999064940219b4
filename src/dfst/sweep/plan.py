"""A sweep, from the file that asks for it to its rows.

What is done is what has a row in the data set. So a sweep that was stopped, in whatever way, goes on when it is started
again, and a sweep whose file has grown does only what is new.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from dfst.files import make_folder
from dfst.lock import only_process
from dfst.sweep.cluster import check_cluster, connected
from dfst.sweep.driver import Driver, State
from dfst.sweep.rows import ResultSet, Row
from dfst.sweep.search import Grid, Searcher
from dfst.sweep.sweep_file import Sweep

_ELSEWHERE = "Wait for it, stop it with Ctrl-C, or choose another folder with --out."


def run_sweep(
    sweep: Sweep,
    folder: Path,
    *,
    address: str | None = None,
    workers: int | None = None,
    retry_failed: bool = False,
    watch: Callable[[State], None] = lambda state: None,
    say: Callable[[str], None] = lambda text: None,
) -> list[Row]:
    """Run what is missing of ``sweep`` and return the rows of all its trials.

    The work is done by ``workers`` processes here, or by the Ray cluster at ``address``, all of whose nodes have to see
    ``folder`` under the same path. ``retry_failed`` runs again what ended without a result. Ctrl-C lets the workers
    save what they are doing first. ``watch`` sees where it stands; ``say`` gets sentences for people.
    """
    plan = Searcher(sweep, folder) if sweep.search else Grid(sweep)  # mistakes are found before anything is written
    check_cluster(address, workers)
    results = ResultSet(folder)
    make_folder(folder)
    with only_process(folder, do=_ELSEWHERE):
        say(f"working in {folder}; results are in {results.path}")
        plan = Searcher(sweep, folder) if sweep.search else plan  # until here, another process could have added points
        failed = {name for name in results.names() if retry_failed and results.row(name)["status"] != "done"}
        done = results.names() - failed
        if any(trial.name not in done for trial in plan.known()) or not plan.complete(results):
            with connected(address, workers=workers, threads=sweep.threads) as ray:
                waits = address is not None  # more nodes may come
                Driver(ray, sweep, folder.resolve(), plan, results, failed, workers, waits, watch, say).work()
        wanted = {trial.name for trial in plan.known()}
    return [results.row(name) for name in sorted(results.names() & wanted)]
