"""The paper's data sampler DS(R, task, p, q, N), for problems of any layout."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

from dfst.errors import InputError
from dfst.experts.task import Operands, Sampling, Task
from dfst.seeds import Stream
from dfst.traces.operands import operands_of
from dfst.traces.record import record
from dfst.traces.traces import Traces
from dfst.world.machine import GridMachine

_MAX_DIGITS, _MAX_TRACES, _MAX_SHORT = 10_000, 10**9, 10**7  # beyond that, the set outgrows a computer


def sample(
    task: Task,
    sampling: Sampling | None = None,
    *,
    seed: int = 42,
    progress: Callable[[int, int], None] | None = None,
) -> Traces:
    """The traces of the teacher of ``task`` on the problems of ``sampling`` (its own by default), for ever the same.

    >>> import dfst
    >>> traces = sample(dfst.expert("add10"), Sampling(p=1, q=2, n=210), seed=7)
    >>> len(traces), traces.problems[0], traces.problems[100], traces.problems[-1]
    (210, ('0', '0'), ('00', '00'), ('19', '03'))
    """
    return record(task.machine, problems(task.machine, sampling or task.sampling, seed=seed), progress=progress)


def problems(machine: GridMachine, sampling: Sampling, *, seed: int) -> list[Operands]:
    """The problems of ``sampling``: short ones, then those of one symbol, then random ones."""
    p, q, n = sampling.p, sampling.q, sampling.n
    check_sampling(sampling, machine)
    operands = operands_of(machine)
    short = [[word for length in range(1, p + 1) for word in operand.words(length)] for operand in operands]
    same = [[operand.repeated(symbol, q) for symbol in operand.symbols] for operand in operands]
    found = dict.fromkeys([*product(*short), *product(*same)])
    if n > len(found):
        stream = Stream(seed, "data")
        while len(found) < n:
            found.setdefault(tuple(operand.random(stream, q) for operand in operands))
    return list(found)


def check_sampling(sampling: Sampling, machine: GridMachine) -> None:
    """Refuse lengths and numbers that make no set, or one that nobody can hold."""
    p, q, n = sampling.p, sampling.q, sampling.n
    if not 0 <= p <= q <= _MAX_DIGITS or q < 1:
        raise InputError("p and q make no sense", do=f"Lengths satisfy 0 <= p <= q and 1 <= q <= {_MAX_DIGITS}.")
    if not 0 <= n <= _MAX_TRACES:
        raise InputError("n makes no sense", do=f"Ask for at most {_MAX_TRACES} traces.")
    operands = operands_of(machine)
    short = math.prod(operand.count(p) for operand in operands)
    if short > _MAX_SHORT:
        raise InputError(f"there are too many problems of up to p = {p} symbols", do="Choose a smaller p.")
    same = math.prod(len(operand.symbols) for operand in operands)
    smallest = short + same if q > p else short
    if all(operand.single for operand in operands):
        smallest = same
    if n < smallest:
        raise InputError(
            f"n = {n} is fewer than the {smallest} problems always included", do=f"Ask for {smallest} or more."
        )
    most = math.prod(operand.count(q) for operand in operands)
    if n > most:
        raise InputError(f"there are only {most} problems of up to {q} symbols", where=f"n = {n}", do="Ask for fewer.")
