"""Mistakes that people make at the command line, and the answers: mistakes.txt, which this reads and writes.

A mistake is a line that begins with ``$``; below it are the exit code (2: the call, 1: a file) and the answer. After a
change of verbs or words, edit the lines that begin with ``$``, then ``python -m tests.mistakes`` writes the answers
anew, and ``git diff`` shows what people will read.
"""

import contextlib
import io
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from dfst.cli import main
from tests.wrong_files import make_files

GOLDEN = Path(__file__).parent / "mistakes.txt"


class Mistake(NamedTuple):
    """The words after dfst, the exit code, and the answer; what depends on the machine is left out of it."""

    line: str
    code: int
    answer: str


def mistakes() -> list[Mistake]:
    """All of them, as they are kept."""
    found = re.findall(
        r"^\$ dfst ?(.*)\n(\d) (.*\n(?:(?!\$|#).+\n)*)", GOLDEN.read_text(encoding="utf-8"), re.MULTILINE
    )
    return [Mistake(line, int(code), answer.rstrip("\n")) for line, code, answer in found]


def call(*words: object) -> int:
    """The exit code of the command line."""
    before, sys.argv = sys.argv, ["dfst", *map(str, words)]
    try:
        main()
    except SystemExit as stop:
        return int(stop.code or 0)
    finally:
        sys.argv = before
    return 0


def train(task: str, iterations: int, out: Path) -> None:
    """A run folder for the mistakes that need one."""
    assert call("train", task, "--iterations", iterations, "--out", out) == 0


def settled(text: str) -> str:
    """An answer without what depends on the machine: how many cores it has."""
    return re.sub(r"1 to \d+(?=\.$)", "1 to …", text.strip().split("dfst: ", 1)[-1])


def answered(line: str) -> Mistake:
    """What the command line answers today."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = call(*shlex.split(line))
    return Mistake(line, code, settled(err.getvalue() or out.getvalue()))


def write() -> None:
    """The file with today's answers."""
    text, kept = GOLDEN.read_text(encoding="utf-8"), os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        make_files(Path(folder), train)
        os.chdir(folder)
        parts = []
        for line in text.splitlines():
            if line.startswith("$ dfst"):
                mistake = answered(line.removeprefix("$ dfst").strip())
                parts.append(f"{line}\n{mistake.code} {mistake.answer}\n")
            elif line.startswith("#"):
                parts.append(f"{line}\n")
        os.chdir(kept)
    GOLDEN.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    write()
