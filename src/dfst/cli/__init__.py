"""The command line: one thin verb per stage; each parses, calls the library, and prints.

Results go to stdout, messages and progress to stderr; exit 0 success, 1 a check failed, 2 a mistake in the call.
Commands import what they need themselves, so that ``dfst --help`` stays fast.
"""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Callable
from typing import Any

from cyclopts import App

from dfst.cli import exchanging, learning, measuring, proving, sweeping, teaching, training, trying  # noqa: F401
from dfst.cli.app import app
from dfst.cli.mistakes import call_sentence
from dfst.cli.output import complain, note
from dfst.errors import DfstError, FileFormatError, MachineError, NoteWarning

for _verb in app:
    app[_verb].help_format = "markdown"
app.help_format = "rich"  # the list of verbs needs no reader of Markdown, which takes a tenth of a second to load


def main(commands: App = app) -> None:
    """The entry point: a user's mistake becomes a sentence on stderr, never a traceback."""
    for stream in (sys.stdout, sys.stderr):  # × and → must survive a redirection on Windows, too
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("always", NoteWarning)
            warnings.showwarning = _show(warnings.showwarning)
            code = _call(commands)
        sys.stdout.flush()
    except KeyboardInterrupt:
        complain("stopped.")
        code = 130
    except OSError as error:
        if not isinstance(error, BrokenPipeError):  # `dfst … | head` is no mistake
            complain(f"the output cannot be written ({error.strerror}).")
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python would try once more at its end
        code = 1
    sys.exit(code)


def _show(usual: Callable[..., None]) -> Callable[..., None]:
    """How warnings are shown: a note as a sentence, once; any other as usual."""
    said = set[str]()

    def show(message: Warning | str, category: type[Warning], *where: Any) -> None:
        if not issubclass(category, NoteWarning):
            usual(message, category, *where)
        elif str(message) not in said:
            said.add(str(message))
            note(f"note: {message}")

    return show


def _call(commands: App) -> int:
    from cyclopts import CycloptsError

    try:
        commands(sys.argv[1:], exit_on_error=False, print_error=False)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except DfstError as error:
        complain(error.sentence)
        return 1 if isinstance(error, (MachineError, FileFormatError)) else 2
    except CycloptsError as error:
        complain(call_sentence(error))
        return 2
    except MemoryError:
        complain("there is not enough memory for this. Ask for less: shorter problems, fewer traces, a smaller model.")
        return 1
    return 0
