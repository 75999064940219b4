"""Practice: problems that a machine sets itself, longer than those it was taught with."""

from __future__ import annotations

from dfst.errors import InputError
from dfst.seeds import Stream
from dfst.teachers.arithmetic import built_in_kind
from dfst.teachers.sampling import Operands, Sampling
from dfst.traces.operands import Operand, operands_of
from dfst.traces.record import record
from dfst.traces.traces import Traces
from dfst.world.machine import GridMachine

_PRACTICE = {
    "add2": Sampling(0, 15, 400),
    "add10": Sampling(0, 15, 1500),
    "mult2": Sampling(0, 9, 600),
    "mult10": Sampling(0, 7, 30_000),  # with 4,000, rare states such as times9+6 were forgotten
}

_MAX_DIGITS, _MAX_TRACES = 200, 10**6  # runs are quadratic in the digits, and training holds them all


def practice_sampling(task: str) -> Sampling:
    """How long (``q`` digits) and how many (``n``) the problems of a practice are, if nothing else is asked.

    If ``p`` is larger than ``q``, operands of up to ``p`` digits occur, beside others so short that the product of
    their lengths stays within that of operands of ``q`` digits: long walks in runs that are not much longer.

    >>> practice_sampling("add2")
    Sampling(p=0, q=15, n=400)
    """
    return _PRACTICE.get(task, _PRACTICE["add10" if built_in_kind(task) == "add" else "mult10"])


def practise(machine: GridMachine, sampling: Sampling, *, seed: int = 42) -> Traces:
    """The traces of ``machine`` on problems of up to ``sampling.q`` digits that it sets itself, ``sampling.n`` of them.

    Nobody else is asked: neither a teacher nor arithmetic. The traces are as right as the machine is.

    >>> import dfst
    >>> traces = practise(dfst.task("add2").machine, Sampling(0, 6, 3), seed=1)
    >>> traces.problems
    (('00', '0'), ('1', '11111'), ('111011', '00'))
    """
    return record(machine, practice_problems(machine, sampling, seed=seed))


def practice_problems(machine: GridMachine, sampling: Sampling, *, seed: int) -> list[Operands]:
    """Problems whose operands have lengths uniform from 1 to ``sampling.q``, or unequal ones (see practice_sampling).

    Half of the operands are random, a quarter repeats one symbol, a quarter is two runs of symbols: long runs of the
    same step are what a hidden state drifts on, and random words have none.
    """
    stream, operands = Stream(seed, "practice"), operands_of(machine)

    def lengths() -> list[int]:
        """The largest length of each operand; with p > q a random one may be long, which leaves less for the others."""
        longest, room = max(sampling.p, sampling.q), sampling.q ** len(operands)
        if sampling.p <= sampling.q:
            return [sampling.q] * len(operands)
        most = [1] * len(operands)
        for place in sorted(range(len(operands)), key=lambda _: stream.word()):
            most[place] = 1 + stream.below(min(longest, room))
            room //= most[place]
        return most

    def word(operand: Operand, most: int) -> str:
        length, kind = 1 + stream.below(1 if operand.single else most), stream.below(4)
        if kind < 2:
            return operand.word([stream.choice(operand.symbols) for _ in range(length)])
        first = length if kind == 2 else stream.below(length + 1)
        runs = [stream.choice(operand.symbols)] * first + [stream.choice(operand.symbols)] * (length - first)
        return operand.word(runs)

    return [
        tuple(word(operand, most) for operand, most in zip(operands, lengths(), strict=True)) for _ in range(sampling.n)
    ]


def check_practice(sampling: Sampling) -> None:
    """Refuse lengths and numbers of problems that nobody can practise with."""
    if not (1 <= sampling.q <= _MAX_DIGITS and 0 <= sampling.p <= _MAX_DIGITS):
        raise InputError(f"problems of up to {sampling.q} digits", do=f"Practise with 1 to {_MAX_DIGITS} digits.")
    if not 1 <= sampling.n <= _MAX_TRACES:
        raise InputError(f"{sampling.n} traces", do=f"Practise with 1 to {_MAX_TRACES} traces.")
