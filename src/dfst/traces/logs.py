"""Logs of conversations, input in and output out, from a CSV file, JSON lines or lists; and back.

A log has no blank and no end, and says nothing of moves: these are supplied here. Its layout is known, too: an input is
a word of any of the inputs, whatever conversations begin with. An output that nobody knows is ``?`` in a file, and None
in Python.
"""

from __future__ import annotations

import csv
import io
import json
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

from dfst.errors import FileFormatError, InputError, NoteWarning, check_text, check_type, quoted, shortened, shown
from dfst.files import numbered_lines
from dfst.records import fits
from dfst.traces.traces import MARK, UNKNOWN, Trace, Traces
from dfst.world.conversation import (
    NOTHING,
    conversation_world,
    name_of_symbol,
    symbol_of_name,
)
from dfst.world.machine import GridMachine
from dfst.world.moves import Move

COLUMNS = ("case", "input", "output")

LONGEST = 1000
"""Longer conversations are cut to so many inputs: the beginning of a conversation is a conversation."""

_LOST = 20
"""If more than one in so many inputs would be cut off, the log is refused: what is left hardly speaks for it."""

Conversation = Sequence[tuple[str, str | None]]

GIVE_TRACES = "Give traces, such as dfst.load('log.csv')."
_JSON = 'A line is a list of [input, output] pairs, such as [["syn", "syn+ack"], ["ack", "-"]].'
_CSV = "Its first line names the columns: case,input,output."


def traces_of_conversations(
    conversations: Iterable[Conversation], *, cases: Sequence[str] = (), task: str = ""
) -> Traces:
    """Lists of (input, output) as traces; each of them halts on the blank behind its last input.

    An output that is None is not known. ``cases`` are the conversations' names: by default their numbers, from 1.

    >>> traces = traces_of_conversations([[("syn", "syn+ack"), ("ack", "-")], [("ack", "rst")]])
    >>> traces, traces.problems, traces.layout.parts
    (<Traces: 2 traces, 5 steps>, (('syn ack',), ('ack',)), ('input+',))
    """
    given = [*conversations]
    cases = cases or [str(number) for number in range(1, len(given) + 1)]
    cases = [case for case, conversation in zip(cases, given, strict=True) if len(conversation)]
    given = [conversation for conversation in given if len(conversation)]
    if not given:
        raise InputError("there are no conversations", do="Give at least one input with its output.")
    reads = {read for conversation in given for read, _ in conversation}
    says = {answer for conversation in given for _, answer in conversation if answer is not None}
    if not says:
        raise InputError("no output is known", do="There is nothing to learn: give some of them.")
    world = conversation_world(reads, says)
    alphabet = world.alphabet
    number: dict[str | None, int] = {name: alphabet.index[symbol_of_name(name)] for name in reads | says}
    number[None] = UNKNOWN
    lengths = [len(conversation) for conversation in given]
    if lost := sum(max(0, length - LONGEST) for length in lengths):
        cut = f"only the first {LONGEST:,} inputs of a conversation are used: {lost:,} of {sum(lengths):,} are lost"
        if lost * _LOST > sum(lengths):
            longest = max(range(len(given)), key=lengths.__getitem__)
            what = f"case {quoted(cases[longest])} has {lengths[longest]:,} inputs, but {cut}"
            do = "Begin a new case wherever the system is reset, for each conversation begins in the start state."
            raise InputError(what, do=f"{do} Or cut long ones off yourself.")
        warnings.warn(cut, NoteWarning, stacklevel=2)
    traces, end = [], [alphabet.blank_index]
    for conversation in given:
        pairs = [(number[read], number[answer]) for read, answer in conversation[:LONGEST]]
        seen, written = ([pair[i] for pair in pairs] + end for i in range(2))
        moves = [Move.R] * len(pairs) + [Move.S]
        traces.append(Trace(np.array(seen, np.uint8), np.array(written, np.uint8), np.array(moves, np.uint8)))
    problems = [(alphabet.decode(trace.seen[:-1]),) for trace in traces]
    return Traces.of(world, traces, problems, task, cases)


def conversations_of(traces: Traces) -> list[list[tuple[str, str | None]]]:
    """The conversations in ``traces``, as lists of (input, output) with their own names; None is not known."""
    if not only_conversations(traces):
        raise InputError("these traces are no conversations", do="They move on a grid: save them as .jsonl.")
    names = [name_of_symbol(symbol) for symbol in traces.alphabet.symbols]
    says = dict(enumerate(names))
    return [
        [(names[x], says.get(w)) for x, w in zip(seen[:-1].tolist(), written[:-1].tolist(), strict=True)]
        for seen, written, _ in traces
    ]


def only_conversations(traces: Traces) -> bool:
    """Whether all ``traces`` are conversations: they move right over inputs, and halt on the blank behind."""
    if not traces.world.is_conversation or not len(traces):
        return False
    ends = np.zeros(len(traces.seen), bool)
    ends[traces.offsets[1:] - 1] = True
    inputs = np.isin(traces.alphabet.symbols, traces.world.inputs)
    reading = (traces.moves == Move.R) & inputs[traces.seen]
    halting = (traces.moves == Move.S) & (traces.seen == traces.alphabet.blank_index)
    return bool(np.where(ends, halting, reading).all())


def in_words_of(model: GridMachine, traces: Traces) -> Traces:
    """The conversations in ``traces`` with the symbols of a reference ``model``, of which they may show a part only."""
    reads, says = model.world.inputs, model.alphabet.classes[model.world.known.answer_class]
    talk = conversations_of(traces)
    for column, (what, known) in enumerate(zip(COLUMNS[1:], (reads, says), strict=True)):
        said = {name for each in talk for pair in each if (name := pair[column]) is not None}
        if strange := said.difference(map(name_of_symbol, known)):
            names = shortened(", ".join(map(name_of_symbol, known)))
            do = f"Correct the name, or name another reference: its {what}s are {names}."
            raise InputError(f"the reference has no {what} {quoted(min(strange))}, which the log has", do=do)
    new = np.array([model.alphabet.index.get(symbol, 0) for symbol in traces.alphabet.symbols], np.uint8)
    new[traces.alphabet.blank_index] = model.alphabet.blank_index
    return traces.renumbered(new, world=model.world)


def from_csv(text: str, *, task: str = "") -> Traces:
    r"""The conversations in a CSV text with the columns case, input and output; the rows of a case are in order.

    >>> from_csv("case;output;input\n1;syn+ack;syn\n1;-;ack\n2;rst;ack").problems
    (('syn ack',), ('ack',))
    """
    check_text(text)
    lines = text.removeprefix("\ufeff")
    if (at := lines.find("\0")) >= 0:
        what = f"line {lines.count(chr(10), 0, at) + 1} has a zero character, which no text has"
        raise FileFormatError(what, do="The file may be damaged: export it again.")
    first = lines.lstrip().split("\n", 1)[0]
    reader = csv.reader(io.StringIO(lines, newline=""), delimiter=max(",;\t", key=first.count), strict=True)
    rows = ([cell.strip() for cell in row] for row in reader if "".join(row).strip())
    try:
        header = [name.lower() for name in next(rows, ())]
        if not header:
            raise FileFormatError("the file is empty", do=_CSV)
        for name in COLUMNS:
            if header.count(name) != 1:
                has = f"no column {name!r}" if name not in header else f"more than one column {name!r}"
                do = _CSV if "\n" in lines else "Give the text of a log, not its path."
                raise FileFormatError(f"there is {has}, but {quoted(' '.join(header))}", do=do)
        at, found = [header.index(name) for name in COLUMNS], dict[str, list[tuple[str, str | None]]]()
        last, apart = "", False
        for row in rows:
            where = f"line {reader.line_num}"
            if len(row) != len(header):
                do = "Quote a cell that holds a comma."
                raise FileFormatError(f"{where} has {len(row)} column{'s' * (len(row) != 1)}, not {len(header)}", do=do)
            case, read, answer = (row[column] for column in at)
            for name, cell in zip(COLUMNS, (case, read, answer), strict=True):
                if not cell:
                    do = "Write what it was; for no answer at all a name such as none, for one that nobody knows ?."
                    raise FileFormatError(f"{where}: the {name} is empty", do=do)
            apart |= case != last and case in found
            found.setdefault(case, []).append(pair_in_file(read, answer, where))
            last = case
    except csv.Error as error:
        raise FileFormatError(f"line {reader.line_num} is not CSV ({error})", do=_CSV) from None
    if not found:
        raise FileFormatError("there are no rows below the names of the columns", do="Write a row for every input.")
    if apart:
        what = "rows of different cases are mixed; those of one case are one conversation, in their order"
        warnings.warn(what, NoteWarning, stacklevel=2)
    return traces_of_conversations(found.values(), cases=[*found], task=task)


def parse_json_log(text: str, *, task: str = "") -> Traces:
    """The conversations in JSON lines, each a list of [input, output] pairs; the number of its line is its name."""
    found, cases = [], []
    for number, value in json_lines(text, do=_JSON):
        where = f"line {number}"
        found.append([pair_in_file(read, answer, where) for read, answer in conversation_from(value, where)])
        cases.append(str(number))
    return traces_of_conversations(found, cases=cases, task=task)


def json_lines(text: str, *, do: str) -> Iterator[tuple[int, Any]]:
    """The values of JSON lines with their numbers, without empty lines; ``do`` says what to do about wrong ones."""
    for number, line in numbered_lines(text):
        if line.strip():
            try:
                yield number, json.loads(line)
            except (ValueError, RecursionError):
                raise FileFormatError(f"line {number} is not JSON", do=do) from None


def pair_in_file(read: str, answer: str | None, where: str) -> tuple[str, str | None]:
    """An input and its output as a file has them: there ``?`` is an output that is not known, and never a name."""
    if read == MARK:
        do = "Cut the conversation before it; if ? is its name, give it another."
        raise FileFormatError(f"{where}: the input is ?, which stands for what is not known", do=do)
    return read, None if answer == MARK else answer


def conversation_from(value: Any, where: str) -> list[tuple[str, str | None]]:
    """A list of (input, output) pairs, if ``value`` is one; numbers are names, too, and an output may be None."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise FileFormatError(f"{where} is no conversation", do=_JSON)
    for step, pair in enumerate(value):
        two = not isinstance(pair, str) and isinstance(pair, Sequence) and len(pair) == 2
        if not two or not _is_name(pair[0]) or not (pair[1] is None or _is_name(pair[1])):
            raise FileFormatError(f"{where}: {shown(pair)} (step {step}) is no input and output", do=_JSON)
    return [(str(read), None if answer is None else str(answer)) for read, answer in value]


def to_csv(traces: Traces) -> str:
    r"""The conversations in ``traces`` as CSV; an output that is not known is ``?``.

    Cases that have not each a name of its own are numbered from 1.

    >>> print(to_csv(traces_of_conversations([[("a", "b c")]])), end="")
    case,input,output
    1,a,b c
    """
    check_type(traces, Traces, do=GIVE_TRACES)
    if MARK in traces.alphabet.index:
        raise InputError("something is called ?, which in CSV is not known", do="Save the traces as .jsonl.")
    out = io.StringIO(newline="")
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(COLUMNS)
    cases = [case.strip() for case in traces.cases]
    if len({*cases} - {""}) < len(traces):
        cases = [str(number) for number in range(1, len(traces) + 1)]
    for case, conversation in zip(cases, conversations_of(traces), strict=True):
        rows.writerows((case, x or NOTHING, MARK if w is None else w or NOTHING) for x, w in conversation)
    return out.getvalue()


def _is_name(value: object) -> bool:
    return isinstance(value, str) or fits(value, float)
