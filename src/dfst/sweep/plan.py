"""A sweep, from the file that asks for it to its rows.

What is done is what has a row in the data set. So a sweep that was stopped, in whatever way, goes on when it is started
again, and a sweep whose file has grown does only what is new.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from dfst.errors import InputError
from dfst.files import make_folder
from dfst.lock import only_process
from dfst.sweep.cluster import check_cluster, connected
from dfst.sweep.crew import Crew
from dfst.sweep.driver import LOG, Driver, State
from dfst.sweep.ray_crew import RayCrew
from dfst.sweep.rows import ResultSet, Row
from dfst.sweep.search import Grid, Searcher
from dfst.sweep.shard import Shard
from dfst.sweep.sweep_file import Sweep
from dfst.sweep.threads import Threads, check_local

_ELSEWHERE = "Wait for it, stop it with Ctrl-C, or choose another folder with --out."


def run_sweep(
    sweep: Sweep,
    folder: Path,
    *,
    address: str | None = None,
    workers: int | None = None,
    shard: Shard | None = None,
    retry_failed: bool = False,
    watch: Callable[[State], None] = lambda state: None,
    say: Callable[[str], None] = lambda text: None,
) -> list[Row]:
    """Run what is missing of ``sweep`` (or of its ``shard``) and return the rows of all its trials.

    ``workers`` threads of this process do the work, or as many processes on the Ray cluster at ``address``, all of
    whose nodes have to see ``folder`` under the same path. ``retry_failed`` runs again what ended without a result.
    Ctrl-C lets the workers save what they are doing first. ``watch`` sees where it stands; ``say`` gets sentences for
    people.

    >>> import tempfile
    >>> from dfst.sweep.sweep_file import parse_sweep
    >>> sweep = parse_sweep({"certify": False, "trial": {"task": "add2", "iterations": 2, "seed": [0, 1]}})
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     [row["seed"] for row in run_sweep(sweep, Path(folder), shard=Shard.parse("2/2"))]
    [1]
    """
    if sweep.search and shard:
        do = "Leave --shard out; a search chooses its points by the results of all."
        raise InputError("a search cannot be done in parts", where=sweep.source, do=do)
    plan = _plan(sweep, folder, shard)  # mistakes are found before anything is written
    if address is None:
        check_local(sweep, workers)
    else:
        check_cluster(address, workers)
    results = ResultSet(folder)
    alone = folder / "shards" / shard.name if shard else folder  # shards work side by side, each alone in its own
    make_folder(alone)
    with only_process(alone, do=_ELSEWHERE):
        say(f"working in {folder}; results are in {results.path}")
        plan = _plan(sweep, folder, shard) if sweep.search else plan  # until here, somebody could have added points
        done = {name for name in results.names() if not (retry_failed and results.row(name)["status"] != "done")}
        if any(trial.name not in done for trial in plan.known()) or not plan.complete(results):
            log = f"log-{shard.name}.jsonl" if shard else LOG
            with _crew(sweep, folder.resolve(), address, workers, say) as crew:
                options = {"retries": sweep.retries, "folder": folder, "log": log, "watch": watch}
                Driver(crew, plan, results, done, **options).work()
        wanted = {trial.name for trial in plan.known()}
    return [results.row(name) for name in sorted(results.names() & wanted)]


def _plan(sweep: Sweep, folder: Path, shard: Shard | None) -> Grid | Searcher:
    return Searcher(sweep, folder) if sweep.search else Grid(sweep, shard)


@contextmanager
def _crew(
    sweep: Sweep, folder: Path, address: str | None, workers: int | None, say: Callable[[str], None]
) -> Iterator[Crew]:
    if address is None:
        yield Threads(sweep, folder, workers)
    else:
        with connected(address, workers=workers) as ray:
            yield RayCrew(ray, sweep, folder, workers, say)
