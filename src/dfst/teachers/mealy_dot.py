"""Graphs in the dot language, and the Mealy machines in them: those of AALpy and of the Automata Wiki.

An arrow is labelled ``input / output``; several in one label are on lines of their own. An arrow from ``__start0``
points to the start state.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from dfst.errors import FileFormatError, InputError, MachineError, quoted, shortened
from dfst.files import read_text
from dfst.teachers.sampling import problem_count
from dfst.teachers.task import Task
from dfst.teachers.task_file import parse_task
from dfst.world.conversation import Turn, are_actions, conversation_machine, plain
from dfst.world.machine import GridMachine
from dfst.world.machine_file import dump_machine

START = "__start0"
ENDINGS = (".dot", ".gv")

Arrow = tuple[str, str, str]
"""From, to, and the label, its lines apart."""

_LABELS = 'Give every arrow its own label, as in [label="input / output"]; the arrow from __start0 has none.'
_PLAIN = "Write nodes and arrows without groups, as AALpy, dfst and the Automata Wiki do."
_ID = r'"(?:[^"\\\n]++|\\.)*+"|[\w.]++(?:-(?!>)[\w.]++)*+'
_ATTRIBUTE = rf"\s*+(\w++)\s*+=\s*+({_ID}|<(?:[^<>]++|<[^<>]*+>)*+>)\s*+[,;]?"
_LIST = rf"\s*+\[((?:{_ATTRIBUTE})*+)\s*+\]"
_STATEMENT = re.compile(rf"\s*+({_ID})(?:\s*+->\s*+({_ID}))?(?:{_LIST})?[\s;]*+")
_COMMENT = r"\s*+(?://[^\n]*+|\#[^\n]*+|/\*(?:[^*]++|\*(?!/))*+\*/)"
_IGNORED = re.compile(rf"{_COMMENT}\s*+|\s*+(?:node|(edge)|graph){_LIST}[\s;]*+|{_ATTRIBUTE}[\s;]*+")
_FIRST = re.compile(rf"(?:{_COMMENT})*+\s*+(?:strict\s++)?+digraph\s*+(?:{_ID})?\s*+\{{\s*+")
_UNREAD = {"xlabel", "headlabel", "taillabel"}
_KEYWORDS = {"node", "edge", "graph", "digraph", "subgraph", "strict"}


def read_graph(text: str) -> tuple[list[Arrow], list[str]]:
    """The arrows, and the nodes with a thick line, in the part of dot that is in use for machines."""
    first, arrows, thick = _FIRST.match(text), [], []
    if first is None:
        raise InputError("this is not a dot file with one graph", do="Its first word is digraph.")
    at, end = first.end(), len(text.rstrip()) - 1
    while at < end:
        if ignored := _IGNORED.match(text, at, end):
            if ignored[1] and (_UNREAD | {"label"}) & dict(re.findall(_ATTRIBUTE, ignored[2])).keys():
                raise InputError(f"line {_line(text, at, end)} is about the labels of several arrows", do=_LABELS)
            at = ignored.end()
            continue
        match = _STATEMENT.match(text, at, end)
        if match is None or {match[1].lower(), (match[2] or "").lower()} & _KEYWORDS:
            raise InputError(f"line {_line(text, at, end)} is neither a node nor an arrow", do=_PLAIN)
        attributes = dict(re.findall(_ATTRIBUTE, match[3] or ""))
        if match[2]:
            if unread := _UNREAD & attributes.keys():
                raise InputError(f"line {_line(text, at, end)}: an arrow has the attribute {min(unread)}", do=_LABELS)
            arrows.append((_unquoted(match[1]), _unquoted(match[2]), _unquoted(attributes.get("label", ""))))
        elif _unquoted(attributes.get("penwidth", "")) == "2":
            thick.append(_unquoted(match[1]))
        at = match.end()
    if not text.rstrip().endswith("}"):
        raise InputError("the drawing is cut short", do="Its last character is }.")
    return arrows, thick


def _line(text: str, at: int, end: int) -> int:
    """The number of the line on which the statement from ``at`` on begins."""
    return text.count("\n", 0, end - len(text[at:end].lstrip())) + 1


def _unquoted(text: str) -> str:
    """A dot string without its quotes and backslashes; of a label in HTML the text, each piece on a line."""
    if text[:1] == "<":
        return html.unescape(re.sub(r"<[^<>]*>", "\n", text[1:-1]))
    if len(text) < 2 or text[0] != '"':
        return text
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] in "nlr" else match[1], text[1:-1])


def start_of(arrows: Iterable[Arrow], thick: Sequence[str] = ()) -> str:
    """The start state: the ``thick`` node or, without one, that to which an arrow from ``__start0`` points."""
    starts = thick or [plain(target) for origin, target, _ in arrows if origin == START]
    if len(starts) != 1:
        do = f"An arrow from {START} points to it (AALpy), or it has penwidth=2 (dfst export)."
        raise InputError(f"{len(starts)} start states are marked, not one", do=do)
    return starts[0]


def halves(label: str) -> tuple[str, str]:
    """Input and output of one line of a label: around " / ", or else around its first slash."""
    sign = " / " if " / " in label else "/"
    read, slash, answer = label.partition(sign)
    if not slash:
        do = 'An arrow is labelled "input / output" (a Mealy machine) or "seen/written move" (a grid machine).'
        raise InputError(f'the label "{shortened(label)}" has no slash', do=do)
    return read.strip(), answer.strip()


def turns_in(arrows: Iterable[Arrow]) -> list[Turn]:
    """What a Mealy machine does, as its arrows say; names are plain, as AALpy escapes some of them."""
    turns: list[Turn] = []
    for origin, target, label in arrows:
        lines = list(filter(str.strip, label.split("\n")))
        if bool(lines) == (origin == START):
            arrow = f"the arrow from {quoted(origin)} to {quoted(target)}"
            raise InputError(f"{arrow} has {'a' if lines else 'no'} label", do=_LABELS)
        turns += [Turn(*map(plain, (origin, *halves(line), target))) for line in lines]
    return turns


def load_dot_task(path: str | Path) -> Task:
    """The task of the Mealy machine in the dot file ``path``: to answer any word of its inputs."""
    text = read_text(path)
    try:
        arrows, thick = read_graph(text)
        turns = [] if thick else turns_in(arrows)
        if thick or are_actions([turn.output for turn in turns]):
            do = "Make a machine file of it with dfst import."
            raise InputError("it draws a machine that moves on a grid, not inputs and outputs", do=do)
        machine = conversation_machine(turns, start_of(arrows), name=Path(path).stem)
    except MachineError as error:
        raise MachineError(error.mistakes, where=str(path)) from None
    except InputError as error:
        raise FileFormatError(error.what, where=str(path), do=error.do) from None
    return parse_task(task_text(machine), source=str(path))


def task_text(machine: GridMachine) -> str:
    """The task file of a Mealy machine: words that are long enough to come everywhere, and enough of them."""
    longest, inputs = min(len(machine.states) + 4, 30), len(machine.world.inputs)
    n = min(max(200, 10 * inputs * len(machine.states)), problem_count(machine.world, longest))
    table = f"\n[task]\np = 1\nq = {longest}\nn = {n}\n"
    header, _, rest = dump_machine(machine).partition("\n---\n")
    return f"{header}\n{table}---\n{rest}"
