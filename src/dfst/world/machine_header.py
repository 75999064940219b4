"""The header of a machine file: TOML read with a line for every problem, which TOML parsers do not give."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from dfst.errors import MachineError, Mistake
from dfst.files import MAX_TOML_BYTES, parse_toml
from dfst.records import fits
from dfst.world.alphabet import Alphabet, is_names
from dfst.world.layout import Layout

FORMAT = 1
SEPARATOR = "---"
"""The line between the header and the rules."""

OTHERS = ("task",)
"""Tables that belong to somebody else, who reads them with :meth:`Header.table`."""


class Header:
    """The TOML part: gathers problems with their lines while it is read."""

    def __init__(self, text: str) -> None:
        self.problems: list[Mistake] = []
        self._examples = dict(_EXAMPLES)
        self._lines = _key_lines(text[:MAX_TOML_BYTES])
        try:
            if len(text) > MAX_TOML_BYTES:
                raise ValueError("it is too long")
            self._values = parse_toml(text)
        except (ValueError, RecursionError) as error:  # ValueError: TOML's own errors, and numbers of 4300 digits
            self._values = None
            match = re.search(r"\(at line (\d+)", str(error))
            line = int(match[1]) if match else text.count("\n") + 1
            reason = re.sub(r" \(at .*\)$", "", str(error))
            if not isinstance(error, tomllib.TOMLDecodeError):
                reason = "it is too long, or a number is, or brackets or keys are nested too deeply"
            self.problem(
                f"the header is not valid TOML: {reason[:1].lower()}{reason[1:]}",
                "Write it as in docs/machine-files.md.",
                line,
            )

    @property
    def looks_right(self) -> bool:
        """Whether a key that every machine file has is written at the beginning of some line."""
        return any(key in self._lines for key in ("name", "symbols", "blank", "start"))

    def problem(self, what: str, do: str = "", line: int | None = None) -> None:
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
        if self._get("format", int) not in (FORMAT, None):
            do = f"This version of dfst reads format {FORMAT}."
            self.problem(f"format {self._values['format']} is not known", do, self._lines.get("format", 1))
        name, about, start = self._get("name", str), self._get("about", str, ""), self._get("start", str)
        alphabet, layout = self._alphabet(), self._layout()
        self._refuse_unknown_keys()
        return name or "", about or "", alphabet, layout, start

    def table(self, name: str, kinds: Mapping[str, tuple[type, str]]) -> dict[str, Any]:
        """What is there of a table that belongs to somebody else: for every key its kind, and how to write it."""
        table = (self._values or {}).get(name, {})
        if not isinstance(table, dict):
            self.problem(f"{name!r} has the wrong kind of value", f"Write a table: [{name}]", self._lines.get(name, 1))
            return {}
        self._examples |= {f"{name}.{key}": example for key, (_, example) in kinds.items()}
        self._refuse_unknown(f"{name}.{key}" for key in table)
        return {key: self._get(f"{name}.{key}", kind) for key, (kind, _) in kinds.items() if key in table}

    def _alphabet(self) -> Alphabet | None:
        symbols, blank, classes = (
            self._get("symbols", list[str]),
            self._get("blank", str),
            self._get("classes", dict, {}),
        )
        for name, members in (classes or {}).items():
            if not is_names(members):
                self.problem(
                    f"class {name!r} must be a list of symbols",
                    'Such as ["0", "1"].',
                    self._lines.get(f"classes.{name}", 1),
                )
                classes = None
        if symbols is None or blank is None or classes is None:
            return None
        try:
            return Alphabet(tuple(symbols), blank, {name: tuple(members) for name, members in classes.items()})
        except MachineError as error:
            self.adopt(error.mistakes)
            return None

    def _layout(self) -> Layout | None:
        parts, head = self._get("input.cells", list[str]), self._get("input.head", list[int], [0, 0])
        row, answer = self._get("answer.row", int, 0), self._get("answer.cells", str)
        leading = self._get("answer.leading", str, "")
        if head is not None and len(head) != 2:
            self.problem("the start cell must be [x, y]", _EXAMPLES["input.head"], self._lines.get("input.head", 1))
            return None
        if parts is None or head is None or row is None or answer is None or leading is None:
            return None
        return Layout(tuple(parts), (head[0], head[1]), row, answer, leading or None)

    def _get(self, key: str, kind: Any, default: Any = None) -> Any:
        """The value of a dotted key, of the right kind; None (and a problem) if it is missing or of another kind."""
        assert self._values is not None
        value: Any = self._values
        for part in key.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if value is None:
            if default is None:
                self.problem(f"{key!r} is missing", self._examples[key], self._lines.get(key.split(".")[0], 1))
            return default
        if not fits(value, kind):
            self.problem(f"{key!r} has the wrong kind of value", self._examples[key], self._lines.get(key, 1))
            return None
        return float(value) if kind is float else value

    def _refuse_unknown_keys(self) -> None:
        """Those of others are looked at by others."""
        assert self._values is not None
        for key, value in self._values.items():
            self._refuse_unknown([key] if key not in OTHERS else [])
            if key in _SECTIONS and isinstance(value, dict):
                self._refuse_unknown(f"{key}.{inner}" for inner in value)

    def _refuse_unknown(self, keys: Iterable[str]) -> None:
        known = {*self._examples, *_SECTIONS, *OTHERS}
        for key in keys:
            if key not in known and not self.has_too_many:
                close = get_close_matches(key, known, 1)
                do = f"Did you mean {close[0]!r}?" if close else "docs/machine-files.md lists the keys."
                self.problem(f"key {key!r} is not known", do, self._lines.get(key, 1))


_MOST_PROBLEMS = 1000
_SECTIONS = ("input", "answer")

_EXAMPLES = {
    "format": f"Write: format = {FORMAT}",
    "name": 'Write it as: name = "adder"',
    "about": 'Write it as: about = "A sentence."',
    "symbols": 'Write them as: symbols = ["0", "1", "_"]',
    "blank": 'Write it as: blank = "_"',
    "start": 'Write it as: start = "first"',
    "classes": 'Write: [classes] and below it digit = ["0", "1"]',
    "input.cells": 'Write: [input] and below it cells = ["digit+", "+", "digit+"]',
    "input.head": "Below [input], write: head = [0, 0]",
    "answer.row": "Below [answer], write: row = 0",
    "answer.cells": 'Write: [answer] and below it cells = "digit"',
    "answer.leading": 'Below [answer], write: leading = "0"',
}


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


def dump_value(key: str, value: object) -> str:
    """A line of TOML, or several for a text of several lines; JSON's strings are TOML's, too.

    A machine's names and texts hold no control characters, the only ones that JSON and TOML treat differently.
    """
    name = key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)
    written = json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and "\n" in value and SEPARATOR not in map(str.rstrip, value.split("\n")):
        lines = [json.dumps(line, ensure_ascii=False)[1:-1] for line in value.split("\n")]
        written = '"""' + "\n".join(["", *lines]) + '"""'
    return f"{name} = {written}"
