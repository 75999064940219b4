"""Finding a task by what a user calls it: one of ours, one of the gallery, or a file."""

from __future__ import annotations

import os

from dfst.errors import InputError
from dfst.experts.expert import expert
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
    if os.path.isfile(text) or text.endswith(".dfst") or os.sep in text:
        return load_task(text)
    if text in gallery():
        return load_task(gallery_folder() / f"{text}.dfst")
    try:
        return expert(text)
    except InputError as error:
        do = f"{error.do} The gallery has {', '.join(gallery())}. A path to a machine file works as well."
        raise InputError(error.what, where=error.where, do=do) from None
