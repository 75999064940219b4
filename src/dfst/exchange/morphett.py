"""Importing one-tape machines written for Anthony Morphett's Turing machine simulator."""

from __future__ import annotations

from typing import NamedTuple

from dfst.errors import InputError, MachineError, Mistake
from dfst.files import plain_line_ends
from dfst.world.alphabet import Alphabet
from dfst.world.layout import Layout
from dfst.world.machine import HALT, GridMachine, Rule
from dfst.world.moves import Move

_BLANK, _ANY = "_", "*"


class _Line(NamedTuple):
    state: str
    seen: str
    written: str
    direction: str
    next: str
    number: int


def parse_morphett(
    text: str, *, start: str = "0", name: str = "machine", extra_symbols: str = "", source: str = "machine"
) -> GridMachine:
    r"""The machine in ``text``, lines of ``state symbol new-symbol direction new-state`` with ``;`` comments.

    The wildcards mean what they mean there: an exact rule goes before ``*`` as symbol, that before ``*`` as state;
    ``*`` as new symbol or state keeps it. Four things differ, because our policies stay only to halt:

    - a rule that does not move (``*``) is composed with the rule that follows it on the same cell;
      a loop of such rules never ends and never moves, and is refused;
    - a rule that moves and halts makes no last move;
    - states that begin with ``halt`` are all one halting state;
    - there, a state without a rule for what it sees stops the machine. Here a rule that goes to a state without any
      rules writes and halts, and so does a chain of staying rules that ends where there is no rule. A machine that
      moves to a symbol for which its state has no rule, though it has others, is stuck.

    The alphabet is every symbol the program names, the blank and ``extra_symbols`` (what else may stand on the tape).
    The input is one operand of any symbols but the blank, written from the start cell to the right.

    >>> flip = parse_morphett("0 0 1 r 0\n0 1 0 r 0\n0 _ _ * halt")
    >>> import dfst
    >>> from dfst.world.run import run
    >>> run(flip, "0110").answer.text
    '1001'
    """
    lines, problems = [], []
    for number, raw in enumerate(plain_line_ends(text).split("\n"), 1):
        words = raw.partition(";")[0].split()
        if words and words[-1] == "!":  # a breakpoint of the simulator
            words.pop()
        if not words:
            continue
        if len(words) != 5:
            do = "A rule reads: state symbol new-symbol direction new-state."
            problems.append(Mistake(f"{len(words)} words where a rule has 5", do, number))
            continue
        line = _Line(words[0], words[1], words[2], words[3], words[4], number)
        if line.direction not in ("l", "r", _ANY):
            problems.append(Mistake(f"direction {line.direction!r} is not known", "Use l, r or *.", number))
        for symbol in (line.seen, line.written):
            if len(symbol) != 1 or not symbol.isprintable():
                problems.append(
                    Mistake(f"symbol {symbol!r} is not one visible character", "Use one character.", number)
                )
        if line.seen == _ANY and line.state == _ANY and line.direction == _ANY and line.written == line.next == _ANY:
            problems.append(Mistake("this rule does nothing, for ever", "Remove it.", number))
        lines.append(line)
    if not lines and not problems:
        problems.append(Mistake("there are no rules", "Add at least one."))
    elif not {start, _ANY} & {line.state for line in lines}:
        problems.append(
            Mistake(f"start state {start!r} has no rules", "Name the state the program starts in.", key="start")
        )
    if problems:
        raise MachineError(problems, where=source)
    return _machine(lines, start, name, extra_symbols, source)


def _machine(lines: list[_Line], start: str, name: str, extra_symbols: str, source: str) -> GridMachine:
    written_down = [symbol for line in lines for symbol in (line.seen, line.written) if symbol != _ANY]
    symbols = tuple(dict.fromkeys([*sorted({*written_down, *extra_symbols} - {_BLANK, " "}), _BLANK]))
    if len(symbols) < 2:
        raise InputError("the program names no symbol but the blank", where=source, do="Give extra symbols.")
    alphabet = Alphabet(symbols, _BLANK, {"input": symbols[:-1]})
    table: dict[tuple[str, str], _Line] = {}
    problems = []
    for line in lines:
        earlier = table.setdefault((line.state, line.seen), line)
        if earlier is not line:
            what = f"({line.state}, {line.seen}) has a second rule; the first is in line {earlier.number}"
            problems.append(Mistake(what, "Keep one of them.", line.number))

    def rule_of(state: str, seen: str) -> _Line | None:
        pairs = ((state, seen), (state, _ANY), (_ANY, seen), (_ANY, _ANY))
        return next((table[pair] for pair in pairs if pair in table), None)

    rules, todo, done = [], [start], {start}
    while todo:  # only states that can be reached: a wildcard state would otherwise give rules to all
        state = todo.pop()
        for seen in symbols:
            here, symbol, visited = state, seen, {(state, seen)}
            while (line := rule_of(here, symbol)) is not None:
                symbol = symbol if line.written == _ANY else line.written
                here = here if line.next == _ANY else line.next
                stays = line.direction == _ANY
                goes_on = rule_of(here, symbol) is not None if stays else any(rule_of(here, x) for x in symbols)
                if here.startswith(HALT) or not goes_on:
                    rules.append(Rule(state, seen, symbol, Move.S, HALT))
                    break
                if not stays:
                    rules.append(Rule(state, seen, symbol, Move[line.direction.upper()], here))
                    if here not in done:
                        done.add(here)
                        todo.append(here)
                    break
                if (here, symbol) in visited:
                    what = f"from ({state}, {seen}) the machine stays on its cell for ever, through ({here}, {symbol})"
                    problems.append(Mistake(what, "Make the loop move or halt.", line.number))
                    break
                visited.add((here, symbol))
    if problems:
        raise MachineError(problems, where=source)
    layout = Layout(("input+",), answer_class="input")
    return GridMachine.from_rules(rules, alphabet=alphabet, layout=layout, start=start, name=name)
