"""Machines as graphs in the dot language: drawn by dfst, and read back from drawings of dfst or of AALpy."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dfst.errors import FileFormatError, InputError, MachineError
from dfst.exchange.mealy import HALTED, STUCK, machine_like, plain
from dfst.world.machine import HALT, GridMachine, Rule
from dfst.world.moves import MOVE_NAMES, Move

_START = "__start0"
_PLAIN = "Write nodes and arrows without comments and groups, as AALpy and dfst do."
_LABELS = 'An arrow is labelled "seen/written move" (AALpy) or "seen → written move" (dfst export).'


def to_dot(machine: GridMachine) -> str:
    r"""``machine`` in the dot language: one node per state, one arrow per (state, next state) with its rules as label.

    >>> import dfst
    >>> print(to_dot(dfst.task("add2").machine).splitlines()[5])
      "enter" -> "enter" [label="0 → 0 R\n1 → 1 R\n_ → 0 R"];
    """
    arrows: dict[tuple[str, str], list[str]] = {}
    for rule in machine.rules():
        label = f"{rule.seen} → {rule.written} {rule.move.name}"
        arrows.setdefault((rule.state, rule.next), []).append(label)
    lines = [f"digraph {_quoted(machine.name)} {{", "  rankdir=LR;", "  node [shape=ellipse];"]
    lines.append(f"  {_quoted(machine.states[machine.start])} [penwidth=2];")
    lines.append(f"  {_quoted(HALT)} [shape=doublecircle];")
    for (state, following), labels in arrows.items():
        lines.append(f"  {_quoted(state)} -> {_quoted(following)} [label={_quoted(*labels)}];")
    return "\n".join([*lines, "}"]) + "\n"


def _quoted(*texts: str) -> str:
    """A dot string of one or more lines; quotes and backslashes in names are shown as they are."""
    return '"' + "\\n".join(text.replace("\\", "\\\\").replace('"', '\\"') for text in texts) + '"'


def parse_dot(
    text: str, like: GridMachine | None = None, *, blank: str = "_", name: str = "machine", source: str = "dot"
) -> GridMachine:
    """The machine drawn in ``text``, in the dot format of AALpy or of :func:`to_dot`.

    What a drawing does not say (alphabet, layout, name) is taken from ``like``, or guessed as by
    :func:`dfst.exchange.from_mealy`; ``source`` names it in messages.

    >>> import dfst
    >>> machine = dfst.task("add2").machine
    >>> parse_dot(to_dot(machine), machine) == machine
    True
    """
    try:
        return machine_like(*_drawn(text), like, blank=blank, name=name)
    except MachineError as error:
        raise MachineError(error.mistakes, where=source) from None
    except InputError as error:
        raise FileFormatError(error.what, where=source, do=error.do) from None


def _drawn(text: str) -> tuple[list[Rule], str]:
    """(the rules, the start state)."""
    arrows, starts = _graph(text)
    reader, state = _own_rules, str
    if not starts:
        starts = [target for origin, target, _ in arrows if origin == _START]
        arrows = [arrow for arrow in arrows if arrow[0] != _START]
        reader, state = _aalpy_rules, plain
    if len(starts) != 1:
        do = f"An arrow from {_START} points to it (AALpy), or it has penwidth=2 (dfst export)."
        raise InputError(f"{len(starts)} start states are marked, not one", do=do)
    rules = [
        Rule(state(origin), seen, written, move, HALT if move == Move.S else state(target))
        for origin, target, label in arrows
        for seen, written, move in reader(label)
    ]
    return rules, state(starts[0])


_ID = r'"(?:[^"\\\n]++|\\.)*+"|[A-Za-z_]\w*+|\d++'
_ATTRIBUTE = rf"(\w++)=({_ID})"
_STATEMENT = re.compile(rf"\s*({_ID})(?:\s*->\s*({_ID}))?(?:\s*\[((?:{_ATTRIBUTE}(?:,\s*)?)*+)\])?[\s;]*")
_IGNORED = re.compile(r"\s*rankdir=\w+[\s;]*|\s*node \[shape=\w+\][\s;]*")
_FIRST = re.compile(rf"\s*digraph\s*(?:{_ID})?\s*\{{\s*", re.ASCII)
_KEYWORDS = {"node", "edge", "graph", "digraph", "subgraph", "strict"}


def _graph(text: str) -> tuple[list[tuple[str, str, str]], list[str]]:
    """Arrows (from, to, label as written) and nodes with a thick line, in the part of dot that AALpy and dfst use."""
    first, arrows, thick = _FIRST.match(text), [], []
    if first is None:
        raise InputError("this is not a dot file with one graph", do="Its first word is digraph.")
    at, end = first.end(), len(text.rstrip()) - 1
    while at < end:
        if ignored := _IGNORED.match(text, at, end):
            at = ignored.end()
            continue
        match = _STATEMENT.match(text, at, end)
        if match is None or {match[1].lower(), (match[2] or "").lower()} & _KEYWORDS:
            line = text.count("\n", 0, at) + 1
            raise InputError(f"line {line} is neither a node nor an arrow", do=_PLAIN)
        attributes = dict(re.findall(_ATTRIBUTE, match[3] or ""))
        if match[2]:
            arrows.append((_unquoted(match[1]), _unquoted(match[2]), attributes.get("label", "")))
        elif attributes.get("penwidth") == "2":
            thick.append(_unquoted(match[1]))
        at = match.end()
    if not text.rstrip().endswith("}"):
        raise InputError("the drawing is cut short", do="Its last character is }.")
    return arrows, thick


def _unquoted(text: str) -> str:
    """A dot string without its quotes and backslashes."""
    if len(text) < 2 or text[0] != '"':
        return text
    return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], text[1:-1])


def _aalpy_rules(label: str) -> Iterator[tuple[str, str, Move]]:
    seen, slash, output = _unquoted(label).partition("/")
    if output in (STUCK, HALTED):
        return
    written, _, move = output.rpartition(" ")
    if not slash:
        raise InputError(f"the label {label} is not a rule", do=_LABELS)
    yield plain(seen), plain(written), _move(move, label)


def _own_rules(label: str) -> Iterator[tuple[str, str, Move]]:
    for line in _unquoted(label).split("\n"):
        fields = line.split(" ")
        if len(fields) != 4 or fields[1] != "→":
            raise InputError(f"the label {label} is not a rule", do=_LABELS)
        yield fields[0], fields[2], _move(fields[3], label)


def _move(move: str, label: str) -> Move:
    if len(move) != 1 or move not in MOVE_NAMES:
        raise InputError(f"the label {label} names no move", do="Moves are U, D, L, R, and S to halt.")
    return Move[move]
