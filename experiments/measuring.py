"""The one way for a script to measure: ``asked`` before any work begins, ``save`` or ``add_rows`` for what it found.

A number belongs to a commit. So a script refuses to begin in a checkout whose sources are not committed; with
--uncommitted it begins nevertheless, and then the commit in its manifest carries a + that every page shows. Sources are
everything but what measuring itself writes (dfst.manifest.MEASURED: results/, the pages rendered from it, the results
and certificates of the gallery), so that scripts can run one after another. The models in src/dfst/models are sources:
commit them before something is measured on them. python -m experiments.measuring only says whether all is committed.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

from dfst.files import write_atomically
from dfst.manifest import commit, manifest, uncommitted

OPTION = "--uncommitted"
_asked = False


def asked(*writes: str) -> list[str]:
    """The words of the command line; ends here, with a sentence, if the sources are not committed.

    ``writes`` are patterns of further files that this script itself writes.
    """
    global _asked
    _asked = True
    words = [word for word in sys.argv[1:] if word != OPTION]
    changed = uncommitted(*writes)
    if OPTION not in sys.argv:
        if changed is None:
            sys.exit(f"this is no git checkout, so no commit can be named: clone the repository, or add {OPTION}")
        if changed:
            names = ", ".join(changed[:3]) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")
            sys.exit(f"{names}: not committed; commit first, or add {OPTION}, which marks the result with a +")
    commit()  # kept for the manifests: what is loaded now is what is measured
    return words


def save(path: str | Path, record: dict[str, Any]) -> None:
    """Write ``record`` as JSON, atomically."""
    if not _asked:
        raise RuntimeError("a script begins with measuring.asked()")
    write_atomically(path, (json.dumps(record, indent=1) + "\n").encode())


def made(run: str | Path) -> dict[str, Any]:
    """How a run folder was trained: the manifest in it."""
    return json.loads((Path(run) / "manifest.json").read_text(encoding="utf-8"))


def kept(path: str | Path, default: dict[str, Any]) -> dict[str, Any]:
    """What ``path`` holds already, to be continued, or ``default``.

    Every row of the lists that ``default`` names must say at which commit it was measured: beside new rows, nobody
    could tell any more.
    """
    if not Path(path).exists():
        return default
    record = json.loads(Path(path).read_text(encoding="utf-8"))
    if not all("manifest" in row for name in default for row in record[name]):
        sys.exit(f"{path}: some of its rows do not say at which commit they were measured; remove it and measure anew")
    return record


def add_rows(
    out: str | Path,
    names: tuple[str, ...],
    keys: Iterable[tuple[Any, ...]],
    row: Callable[..., dict[str, Any]],
    quiet: tuple[str, ...] = (),
) -> None:
    """Measure ``row(*key)`` for every key that ``out`` has no row of yet; ``names`` are the columns of a key.

    The file is written anew after every row, so that a script that was stopped resumes; ``quiet`` is not printed.
    """
    rows = kept(out, {"rows": []})["rows"]
    done = {tuple(each[name] for name in names) for each in rows}
    for key in keys:
        if key not in done:
            found = row(*key)
            print(*(f"{name}={value}" for name, value in found.items() if name not in quiet), flush=True)
            rows.append(found | {"manifest": manifest()})
            save(out, {"rows": rows})


def dfst(*words: str) -> subprocess.CompletedProcess[str]:
    """The command line in a new process, and what it printed."""
    return subprocess.run([sys.executable, "-m", "dfst", *words], capture_output=True, text=True, check=False)


def seeds_of(asked_for: tuple[str, ...]) -> Iterator[tuple[str, list[int]]]:
    """Tasks and their seeds, written as TASK:FIRST-LAST or TASK:SEED."""
    for task, _, seeds in (text.partition(":") for text in asked_for):
        first, _, last = seeds.partition("-")
        yield task, list(range(int(first), int(last or first) + 1))


if __name__ == "__main__":
    asked()
