"""The paper's data sampler DS(R, task, p, q, N)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

from dfst.errors import InputError
from dfst.experts.expert import Expert
from dfst.seeds import Stream
from dfst.traces.record import record
from dfst.traces.traces import Traces


@dataclass(frozen=True)
class Sampling:
    """All pairs of numbers of up to ``p`` digits, all same-digit pairs of ``q`` digits, random pairs: ``n`` in all.

    The random part draws pairs of up to ``q`` digits that are not in the set yet. The paper's count for it,
    N - R²(Rᵖ-1)²/(R-1)² + R², slips: the same-digit pairs are to be subtracted as well, so that the set has N traces.
    "Numbers of up to q digits" are digit strings, leading zeros allowed (its own count of short pairs implies that),
    drawn uniformly from all of them, so that longer ones are more frequent.
    """

    p: int
    q: int
    n: int


_PAPER = {"add2": Sampling(1, 3, 20), "add10": Sampling(1, 3, 225), "mult2": Sampling(1, 5, 750)}
_PAPER["mult10"] = Sampling(1, 5, 10_000)


_MAX_DIGITS, _MAX_TRACES = 10_000, 10**9  # beyond that, radix**q and the traces outgrow a computer


def paper_sampling(expert: Expert) -> Sampling:
    """The paper's p, q and N for its four tasks; for other radices the same p and q, and N in proportion to R².

    >>> import dfst
    >>> paper_sampling(dfst.expert("mult10")), paper_sampling(dfst.expert("add16"))
    (Sampling(p=1, q=5, n=10000), Sampling(p=1, q=3, n=576))
    """
    if expert.name in _PAPER:
        return _PAPER[expert.name]
    like = _PAPER["add10" if expert.name.startswith("add") else "mult10"]
    return Sampling(like.p, like.q, max(like.n * expert.radix**2 // 100, 20))


def sample(
    expert: Expert,
    sampling: Sampling | None = None,
    *,
    seed: int = 42,
    progress: Callable[[int, int], None] | None = None,
) -> Traces:
    """The traces of ``expert`` on the problems of ``sampling`` (the paper's by default), the same for ever for a seed.

    >>> import dfst
    >>> traces = sample(dfst.expert("add10"), Sampling(p=1, q=2, n=210), seed=7)
    >>> len(traces), traces.problems[0], traces.problems[100], traces.problems[-1]
    (210, ('0', '0'), ('00', '00'), ('19', '03'))
    """
    return record(expert.machine, problems(expert, sampling or paper_sampling(expert), seed=seed), progress=progress)


def problems(expert: Expert, sampling: Sampling, *, seed: int) -> list[tuple[str, str]]:
    """The problems of ``sampling``: short pairs, then same-digit pairs, then random ones."""
    p, q, n = sampling.p, sampling.q, sampling.n
    digits = expert.machine.alphabet.classes["digit"]
    check_sampling(sampling, len(digits))
    short = [number for length in range(1, p + 1) for number in map("".join, product(digits, repeat=length))]
    same = [digit * q for digit in digits]
    pairs = dict.fromkeys([*product(short, short), *product(same, same)])
    if n > len(pairs):
        random = _random_pairs(digits, q, Stream(seed, "data"))
        while len(pairs) < n:
            pairs.setdefault(next(random))
    return list(pairs)


def _random_pairs(digits: tuple[str, ...], q: int, stream: Stream) -> Iterator[tuple[str, str]]:
    """Pairs of digit strings of up to q digits, each uniform over all such strings."""
    radix = len(digits)
    sizes = [radix**length for length in range(1, q + 1)]
    total = sum(sizes)

    def number() -> str:
        rank, length = stream.below(total), 1
        while rank >= sizes[length - 1]:
            rank -= sizes[length - 1]
            length += 1
        text = ""
        for _ in range(length):
            rank, digit = divmod(rank, radix)
            text = digits[digit] + text
        return text

    while True:
        yield number(), number()


def check_sampling(sampling: Sampling, radix: int) -> None:
    """Refuse lengths and numbers that make no set, or one that nobody can hold."""
    p, q, n = sampling.p, sampling.q, sampling.n
    if not 0 <= p <= q <= _MAX_DIGITS or q < 1:
        raise InputError("p and q make no sense", do=f"Lengths satisfy 0 <= p <= q and 1 <= q <= {_MAX_DIGITS}.")
    if not 0 <= n <= _MAX_TRACES:
        raise InputError("n makes no sense", do=f"Ask for at most {_MAX_TRACES} traces.")
    strings = (radix ** (q + 1) - radix) // (radix - 1)
    short = (radix ** (p + 1) - radix) // (radix - 1)
    if short**2 > 10_000_000:
        raise InputError(f"there are too many pairs of up to p = {p} digits", do="Choose a smaller p.")
    smallest = short**2 + (radix**2 if q > p else 0)
    if n < smallest:
        raise InputError(
            f"n = {n} is fewer than the {smallest} problems always included", do=f"Ask for {smallest} or more."
        )
    if n > strings**2:
        raise InputError(
            f"there are only {strings**2} pairs of up to {q} digits", where=f"n = {n}", do="Ask for fewer."
        )
