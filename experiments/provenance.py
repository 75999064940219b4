"""Where every published number comes from: python -m experiments.provenance

A line for each commit and command that a file in results/, a shipped model or the gallery names: whether the sources
were committed, whether the commit is in the history, and whether it has the script (and the task) that was run.
"""

import json
import re
import shlex
import subprocess
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from experiments.report.results import manifests

from dfst.manifest import MARK, shown

ROOT = Path(__file__).parents[1]
PACKAGE = Path("src/dfst")
COPIED = {"results/paper.json": "figures copied from the paper, whose table it names"}
"""Files that no command made."""


class Origin(NamedTuple):
    """What a file says about where some of its numbers come from; ``task`` is a file that must have been there."""

    file: str
    commit: str | None
    command: str
    task: str | None = None

    @property
    def marked(self) -> bool:
        """Whether the sources were not those of the commit, or nobody knows."""
        return self.commit is None or self.commit.endswith(MARK)

    @property
    def needs(self) -> list[str]:
        """The files that the commit must have: the script or package that was run, and the task."""
        words = shlex.split(self.command)
        if words[0] == "dfst" or words[:3] == ["python", "-m", "dfst"]:
            script = PACKAGE.as_posix()
        elif words[:2] == ["python", "-m"]:
            script = words[2].replace(".", "/") + ".py"
        else:
            script = next((word for word in words if word.endswith(".py")), self.command)
        return [script] if self.task is None else [script, self.task]


def published() -> list[Path]:
    """Every file that publishes measured numbers."""
    patterns = ("results/**/*.json", f"{PACKAGE}/teachers/gallery/results.json", f"{PACKAGE}/models/*/manifest.json")
    cards = f"{PACKAGE}/models/*/README.md"
    return sorted(path for pattern in (*patterns, cards) for path in ROOT.glob(pattern))


def origins(path: Path) -> list[Origin]:
    """All that the file ``path`` says, in its order."""
    name, text = path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        said = re.findall(r"by `([^`]+)` at commit ([0-9a-f]+\+?|None)", text)
        return [Origin(name, None if commit == "None" else commit, command) for command, commit in said]
    return [
        Origin(
            name, facts["commit"], facts["command"], _task_file(facts["command"], task) if "gallery" in name else None
        )
        for facts, task in manifests(json.loads(text))
    ]


def _task_file(command: str, task: str | None) -> str | None:
    """Where the task was that a measurement of the gallery is about: its command names the package's folder."""
    folder = next((word for word in command.split() if word.startswith(f"{PACKAGE.as_posix()}/")), command)
    return None if task is None else f"{folder}/{task}.dfst"


def shallow() -> bool:
    """Whether this is no clone with its full history, in which nothing can be said about commits."""
    return _git("rev-parse", "--is-shallow-repository") != "false"


def faults(origin: Origin) -> list[str]:
    """What is wrong with where a number comes from; needs the full history."""
    if origin.commit is None:
        return ["names no commit"]
    commit = origin.commit.removesuffix(MARK)
    found = ["was measured on sources that were not committed"] if origin.marked else []
    if _git("merge-base", "--is-ancestor", commit, "HEAD") is None:
        return [*found, f"names {shown(commit)}, which is not in the history"]
    return found + [
        f"names {shown(commit)}, which does not have {path}"
        for path in origin.needs
        if _git("cat-file", "-e", f"{commit}:{path}") is None
    ]


def _git(*words: str) -> str | None:
    try:
        done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip()


def main() -> None:
    for path in published():
        name = path.relative_to(ROOT).as_posix()
        counts = Counter(origin._replace(task=None) for origin in origins(path))
        if not counts:
            print(name, COPIED.get(name, "NO MANIFEST"), sep="  ")
        for origin, count in counts.items():
            wrong = "; ".join(faults(origin)) or "ok"
            print(name, shown(origin.commit), f"{count} x", origin.command[:80], wrong, sep="  ")


if __name__ == "__main__":
    main()
