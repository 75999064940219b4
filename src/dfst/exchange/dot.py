"""Machines as graphs in the dot language: drawn by dfst, and read from drawings of dfst, AALpy or the Automata Wiki."""

from __future__ import annotations

import re

from dfst.errors import FileFormatError, InputError, MachineError
from dfst.exchange.mealy import HALTED, STUCK, machine_like
from dfst.teachers.mealy_dot import START, Arrow, read_graph, start_of, turns_in
from dfst.world.conversation import (
    answers_one_by_one,
    are_actions,
    conversation_machine,
    plain,
    turns_of,
)
from dfst.world.machine import HALT, GridMachine, Rule
from dfst.world.moves import Move

_LABELS = 'An arrow is labelled "seen/written move" (AALpy) or "seen → written move" (dfst export).'
_OWN, _AALPY = re.compile("([^ ]*) → ([^ ]* [^ ]*)"), re.compile("([^/]*)/(.*)", re.DOTALL)


def to_dot(machine: GridMachine) -> str:
    r"""``machine`` in the dot language: one node per state, one arrow per (state, next state) with its rules as label.

    A Mealy machine is drawn as such: one arrow per ``input / output``, without the halting state.

    >>> import dfst
    >>> print(to_dot(dfst.task("add2").machine).splitlines()[5])
      "enter" -> "enter" [label="0 → 0 R\n1 → 1 R\n_ → 0 R"];
    """
    if answers_one_by_one(machine):
        lines = [f"digraph {_quoted(machine.name)} {{", f"  {START} -> {_quoted(machine.states[machine.start])};"]
        for turn in turns_of(machine):
            label = _quoted(f"{_escaped(turn.input).replace('/', '_x2f_')} / {_escaped(turn.output)}")
            lines.append(f"  {_quoted(turn.state)} -> {_quoted(turn.next)} [label={label}];")
        return "\n".join([*lines, "}"]) + "\n"
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


def _escaped(name: str) -> str:
    """A name that :func:`parse_dot` reads as it is, though it looks like one that AALpy escaped."""
    return re.sub(r"_(?=x[0-9a-f]+_)", "_x5f_", name)


def parse_dot(
    text: str, like: GridMachine | None = None, *, blank: str = "_", name: str = "machine", source: str = "dot"
) -> GridMachine:
    """The machine drawn in ``text``, in the dot format of AALpy, of the Automata Wiki or of :func:`to_dot`.

    A Mealy machine with plain outputs answers inputs one by one. What a drawing of a grid machine does not say
    (alphabet, layout, name) is taken from ``like``, or guessed as by :func:`dfst.exchange.from_mealy`; ``source`` names
    it in messages.

    >>> import dfst
    >>> machine = dfst.task("add2").machine
    >>> parse_dot(to_dot(machine), machine) == machine
    True
    """
    try:
        arrows, thick = read_graph(text)
        turns = [] if thick else turns_in(arrows)
        if like.world.is_conversation if like else turns and not are_actions([turn.output for turn in turns]):
            return conversation_machine(turns, start_of(arrows), like=like, blank=blank, name=name)
        start = start_of(arrows, thick)
        return machine_like(_rules(arrows, own=bool(thick)), start, like, blank=blank, name=name)
    except MachineError as error:
        raise MachineError(error.mistakes, where=source) from None
    except InputError as error:
        raise FileFormatError(error.what, where=source, do=error.do) from None


def _rules(arrows: list[Arrow], *, own: bool) -> list[Rule]:
    """The rules of a grid machine, in a drawing of dfst's ``own`` or of AALpy's."""
    form, name, rules = (_OWN if own else _AALPY), (str if own else plain), []
    for origin, target, label in arrows:
        if origin == START and not own:
            continue
        for line in label.split("\n") if own else [label]:
            match = form.fullmatch(line)
            if match is None:
                raise InputError(f'the label "{label}" is not a rule', do=_LABELS)
            seen, output = match.groups()
            if output in (STUCK, HALTED):
                continue
            written, _, move = output.rpartition(" ")
            if move not in Move.__members__:
                raise InputError(f'the label "{label}" names no move', do="Moves are U, D, L, R, and S to halt.")
            after = HALT if move == Move.S.name else name(target)
            rules.append(Rule(name(origin), name(seen), name(written), Move[move], after))
    return rules
