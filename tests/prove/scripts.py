"""Running the larger experiments of this folder: as scripts of their own, since shape checks would slow them down."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent


def output(script: str, *arguments: int | str) -> dict[str, int]:
    """What ``python -m tests.prove.SCRIPT ARGUMENTS`` counts: it prints lines that end in ``: number``."""
    command = [sys.executable, "-m", f"tests.prove.{script}", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=3600)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = (line.rpartition(": ") for line in done.stdout.splitlines())
    return {what: int(number) for what, _, number in lines if number.isdigit()}
