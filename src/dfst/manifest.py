"""Where a result comes from: commit, command, seeds, versions, machine."""

from __future__ import annotations

import os
import platform
import shlex
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

MARK = "+"
"""Behind a commit: what was run is not what is in it."""

MEASURED = ("results", "README.md", "docs/*.md", "docs/pictures", "src/dfst/teachers/gallery/*.json*")
"""What measuring writes into a checkout. No measurement reads it, so that a change there is not a change of the source:
scripts that run one after another each name the commit that they were all started from."""

_CODE = ("src", "tests", "benchmarks", "experiments")
"""Where a file that git does not know is a change, too: it may be the very script or task that is measured."""


def manifest(**facts: Any) -> dict[str, Any]:
    """What is needed to make a result again, together with ``facts`` such as seeds and data hashes.

    >>> sorted(manifest(seed=42))
    ['command', 'commit', 'cores', 'cores_allowed', 'cpu', 'created', 'dfst', 'packages', 'python', 'seed', 'system']
    """
    from dfst import __version__

    return facts | {
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": shlex.join([*_program(), *sys.argv[1:]]),
        "commit": commit(),
        "dfst": __version__,
        "python": platform.python_version(),
        "packages": _versions(),
        "system": platform.platform(),
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "cores_allowed": cores_allowed(),
    }


def cores_allowed() -> int:
    """How many of the machine's cores this process may use: taskset and the schedulers of clusters give fewer."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@cache
def commit() -> str | None:
    """The commit the package was started from, marked with a + if sources have changed since; None outside a checkout.

    It is asked for once per process: what a later commit changes is not what this process has loaded.
    """
    head, changed = _git("rev-parse", "HEAD"), uncommitted()
    if head is None or changed is None:
        return None
    return head.strip() + (MARK if changed else "")


def uncommitted(*more: str) -> list[str] | None:
    """The sources that are not as in the commit; None outside a checkout.

    Sources are all files that git knows, without ``MEASURED`` and ``more`` (patterns of git), and files in the folders
    of code that git does not know.
    """
    apart = [f":(exclude){pattern}" for pattern in (*MEASURED, *more)]
    known = _git("status", "--porcelain", "--untracked-files=no", "--", ".", *apart)
    code = _git("status", "--porcelain", "--untracked-files=all", "--", *_CODE, *apart)
    if known is None or code is None:
        return None
    return list(dict.fromkeys(line[3:] for line in (known + code).splitlines()))


def _git(*words: str) -> str | None:
    """What git says about the checkout that the package is in; None if it is in none, or there is no git."""
    folder = Path(__file__).parents[2]
    if not (folder / ".git").exists():
        return None
    git = ["git", "--no-optional-locks", *words]  # or a run that is killed just now leaves a lock in the repository
    try:  # on a busy computer git takes long, and without its answer a result belongs to no commit
        return subprocess.run(git, cwd=folder, capture_output=True, text=True, timeout=120, check=True).stdout
    except (OSError, subprocess.SubprocessError):
        return None


def _program() -> list[str]:
    """What was called: dfst, a module, or a script with the folder it is in, but no path of this machine."""
    if (spec := getattr(sys.modules["__main__"], "__spec__", None)) is not None:
        return ["python", "-m", spec.name.removesuffix(".__main__")]
    path = Path(sys.argv[0])
    return ["python", "/".join(path.parts[-2:])] if path.suffix == ".py" else [path.name]


def _versions() -> dict[str, str]:
    found = {}
    for name in ("numpy", "numba", "llvmlite", "safetensors", "jax", "jaxlib", "optax"):
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
