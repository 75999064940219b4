"""The paper's data sampler DS(R, task, p, q, N), for problems of any layout."""

from __future__ import annotations

import warnings
from itertools import product

from dfst.errors import NoteWarning
from dfst.seeds import Stream
from dfst.teachers.sampling import Operands, Sampling, check_sampling, problem_count
from dfst.traces.operands import operands_of
from dfst.world.same import Setting


def problems(machine: Setting, sampling: Sampling, *, seed: int) -> list[Operands]:
    """The problems of ``sampling``: short ones, then those of one symbol, then random ones."""
    p, q, n = sampling.p, sampling.q, sampling.n
    check_sampling(sampling, machine)
    if n > (most := problem_count(machine, q)):
        what = f"n = {n}, but there are only {most} problems of up to {q} symbols; all of them are taken."
        warnings.warn(what, NoteWarning, stacklevel=2)
        n, p = most, q  # every problem is a short one then
    operands = operands_of(machine)
    short = [[word for length in range(1, p + 1) for word in operand.words(length)] for operand in operands]
    same = [[operand.repeated(symbol, q) for symbol in operand.symbols] for operand in operands]
    found = dict.fromkeys([*product(*short), *product(*same)])
    if n > len(found):
        stream = Stream(seed, "data")
        while len(found) < n:
            found.setdefault(tuple(operand.random(stream, q) for operand in operands))
    return list(found)
