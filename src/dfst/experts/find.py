"""Finding a task by what a user calls it: one of ours, one of the gallery, or a file."""

from __future__ import annotations

import os
from difflib import get_close_matches

from dfst.errors import InputError, quoted
from dfst.experts.expert import PAPER_TASKS, expert
from dfst.experts.task import Task
from dfst.experts.task_file import gallery_folder, load_task


def gallery() -> list[str]:
    """The names of the tasks in the gallery.

    >>> "reverse" in gallery()
    True
    """
    return sorted(path.stem for path in gallery_folder().glob("*.dfst"))


def find_task(text: str) -> Task:
    """The task called ``text``: a teacher such as add10, one of the gallery such as reverse, or a file.

    >>> find_task("mult3").name, find_task("increment").name
    ('mult3', 'increment')
    """
    if text.endswith(".safetensors"):
        raise InputError("it is a model, not a task", where=text, do=f"Let it work with dfst solve {text}.")
    if os.path.isfile(text) or text.endswith(".dfst") or os.sep in text:
        return load_task(text)
    try:
        return named_task(text)
    except InputError as error:
        what, do = error.what, error.do
        if os.path.isdir(text):
            what, do = "it is a folder, not a task", "Give a task's name, such as add2, or a machine file."
            raise InputError(what, where=text, do=do) from None
        if not error.where:  # not even something like add99
            what, do = f"there is no task called {quoted(text)}", _hint(text)
        raise InputError(what, where=error.where, do=do) from None


def named_task(name: str) -> Task:
    """The task of that name that comes with dfst: a name found in a file is never taken for a path.

    >>> named_task("increment").name
    'increment'
    """
    return load_task(gallery_folder() / f"{name}.dfst") if name in gallery() else expert(name)


def _hint(text: str) -> str:
    """What someone who wrote ``text`` may have meant."""
    if text.isdecimal():
        return "The name of a task goes before the numbers, such as add2 1 1."
    known = [*PAPER_TASKS, *gallery()]
    others = "dfst gallery lists more, and a path to a machine file works as well"
    close = get_close_matches(text.lower().removeprefix("teacher:"), known, 1)
    return f"Did you mean {close[0]}? ({others}.)" if close else f"Tasks are addR and multR, such as add2; {others}."
