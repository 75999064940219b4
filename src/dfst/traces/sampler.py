"""The paper's data sampler DS(R, task, p, q, N), for problems of any layout."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

from dfst.seeds import Stream
from dfst.teachers.sampling import check_sampling
from dfst.teachers.task import Operands, Sampling, Task
from dfst.traces.operands import operands_of
from dfst.traces.record import record
from dfst.traces.traces import Traces
from dfst.world.machine import GridMachine


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
