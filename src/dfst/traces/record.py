"""Watching a machine work: what it sees, writes and where it moves; and records with mistakes, to learn from those."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from dfst.errors import DfstError, InputError
from dfst.files import MAX_DATA_BYTES
from dfst.seeds import Stream
from dfst.traces.traces import UNKNOWN, Traces
from dfst.world.machine import GridMachine
from dfst.world.moves import Move
from dfst.world.policy import Setup, patience
from dfst.world.rollout import Outcome
from dfst.world.table import Engine

_COMPILED_FROM = 300
"""Problems from which on importing numba pays."""


def record(
    machine: GridMachine,
    problems: Iterable[tuple[str, ...]],
    *,
    step_limit: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Traces:
    """The traces of ``machine`` on ``problems``, each a tuple of operands; every run must halt.

    ``step_limit`` is the longest trace allowed; by default ten million steps, and more for long problems.
    ``progress`` is called with (done, total) after each run.

    >>> import dfst
    >>> traces = record(dfst.task("add2").machine, [("1", "1"), ("10", "1")])
    >>> traces.lengths.tolist(), traces.alphabet.decode(traces[0].seen[:5])
    ([30, 29], '_1+1_')
    """
    problems = tuple(problems)
    engine: Engine = "compiled" if len(problems) > _COMPILED_FROM else "auto"
    traces, steps = [], 0
    for problem in problems:
        tape = machine.place(problem)
        limit = machine.limit_for(tape, patience(len(tape)) if step_limit is None else step_limit)
        result = machine.rollout(Setup(tape, limit, record=True), engine=engine)
        if result.outcome != Outcome.HALTED:
            what = f"on {' '.join(problem)} the machine does not halt: {result.explain()}"
            do = "Record only runs that halt; check the machine."
            if result.outcome == Outcome.STEP_LIMIT:
                do += " If it takes longer, record it in Python: dfst.record(…, step_limit=…)."
            raise DfstError(what, where=machine.name, do=do)
        traces.append(result.trace)
        steps += result.steps
        if 3 * steps > MAX_DATA_BYTES:
            what = f"the first {len(traces)} of {len(problems)} traces have {steps} steps, more than can be held"
            raise InputError(what, do="Ask for shorter problems, or for fewer.")
        if progress:
            progress(len(traces), len(problems))
    return Traces.of(machine.world, traces, problems, machine.name)


def corrupted(traces: Traces, share: float, *, seed: int = 42) -> Traces:
    """``traces`` with this share of their steps recorded wrongly: another symbol written, or another move.

    Only the records are wrong, not the run: what is seen later is what the policy really left on the grid.

    >>> import dfst
    >>> traces = dfst.sample("add2")
    >>> noisy = corrupted(traces, 0.01)
    >>> len(traces.seen), int(((noisy.written != traces.written) | (noisy.moves != traces.moves)).sum())
    (1114, 11)
    """
    check_share(share)
    stream, steps, symbols = Stream(seed, "noise"), len(traces.seen), len(traces.alphabet)
    chosen: set[int] = set()
    while len(chosen) < round(share * steps):
        chosen.add(stream.below(steps))
    written, moves = traces.written.copy(), traces.moves.copy()
    for at in sorted(chosen):
        if stream.below(2):
            other = (int(written[at]) + 1 + stream.below(symbols - 1)) % symbols
            written[at] = UNKNOWN if written[at] == UNKNOWN else other
        else:
            moves[at] = (int(moves[at]) + 1 + stream.below(len(Move) - 1)) % len(Move)
    return replace(traces, written=written, moves=moves)


def check_share(share: float) -> None:
    """Refuse what is no share of the steps."""
    if not 0 <= share < 1:
        what = f"a share of {share} of the steps cannot be recorded wrongly"
        raise InputError(what, do="Give a number from 0 to below 1, such as 0.01.")
