"""A task of one's own to begin with: a working machine file, and right answers beside it."""

from __future__ import annotations

import re
from pathlib import Path

from dfst.errors import InputError
from dfst.files import make_folder, write_atomically
from dfst.teachers.find import gallery

_TASK = """\
# Your own algorithm. Change the rules, then:
#   dfst check {name}/{name}.dfst     every mistake, with its line; and the answers below
#   dfst solve {name}/{name}.dfst 1011          let it work
#   dfst data {name}/{name}.dfst              do the traces use every rule?
#   dfst train {name}/{name}.dfst             learn it from those traces
#   dfst certify runs/{name}-fast-s42         prove that what was learned is the same, for every length
format = 1
name = "{name}"
about = "Adds one to a binary number: walk to its end, then turn ones into zeros up to the first zero."
symbols = ["0", "1", "_"]
blank = "_"
start = "walk"

[classes]
digit = ["0", "1"]

[input]
cells = ["digit+"]       # what is written on row 0, from x = 0 to the right: here one operand
head = [0, 0]            # where the machine starts

[answer]
row = 0                  # where the answer is read
cells = "digit"
leading = "0"            # may precede the answer without changing it

[task]                   # what to learn it from; all of this may be left out
p = 3                    # all inputs of up to 3 symbols
q = 6                    # inputs of one symbol 6 times, and random ones of up to 6
n = 40                   # this many in all
hidden_dim = 6           # of the DFST; at least one for each state
answers = "answers.csv"  # an independent truth, if you have one

---
# state  sees  ->  writes  move  next
walk     digit ->  =       R     walk
walk     _     ->  =       L     add
add      1     ->  0       L     add
add      0,_   ->  1       S     halt
"""

_ANSWERS = """\
number,answer
0,1
1,10
1011,1100
111,1000
0111,1000
"""


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
    made = {folder / f"{name}.dfst": _TASK.format(name=name), folder / "answers.csv": _ANSWERS}
    for path, text in made.items():
        write_atomically(path, text.encode())
    return list(made)
