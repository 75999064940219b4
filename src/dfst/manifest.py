"""Where a result comes from: commit, command, seeds, versions, machine."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

_PACKAGES = ("numpy", "numba", "llvmlite", "safetensors", "jax", "jaxlib", "optax")


def manifest(**facts: Any) -> dict[str, Any]:
    """What is needed to make a result again, together with ``facts`` such as seeds and data hashes.

    >>> sorted(manifest(seed=42))
    ['command', 'commit', 'cores', 'cpu', 'created', 'dfst', 'packages', 'python', 'seed', 'system']
    """
    from dfst import __version__

    return facts | {
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "command": " ".join([_program(), *sys.argv[1:]]),
        "commit": _commit(),
        "dfst": __version__,
        "python": platform.python_version(),
        "packages": {name: version for name in _PACKAGES if (version := _version(name))},
        "system": platform.platform(),
        "cpu": _cpu(),
        "cores": os.cpu_count(),
    }


def _program() -> str:
    """What was called: dfst, a module, or a script with the folder it is in, but no path of this machine."""
    if (spec := getattr(sys.modules["__main__"], "__spec__", None)) is not None:
        return f"python -m {spec.name}"
    path = Path(sys.argv[0])
    return f"python {'/'.join(path.parts[-2:])}" if path.suffix == ".py" else path.name


def _commit() -> str | None:
    """The commit the package was run from, with a + if files have changed since; None outside a checkout."""
    folder = Path(__file__).parent
    if not (folder.parent.parent / ".git").exists():
        return None
    git = ["git", "--no-optional-locks"]  # or a run that is killed just now leaves a lock in the repository
    try:
        commit, changed = (
            subprocess.run([*git, *words], cwd=folder, capture_output=True, text=True, timeout=10, check=True).stdout
            for words in (["rev-parse", "HEAD"], ["status", "--porcelain", "--untracked-files=no"])
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return commit.strip() + ("+" if changed.strip() else "")


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()
