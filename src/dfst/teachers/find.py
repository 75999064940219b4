"""Finding a task by what a user calls it: one of ours, one of the gallery, or a file.

A name of dfst's own always means what dfst means by it. A file or folder of the same name is reached as ./NAME: whoever
sends a folder must not decide which teacher its proof is compared with.
"""

from __future__ import annotations

import os
import warnings
from difflib import get_close_matches

from dfst.errors import InputError, NameWarning, printable, quoted
from dfst.teachers.arithmetic import PAPER_LENGTHS, arithmetic_task, is_arithmetic
from dfst.teachers.mealy_dot import ENDINGS, load_dot_task
from dfst.teachers.task import Task
from dfst.teachers.task_file import gallery_folder, load_task
from dfst.traces.files import LOG, TRACES

VARIANTS = ("raw", "lasting", "rounded", "machine")
"""Behind the name of a task and a colon: its float models, and the machine that was learned."""


def gallery() -> list[str]:
    """The names of the tasks in the gallery.

    >>> "reverse" in gallery()
    True
    """
    return sorted(path.stem for path in gallery_folder().glob("*.dfst"))


def is_own_name(text: str) -> bool:
    """Whether dfst itself gives ``text`` a meaning, which no file or folder can take from it.

    >>> [is_own_name(text) for text in ("add10", "add10:raw", "teacher:mine", "reverse", "./add10", "add99", "adder")]
    [True, True, True, True, False, False, False]
    """
    name, colon, which = text.partition(":")
    if colon:
        return name == "teacher" or (which in VARIANTS and is_own_name(name))
    return is_arithmetic(name) or name in gallery()


def warn_of_same_name(name: str) -> None:
    """Say so if a file or folder here has the name ``name`` of dfst's own."""
    if os.path.lexists(name):
        kind, path = "folder" if os.path.isdir(name) else "file", os.path.join(".", name)
        what = f"{name} means dfst's own {name}, not the {kind} of that name here. Write {path} for the {kind}."
        warnings.warn(printable(what), NameWarning, stacklevel=3)


def find_task(text: str) -> Task:
    """The task called ``text``: a teacher such as add10, one of the gallery such as reverse, or a file."""
    if text.endswith(".safetensors"):
        raise InputError("it is a model, not a task", where=text, do=f"Let it work with dfst solve {text}.")
    if is_own_name(text):
        warn_of_same_name(text)
    elif text.endswith(ENDINGS):
        return load_dot_task(text)
    elif os.path.isfile(text) and text.endswith((TRACES, LOG, ".xes")):
        do = f"dfst learn {text} learns from it, dfst doctor {text} examines it."
        do = "Make a .csv of it: dfst.exchange.to_csv(from_xes(...))." if text.endswith(".xes") else do
        raise InputError("it is a log, or a file of traces, and not a task", where=text, do=do)
    elif os.path.isfile(text) or text.endswith(".dfst") or os.sep in text:
        return load_task(text)
    elif os.path.isdir(text):
        do = "Give a task's name, such as add2, or a machine file."
        raise InputError("it is a folder, not a task", where=text, do=do)
    try:
        return named_task(text)
    except InputError as error:
        if error.where:  # something like add99
            raise
        raise InputError(f"there is no task called {quoted(text)}", do=_hint(text)) from None


def named_task(name: str) -> Task:
    """The task of that name that comes with dfst: a name found in a file is never taken for a path."""
    return load_task(gallery_folder() / f"{name}.dfst") if name in gallery() else arithmetic_task(name)


def _hint(text: str) -> str:
    """What someone who wrote ``text`` may have meant."""
    if text.isdecimal():
        return "The name of a task goes before the numbers, such as add2 1 1."
    if not text:
        return "Give its name, such as add2; is a shell variable not set?"
    name, colon, _ = text.partition(":")
    if colon and is_own_name(name):
        return f"The task is called {name}; a colon follows only for its models and its machine, as in {name}:machine."
    known = [*PAPER_LENGTHS, *gallery()]
    others = "dfst tasks lists more, and a path to a machine file works as well"
    close = get_close_matches(text.lower().removeprefix("teacher:"), known, 1)
    return f"Did you mean {close[0]}? ({others}.)" if close else f"Tasks are addR and multR, such as add2; {others}."
