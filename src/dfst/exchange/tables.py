"""Traces for other tools and back: CSV, pandas' frames, AALpy's lists of (input, output).

Conversations, whose outputs are plain, are read as such: nothing has to be said of cells and moves.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from dfst.errors import InputError, check_type, shown
from dfst.exchange.mealy import action_of, input_of, output_text, symbol_of
from dfst.traces.logs import (
    COLUMNS,
    GIVE_TRACES,
    conversation_from,
    conversations_of,
    from_csv,
    only_conversations,
    to_csv,
    traces_of_conversations,
)
from dfst.traces.traces import Traces
from dfst.world.alphabet import Alphabet
from dfst.world.conversation import are_actions, plain
from dfst.world.moves import MOVE_NAMES

if TYPE_CHECKING:
    import pandas as pd

IoTrace = list[tuple[Any, str | None]]
"""One trace as AALpy's learners take it: (symbol seen, "written move") at every step; None is not known."""

Symbols = Alphabet | str | Sequence[str] | None


def to_pandas(traces: Traces) -> pd.DataFrame:
    """One row per step: trace, step, seen, written, move; and the operands in ``input``, if they are known.

    Of conversations one row per input: case, input, output.

    >>> import dfst
    >>> frame = to_pandas(dfst.record("increment", [("9",)]))
    >>> frame[["seen", "written", "move"]].values.tolist()
    [['9', '9', 'R'], ['_', '_', 'L'], ['9', '0', 'L'], ['_', '1', 'S']]
    """
    check_type(traces, Traces, do=GIVE_TRACES)
    try:
        import pandas as pd
    except ImportError:
        raise InputError("pandas is not installed", do="Install it with pip install pandas.") from None
    if only_conversations(traces):
        return pd.read_csv(io.StringIO(to_csv(traces)), dtype=str, keep_default_na=False)
    rows = []
    for i, trace in enumerate(_steps(traces, traces.alphabet.symbols)):
        problem = " ".join(traces.problems[i]) if traces.problems else ""
        rows += [(i, t, problem, *step) for t, step in enumerate(trace)]
    return pd.DataFrame(rows, columns=["trace", "step", "input", "seen", "written", "move"])


def from_pandas(frame: pd.DataFrame, alphabet: Symbols = None) -> Traces:
    """Traces from a frame with the columns trace, seen, written and move, in the order of its rows.

    A frame with the columns case, input and output, but without moves, holds conversations. Without ``alphabet`` the
    symbols are those that occur, with the blank ``_``.

    >>> import dfst
    >>> traces = dfst.record("increment", [("9",), ("12",)])
    >>> from_pandas(to_pandas(traces), traces.alphabet) == Traces.of(traces.alphabet, list(traces))
    True
    """
    has = [*getattr(frame, "columns", ())]
    if {*COLUMNS} <= {*has} and "move" not in has:
        return from_csv(frame.to_csv(index=False))
    wanted = COLUMNS if COLUMNS[0] in has else ("trace", "seen", "written", "move")
    for name in wanted:
        if has.count(name) != 1:
            what = f"the frame has {'more than one' if name in has else 'no'} column {name!r}"
            raise InputError(what, do=f"It needs the columns {', '.join(wanted)}.")
    found = [
        list(zip(map(str, rows["seen"]), map(str, rows["written"]), map(str, rows["move"]), strict=True))
        for _, rows in frame.groupby("trace", sort=False)
    ]
    return _traces(found, alphabet)


def to_io_traces(traces: Traces) -> list[IoTrace]:
    """The traces as AALpy's passive learners take them (``data_format="io_traces"``), named as :func:`to_mealy`.

    >>> import dfst
    >>> to_io_traces(dfst.record("increment", [("9",)]))
    [[(9, '9 R'), ('_', '_ L'), (9, '0 L'), ('_', '1 S')]]
    """
    check_type(traces, Traces, do=GIVE_TRACES)
    if only_conversations(traces):
        return [[(input_of(read), answer) for read, answer in talk] for talk in conversations_of(traces)]
    inputs = [input_of(symbol) for symbol in traces.alphabet.symbols]
    return [[(seen, f"{written} {move}") for seen, written, move in trace] for trace in _steps(traces, inputs)]


def from_io_traces(data: Iterable[Sequence[tuple[Any, Any]]], alphabet: Symbols = None) -> Traces:
    """Traces from AALpy's lists of (input, output); outputs that are all ``"written move"`` are steps on a grid.

    >>> from_io_traces([[(9, "9 R"), ("_", "_ S")]])
    <Traces: 1 trace, 2 steps>
    >>> from_io_traces([[("coin", "-"), ("push", "coffee")], [("push", "-")]]).problems
    (('coin push',), ('push',))
    """
    wanted = 'Give lists of (input, output), such as [[("coin", "-")]].'
    check_type(data, Iterable, do=wanted)
    data, found = [*data], []
    for trace in data:
        check_type(trace, Sequence, do=wanted)
    if not (pairs := [pair for trace in data for pair in trace]):
        raise InputError("there are no steps in it", do='A step is (input, output), such as ("coin", "-").')
    well_formed = all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in pairs)
    if well_formed and not are_actions([output_text(pair[1]) for pair in pairs]):
        given = (conversation_from(trace, f"trace {i}") for i, trace in enumerate(data))
        return traces_of_conversations([(plain(read), answer) for read, answer in talk] for talk in given)
    for i, trace in enumerate(data):
        steps = []
        for t, pair in enumerate(trace):
            if isinstance(pair, str) or not isinstance(pair, Sequence) or len(pair) != 2:
                do = 'A step is (input, output), such as (1, "0 R").'
                raise InputError(f"step {t} is {shown(pair)}", where=f"trace {i}", do=do)
            action = action_of(pair[1])
            if action is None:
                what = f"step {t} says {pair[1]!r}, which is no action"
                raise InputError(what, where=f"trace {i}", do="Cut the trace before it.")
            steps.append((symbol_of(pair[0]), action[0], action[1].name))
        found.append(steps)
    return _traces(found, alphabet)


def _steps(traces: Traces, names: Sequence[Any]) -> list[list[tuple[Any, Any, str]]]:
    """Every trace as (seen, written, move), with these names of the symbols."""
    if traces.unknown.any():
        what = f"what was written is not known at {traces.unknown.sum()} steps, which such a table cannot say"
        raise InputError(what, do="Save them as .jsonl.")
    return [
        [(names[x], names[w], MOVE_NAMES[m]) for x, w, m in zip(*(column.tolist() for column in trace), strict=True)]
        for trace in traces
    ]


def _traces(found: Sequence[Sequence[tuple[str, ...]]], alphabet: Symbols) -> Traces:
    """The traces over ``alphabet``, or over what is seen or written, sorted; ``Traces.of`` adds the blank."""
    if alphabet is None:
        alphabet = tuple(sorted({symbol for trace in found for step in trace for symbol in step[:2]}))
    return Traces.of(alphabet, found)
