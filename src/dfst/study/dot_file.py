"""Machines from dot files: those that AALpy writes, and those that dfst writes itself (extra ``baselines``)."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import redirect_stdout
from typing import Any

from dfst.errors import FileFormatError, InputError, MachineError, MissingExtraError
from dfst.study.mealy import HALTED, STUCK, machine_like, plain
from dfst.world.machine import HALT, GridMachine, Rule
from dfst.world.moves import MOVE_NAMES, Move

_START = "__start0"
_LABELS = 'An arrow is labelled "seen/written move" (AALpy) or "seen → written move" (dfst machine dot).'


_MAX_DEPTH = 3


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
    graph = _graph(text)
    arrows = [(_name(edge.get_source()), _name(edge.get_destination()), edge) for edge in graph.get_edges()]
    starts = [_name(node.get_name()) for node in graph.get_nodes() if node.get("penwidth") == "2"]
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
        for origin, target, edge in arrows
        for seen, written, move in reader(edge.get("label") or "")
    ]
    return rules, state(starts[0])


def _graph(text: str) -> Any:
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
    return graphs[0]


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
