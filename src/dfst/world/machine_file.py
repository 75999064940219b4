"""Machine files: a TOML header, a line ``---``, and one rule ``state sees -> writes move next`` per line.

Lists, classes, ranges and quotes keep them short; ``docs/machine-files.md`` describes the format in full. Reading lists
every problem with its line, and :func:`parse_machine` of :func:`dump_machine` is the same machine, whatever its names.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from itertools import groupby
from pathlib import Path
from typing import Any

from dfst.errors import InputError, MachineError, Mistake
from dfst.files import MAX_TOML_BYTES, numbered_lines, parse_toml, plain_line_ends, read_text
from dfst.records import fits
from dfst.world.alphabet import Alphabet, is_names
from dfst.world.layout import Layout
from dfst.world.machine import MAX_RULES, NO_RULES, GridMachine, machine_of, rule_problems, text_problems
from dfst.world.machine_rules import dump_state, rules_of
from dfst.world.worlds import World

_FORMAT = 1
_SEPARATOR = "---"
_SEPARATOR_LINE = re.compile(rf"^{_SEPARATOR}[^\S\n]*$", re.MULTILINE)
_MOST_PROBLEMS = 1000
_NEEDED: Any = object()
_KEYS: dict[str, tuple[Any, Any, str]] = {
    "format": (int, _NEEDED, f"Write: format = {_FORMAT}"),
    "name": (str, _NEEDED, 'Write it as: name = "adder"'),
    "about": (str, "", 'Write it as: about = "A sentence."'),
    "start": (str, _NEEDED, 'Write it as: start = "first"'),
    "symbols": (list[str], _NEEDED, 'Write them as: symbols = ["0", "1", "_"]'),
    "blank": (str, _NEEDED, 'Write it as: blank = "_"'),
    "classes": (dict, {}, 'Write: [classes] and below it digit = ["0", "1"]'),
    "input.cells": (list[str], _NEEDED, 'Write: [input] and below it cells = ["digit+", "+", "digit+"]'),
    "input.head": (list[int], [0, 0], "Below [input], write: head = [0, 0]"),
    "answer.row": (int, 0, "Below [answer], write: row = 0"),
    "answer.cells": (str, _NEEDED, 'Write: [answer] and below it cells = "digit"'),
    "answer.leading": (str, "", 'Below [answer], write: leading = "0"'),
}
"""What a header holds: of which kind, what it is if it is left out, and how it is written."""

_TABLES = ("input", "answer", "task")
"""The last belongs to somebody else, who reads it with :meth:`Header.table`."""


def load_machine(path: str | Path) -> GridMachine:
    """The machine in the file ``path``; raises :class:`dfst.errors.MachineError` with every problem and its line."""
    return parse_machine(read_text(path), source=str(path))


def parse_machine(text: str, *, source: str = "machine") -> GridMachine:
    r"""The machine written in ``text``; ``source`` names it in messages."""
    return machine_and_header(text, source)[0]


def machine_and_header(text: str, source: str) -> tuple[GridMachine, Header]:
    """The machine, and its header with whatever tables of others it has."""
    text = plain_line_ends(text)
    cut = _SEPARATOR_LINE.search(text)
    before = text[: cut.start()] if cut else text
    header, separator_line = Header(before), before.count("\n") + 1
    if cut is None and not header.looks_right:
        what = "the file is empty" if not text.strip() else "this is not a machine file"
        do = "dfst new NAME makes one to begin with; docs/machine-files.md describes them."
        raise MachineError([Mistake(what, do, 1)], where=source)
    if cut is None:
        what = f"there is no line {_SEPARATOR!r} between header and rules"
        header.problem(what, "Add it after the header.", separator_line)
    name, about, alphabet, layout, start = header.read()
    header.adopt(text_problems(name, about))
    rules, lines, empty = [], [], True
    for number, line in numbered_lines(text[cut.end() :] if cut else "", separator_line):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        empty = False
        try:
            for rule in rules_of(line, alphabet):
                rules.append(rule)
                lines.append(number)
                if len(rules) > MAX_RULES:
                    raise InputError(f"more than {MAX_RULES} rules", do="Split the machine.")
        except InputError as error:
            header.problem(error.what, error.do, number)
        if header.has_too_many or len(rules) > MAX_RULES:
            break
    if cut is not None and empty:
        header.adopt([NO_RULES])
    if alphabet is not None:
        header.adopt(World(alphabet, layout).problems() if layout else ())
        header.adopt(rule_problems(rules, lines, alphabet, start) if rules else ())
    if header.problems or alphabet is None or layout is None or start is None:
        raise MachineError(header.problems, where=source)
    return machine_of(rules, World(alphabet, layout), start, name, about), header


class Header:
    """The TOML part: gathers problems with their lines, which TOML parsers do not give, while it is read."""

    def __init__(self, text: str) -> None:
        self.problems: list[Mistake] = []
        self._known = {**{key: example for key, (_, _, example) in _KEYS.items()}, **dict.fromkeys(_TABLES, "")}
        self._lines = _key_lines(text[:MAX_TOML_BYTES])
        self._values: dict[str, Any] | None = None
        try:
            if len(text) > MAX_TOML_BYTES:
                raise ValueError("it is too long")
            self._values = parse_toml(text)
        except (ValueError, RecursionError) as error:  # ValueError: TOML's own errors, and numbers of 4300 digits
            match = re.search(r"\(at line (\d+)", str(error))
            line = int(match[1]) if match else text.count("\n") + 1
            reason = re.sub(r" \(at .*\)$", "", str(error))
            if not isinstance(error, tomllib.TOMLDecodeError):
                reason = "it is too long, or a number is, or brackets or keys are nested too deeply"
            what = f"the header is not valid TOML: {reason[:1].lower()}{reason[1:]}"
            self.problem(what, "Write it as in docs/machine-files.md.", line)

    @property
    def looks_right(self) -> bool:
        """Whether a key that every machine file has is written at the beginning of some line."""
        return any(key in self._lines for key in ("name", "symbols", "blank", "start"))

    def problem(self, what: str, do: str, line: int) -> None:
        """Note a problem, unless there are so many that nobody will read it."""
        if not self.has_too_many:
            self.problems.append(Mistake(what, do, line))

    @property
    def has_too_many(self) -> bool:
        """Whether there are so many problems that the rest of the file need not be read."""
        return len(self.problems) >= _MOST_PROBLEMS

    def adopt(self, problems: Iterable[Mistake]) -> None:
        """Problems found by the records: those without a line get that of their header key, or of its section."""
        for problem in problems:
            section = problem.key.partition(".")[0]
            line = problem.line or self._lines.get(problem.key) or self._lines.get(section, 1)
            self.problem(problem.what, problem.do, line)

    def read(self) -> tuple[str, str, Alphabet | None, Layout | None, str | None]:
        """(name, about, alphabet, layout, start state), None for what is missing or wrong."""
        if self._values is None:
            return "", "", None, None, None
        found = {key: self._get(key, kind, default) for key, (kind, default, _) in _KEYS.items()}
        if found["format"] not in (_FORMAT, None):
            what, do = f"format {found['format']} is not known", f"This version of dfst reads format {_FORMAT}."
            self.problems.insert(0, Mistake(what, do, self._lines.get("format", 1)))  # it may explain the others
        alphabet, layout = self._alphabet(found), self._layout(found)
        inner = [f"{key}.{name}" for key in _TABLES[:2] for name in self._table(key)]
        self._refuse_unknown([*self._values, *inner])
        return found["name"] or "", found["about"] or "", alphabet, layout, found["start"]

    def table(self, name: str, kinds: Mapping[str, tuple[type, str]]) -> dict[str, Any]:
        """What is there of a table that belongs to somebody else: for every key its kind, and how to write it."""
        if not isinstance((self._values or {}).get(name, {}), dict):
            self.problem(f"{name!r} has the wrong kind of value", f"Write a table: [{name}]", self._lines.get(name, 1))
        table = self._table(name)
        self._known |= {f"{name}.{key}": example for key, (_, example) in kinds.items()}
        self._refuse_unknown(f"{name}.{key}" for key in table)
        return {key: self._get(f"{name}.{key}", kind, _NEEDED) for key, (kind, _) in kinds.items() if key in table}

    def _table(self, name: str) -> dict[str, Any]:
        table = (self._values or {}).get(name)
        return table if isinstance(table, dict) else {}

    def _alphabet(self, found: dict[str, Any]) -> Alphabet | None:
        symbols, blank, classes = found["symbols"], found["blank"], found["classes"]
        for name, members in (classes or {}).items():
            if not is_names(members):
                line = self._lines.get(f"classes.{name}", 1)
                self.problem(f"class {name!r} must be a list of symbols", 'Such as ["0", "1"].', line)
                classes = None
        if symbols is None or blank is None or classes is None:
            return None
        try:
            return Alphabet(tuple(symbols), blank, {name: tuple(members) for name, members in classes.items()})
        except MachineError as error:
            self.adopt(error.mistakes)
            return None

    def _layout(self, found: dict[str, Any]) -> Layout | None:
        parts, head, row, answer, leading = (value for key, value in found.items() if "." in key)
        if head is not None and len(head) != 2:
            line = self._lines.get("input.head", 1)
            self.problem("the start cell must be [x, y]", self._known["input.head"], line)
            return None
        if parts is None or head is None or row is None or answer is None or leading is None:
            return None
        return Layout(tuple(parts), (head[0], head[1]), row, answer, leading or None)

    def _get(self, key: str, kind: Any, default: Any) -> Any:
        """The value of a dotted key, of the right kind; None (and a problem) if it is missing or of another kind."""
        value: Any = self._values
        for part in key.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if value is None:
            if default is not _NEEDED:
                return default
            self.problem(f"{key!r} is missing", self._known[key], self._lines.get(key.split(".")[0], 1))
        elif not fits(value, kind):
            self.problem(f"{key!r} has the wrong kind of value", self._known[key], self._lines.get(key, 1))
        else:
            return float(value) if kind is float else value
        return None

    def _refuse_unknown(self, keys: Iterable[str]) -> None:
        for key in keys:
            if key not in self._known and not self.has_too_many:
                close = get_close_matches(key, self._known, 1)
                do = f"Did you mean {close[0]!r}?" if close else "docs/machine-files.md lists the keys."
                self.problem(f"key {key!r} is not known", do, self._lines.get(key, 1))


_TABLE_LINE = re.compile(r"\s*\[\s*([\w.-]+)\s*\]")
_VALUE_LINE = re.compile(r"\s*([\w.-]+)\s*=")


def _key_lines(text: str) -> dict[str, int]:
    """Where each key is written, as people usually write it: TOML parsers do not tell."""
    lines, section, in_text = {}, "", False
    for number, line in enumerate(text.split("\n"), 1):
        if match := None if in_text else _TABLE_LINE.match(line):
            section = f"{match[1]}."
            lines.setdefault(match[1], number)
        elif match := None if in_text else _VALUE_LINE.match(line):
            lines.setdefault(section + match[1], number)
        in_text ^= line.count('"""') % 2 == 1
    return lines


def dump_machine(machine: GridMachine) -> str:
    """``machine`` as the text of a machine file.

    >>> import dfst
    >>> [line for line in dump_machine(dfst.task("add10").machine).splitlines() if line.startswith("add7")]
    ['add7 0..2 -> 7..9 U back', 'add7 3..9 -> 0..6 L add1', 'add7 _ -> = L =', 'add7 + -> = D =']
    """
    layout, named = machine.layout, machine.world.header()
    classes, about = named.pop("classes"), {"about": machine.about} if machine.about else {}
    del named["layout"]
    header = {"format": _FORMAT, "name": machine.name} | about | named | {"start": machine.states[machine.start]}
    leading = {} if layout.leading is None else {"leading": layout.leading}
    sections = {
        "classes": classes,
        "input": {"cells": layout.parts, "head": [int(number) for number in layout.head]},
        "answer": {"row": int(layout.answer_row), "cells": layout.answer_class} | leading,
    }
    lines = [_dump_value(key, value) for key, value in header.items()]
    for section, values in sections.items():
        lines += ["", f"[{section}]", *(_dump_value(key, value) for key, value in values.items())]
    lines += [_SEPARATOR, "# state sees -> writes move next"]
    for _, rules in groupby(machine.rules(), key=lambda rule: rule.state):
        lines += dump_state(list(rules), machine.alphabet)
    return "\n".join(lines) + "\n"


def _dump_value(key: str, value: object) -> str:
    """A line of TOML, or several for a text of several lines; JSON's strings are TOML's, too.

    A machine's names and texts hold no control characters, the only ones that JSON and TOML treat differently.
    """
    name = key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)
    written = json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and "\n" in value and _SEPARATOR not in map(str.rstrip, value.split("\n")):
        lines = [json.dumps(line, ensure_ascii=False)[1:-1] for line in value.split("\n")]
        written = '"""' + "\n".join(["", *lines]) + '"""'
    return f"{name} = {written}"
