"""A command that cannot be understood, in a user's words: what was wrong with the call, and what to write instead."""

from __future__ import annotations

from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, get_args, get_origin

from dfst.errors import InputError, quoted

if TYPE_CHECKING:
    from cyclopts import CycloptsError
    from cyclopts.argument import ArgumentCollection

_KINDS = {int: "a whole number, such as 100", float: "a number, such as 0.01"}


def call_sentence(error: CycloptsError) -> str:
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


def check_values(arguments: ArgumentCollection) -> None:
    """Refuse what the parser would take without a word: 1.5 for a whole number (it rounds), and an empty name.

    An empty name is what an unset variable of the shell leaves. It must never mean "do without".
    """
    for argument in arguments:
        kinds = (argument.hint, *get_args(argument.hint))
        for token in argument.tokens:
            where = token.keyword or argument.name.lstrip("-").upper()
            if int in kinds and "." in token.value:
                what = f"{quoted(token.value)} cannot be used"
                raise InputError(what, where=where, do="Give a whole number, such as 100.")
            named = Path in kinds or (str in kinds and token.keyword and argument.field_info.default != "")
            if named and not token.value:
                do = "Give a name. If it comes from a shell variable, that variable is not set."
                raise InputError("the name is empty", where=where, do=do)
