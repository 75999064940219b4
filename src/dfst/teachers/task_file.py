"""Tasks as text: a machine file whose header may have a table [task]."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from dfst.errors import FileFormatError, InputError, MachineError, Mistake, quoted
from dfst.files import is_file_name, read_text
from dfst.teachers.sampling import Operands, Sampling, problem_count, same_symbol_count, sampling_problems
from dfst.teachers.task import Task
from dfst.world.machine import GridMachine
from dfst.world.machine_file import machine_and_header

_FEW = 100
"""Without a table [task]: as many short problems as stay below this, and twice as many problems in all."""

_LONG = 100
"""Problems longer than this are not counted, only refused if they are too many."""

_SPARE = 4
"""Hidden dimensions beyond one for each state of the teacher, if nothing else is asked."""


_KEYS: dict[str, tuple[type, str]] = {
    "p": (int, "Write it as: p = 2"),
    "q": (int, "Write it as: q = 5"),
    "n": (int, "Write it as: n = 100"),
    "hidden_dim": (int, "Write it as: hidden_dim = 12"),
    "iterations": (int, "Write it as: iterations = 40000"),
    "learning_rate": (float, "Write it as: learning_rate = 0.002"),
    "answers": (str, 'Write it as: answers = "answers.csv"'),
}
"""What a table [task] may hold: of which kind, and how it is written."""


def load_task(path: str | Path) -> Task:
    """The task in the file ``path``: a machine file, whose header may say how to learn it.

    ``answers`` in its table [task] names a CSV file beside it: a column for every operand, then the right answer.

    >>> load_task(gallery_folder() / "increment.dfst").truth("1099")
    '1100'
    """
    task, answers = _parse(read_text(path), str(path))
    if answers:
        if not is_file_name(answers):
            do = "Give the name of a file beside this one, such as answers.csv."
            raise FileFormatError(f"{quoted(answers)} is not the name of a file", where=str(path), do=do)
        source = Path(path).parent / answers
        if not source.is_file():
            do = "Put it beside the machine file, or leave the line out."
            raise FileFormatError(f"there is no file {answers!r} with the right answers", where=str(path), do=do)
        return replace(task, answers=read_answers(source, task.machine))
    return task


def parse_task(text: str, *, source: str = "task") -> Task:
    """The task written in ``text``, without its answers; what its table [task] leaves out is chosen from the machine.

    >>> import dfst
    >>> from dfst.world.machine_file import dump_machine
    >>> parse_task(dump_machine(dfst.task("add2").machine)).sampling
    Sampling(p=2, q=5, n=200)
    """
    return _parse(text, source)[0]


def _parse(text: str, source: str) -> tuple[Task, str]:
    """The task, and the name of the file with its answers, if there is one."""
    machine, header = machine_and_header(text, source)
    values = header.table("task", _KEYS)
    if header.problems:
        raise MachineError(header.problems, where=source)
    header.adopt(_value_problems(values, len(machine.states)))
    hidden_dim = values.pop("hidden_dim", len(machine.states) + _SPARE)
    sampling = _sampling(machine, {name: values.pop(name) for name in ("p", "q", "n") if name in values})
    header.adopt(sampling_problems(sampling, machine.world))
    if header.problems:
        raise MachineError(header.problems, where=source)
    answers = values.pop("answers", "")
    recipes = {"fast": values, "quick": values} if values else {}
    return Task(machine.name, machine, hidden_dim, sampling, recipes, text=text), answers


def _sampling(machine: GridMachine, given: dict[str, int]) -> Sampling:
    """What is given, completed: short problems as long as they are few, random ones three symbols longer."""
    p = given.get("p", max((p for p in range(1, 12) if problem_count(machine.world, p) <= _FEW), default=1))
    q = given.get("q", p + 3)
    few = max(2 * _FEW, problem_count(machine.world, min(p, _LONG)) + same_symbol_count(machine.world))
    return Sampling(p, q, given.get("n", min(problem_count(machine.world, min(q, _LONG)), few)))


def _value_problems(values: dict[str, Any], states: int) -> Iterator[Mistake]:
    """What is wrong with how the table [task] wants to learn."""
    if values.get("hidden_dim", states) < states:
        what = f"hidden_dim = {values['hidden_dim']} is less than the machine's {states} states"
        yield Mistake(what, f"Write {states} or more.", key="task.hidden_dim")
    if not 1 <= values.get("iterations", 1) <= 10**9:
        what = f"iterations = {values['iterations']} cannot be used"
        yield Mistake(what, "Write 1 to 10^9.", key="task.iterations")
    if not 0 < values.get("learning_rate", 1) <= 1:
        what = f"learning_rate = {values['learning_rate']} cannot be used"
        yield Mistake(what, "Write a number above 0 and up to 1, such as 0.002.", key="task.learning_rate")


def read_answers(path: Path, machine: GridMachine) -> dict[Operands, str]:
    """Right answers from a CSV file: one problem per line, its operands, then the answer; a header line is left out."""
    wanted = len(machine.world.operands)
    form = f"{wanted} operand{'s' * (wanted > 1)} and the answer, separated by commas."
    answers: dict[Operands, str] = {}
    for number, line in enumerate(csv.reader(read_text(path).splitlines()), 1):
        if not line or line[0].startswith("#"):
            continue
        where = f"{path}, line {number}"
        if len(line) != wanted + 1:
            what = f"it has {len(line)} columns, not {wanted + 1}"
            raise FileFormatError(what, where=where, do=f"Write {form}")
        operands = tuple(cell.strip() for cell in line[:-1])
        try:
            machine.place(operands)
        except InputError as error:
            if number == 1:
                continue  # names of columns
            raise FileFormatError(error.what, where=where, do=error.do) from None
        answers[operands] = line[-1].strip()
    if not answers:
        raise FileFormatError("there are no right answers in it", where=str(path), do=f"Write lines of {form}")
    return answers


def gallery_folder() -> Path:
    """Where the machine files of the gallery are."""
    return Path(__file__).parent / "gallery"
