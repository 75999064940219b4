"""Tasks as text: a machine file whose header may have a table [task]."""

from __future__ import annotations

import csv
import math
from dataclasses import replace
from pathlib import Path

from dfst.errors import FileFormatError, InputError, MachineError
from dfst.experts.task import Operands, Sampling, Task
from dfst.files import plain_line_ends, read_text
from dfst.world.machine import GridMachine
from dfst.world.machine_file import parse_machine
from dfst.world.machine_header import SEPARATOR, Header

_FEW = 100
"""Without a table [task]: as many short problems as stay below this, and twice as many problems in all."""

_SPARE = 4
"""Hidden dimensions beyond one for each state of the teacher, if nothing else is asked."""


def load_task(path: str | Path) -> Task:
    """The task in the file ``path``: a machine file, whose header may say how to learn it.

    ``answers`` in its table [task] names a CSV file beside it: a column for every operand, then the right answer.

    >>> load_task(gallery_folder() / "increment.dfst").truth("1099")
    '1100'
    """
    task, answers = _parse(read_text(path), str(path))
    if answers:
        return replace(task, answers=read_answers(Path(path).parent / answers, task.machine))
    return task


def parse_task(text: str, *, source: str = "task") -> Task:
    """The task written in ``text``, without its answers; what its table [task] leaves out is chosen from the machine.

    >>> import dfst
    >>> parse_task(dfst.dump_machine(dfst.expert("add2").machine)).sampling
    Sampling(p=2, q=5, n=200)
    """
    return _parse(text, source)[0]


def _parse(text: str, source: str) -> tuple[Task, str]:
    """The task, and the name of the file with its answers, if there is one."""
    machine = parse_machine(text, source=source)
    lines = plain_line_ends(text).split("\n")
    header = Header("\n".join(lines[: next(i for i, line in enumerate(lines) if line.rstrip() == SEPARATOR)]))
    values = header.task()
    if header.problems:
        raise MachineError(header.problems, where=source)
    hidden_dim = values.pop("hidden_dim", len(machine.states) + _SPARE)
    sampling = _sampling(machine, {name: values.pop(name) for name in ("p", "q", "n") if name in values})
    answers = values.pop("answers", "")
    return Task(machine.name, machine, hidden_dim, sampling, values, text=text), answers


def _sampling(machine: GridMachine, given: dict[str, int]) -> Sampling:
    """What is given, completed: short problems as long as they are few, random ones three symbols longer."""
    classes = machine.alphabet.classes
    parts = [(len(classes[part.removesuffix("+")]), part) for part in machine.layout.operand_parts(machine.alphabet)]

    def count(longest: int) -> int:
        lengths = [(size, longest if part.endswith("+") else 1) for size, part in parts]
        return math.prod(sum(size**k for k in range(1, most + 1)) for size, most in lengths)

    p = given.get("p", max((p for p in range(1, 12) if count(p) <= _FEW), default=1))
    q = given.get("q", p + 3)
    same = math.prod(size for size, _ in parts)
    n = given.get("n", min(count(q), max(2 * _FEW, count(p) + same)))
    return Sampling(p, q, n)


def read_answers(path: Path, machine: GridMachine) -> dict[Operands, str]:
    """Right answers from a CSV file: one problem per line, its operands, then the answer; a header line is left out."""
    wanted = len(machine.layout.operand_parts(machine.alphabet))
    answers: dict[Operands, str] = {}
    for number, line in enumerate(csv.reader(read_text(path).splitlines()), 1):
        if not line or line[0].startswith("#"):
            continue
        where = f"{path}, line {number}"
        if len(line) != wanted + 1:
            do = f"Write {wanted} operand{'s' * (wanted > 1)} and the answer, separated by commas."
            raise FileFormatError(f"it has {len(line)} columns, not {wanted + 1}", where=where, do=do)
        operands = tuple(cell.strip() for cell in line[:-1])
        try:
            machine.place(operands)
        except InputError as error:
            if number == 1:
                continue  # names of columns
            raise FileFormatError(error.what, where=where, do=error.do) from None
        answers[operands] = line[-1].strip()
    return answers


def gallery_folder() -> Path:
    """Where the machine files of the gallery are."""
    return Path(__file__).parent / "gallery"
