"""Rehearsal: the model's own runs on problems nobody recorded, within the horizon it was trained for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dfst.effort import Effort
from dfst.extraction.swap import SwapTest
from dfst.extraction.trie import Trie
from dfst.seeds import Stream
from dfst.traces.traces import UNKNOWN, Trace, Traces
from dfst.world.worlds import World

PROBES = 5000
"""Problems tried per round. It decides nothing: more of them only look harder for what was left open."""


def probes(world: World, longest: Sequence[int], count: int, stream: Stream) -> Iterator[tuple[str, ...]]:
    """Random problems whose operands have at most ``longest`` symbols: random ones, or one symbol over and over.

    >>> import dfst
    >>> machine = dfst.task("add10").machine
    >>> list(probes(machine.world, (4, 4), 3, Stream(0, "doc")))
    [('222', '44'), ('7', '277'), ('563', '9999')]
    """
    for _ in range(count):
        problem = []
        for part, most in zip(world.operands, longest, strict=True):
            length = 1 + stream.below(most) if part.many else 1
            alike, symbols = stream.below(2), part.symbols
            chosen = [stream.choice(symbols)] * length if alike else [stream.choice(symbols) for _ in range(length)]
            problem.append(part.word(chosen))
        yield tuple(problem)


def longest_operands(traces: Traces) -> list[int] | None:
    """The length of the longest recorded operand, for each place; None if nobody knows the problems.

    >>> import dfst
    >>> longest_operands(dfst.record(dfst.task("add2").machine, [("101", "1"), ("0", "11")]))
    [3, 2]
    """
    if not traces.problems:
        return None
    return [max(len(traces.alphabet.encode(text)) for text in texts) for texts in zip(*traces.problems, strict=True)]


def rehearse(test: SwapTest, world: World, recorded: Traces, stream: Stream, effort: Effort, count: int) -> Traces:
    """The model's runs on fresh problems no longer than the recorded ones, if they halt no later than those.

    So the model is never asked for longer walks, nor for more steps, than it was trained to make. Where ``effort``
    ends, so do the problems.
    """
    longest, horizon = longest_operands(recorded), int(recorded.lengths.max())
    if longest is None:
        return recorded.part([])
    known, found = set(recorded.problems), dict[tuple[str, ...], Trace]()
    for problem in dict.fromkeys(probes(world, longest, count, stream)):
        if effort.over(1):
            break
        if problem not in known:
            trace = test.run(world.place(problem), world.known.head, horizon)
            if trace is not None:
                found[problem] = trace
    return Traces.of(recorded.world, [*found.values()], [*found], recorded.task)


def fits(trie: Trie, trace: Trace) -> bool:
    """Whether ``trace`` does what was recorded wherever it sees what was recorded."""
    node = 0
    for x, written, move in zip(*(column.tolist() for column in trace), strict=True):
        child = trie.children(node).get(x)
        if child is None:
            return True
        if int(trie.steps.move[child]) != move or int(trie.steps.written[child]) not in (written, UNKNOWN):
            return False
        node = child
    return True


def with_rehearsals(traces: Traces, rehearsed: Traces) -> Traces:
    """The ``traces``, and behind them the rehearsed ones."""
    problems = (*traces.problems, *rehearsed.problems)
    return Traces.of(traces.world, [*traces, *rehearsed], problems, traces.task)
