"""A policy examined against a program: its steps beside the program's, its answer beside the right one."""

from __future__ import annotations

from typing import Any

import numpy as np

from dfst.act.loose import go_alone
from dfst.act.policy import OwnPolicy
from dfst.act.recorded import recorded_rollout
from dfst.study.exact_match import Attempt
from dfst.teachers.program import ProgramTask
from dfst.teachers.sampling import Operands
from dfst.traces.record import observe
from dfst.traces.traces import Trace
from dfst.training.model import DFST
from dfst.world.machine import GridMachine
from dfst.world.moves import Move
from dfst.world.run import run
from dfst.world.same import check_same_world

_PATIENCE, _LEEWAY = 2, 100
"""A policy that left the program may take this many times its steps, and so many more, before it is given up."""


class ProgramExaminer:
    """``policy`` examined against the program of ``task``; nothing here is a proof.

    >>> import dfst
    >>> @dfst.teacher(symbols="01", problems="01")
    ... def flip(head):
    ...     while head.see() != "_":
    ...         head.do("1" if head.see() == "0" else "0", "R")
    >>> ProgramExaminer(dfst.policy(lambda state, symbol: (state, symbol, "S")), flip)(("10",)).problem
    'on 10, at step 0, seeing 1, the program writes 0 and moves R and the policy writes 1 and moves S'
    """

    def __init__(self, policy: Any, task: ProgramTask) -> None:
        if not isinstance(policy, (DFST, GridMachine)):
            policy = OwnPolicy.of(policy, task.alphabet, task.layout)
        check_same_world(policy, task)
        self.policy, self.task = policy, task

    def __call__(self, problem: Operands) -> Attempt:
        """Examine one problem."""
        shown = self.task.record([problem])[0]
        trace, answer = self._run(problem, _PATIENCE * len(shown.seen) + _LEEWAY)
        right, on = answer is not None and answer == self.task.truth(*problem), f"on {' and '.join(problem)}"
        at = _first_difference(shown, trace)
        if at is None:
            wrong = None if right else f"{on} it acts as the program does, and the answer is wrong"
            return Attempt(True, right, len(shown.seen), wrong)
        symbols = self.task.alphabet.symbols
        acts = [_words(each, at, symbols) for each in (shown, trace)]
        seen = symbols[(shown if at < len(shown.seen) else trace).seen[at]]
        what = f"{on}, at step {at}, seeing {seen}, the program {acts[0]} and the policy {acts[1]}"
        return Attempt(False, right, at, what)

    def _run(self, problem: Operands, limit: int) -> tuple[Trace, str | None]:
        """The policy's own steps, and the answer it leaves if it halts."""
        policy = self.policy
        if isinstance(policy, GridMachine):
            result = run(policy, *problem, step_limit=limit, record=True)
            assert result.pairs is not None
            return observe(policy, result.pairs), result.answer.text
        if isinstance(policy, OwnPolicy):
            result, trace = go_alone(policy, *problem, step_limit=limit)
            return trace, result.answer.text
        recorded = recorded_rollout(policy, *problem, step_limit=limit)
        return recorded.trace, recorded.result.answer.text


def _first_difference(one: Trace, two: Trace) -> int | None:
    """The first step that is not the same in both; None if there is none."""
    shared = min(len(one.seen), len(two.seen))
    differs = np.any([a[:shared] != b[:shared] for a, b in zip(one, two, strict=True)], axis=0)
    if differs.any():
        return int(differs.argmax())
    return None if len(one.seen) == len(two.seen) else shared


def _words(trace: Trace, at: int, symbols: tuple[str, ...]) -> str:
    if at >= len(trace.seen):
        return "does nothing"
    return f"writes {symbols[trace.written[at]]} and moves {Move(int(trace.moves[at])).name}"
