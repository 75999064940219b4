"""Watching a machine work: what it sees, writes and where it moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from dfst.errors import DfstError, InputError
from dfst.files import MAX_DATA_BYTES
from dfst.traces.traces import Trace, Traces
from dfst.world.machine import GridMachine
from dfst.world.outcome import Outcome
from dfst.world.run import Engine, patience, run

_COMPILED_FROM = 300
"""Problems from which on importing numba pays."""

_PATIENCE = 10**7
"""The default limit for one trace of a short problem: nobody learns from longer ones."""


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
        limit = patience(len(machine.place(problem)), _PATIENCE) if step_limit is None else step_limit
        result = run(machine, *problem, step_limit=limit, engine=engine, record=True)
        if result.outcome != Outcome.HALTED:
            what = f"on {' '.join(problem)} the machine does not halt: {result.explain()}"
            do = "Record only runs that halt; check the machine."
            if result.outcome == Outcome.STEP_LIMIT:
                do += " If it takes longer, record it in Python: dfst.record(…, step_limit=…)."
            raise DfstError(what, where=machine.name, do=do)
        assert result.pairs is not None
        traces.append(observe(machine, result.pairs))
        steps += result.steps
        if 3 * steps > MAX_DATA_BYTES:
            what = f"the first {len(traces)} of {len(problems)} traces have {steps} steps, more than can be held"
            raise InputError(what, do="Ask for shorter problems, or for fewer.")
        if progress:
            progress(len(traces), len(problems))
    return Traces.of(machine.alphabet, traces, problems, machine.name, machine.layout)


def observe(machine: GridMachine, pairs: np.ndarray) -> Trace:
    """What an observer sees of a run through ``pairs`` (state · K + symbol): the state is left out."""
    seen = (pairs % len(machine.alphabet)).astype(np.uint8)
    return Trace(seen, machine.written.ravel()[pairs], machine.move.ravel()[pairs])
