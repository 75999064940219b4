"""Conversations: inputs in a row, answered one by one; so a Mealy machine is a machine on the grid.

It reads an input, writes the output in its place and moves right; on the blank behind the last input it halts. A
layout whose only part is ``input+``, with the answer in the class ``output``, says that this is meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from dfst.errors import InputError, quoted, shortened
from dfst.world.alphabet import MAX_SYMBOLS, Alphabet
from dfst.world.layout import INPUT, OUTPUT, Layout
from dfst.world.machine import GridMachine, Rule
from dfst.world.moves import HALT, HALTED, MOVE_NAMES, UNDEFINED, Move
from dfst.world.worlds import World

_SPACE, NOTHING = "␣", "ε"
"""What stands for a space, and for an empty name."""

_NAMES = 30_000
"""So many characters have room in the header of a machine file for all names; each stands there twice."""

_INNER = re.compile(f"(?<=[^{_SPACE}]){_SPACE}+(?=[^{_SPACE}])")
_ESCAPED = re.compile(r"_x([0-9a-f]+)_")
_ACTION = re.compile(f"[^ ]+ [{MOVE_NAMES}]")


class Turn(NamedTuple):
    """What a Mealy machine does in ``state`` on an input."""

    state: str
    input: str
    output: str
    next: str


def answers_one_by_one(machine: GridMachine) -> bool:
    """Whether ``machine`` is a Mealy machine: it moves right from every input, and halts on every blank."""
    if not machine.world.is_conversation:
        return False
    inputs = [machine.alphabet.index[symbol] for symbol in machine.world.inputs]
    defined, blank = machine.next_state != UNDEFINED, machine.alphabet.blank_index
    right = (machine.move[:, inputs] == Move.R) | ~defined[:, inputs]
    return bool(right.all() and ((machine.next_state[:, blank] == HALTED) | ~defined[:, blank]).all())


def conversation_world(inputs: Iterable[str], outputs: Iterable[str], blank: str = "_") -> World:
    """The world for these names, sorted, as symbols; too many are refused.

    >>> world = conversation_world(["send ack", "input"], ["ok"])
    >>> world.alphabet.symbols, world.layout.parts
    (('input', 'send␣ack', 'ok', '_'), ('(input)+',))
    """
    known = [{name: symbol_of_name(name) for name in sorted(set(names))} for names in (inputs, outputs)]
    for what, named in zip((INPUT, OUTPUT), known, strict=True):
        if len(set(named.values())) < len(named):
            written = list(named.values())
            clash = [name for name, symbol in named.items() if written.count(symbol) > 1]
            what = f"the {what}s {shortened(repr(clash[0]))} and {shortened(repr(clash[1]))} cannot be told apart"
            raise InputError(what, do="Rename one of them.")
    reads, answers = (tuple(named.values()) for named in known)
    symbols = tuple(dict.fromkeys((*reads, *answers)))
    if len(symbols) >= MAX_SYMBOLS:
        what = f"there are {len(symbols)} different inputs and outputs, and at most {MAX_SYMBOLS - 1} fit on a grid"
        raise InputError(what, do="Give one name to those that mean the same, such as those that differ by a number.")
    if len(json.dumps([symbols, reads, answers], ensure_ascii=False)) > _NAMES:
        what = f"the names of inputs and outputs have {sum(map(len, symbols)):,} characters in all, which is too much"
        raise InputError(what, do=f"Shorten the longest, such as {shortened(max(symbols, key=len))}.")
    while blank in symbols:
        blank += "_"
    classes = {}
    for name, members in ((INPUT, reads), (OUTPUT, answers)):
        while name in symbols or name == blank:
            name = f"({name})"
        classes[name] = members
    first, second = classes
    return World(Alphabet((*symbols, blank), blank, classes), Layout((f"{first}+",), answer_class=second))


def symbol_of_name(name: str) -> str:
    """A name as a symbol, which holds no spaces; :func:`name_of_symbol` reads it."""
    return _visible(re.sub(r"\s", _SPACE, name.strip()))


def name_of_symbol(symbol: str) -> str:
    """The name that a symbol stands for; a name neither begins nor ends with a space."""
    return "" if symbol == NOTHING else plain(_INNER.sub(lambda match: " " * len(match[0]), symbol))


def plain(name: str) -> str:
    """A name as it was before it was escaped; what no text can hold stays as it is."""
    return _ESCAPED.sub(lambda match: chr(code) if _is_text(code := int(match[1], 16)) else match[0], name)


def _is_text(code: int) -> bool:
    return code < 0x110000 and not 0xD800 <= code < 0xE000


def word_of(setting: Any, names: Iterable[str]) -> str:
    """One problem: each of ``names`` is that of an input, with its spaces, or several inputs with spaces between.

    >>> lamp = conversation_machine([Turn("off", "push it", "on", "off"), Turn("off", "wait", "-", "off")], "off")
    >>> word_of(lamp, ["push it", "wait push␣it"])
    'push␣it wait push␣it'
    """
    inputs, found = {*setting.world.inputs}, list[str]()
    for name in names:
        found += [symbol] if (symbol := symbol_of_name(name)) in inputs else name.split()
    return ("" if setting.alphabet.single_characters else " ").join(found)


def conversation_machine(
    turns: Sequence[Turn], start: str, *, like: GridMachine | None = None, blank: str = "_", name: str = "machine"
) -> GridMachine:
    """The Mealy machine of these ``turns``, as far as ``start`` leads, which halts in every state.

    It may be partial: an input without a turn has no rule. The world is that of ``like``, if it is given.
    """
    following: dict[str, list[Turn]] = {}
    for turn in dict.fromkeys(turns):
        following.setdefault(turn.state, []).append(turn)
    states = dict.fromkeys([start])
    todo = [start]
    for state in todo:
        fresh = dict.fromkeys(turn.next for turn in following.get(state, []) if turn.next not in states)
        states |= fresh
        todo += fresh
    reached = [turn for state in states for turn in following.get(state, [])]
    if not reached:
        do = "Give at least one, with its output."
        raise InputError("there are no inputs" + f" in the start state {quoted(start)}" * bool(turns), do=do)
    called = {state: _state_name(state, states) for state in states}
    if like is None:
        reads, answers = ({turn[i] for turn in reached} for i in (1, 2))
        world = conversation_world(reads, answers, blank)
        rest = {"alphabet": world.alphabet, "layout": world.layout, "name": name}
    else:
        rest = {"alphabet": like.alphabet, "layout": like.layout, "name": like.name, "about": like.about}
    blank, symbol, rules = rest["alphabet"].blank, symbol_of_name, list[Rule]()
    for state in states:
        for turn in following.get(state, []):
            rules.append(Rule(called[state], symbol(turn.input), symbol(turn.output), Move.R, called[turn.next]))
        rules.append(Rule(called[state], blank, blank, Move.S, HALT))
    return GridMachine.from_rules(rules, start=called[start], **rest)


def turns_of(machine: GridMachine) -> list[Turn]:
    """What a Mealy machine does, with the names of its inputs and outputs."""
    inputs = {*machine.world.inputs}
    return [
        Turn(rule.state, name_of_symbol(rule.seen), name_of_symbol(rule.written), rule.next)
        for rule in machine.rules()
        if rule.seen in inputs
    ]


def answerable(machine: GridMachine, problems: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """``problems``; of a partial Mealy machine, words in which other inputs stand for those that it does not answer."""
    if not answers_one_by_one(machine):
        return problems
    found, inputs = [], [machine.alphabet.index[symbol] for symbol in machine.world.inputs]
    for problem in problems:
        state, word = machine.start, []
        for at in map(inputs.index, machine.place(problem).tolist()):
            known = [x for x in (*inputs[at:], *inputs[:at]) if machine.next_state[state, x] != UNDEFINED][:1]
            word += known
            state = int(machine.next_state[state, known[0]]) if known else state
        found += [(machine.alphabet.decode(word),)] if word else []
    return list(dict.fromkeys(found))


def with_ends(machine: GridMachine) -> GridMachine:
    """``machine``, halting on the blank wherever it has no rule for it: a log does not say where it may end."""
    blank = machine.alphabet.blank_index
    tables = (machine.next_state.copy(), machine.written.copy(), machine.move.copy())
    missing = tables[0][:, blank] == UNDEFINED
    for table, value in zip(tables, (HALTED, blank, Move.S), strict=True):
        table[missing, blank] = value
    return replace(machine, next_state=tables[0], written=tables[1], move=tables[2])


def are_actions(outputs: Sequence[str]) -> bool:
    """Whether the outputs, but for mistakes, are those of a machine on a grid: symbols and moves, one of which halts.

    >>> are_actions(["1 R", "0 L", "0 S"]), are_actions(["motor U", "motor D"]), are_actions(["lamp S", "-", "-"])
    (True, False, False)
    """
    acting = [output for output in outputs if _ACTION.fullmatch(output)]
    return 2 * len(acting) > len(outputs) and any(output.endswith(Move.S.name) for output in acting)


def _state_name(state: str, states: Collection[str]) -> str:
    """``state`` in visible characters, and never the name for halting."""
    name = _visible(state)
    while name == HALT or (name != state and name in states):
        name += "'"
    return name


def _visible(name: str) -> str:
    name = re.sub(r"_(?=x[0-9a-f]+_)", "_x5f_", name)
    return "".join(c if c.isprintable() else f"_x{ord(c):x}_" for c in name) or NOTHING
