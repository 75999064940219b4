"""Machine files: a TOML header, a line ``---``, and one rule ``state sees -> writes move next`` per line.

Lists, classes, ranges and quotes keep them short; ``docs/machine-files.md`` describes the format in full. Reading lists
every problem with its line, and :func:`parse_machine` of :func:`dump_machine` is the same machine, whatever its names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from dfst.errors import MachineError, Mistake
from dfst.files import numbered_lines, plain_line_ends, read_text, write_atomically
from dfst.world.alphabet import alphabet_header
from dfst.world.machine import MAX_RULES, NO_RULES, GridMachine, rule_problems, text_problems
from dfst.world.machine_header import FORMAT, SEPARATOR, Header, dump_value
from dfst.world.machine_rules import LineError, dump_state, expanded, rule_shape


def load_machine(path: str | Path) -> GridMachine:
    """The machine in the file ``path``; raises :class:`dfst.MachineError` with every problem and its line.

    >>> import tempfile, dfst
    >>> machine = dfst.task("add2").machine
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save_machine(machine, f"{folder}/adder.dfst")
    ...     load_machine(f"{folder}/adder.dfst") == machine
    True
    """
    return parse_machine(read_text(path), source=str(path))


def save_machine(machine: GridMachine, path: str | Path) -> None:
    """Write ``machine`` to ``path``, atomically; :func:`load_machine` gives back an equal machine."""
    write_atomically(path, dump_machine(machine).encode())


def parse_machine(text: str, *, source: str = "machine") -> GridMachine:
    r"""The machine written in ``text``; ``source`` names it in messages.

    >>> import dfst
    >>> try:
    ...     parse_machine("format = 2\n---\n")
    ... except dfst.MachineError as error:
    ...     print(len(error.mistakes), "problems, the first:", error.mistakes[0])
    8 problems, the first: line 1: format 2 is not known. This version of dfst reads format 1.
    """
    text = plain_line_ends(text)
    cut = _SEPARATOR_LINE.search(text)
    before = text[: cut.start()] if cut else text
    header, separator_line = Header(before), before.count("\n") + 1
    if cut is None and not header.looks_right:
        what = "the file is empty" if not text.strip() else "this is not a machine file"
        do = "dfst new NAME makes one to begin with; docs/machine-files.md describes them."
        raise MachineError([Mistake(what, do, 1)], where=source)
    if cut is None:
        header.problem(
            f"there is no line {SEPARATOR!r} between header and rules", "Add it after the header.", separator_line
        )
    name, about, alphabet, layout, start = header.read()
    header.adopt(text_problems(name, about))
    rules, rule_lines, number = [], [], 0
    for number, line in _rule_lines(text[cut.end() :] if cut else "", separator_line):
        try:
            shape = rule_shape(line)
            for rule in expanded(shape, alphabet) if alphabet else ():
                rules.append(rule)
                rule_lines.append(number)
                if len(rules) > MAX_RULES:
                    break
        except LineError as error:
            header.problem(error.what, error.do, number)
        if header.has_too_many:
            break
        if len(rules) > MAX_RULES:
            header.problem(f"more than {MAX_RULES} rules", "Split the machine.", number)
            break
    if cut is not None and not number:
        header.adopt([NO_RULES])
    if alphabet is not None:
        header.adopt(layout.problems(alphabet) if layout else ())
        header.adopt(rule_problems(rules, rule_lines, alphabet, start) if rules else ())
    if header.problems or alphabet is None or layout is None or start is None:
        raise MachineError(header.problems, where=source)
    return GridMachine.from_rules(rules, alphabet=alphabet, layout=layout, start=start, name=name, about=about)


_SEPARATOR_LINE = re.compile(rf"^{SEPARATOR}[^\S\n]*$", re.MULTILINE)


def _rule_lines(text: str, first: int) -> Iterator[tuple[int, str]]:
    """The lines of ``text`` that say something, with their numbers; ``first`` is that of the line it begins in."""
    return (
        (number, line)
        for number, line in numbered_lines(text, first)
        if line.strip() and not line.lstrip().startswith("#")
    )


def dump_machine(machine: GridMachine) -> str:
    """``machine`` as the text of a machine file.

    >>> import dfst
    >>> [line for line in dump_machine(dfst.task("add10").machine).splitlines() if line.startswith("add7")]
    ['add7 0..2 -> 7..9 U back', 'add7 3..9 -> 0..6 L add1', 'add7 _ -> = L =', 'add7 + -> = D =']
    """
    alphabet, layout = machine.alphabet, machine.layout
    about = {"about": machine.about} if machine.about else {}
    named = alphabet_header(alphabet)
    classes = named.pop("classes")
    header = {"format": FORMAT, "name": machine.name} | about | named | {"start": machine.states[machine.start]}
    leading = {} if layout.leading is None else {"leading": layout.leading}
    sections = {
        "classes": classes,
        "input": {"cells": layout.parts, "head": [int(number) for number in layout.head]},
        "answer": {"row": int(layout.answer_row), "cells": layout.answer_class} | leading,
    }
    lines = [dump_value(key, value) for key, value in header.items()]
    for section, values in sections.items():
        lines += ["", f"[{section}]", *(dump_value(key, value) for key, value in values.items())]
    lines += [SEPARATOR, "# state sees -> writes move next"]
    for _, rules in groupby(machine.rules(), key=lambda rule: rule.state):
        lines += dump_state(list(rules), alphabet)
    return "\n".join(lines) + "\n"
