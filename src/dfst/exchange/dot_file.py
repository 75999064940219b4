"""Machines from dot files: those that AALpy writes, and those that dfst writes itself (extra ``baselines``)."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import redirect_stdout
from typing import NamedTuple

from dfst.errors import FileFormatError, InputError, MachineError, MissingExtraError
from dfst.exchange.mealy import HALTED, STUCK, machine_like, plain
from dfst.files import numbered_lines
from dfst.world.machine import HALT, GridMachine, Rule
from dfst.world.moves import MOVE_NAMES, Move

_START = "__start0"
_LABELS = 'An arrow is labelled "seen/written move" (AALpy) or "seen → written move" (dfst machine dot).'


_MAX_DEPTH, _MAX_UNUSUAL = 3, 20_000
"""How deep groups may be nested, and how many characters of other dot text than ours are read: pydot takes ten seconds
for so many."""


class _Graph(NamedTuple):
    """Arrows as (from, to, label), and the nodes that are drawn with a thick line, all as they are written."""

    arrows: list[tuple[object, object, str]]
    thick: list[str]


def parse_dot(
    text: str, like: GridMachine | None = None, *, blank: str = "_", name: str = "machine", source: str = "dot"
) -> GridMachine:
    """The machine drawn in ``text``, in the dot format of AALpy or of :func:`dfst.to_dot`.

    What a drawing does not say (alphabet, layout, name) is taken from ``like``, or guessed as by
    :func:`dfst.from_mealy`; ``source`` names it in messages.

    >>> import dfst
    >>> machine = dfst.expert("add2").machine
    >>> parse_dot(dfst.to_dot(machine), machine) == machine == parse_dot(str(dfst.to_mealy(machine)), machine)
    True
    """
    try:
        return machine_like(*_drawn(text), like, blank=blank, name=name)
    except MissingExtraError:
        raise
    except MachineError as error:
        raise MachineError(error.problems, where=source) from None
    except InputError as error:
        raise FileFormatError(error.what, where=source, do=error.do) from None


def _drawn(text: str) -> tuple[list[Rule], str]:
    """(the rules, the start state)."""
    graph = _plain_graph(text) or _any_graph(text)
    arrows = [(_name(origin), _name(target), label) for origin, target, label in graph.arrows]
    starts = [_name(node) for node in graph.thick]
    reader, state = _own_rules, str
    if not starts:
        starts = [target for origin, target, _ in arrows if origin == _START]
        arrows = [arrow for arrow in arrows if arrow[0] != _START]
        reader, state = _aalpy_rules, plain
    if len(starts) != 1:
        do = f"An arrow from {_START} points to it (AALpy), or it has penwidth=2 (dfst machine dot)."
        raise InputError(f"{len(starts)} start states are marked, not one", do=do)
    rules = [
        Rule(state(origin), seen, written, move, HALT if move == Move.S else state(target))
        for origin, target, label in arrows
        for seen, written, move in reader(label)
    ]
    return rules, state(starts[0])


_ID = r'"(?:[^"\\\n]++|\\.)*+"|[A-Za-z_]\w*+|\d++'
_ATTRIBUTE = rf"(\w++)=({_ID})"
_STATEMENT = re.compile(rf"\s*({_ID})(?:\s*->\s*({_ID}))?(?:\s*\[((?:{_ATTRIBUTE}(?:,\s*)?)*+)\])?;?\s*")
_IGNORED = re.compile(r"\s*|\s*rankdir=\w+;?\s*|\s*node \[shape=\w+\];?\s*")
_FIRST = re.compile(rf"\s*digraph\s*(?:{_ID})?\s*\{{\s*", re.ASCII)
_KEYWORDS = {"node", "edge", "graph", "digraph", "subgraph", "strict"}


def _plain_graph(text: str) -> _Graph | None:
    """The graph, if ``text`` is written as AALpy and dfst do it, a statement in every line; None if not.

    pydot reads more, but two kilobytes a second: half a minute for the multiplier.
    """
    first, _, rest = text.strip().partition("\n")
    if not _FIRST.fullmatch(first) or not rest.endswith("}"):
        return None
    graph = _Graph([], [])
    for _, line in numbered_lines(rest[:-1]):
        if _IGNORED.fullmatch(line):
            continue
        match = _STATEMENT.fullmatch(line)
        if match is None or {match[1].lower(), (match[2] or "").lower()} & _KEYWORDS:
            return None
        attributes = dict(re.findall(_ATTRIBUTE, match[3] or ""))
        if match[2]:
            graph.arrows.append((match[1], match[2], attributes.get("label", "")))
        elif attributes.get("penwidth") == "2":
            graph.thick.append(match[1])
    return graph


def _any_graph(text: str) -> _Graph:
    """The graph, as pydot reads it."""
    if len(text) > _MAX_UNUSUAL:
        what = f"it has more than {_MAX_UNUSUAL} characters, and is not written as AALpy and dfst write drawings"
        raise InputError(what, do="Write every node and every arrow in a line of its own, without comments and groups.")
    if _depth(text) > _MAX_DEPTH:
        raise InputError("its groups are nested too deeply", do="A machine's drawing needs none.")
    complaints = io.StringIO()
    with warnings.catch_warnings(), redirect_stdout(complaints):  # pydot prints what it does not understand
        warnings.simplefilter("ignore")  # it calls functions of pyparsing by their old names
        try:
            import pydot

            graphs = pydot.graph_from_dot_data(text)
        except ImportError:
            raise MissingExtraError("Reading dot files", "baselines") from None
        except RecursionError:
            graphs = None
    if not graphs or len(graphs) != 1:
        why = "".join(complaints.getvalue().strip().splitlines()[-1:])[:200]
        raise InputError(f"this is not a dot file with one graph{f' ({why})' if why else ''}")
    return _Graph(
        [(edge.get_source(), edge.get_destination(), edge.get("label") or "") for edge in graphs[0].get_edges()],
        [node.get_name() for node in graphs[0].get_nodes() if node.get("penwidth") == "2"],
    )


def _depth(text: str) -> int:
    r"""How deep its braces are nested; pydot takes several times longer for every one of them.

    >>> _depth('digraph { a [label="{{{"]; { b } }')
    2
    """
    depth = deepest = 0
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|([{}])', text, re.DOTALL):
        depth += {"{": 1, "}": -1, None: 0}[match[1]]
        deepest = max(deepest, depth)
    return deepest


def _name(node: object) -> str:
    if not isinstance(node, str):
        raise InputError("an arrow begins or ends at a group of nodes", do="Draw one arrow for each.")
    return _unquoted(node)


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
