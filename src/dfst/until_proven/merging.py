"""State merging on a log, before a network learns it: it takes seconds, and conversations that tell all are enough."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.util import find_spec

import numpy as np

from dfst.errors import DfstError
from dfst.exchange.merging import merge_traces
from dfst.prove.compare import SMALL, compare
from dfst.prove.verdict import Verdict
from dfst.runs.run_folder import Say
from dfst.teachers.task import Task
from dfst.traces.consistency import check_traces
from dfst.traces.coverage import leaving, used
from dfst.traces.traces import Traces
from dfst.until_proven.held_out import Kept, answered
from dfst.until_proven.looking import Limit, count
from dfst.world.machine import GridMachine
from dfst.world.moves import UNDEFINED
from dfst.world.worlds import in_world_of

NETWORK, MERGING = "network", "state merging"
"""Who learned."""

ALONE = 'state merging is left out, the network learns alone: pip install "dfst[arena]" brings AALpy'

_WORK = 20_000_000
"""Comparisons of two states after which merging is given up."""


def can_merge() -> bool:
    """Whether the library of state merging is installed."""
    return find_spec("aalpy") is not None


@dataclass(frozen=True)
class MergedLog:
    """What state merging makes of a log, and how good that is: the ``verdict`` of a reference, if there is one, or how
    many of the conversations to choose by are answered ``right`` to the end. ``against`` is a conversation of the log
    that the reference answers differently, if there is one: then no other machine can be both.
    """

    machine: GridMachine
    verdict: Verdict | None
    right: int
    number: int
    against: str = ""

    @classmethod
    def of(cls, log: Traces, judge: Task | None, kept: Kept | None, limit: Limit, say: Say) -> MergedLog | None:
        """None if it takes too long, or without the library. Of a log too short to judge by, what it finds is taken."""
        if not can_merge() or limit.late:
            return None if limit.late else say(ALONE)
        check_traces(log)
        assert log.layout is not None
        try:
            machine = merge_traces(log, log.layout, "rpni", work=_WORK, seconds=limit.left)
        except DfstError as error:
            return say(error.what)
        machine = replace(machine, name=log.task or "log")
        if judge is not None:
            machine = in_world_of(judge.machine, machine)
            verdict = compare(judge.machine, machine, limit=SMALL, seconds=limit.left)
            found = cls(machine, verdict, 0, 0, "" if verdict.counterexample is None else _against(judge, log))
        else:
            found = cls(machine, None, *((answered(machine, kept.choose), len(kept.choose)) if kept else (0, 0)))
        say(found.explain())
        return found

    @property
    def enough(self) -> bool:
        """Whether no network is needed."""
        return self.right == self.number if self.verdict is None else self.verdict.proven or bool(self.against)

    def explain(self) -> str:
        """In words."""
        states = f"{MERGING}: {count(len(self.machine.states), 'state')}"
        if self.verdict is not None:
            return f"{states}, {self.verdict.conclusion.value}{self.against}"
        if not self.number:
            return f"{states}; the log has too few different conversations to keep some back and judge by them"
        return f"{states}, {self.right:,} of {self.number:,} conversations to choose by are right to the end"


def _against(judge: Task, log: Traces) -> str:
    """The first of the shortest conversations that the reference does not answer as ``log`` has it, in words."""
    machine, symbols = judge.machine, log.alphabet.symbols
    left, steps, states, stuck = leaving(machine, log)
    if stuck.all():
        return ""
    i = int(np.argmin(np.where(stuck, log.lengths.max(), steps)))
    begin = log.offsets[left[i]]
    at = begin + steps[i]
    word = " ".join(symbols[x] for x in log.seen[begin : at + 1])
    says = symbols[machine.written[states[i], log.seen[at]]]
    return f"; the log itself is against the reference: {word} ends in {symbols[log.written[at]]}, not in {says}"


def never_shown(judge: Task, log: Traces) -> str:
    """How many transitions of the reference the log does not show, in words; nothing if it shows all."""
    machine, inputs = judge.machine, [judge.machine.alphabet.index[symbol] for symbol in judge.machine.world.inputs]
    there = machine.next_state[:, inputs] != UNDEFINED
    missing = int((there & ~used(machine, log)[:, inputs]).sum())
    what = f"the log never shows {missing:,} of the {int(there.sum()):,} transitions of the reference"
    return f"{what}, so its machine may differ there" if missing else ""
