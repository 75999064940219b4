"""A machine as a picture that a person can read; a large one by phases instead of single states."""

from __future__ import annotations

from collections import defaultdict
from html import escape
from pathlib import Path

from dfst.errors import InputError, MissingExtraError
from dfst.files import write_atomically
from dfst.world.machine import HALT, GridMachine, Rule

SMALL = 24
"""Machines of up to so many states are drawn state by state."""

MOST_ARROWS = 200
"""Graphviz takes minutes for more of them between nodes that nothing puts in order."""

Group = tuple[str, ...]


def draw_machine(machine: GridMachine, path: Path) -> int:
    """Draw ``machine`` into ``path`` (.svg, .png or .pdf); returns the number of nodes besides halt.

    A machine of more than SMALL states gets one node for all states that do the same up to which symbol of a class it
    is: the ten states that carry a digit are one phase.
    """
    try:
        import pygraphviz
    except ImportError:
        raise MissingExtraError("Drawing machines", "plot") from None
    states = machine.states
    groups = phases(machine) if len(states) > SMALL else [(state,) for state in states]
    graph = pygraphviz.AGraph(directed=True, strict=False, rankdir="LR", nodesep="0.3", ranksep="0.6")
    graph.node_attr.update(shape="box", style="rounded,filled", fillcolor="#EAF3FA")
    graph.node_attr.update(fontname="sans-serif", fontsize="12")
    graph.edge_attr.update(fontname="sans-serif", fontsize="10", color="#555555")
    graph.graph_attr.update(label=f"{_text(machine.name)}: {len(states)} states", labelloc="t", fontname="sans-serif")
    home = {state: number for number, group in enumerate(groups) for state in group} | {HALT: len(groups)}
    for number, group in enumerate(groups):
        width = "2.5" if states[machine.start] in group else "1"
        first, last = _text(group[0]), _text(group[-1])
        label = first if len(group) == 1 else f"{first} … {last}\\n({len(group)} states)"
        graph.add_node(number, label=label, penwidth=width, tooltip=_text(" ".join(group)))
    graph.add_node(len(groups), label=HALT, shape="doublecircle", fillcolor="#FFFFFF")
    arrows: dict[tuple[int, int], list[Rule]] = defaultdict(list)
    for rule in machine.rules():
        arrows[home[rule.state], home[rule.next]].append(rule)
    if len(arrows) > MOST_ARROWS:
        what = f"{len(groups)} nodes with {len(arrows):,} arrows are too many to draw (the limit is {MOST_ARROWS})"
        raise InputError(
            what, where=str(path), do="Write a graph (.dot), and draw it or a part of it with another tool."
        )
    for (begin, end), rules in arrows.items():
        graph.add_edge(begin, end, label="\\n".join(map(_text, _labels(machine, rules))))
    picture = graph.draw(format=path.suffix[1:], prog="dot")  # bytes; given a path, it fails on Python 3.11.2
    assert picture is not None
    write_atomically(path, picture)
    return len(groups)


def _text(name: str) -> str:
    """A name as Graphviz shows it: else it would read tags, entities and backslashes in it."""
    return escape(name, quote=False).replace("\\", "\\\\")


def phases(machine: GridMachine) -> list[Group]:
    """The states in groups that do the same if symbols of one class are not told apart; the start's group first.

    The coarsest such grouping: states are split only if for some class of symbols they move, or write another class of
    symbols, or go on in another group.
    """
    names = _class_names(machine)
    rules: dict[str, list[Rule]] = {state: [] for state in machine.states}
    for rule in machine.rules():
        rules[rule.state].append(rule)
    group = dict.fromkeys((*machine.states, HALT), 0) | {HALT: -1}
    count = 0
    while True:
        kinds: dict[object, int] = {}
        refined = {HALT: -1}
        for state in machine.states:
            does = frozenset((names[r.seen], names[r.written], r.move, group[r.next]) for r in rules[state])
            refined[state] = kinds.setdefault((group[state], does), len(kinds))
        if len(kinds) == count:
            break
        group, count = refined, len(kinds)
    members: dict[int, list[str]] = defaultdict(list)
    for state in machine.states:
        members[group[state]].append(state)
    start = machine.states[machine.start]
    return sorted(map(tuple, members.values()), key=lambda group: start not in group)


def _class_names(machine: GridMachine) -> dict[str, str]:
    names = {symbol: symbol for symbol in machine.alphabet.symbols}
    for name, members in reversed(list(machine.alphabet.classes.items())):
        names |= dict.fromkeys(members, name)
    return names


def _labels(machine: GridMachine, rules: list[Rule]) -> list[str]:
    """Rules in few lines: those that write and move alike are one.

    What one state writes is said symbol by symbol (0 1 2 → 5 6 7), so that different rules never look alike. Rules of
    several states, which a phase joins, name the class that is written: they are drawn together because they are alike
    up to which symbol of the class it is.
    """
    names, order = _class_names(machine), machine.alphabet.index
    several = len({rule.state for rule in rules}) > 1
    lines: dict[tuple[str, str], list[Rule]] = defaultdict(list)
    for rule in rules:
        lines["" if rule.written == rule.seen else names[rule.written], rule.move.name].append(rule)
    labels = []
    for (written, move), alike in lines.items():
        alike.sort(key=lambda rule: order[rule.seen])
        symbols = list(dict.fromkeys(rule.written for rule in alike))
        if len(symbols) == 1 and written:
            writes = f" → {symbols[0]}"
        else:
            listed = written if several else _listed(machine, [rule.written for rule in alike])
            writes = f" → {listed}" if written else ""
        labels.append(f"{_seen(machine, [rule.seen for rule in alike])}{writes} {move}")
    return labels


def _seen(machine: GridMachine, symbols: list[str]) -> str:
    left, parts = set(symbols), []  # the states of a phase may have the same rule each
    for name, members in machine.alphabet.classes.items():
        if len(members) > 2 and set(members) <= left:
            parts.append(name)
            left -= set(members)
    rest = [symbol for symbol in machine.alphabet.symbols if symbol in left]
    return " ".join([*parts, *([_listed(machine, rest)] if rest else [])])


def _listed(machine: GridMachine, symbols: list[str]) -> str:
    """Symbols in the order given; more than three neighbours of the alphabet, in one class, as first…last."""
    names, order = _class_names(machine), machine.alphabet.index
    runs: list[list[str]] = []
    for symbol in symbols:
        last = runs[-1][-1] if runs else symbol
        if runs and order[symbol] == order[last] + 1 and names[symbol] == names[last]:
            runs[-1].append(symbol)
        else:
            runs.append([symbol])
    return " ".join(f"{run[0]}…{run[-1]}" if len(run) > 3 else " ".join(run) for run in runs)
