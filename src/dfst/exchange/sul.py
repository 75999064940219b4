"""A policy as a system under learning: AALpy's L*, KV and L# ask it what it does (extra ``arena``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from dfst.act.own import OwnPolicy
from dfst.errors import InputError, MissingExtraError, shortened
from dfst.exchange.mealy import HALTED, STUCK, input_of
from dfst.training.model import DFST
from dfst.world.grid import Grid
from dfst.world.machine import GridMachine
from dfst.world.moves import MOVE_NAMES, OFFSETS, Move

try:
    from aalpy.base import SUL, Oracle
except ImportError:
    raise MissingExtraError("AALpy's learners", "arena") from None

SURE = 0.5
"""A float model whose best score is not this far ahead of the second has nothing to say: it was never taught that."""

STEPS = 10_000
"""So many steps of a problem an oracle looks at."""


class PolicySUL(SUL):
    """A policy as AALpy's learners ask it: an input is a symbol seen, an output ``"written move"``.

    After the move S the output is ``halted`` for ever; where the policy has nothing to say it is ``stuck`` for ever.
    ``inputs`` are all symbols.

    >>> import dfst
    >>> sul = PolicySUL(dfst.task("add2").machine)
    >>> sul.inputs, sul.query(("_", 1, "+"))
    ([0, 1, '_', '+'], ['0 R', '1 R', '+ L'])
    """

    def __init__(self, policy: DFST | GridMachine | OwnPolicy, *, sure: float = SURE) -> None:
        super().__init__()
        self.policy = _asked(policy, sure)
        self.inputs = [input_of(symbol) for symbol in policy.alphabet.symbols]
        self._number = {each: i for i, each in enumerate(self.inputs)}
        self._state, self._ended = None, ""

    def pre(self) -> None:
        """Begin again."""
        self._state, self._ended = self.policy.begin(), ""

    def post(self) -> None:
        """Nothing is left open."""

    def step(self, letter: Any) -> str:
        """What it does on seeing ``letter``."""
        if letter not in self._number:
            raise InputError(f"{letter!r} is not an input", do=f"Inputs are {' '.join(map(str, self.inputs))}.")
        action = None if self._ended else self.policy.attempt(self._state, self._number[letter])
        if action is None:
            self._ended = self._ended or STUCK
            return self._ended
        self._state, written, move = action
        self._ended = HALTED if move == Move.S else ""
        return f"{self.inputs[written]} {MOVE_NAMES[move]}"


class ProblemOracle(Oracle):
    """An equivalence oracle that asks only what a grid can show: a policy's own runs on ``problems``.

    What a trained network does on sequences that no grid shows is nobody's business, and has no end.

    >>> import dfst
    >>> from aalpy.learning_algs import run_KV
    >>> sul = PolicySUL(dfst.task("increment").machine)
    >>> oracle = ProblemOracle(sul, [("9",), ("19",), ("8",)])
    >>> len(run_KV(sul.inputs, sul, oracle, "mealy", print_level=0).states)
    3
    """

    def __init__(self, sul: PolicySUL, problems: Iterable[Sequence[str]], step_limit: int = STEPS) -> None:
        if not isinstance(sul, PolicySUL):
            raise InputError(f"{shortened(repr(sul))} is not of dfst.to_sul", do="Give what dfst.to_sul returns.")
        super().__init__(sul.inputs, sul)
        world = sul.policy
        self._tapes = [world.layout.place(world.alphabet, problem) for problem in problems]
        if not self._tapes:
            raise InputError("there are no problems to ask about", do="Give at least one.")
        self._limit = step_limit

    def find_cex(self, hypothesis: Any) -> tuple[Any, ...] | None:
        """What is seen on a problem up to the first step at which the two differ; None if they never do."""
        for tape in self._tapes:
            if (seen := self._difference(hypothesis, tape)) is not None:
                return seen
        return None

    def _difference(self, hypothesis: Any, tape: np.ndarray) -> tuple[Any, ...] | None:
        sul: Any = self.sul
        world, seen = sul.policy, []
        grid, cell = Grid(world.alphabet, tape), world.layout.head
        hypothesis.reset_to_initial()
        sul.pre()
        self.num_queries += 1
        for _ in range(self._limit):
            seen.append(sul.inputs[grid[cell]])
            output = sul.step(seen[-1])
            self.num_steps += 1
            if hypothesis.step(seen[-1]) != output:
                return tuple(seen)
            if output == STUCK or output.endswith(" S"):
                return None
            written, move = output.rsplit(" ", 1)
            grid[cell] = next(i for i, each in enumerate(sul.inputs) if str(each) == written)
            dx, dy = OFFSETS[MOVE_NAMES.index(move)]
            cell = (cell[0] + dx, cell[1] + dy)
        return None


def _asked(policy: DFST | GridMachine | OwnPolicy, sure: float) -> OwnPolicy:
    """A model or a machine as a policy that is asked step by step."""
    if isinstance(policy, OwnPolicy):
        return policy
    if policy.layout is None:
        do = "Use a model that was trained on a task."
        raise InputError("the model does not say how a problem is written on the grid", where=policy.name, do=do)
    own = _Table(policy) if isinstance(policy, GridMachine) else _Model(policy, sure)
    return OwnPolicy.of(own, policy.alphabet, policy.layout, policy.name)


class _Table:
    """A machine, asked step by step."""

    def __init__(self, machine: GridMachine) -> None:
        self.machine = machine

    def begin(self) -> int:
        return self.machine.start

    def act(self, state: int, symbol: int) -> tuple[int, int, int] | None:
        return self.machine.table[state][symbol]


class _Model:
    """A float model, asked step by step."""

    def __init__(self, model: DFST, sure: float) -> None:
        self.model, self.sure = model, sure

    def begin(self) -> Any:
        return self.model.h0

    def act(self, state: Any, symbol: int) -> tuple[Any, int, int] | None:
        from dfst.training.model import step

        state, *scores = step(self.model, state, symbol)
        for each in scores:
            second, first = np.sort(each)[-2:]
            if not first - second >= max(self.sure, np.finfo(each.dtype).tiny):
                return None
        return state, int(scores[0].argmax()), int(scores[1].argmax())
