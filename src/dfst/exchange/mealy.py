"""Machines for AALpy (extra ``arena``) and back: a grid machine is a Mealy machine that does not know its grid.

Input is the symbol seen, output ``"written move"``, such as ``"1 R"``. A machine that answers inputs one by one is a
Mealy machine as it is, and its outputs are plain. Names are those that AALpy's own files can hold:
a symbol of digits is an int, as its reader makes it, and characters that would break a file are written like ``_x2f_``.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from dfst.errors import InputError, MissingExtraError, check_type, shortened
from dfst.world.alphabet import Alphabet
from dfst.world.conversation import (
    Turn,
    answers_one_by_one,
    are_actions,
    conversation_machine,
    name_of_symbol,
    plain,
)
from dfst.world.layout import Layout
from dfst.world.machine import HALT, GridMachine, Rule
from dfst.world.moves import MOVE_NAMES, Move

if TYPE_CHECKING:
    from aalpy.automata import MealyMachine

STUCK, HALTED = "stuck", "halted"
"""What a complete Mealy machine says where the grid machine has no rule, and after it has halted."""


def to_mealy(machine: GridMachine, *, complete: bool = False) -> MealyMachine:
    """``machine`` as AALpy's Mealy machine; halting rules lead to a state ``halt``.

    A pair without a rule has no transition: AALpy's bisimulation check then counts it as a difference if the other
    machine has a rule there, and its ``step`` raises KeyError. With ``complete``, which AALpy's learners need, such a
    pair leads to a state ``stuck`` with the output ``stuck``, whence there is no way back; ``halt`` answers ``halted``.

    >>> import dfst
    >>> mealy = to_mealy(dfst.task("add2").machine)
    >>> mealy.execute_sequence(mealy.initial_state, ["_", 1, "+"])
    ['0 R', '1 R', '+ L']
    """
    try:
        from aalpy.automata import MealyMachine, MealyState
    except ImportError:
        raise MissingExtraError("AALpy export", "arena") from None
    check_type(machine, GridMachine, do="Give a machine, such as dfst.task('add2').machine.")
    talks = answers_one_by_one(machine)
    states = {name: MealyState[int | str, str](state_id(name)) for name in (*machine.states, *[HALT][talks:])}
    symbols = [*map(name_of_symbol, machine.world.inputs)] if talks else machine.alphabet.symbols
    for rule in machine.rules():
        seen, written = (input_of(name_of_symbol(each) if talks else each) for each in rule[1:3])
        if not talks or rule.move != Move.S:
            states[rule.state].transitions[seen] = states[rule.next]
            states[rule.state].output_fun[seen] = str(written) if talks else f"{written} {rule.move.name}"
    everything = list(states.values())
    if complete:
        sink = MealyState(STUCK)
        everything.append(sink)
        for state in everything:
            halted = state is states.get(HALT)
            for seen in map(input_of, symbols):
                if seen not in state.transitions:
                    state.transitions[seen] = state if halted else sink
                    state.output_fun[seen] = HALTED if halted else STUCK
    return MealyMachine(states[machine.states[machine.start]], everything)


def from_mealy(
    mealy: MealyMachine, like: GridMachine | None = None, *, blank: str = "_", name: str = "machine"
) -> GridMachine:
    """An AALpy Mealy machine as a machine on the grid; one whose outputs are plain answers its inputs one by one.

    Outputs that are all ``"written move"``, or pairs of both, are those of a grid machine. Its alphabet, layout, name
    and story are those of ``like``. Without it the alphabet is what the machine sees and writes, with this ``blank``,
    and the input is one word of the other symbols, from (0, 0) to the right, where the answer is read again. Whatever
    has no transition has no rule, and neither has what says ``stuck`` or ``halted``, nor what leads to a state without
    rules. A transition that outputs the move S halts, wherever it leads.

    >>> import dfst
    >>> machine = dfst.task("add2").machine
    >>> from_mealy(to_mealy(machine), machine) == machine
    True
    """
    if not hasattr(mealy, "initial_state"):
        what = f"{shortened(repr(mealy))} is of type {type(mealy).__name__}"
        raise InputError(what, do="Give a Mealy machine of AALpy's; dfst.task('FILE.dot').machine reads a file.")
    outputs = {output for state in mealy.states for output in state.output_fun.values()} - {STUCK}
    talks = outputs and not are_actions([output_text(output) for output in outputs - {HALTED}])
    start = symbol_of(mealy.initial_state.state_id)
    if talks if like is None else like.world.is_conversation:
        turns = [
            Turn(*map(symbol_of, (state.state_id, seen, state.output_fun[seen], after.state_id)))
            for state in mealy.states
            for seen, after in state.transitions.items()
            if state.output_fun[seen] != STUCK
        ]
        return conversation_machine(turns, start, like=like, blank=blank, name=name)
    rules = []
    for state in mealy.states:
        for seen, following in state.transitions.items():
            if (action := action_of(state.output_fun[seen])) is not None:
                after = HALT if action[1] == Move.S else symbol_of(following.state_id)
                rules.append(Rule(symbol_of(state.state_id), symbol_of(seen), *action, after))
    while dead := {rule.next for rule in rules} - {rule.state for rule in rules} - {HALT, start}:
        rules = [rule for rule in rules if rule.next not in dead]
    return machine_like(rules, start, like, blank=blank, name=name)


def machine_like(rules: Sequence[Rule], start: str, like: GridMachine | None, *, blank: str, name: str) -> GridMachine:
    """The machine of ``rules``; what rules do not say is taken from ``like``, or guessed as :func:`from_mealy` does."""
    if like is not None:
        rest = {"alphabet": like.alphabet, "layout": like.layout, "name": like.name, "about": like.about}
        return GridMachine.from_rules(rules, **rest, start=start)
    found = dict.fromkeys(symbol for rule in rules for symbol in (rule.seen, rule.written))
    others = tuple(symbol for symbol in found if symbol != blank)
    alphabet = Alphabet((*others, blank), blank, {"input": others})
    layout = Layout(("input+",), answer_class="input")
    return GridMachine.from_rules(rules, alphabet=alphabet, layout=layout, start=start, name=name)


def action_of(output: object) -> tuple[str, Move] | None:
    """The symbol and the move that an output of AALpy's stands for; None for ``stuck`` and ``halted``."""
    if output in (STUCK, HALTED):
        return None
    parts: Any = output.split(" ") if isinstance(output, str) else output
    if isinstance(parts, list | tuple) and len(parts) == 2:
        written, move = parts
        if isinstance(move, Move):
            return symbol_of(written), move
        if isinstance(move, str) and len(move) == 1 and move in MOVE_NAMES:
            return symbol_of(written), Move[move]
    raise InputError(f"the output {output!r} is not an action", do='An output is "symbol move", such as "1 R".')


def output_text(output: object) -> str:
    """An output as text, also that of a grid machine as (symbol, move)."""
    if isinstance(output, (tuple, list)) and len(output) == 2:
        return f"0 {getattr(output[1], 'name', output[1])}"
    return str(output)


_RESERVED = {"node", "edge", "graph", "digraph", "subgraph", "strict", STUCK}
_UNSAFE = re.compile(r"_(?=x[0-9a-f]+_)|[^A-Za-z0-9_]|(?<=[^A-Za-z0-9])s(?=tart0)")  # AALpy marks the start __start0
_FIRST = re.compile("^[^_]")  # a name that begins with an escape begins with _
_DIGITS = 640  # no Python is set to a lower limit than this


def _hex(match: re.Match[str]) -> str:
    return f"_x{ord(match[0]):x}_"


def state_id(state: str) -> str:
    """``state`` in letters, digits and underscores, and no word that dot files use; :func:`plain` reads it.

    >>> state_id("end-less"), plain("end_x2d_less"), state_id("stuck")
    ('end_x2d_less', 'end-less', '_x73_tuck')
    """
    name = _UNSAFE.sub(_hex, state)
    digits_first = state[:1].isdigit() and not (state.isascii() and state.isdigit())
    return _FIRST.sub(_hex, name) if state.lower() in _RESERVED or digits_first else name


def input_of(symbol: str) -> int | str:
    """``symbol`` as AALpy reads it from a file.

    >>> input_of("7"), input_of("+"), input_of("/"), input_of("07")
    (7, '+', '_x2f_', '_x30_7')
    """
    if symbol.isdigit():  # AALpy makes ints of these, which Python does of a few thousand digits only
        short = symbol.isascii() and len(symbol) < _DIGITS
        return int(symbol) if short and str(int(symbol)) == symbol else _FIRST.sub(_hex, symbol)
    return re.sub(r'_(?=x[0-9a-f]+_)|[/"\\]', _hex, symbol)


def symbol_of(name: Hashable) -> str:
    """What an input, an output or a state of AALpy's is called here, the inverse of :func:`input_of`."""
    return plain(str(name))
