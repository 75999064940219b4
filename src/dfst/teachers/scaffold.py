"""A task of one's own to begin with: a working machine file, and right answers beside it."""

from __future__ import annotations

import re
from pathlib import Path

from dfst.errors import InputError
from dfst.files import make_folder, read_text, write_atomically
from dfst.teachers.find import gallery


def new_task(name: str, folder: Path) -> list[Path]:
    """A folder with NAME.dfst and answers.csv; never overwrites anything."""
    if not re.fullmatch(r"[a-z][a-z0-9-]*", name):
        do = "Use small letters, digits and -, beginning with a letter, such as my-task."
        raise InputError(f"{name!r} cannot be the name of a task", do=do)
    if name in gallery() or re.fullmatch("(add|mult)[0-9]+", name):
        raise InputError(f"{name!r} is a task that comes with dfst", do=f"Choose another name, such as my-{name}.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("the folder is not empty", where=str(folder), do="Choose another name.")
    make_folder(folder)
    made = []
    for source, target in (("task.dfst", f"{name}.dfst"), ("answers.csv", "answers.csv")):
        text = read_text(Path(__file__).parent / "new_task" / source).replace("NAME", name)
        write_atomically(folder / target, text.encode())
        made.append(folder / target)
    return made
