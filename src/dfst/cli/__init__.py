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
from difflib import get_close_matches
from typing import Any, get_args, get_origin

from cyclopts import App, CycloptsError

from dfst.cli import exchanging, proving, sweeping, teaching, training, trying  # noqa: F401
from dfst.cli.app import app
from dfst.cli.output import complain, note
from dfst.errors import DfstError, FileFormatError, MachineError, NoteWarning, RejectedError, interrupted, quoted

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
    except (KeyboardInterrupt, SystemError) as error:
        if not interrupted(error):
            raise
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
    try:
        commands(sys.argv[1:], exit_on_error=False, print_error=False)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    except DfstError as error:
        complain(error.sentence)
        return 1 if isinstance(error, (MachineError, FileFormatError, RejectedError)) else 2
    except CycloptsError as error:
        complain(_call_sentence(error))
        return 2
    except MemoryError:
        complain("there is not enough memory for this. Ask for less: shorter problems, fewer traces, a smaller model.")
        return 1
    return 0


_KINDS = {int: "a whole number, such as 100", float: "a number, such as 0.01"}


def _call_sentence(error: CycloptsError) -> str:
    """What the parser of the command line complains about, without its own words."""
    from cyclopts import CoercionError, MissingArgumentError, UnknownOptionError, UnusedCliTokensError
    from cyclopts.exceptions import UnknownCommandError

    command = " ".join(["dfst", *(error.command_chain or ())])
    help_text = f"{command} --help shows how it is used."
    match error:
        case MissingArgumentError() if error.argument is not None:
            argument = error.argument
            option = error.keyword or next((t.keyword for t in argument.tokens if t.keyword), None)
            if option is None and argument.field_info.is_positional:
                return f"missing argument {argument.name.lstrip('-').upper()}. {help_text}"
            return f"{option or argument.name}: missing value. {help_text}"
        case UnusedCliTokensError():
            extra = " ".join(quoted(token) for token in (error.unused_tokens or [])[:3])
            return f"unexpected argument {extra}. {help_text}"
        case UnknownOptionError():
            name = error.token.keyword or error.token.value
            optional = [argument for argument in error.argument_collection if not argument.field_info.is_positional]
            options = [option for argument in optional for option in argument.names if option.startswith("--")]
            close = get_close_matches(name, options, 1, cutoff=0.7)
            close = close or [option for option in options if len(name) > 4 and option.startswith(name[:5])]
            return f"{command} has no option {quoted(name)}. {f'Did you mean {close[0]}?' if close else help_text}"
        case UnknownCommandError():
            name = (error.unused_tokens or [""])[0]
            close = get_close_matches(name, [command for command in error.app or () if command[0] != "-"], 1)
            hint = f"Did you mean {close[0]}?" if close else f"{command} --help lists the commands."
            return f"there is no command {quoted(name)}. {hint}"
        case CoercionError() if error.token is not None:
            where = error.token.keyword or (error.argument.name.lstrip("-").upper() if error.argument else command)
            target = error.target_type
            if get_origin(target) is not None:  # one of several words
                wanted = f"one of {', '.join(map(str, get_args(target)))}"
            else:
                wanted = _KINDS.get(target, "another value") if target is not None else "another value"
            return f"{where}: {quoted(error.token.value)} cannot be used. Give {wanted}."
    return f"{error} {help_text}"
