"""Machine files: a TOML header, a line ``---``, and one rule ``state sees -> writes move next`` per line.

Lists, classes, ranges and quotes keep them short; ``docs/machine-files.md`` describes the format in full. Reading lists
every problem with its line, and :func:`parse_machine` of :func:`dump_machine` is the same machine, whatever its names.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from dfst.errors import MachineError, Problem
from dfst.files import plain_line_ends, read_text, write_atomically
from dfst.world.alphabet import Alphabet, alphabet_header, is_names
from dfst.world.layout import Layout
from dfst.world.machine import MAX_RULES, NO_RULES, GridMachine, Rule, rule_problems, text_problems
from dfst.world.moves import MOVE_NAMES, Move

FORMAT = 1
_SEPARATOR = "---"


def load_machine(path: str | Path) -> GridMachine:
    """The machine in the file ``path``; raises :class:`dfst.MachineError` with every problem and its line.

    >>> import tempfile, dfst
    >>> machine = dfst.expert("add2").machine
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
    ...     print(len(error.problems), "problems, the first:", error.problems[0])
    8 problems, the first: line 1: format 2 is not known. This version of dfst reads format 1.
    """
    lines = plain_line_ends(text).split("\n")
    cut = next((i for i, line in enumerate(lines) if line.rstrip() == _SEPARATOR), None)
    header = _Header("\n".join(lines[:cut]))
    if cut is None:
        header.problem(
            f"there is no line {_SEPARATOR!r} between header and rules", "Add it after the header.", len(lines)
        )
    name, about, alphabet, layout, start = header.read()
    header.adopt(text_problems(name, about))
    rules, rule_lines = [], []
    written_down = [
        (number, line)
        for number, line in enumerate(lines[cut + 1 :] if cut is not None else [], (cut or 0) + 2)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    for number, line in written_down:
        try:
            shape = _rule_shape(line)
            for rule in _expanded(shape, alphabet) if alphabet else ():
                rules.append(rule)
                rule_lines.append(number)
        except _LineError as error:
            header.problem(error.what, error.do, number)
        if len(rules) > MAX_RULES:
            header.problem(f"more than {MAX_RULES} rules", "Split the machine.", number)
            break
    if cut is not None and not written_down:
        header.adopt([NO_RULES])
    if alphabet is not None:
        header.adopt(layout.problems(alphabet) if layout else ())
        header.adopt(rule_problems(rules, rule_lines, alphabet, start) if rules else ())
    if header.problems or alphabet is None or layout is None or start is None:
        raise MachineError(header.problems, where=source)
    return GridMachine.from_rules(rules, alphabet=alphabet, layout=layout, start=start, name=name, about=about)


def dump_machine(machine: GridMachine) -> str:
    """``machine`` as the text of a machine file.

    >>> import dfst
    >>> [line for line in dump_machine(dfst.expert("add10").machine).splitlines() if line.startswith("add7")]
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
    lines = [_dump_value(key, value) for key, value in header.items()]
    for section, values in sections.items():
        lines += ["", f"[{section}]", *(_dump_value(key, value) for key, value in values.items())]
    lines += [_SEPARATOR, "# state sees -> writes move next"]
    for _, rules in groupby(machine.rules(), key=lambda rule: rule.state):
        lines += _dump_state(list(rules), alphabet)
    return "\n".join(lines) + "\n"


# The header


class _Header:
    """The TOML part: gathers problems with their lines while it is read."""

    def __init__(self, text: str) -> None:
        self.problems: list[Problem] = []
        self._lines = _key_lines(text)
        try:
            self._values = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # ValueError: TOML's own errors, and numbers of 4300 digits
            self._values = None
            match = re.search(r"\(at line (\d+)", str(error))
            line = int(match[1]) if match else text.count("\n") + 1
            reason = re.sub(r" \(at .*\)$", "", str(error))
            if not isinstance(error, tomllib.TOMLDecodeError):
                reason = "a number is too long, or brackets are nested too deeply"
            self.problem(f"the header is not valid TOML: {reason[:1].lower()}{reason[1:]}", "", line)

    def problem(self, what: str, do: str = "", line: int | None = None) -> None:
        self.problems.append(Problem(what, do, line))

    def adopt(self, problems: Iterable[Problem]) -> None:
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

    def _alphabet(self) -> Alphabet | None:
        symbols, blank, classes = self._get("symbols", list), self._get("blank", str), self._get("classes", dict, {})
        for name, members in (classes or {}).items():
            if not is_names(members):
                self.problem(f"class {name!r} must be a list of symbols", "", self._lines.get(f"classes.{name}", 1))
                classes = None
        if symbols is None or blank is None or classes is None:
            return None
        try:
            return Alphabet(tuple(symbols), blank, {name: tuple(members) for name, members in classes.items()})
        except MachineError as error:
            self.adopt(error.problems)
            return None

    def _layout(self) -> Layout | None:
        parts, head = self._get("input.cells", list), self._get("input.head", list, [0, 0], integers=True)
        row, answer = self._get("answer.row", int, 0), self._get("answer.cells", str)
        leading = self._get("answer.leading", str, "")
        if head is not None and len(head) != 2:
            self.problem("the start cell must be [x, y]", _EXAMPLES["input.head"], self._lines.get("input.head", 1))
            return None
        if parts is None or head is None or row is None or answer is None or leading is None:
            return None
        return Layout(tuple(parts), (head[0], head[1]), row, answer, leading or None)

    def _get(self, key: str, kind: type, default: Any = None, *, integers: bool = False) -> Any:
        """The value of a dotted key, of the right kind; None (and a problem) if it is missing or of another kind."""
        assert self._values is not None
        value: Any = self._values
        for part in key.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if value is None:
            if default is None:
                self.problem(f"{key!r} is missing", _EXAMPLES[key], self._lines.get(key.split(".")[0], 1))
            return default
        fits = type(value) is kind if kind is not int else _is_integer(value)
        if kind is list and fits:
            fits = all(map(_is_integer, value)) if integers else is_names(value)
        if not fits:
            self.problem(f"{key!r} has the wrong kind of value", _EXAMPLES[key], self._lines.get(key, 1))
            return None
        return value

    def _refuse_unknown_keys(self) -> None:
        assert self._values is not None
        known = {*_EXAMPLES, "input", "answer"}
        for key, value in self._values.items():
            inner = [f"{key}.{k}" for k in value] if key in ("input", "answer") and isinstance(value, dict) else []
            for dotted in (key, *inner):
                if dotted not in known:
                    close = get_close_matches(dotted, known, 1)
                    do = f"Did you mean {close[0]!r}?" if close else f"The keys are {', '.join(sorted(_EXAMPLES))}."
                    self.problem(f"key {dotted!r} is not known", do, self._lines.get(dotted, 1))


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


def _is_integer(value: object) -> bool:
    """TOML's integers have 64 bits; tomllib gives longer ones, which Python would refuse to print."""
    return type(value) is int and abs(value) < 2**63


_STRING = r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\''
_LONG_STRING_OR_COMMENT = re.compile(
    rf'(?P<long>"""(?:[^\\]|\\.)*?"{{3,5}}|\'\'\'.*?\'{{3,5}})|(?P<comment>#[^\n]*)|{_STRING}', re.DOTALL
)
_KEY_PART = re.compile(rf"[\w-]+|{_STRING}")
_KEY = rf"((?:{_KEY_PART.pattern})(?:\s*\.\s*(?:{_KEY_PART.pattern}))*)"
_TABLE_LINE = re.compile(rf"\s*\[\s*{_KEY}\s*\]\s*$")
_VALUE_LINE = re.compile(rf"\s*{_KEY}\s*=")
_INLINE_KEY = re.compile(rf"[{{,]\s*{_KEY}\s*=")


def _key_lines(text: str) -> dict[str, int]:
    """Where each key is written: TOML parsers do not tell."""

    def without(match: re.Match[str]) -> str:
        return '""' + "\n" * match[0].count("\n") if match["long"] else "" if match["comment"] else match[0]

    lines, section = {}, ""
    for number, line in enumerate(_LONG_STRING_OR_COMMENT.sub(without, text).split("\n"), 1):
        if match := _TABLE_LINE.match(line):
            section = _plain_key(match[1]) + "."
            lines.setdefault(section[:-1], number)
        elif match := _VALUE_LINE.match(line):
            key = section + _plain_key(match[1])
            lines.setdefault(key, number)
            for inner in _INLINE_KEY.findall(line, match.end()):
                lines.setdefault(f"{key}.{_plain_key(inner)}", number)
    return lines


def _plain_key(key: str) -> str:
    """A key as it was read: without quotes and the spaces around dots."""
    return ".".join(part if part[0] not in "\"'" else part[1:-1] for part in _KEY_PART.findall(key))


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


# The rules


class _LineError(Exception):
    def __init__(self, what: str, do: str = "") -> None:
        self.what, self.do = what, do


class _Token(NamedTuple):
    text: str
    quoted: bool


_SHAPE = "A rule reads: state sees -> writes move next"
_ONE_OR_EACH = "Give one for all, or one for each."
_TOKEN = re.compile(r'\s*(?:(?P<comment>#.*)|(?P<quoted>"(?:[^"\\]|\\.)*")|(?P<comma>,)|(?P<bare>[^\s,"]+))')


class _Shape(NamedTuple):
    """What a rule line says, as far as that can be known without an alphabet."""

    states: list[str]
    sees: list[_Token]
    writes: list[_Token]
    moves: list[Move]
    goes: list[_Token]


def _rule_shape(line: str) -> _Shape:
    fields = _fields(line)
    arrow = [i for i, field in enumerate(fields) if field == [_Token("->", False)]]
    if arrow != [2] or len(fields) != 6:
        raise _LineError("this is not a rule", _SHAPE + ".")
    states, sees, _, writes, moves, goes = fields
    shape = _Shape([_state_name(token) for token in states], sees, writes, [_move(token) for token in moves], goes)
    least = max(len(sees), len(writes))  # a token stands for one symbol or more
    for count, what in ((len(moves), "moves"), (len(goes), "next states")):
        if 1 < count < least:
            raise _LineError(f"{count} {what} for at least {least} symbols", _ONE_OR_EACH)
    if len(moves) != len(goes) and min(len(moves), len(goes)) > 1:
        raise _LineError(f"{len(moves)} moves, but {len(goes)} next states", _ONE_OR_EACH)
    return shape


def _expanded(shape: _Shape, alphabet: Alphabet) -> Iterator[Rule]:
    """The rules that a line stands for."""
    seen = [symbol for token in shape.sees for symbol in _symbols(token, alphabet, "sees")]
    if len(set(seen)) < len(seen):
        twice = next(symbol for symbol in seen if seen.count(symbol) > 1)
        raise _LineError(f"{twice!r} is listed twice in what is seen", "List each symbol once.")
    written = seen if shape.writes == [_KEEP] else _aligned(shape.writes, seen, "writes", alphabet)
    moves = _stretched(shape.moves, len(seen), "moves")
    goes = _stretched(shape.goes, len(seen), "next states")
    for state in shape.states:
        for x, w, move, token in zip(seen, written, moves, goes, strict=True):
            yield Rule(state, x, w, move, state if token == _KEEP else _state_name(token, x))


_KEEP = _Token("=", False)


def _fields(line: str) -> list[list[_Token]]:
    """The line's fields, each a list of tokens that were joined by commas; comments dropped."""
    fields: list[list[_Token]] = []
    at, joining = 0, False
    line = line.rstrip()
    while at < len(line):
        match = _TOKEN.match(line, at)
        if match is None:
            raise _LineError("a quote is not closed", 'Names in quotes end with ".')
        at = match.end()
        if match["comment"]:
            break
        if match["comma"]:
            if joining or not fields:
                raise _LineError("a comma has nothing before it", _SHAPE + ".")
            joining = True
            continue
        token = _unquoted(match["quoted"]) if match["quoted"] else _Token(match["bare"], False)
        if joining:
            fields[-1].append(token)
        else:
            fields.append([token])
        joining = False
    if joining:
        raise _LineError("a comma has nothing after it", _SHAPE + ".")
    return fields


def _unquoted(text: str) -> _Token:
    try:
        return _Token(json.loads(text), True)
    except ValueError:
        raise _LineError(f"{text} is not a valid quoted name", "Quote as in JSON.") from None


def _symbols(token: _Token, alphabet: Alphabet, what: str) -> Sequence[str]:
    """The symbols that a token stands for: one, a class, or a range."""
    if token.text in alphabet.index:
        return (token.text,)
    if not token.quoted and token.text in alphabet.classes:
        return alphabet.classes[token.text]
    if not token.quoted and ".." in token.text:
        first, _, last = token.text.partition("..")
        if first in alphabet.index and last in alphabet.index:
            low, high = alphabet.index[first], alphabet.index[last]
            if low <= high:
                return alphabet.symbols[low : high + 1]
            raise _LineError(f"range {token.text} runs backwards", "Give the lower symbol first.")
    known = [*alphabet.symbols, *alphabet.classes]
    close = get_close_matches(token.text, known, 1)
    do = f"Did you mean {close[0]!r}?" if close else f"Known are {' '.join(known[:40])}."
    raise _LineError(f"{what} {token.text!r}, which is neither a symbol nor a class nor a range", do)


def _aligned(tokens: list[_Token], seen: list[str], what: str, alphabet: Alphabet) -> list[str]:
    symbols = [symbol for token in tokens for symbol in _symbols(token, alphabet, what)]
    return _stretched(symbols, len(seen), what)


def _stretched(items: list[Any], count: int, what: str) -> list[Any]:
    if len(items) == 1:
        return items * count
    if len(items) != count:
        raise _LineError(f"{len(items)} {what} for {count} symbols seen", _ONE_OR_EACH)
    return items


def _move(token: _Token) -> Move:
    if len(token.text) != 1 or token.text not in MOVE_NAMES:
        raise _LineError(f"{token.text!r} is not a move", "Moves are U, D, L, R, and S to halt.")
    return Move[token.text]


def _state_name(token: _Token, seen: str = "") -> str:
    name = token.text
    if not token.quoted and "*" in name:
        if not seen:
            raise _LineError(f"{name!r} is not a state name", "Only a next state can have * (the symbol seen).")
        name = name.replace("*", seen)
    if name == "=" and not token.quoted:
        raise _LineError("'=' is not a state name", "Write the state's name; = is for what is written or goes on.")
    return name


# Writing rules


def _dump_state(rules: list[Rule], alphabet: Alphabet) -> Iterator[str]:
    """The rules of one state, as few lines as ranges and classes allow, in the order of the first symbol seen."""
    groups: dict[tuple[str, Move, bool], list[Rule]] = {}
    for rule in rules:
        groups.setdefault((rule.next, rule.move, rule.written == rule.seen), []).append(rule)
    for (following, move, keeps), group in groups.items():
        seen, written = [r.seen for r in group], [r.written for r in group]
        writes = "=" if keeps else _dump_symbols(written[:1] if len(set(written)) == 1 else written, alphabet)
        goes = "=" if following == group[0].state else _quote(following, _needs_quotes_as_state)
        state = _quote(group[0].state, _needs_quotes_as_state)
        yield f"{state} {_dump_symbols(seen, alphabet)} -> {writes} {move.name} {goes}"


def _dump_symbols(symbols: list[str], alphabet: Alphabet) -> str:
    for name, members in alphabet.classes.items():
        if tuple(symbols) == members and len(members) > 1 and not _needs_quotes(name):
            return name
    parts, i = [], 0
    while i < len(symbols):
        j = i
        while j + 1 < len(symbols) and alphabet.index[symbols[j + 1]] == alphabet.index[symbols[j]] + 1:
            j += 1
        plain = not any("." in symbols[k] or _needs_quotes(symbols[k]) for k in (i, j))
        if j - i >= 2 and plain and f"{symbols[i]}..{symbols[j]}" not in alphabet.classes:
            parts.append(f"{symbols[i]}..{symbols[j]}")
            i = j + 1
        else:
            parts.append(_quote(symbols[i], _needs_quotes))
            i += 1
    return ",".join(parts)


def _quote(name: str, needed: Callable[[str], bool]) -> str:
    return json.dumps(name, ensure_ascii=False) if needed(name) else name


def _needs_quotes(name: str) -> bool:
    return bool(re.search(r'[\s,"]', name)) or name.startswith("#") or name in ("=", "->") or not name


def _needs_quotes_as_state(name: str) -> bool:
    return _needs_quotes(name) or "*" in name
