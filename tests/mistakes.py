"""Mistakes that people make, at the command line and in Python, and the answers: mistakes.txt, read and written here.

A mistake is a line that begins with ``$ dfst`` or with ``>>>``; below it are the exit code (2: the call, 1: a file) or
the kind of the error, and the answer. After a change of verbs, names or words, edit those lines, then
``python -m tests.mistakes`` writes the answers anew, and ``git diff`` shows what people will read.
"""

import contextlib
import io
import json
import os
import re
import shlex
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from dfst.errors import DfstError
from tests.wrong_files import make_files

GOLDEN = Path(__file__).parent / "mistakes.txt"
COMMAND, PYTHON = "$ dfst", ">>>"


class Mistake(NamedTuple):
    """A line, the exit code or the kind of the error, and the answer without what depends on the machine."""

    line: str
    code: str
    answer: str


def mistakes(door: str) -> list[Mistake]:
    """All that are kept of COMMAND or of PYTHON."""
    entry = rf"^{re.escape(door)} ?(.*)\n(\w+) (.*\n(?:(?!\$|#|>>>).+\n)*)"
    found = re.findall(entry, GOLDEN.read_text(encoding="utf-8"), re.MULTILINE)
    return [Mistake(line, code, answer.rstrip("\n")) for line, code, answer in found]


def call(*words: object) -> int:
    """The exit code of the command line."""
    from dfst.cli import main

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
    """An answer without what depends on the machine: how many cores it has, addresses, temporary files."""
    text = re.sub(rf"{re.escape(tempfile.gettempdir())}/\w+/", "", text)
    text = re.sub(r"(0x|…)[0-9a-f]{6,}(?=>)|(?<=\()\w+\.py, line \d+(?=\))", "…", text)
    return re.sub(r"1 to \d+(?=\.$)", "1 to …", text.strip().split("dfst: ", 1)[-1])


def answered(line: str) -> Mistake:
    """What the command line answers today."""
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        code = call(*shlex.split(line))
    return Mistake(line, str(code), settled(err.getvalue() or out.getvalue()))


def raised(line: str) -> Mistake:
    """What Python answers today, in the namespace of wrong_code.py."""
    from tests import wrong_code

    try:
        return Mistake(line, "accepted", repr(eval(line, vars(wrong_code))))
    except DfstError as error:
        return Mistake(line, type(error).__name__, settled(str(error)))
    except Exception as error:
        return Mistake(line, "traceback", repr(error))


def write() -> None:
    """The file with today's answers."""
    kept, parts = os.getcwd(), []
    with tempfile.TemporaryDirectory() as folder:
        make_files(Path(folder), train)
        os.chdir(folder)
        for line in GOLDEN.read_text(encoding="utf-8").splitlines():
            for door, answer in ((COMMAND, answered), (PYTHON, raised)):
                if line.startswith(door):
                    parts.append("{}\n{} {}\n".format(line, *answer(line.removeprefix(door).strip())[1:]))
            if line.startswith("#"):
                parts.append(f"{line}\n")
        os.chdir(kept)
    GOLDEN.write_text("\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] == ["--python"]:  # without the type checks of tests: with them, some would never reach the library
        print(json.dumps([raised(mistake.line) for mistake in mistakes(PYTHON)]))
    else:
        write()
