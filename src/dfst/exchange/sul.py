"""A policy as a system under learning: AALpy's L*, KV and L# ask it what it does (extra ``arena``)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from dfst.act.own import PolicyRaisedError
from dfst.errors import InputError, MissingExtraError, check_type, shortened
from dfst.exchange.mealy import HALTED, STUCK, input_of
from dfst.names import model_of
from dfst.own import AnyPolicy, AnyTask, named
from dfst.training.model import DFST, step
from dfst.world.moves import MOVE_NAMES, Move
from dfst.world.policy import Policy
from dfst.world.rollout import Outcome

try:
    from aalpy.base import SUL, Oracle
except ImportError:
    raise MissingExtraError("AALpy's learners", "arena") from None

_SURE = 0.5
"""A float model whose best score is not this far ahead of the second has nothing to say: it was never taught that."""


def to_sul(policy: AnyPolicy, teacher: AnyTask | None = None) -> PolicySUL:
    """A policy as AALpy's L*, KV and L# ask it (extra ``arena``): a symbol is the input, "written move" the output.

    A float model whose best score is not 0.5 ahead of the second says ``stuck``, for it was never taught that; a
    rounded network is stuck where scores tie.
    Together with :class:`dfst.exchange.ProblemOracle`, which asks only what a grid can show, a learner of AALpy's
    finds a machine that :func:`dfst.compare` can prove.

    >>> to_sul("add2:raw").query(("_", 1, "+"))
    ['0 R', '1 R', '+ L']
    """
    return PolicySUL(named(policy, teacher))


class PolicySUL(SUL):
    """A policy as AALpy's learners ask it: an input is a symbol seen, an output ``"written move"``.

    After the move S the output is ``halted`` for ever; where the policy has nothing to say it is ``stuck`` for ever.
    ``inputs`` are all symbols.

    >>> import dfst
    >>> sul = PolicySUL(dfst.task("add2").machine)
    >>> sul.inputs, sul.query(("_", 1, "+"))
    ([0, 1, '_', '+'], ['0 R', '1 R', '+ L'])
    """

    def __init__(self, policy: Policy) -> None:
        super().__init__()
        check_type(policy, Policy, do="Give a policy; to_sul takes its name as well.")
        floats = isinstance(policy, DFST) and policy.bits is None
        self.policy = _Sure(model_of(policy)) if floats else policy
        self.inputs = [input_of(symbol) for symbol in policy.alphabet.symbols]
        self._state, self._ended = None, ""

    def pre(self) -> None:
        """Begin again."""
        self._state, self._ended = self.policy.begin(), ""

    def post(self) -> None:
        """Nothing is left open."""

    def step(self, letter: Any) -> str:
        """What it does on seeing ``letter``; where a policy of one's own raises an error it has nothing to say."""
        if letter not in self.inputs:
            raise InputError(f"{letter!r} is not an input", do=f"Inputs are {' '.join(map(str, self.inputs))}.")
        if self._ended:
            return self._ended
        try:
            action = self.policy.act(self._state, self.inputs.index(letter))
        except PolicyRaisedError:
            action = None
        if action is None:
            self._ended = STUCK
            return STUCK
        self._state, written, move = action
        self._ended = HALTED if move == Move.S else ""
        return f"{self.inputs[written]} {MOVE_NAMES[move]}"


class ProblemOracle(Oracle):
    """An equivalence oracle that asks only what a grid can show: the first ``step_limit`` steps on ``problems``.

    What a trained network does on sequences that no grid shows is nobody's business, and has no end.

    >>> import dfst
    >>> from aalpy.learning_algs import run_KV
    >>> sul = PolicySUL(dfst.task("increment").machine)
    >>> oracle = ProblemOracle(sul, [("9",), ("19",), ("8",)])
    >>> len(run_KV(sul.inputs, sul, oracle, "mealy", print_level=0).states)
    3
    """

    def __init__(self, sul: PolicySUL, problems: Iterable[Sequence[str]], step_limit: int = 10_000) -> None:
        if not isinstance(sul, PolicySUL):
            raise InputError(f"{shortened(repr(sul))} is not of to_sul", do="Give what dfst.exchange.to_sul returns.")
        super().__init__(sul.inputs, sul)
        self._words: list[list[tuple[Any, str]]] = []  # what is seen and done on each problem
        for problem in problems:
            result = sul.policy.run(*problem, record=True, step_limit=step_limit)
            steps = zip(*(column.tolist() for column in result.trace or ()), strict=True)
            word = [(sul.inputs[x], f"{sul.inputs[w]} {MOVE_NAMES[m]}") for x, w, m in steps]
            stuck = [(sul.inputs[result.grid[result.cell]], STUCK)] if result.outcome == Outcome.STUCK else []
            self._words.append(word + stuck)
        if not self._words:
            raise InputError("there are no problems to ask about", do="Give at least one.")

    def find_cex(self, hypothesis: Any) -> tuple[Any, ...] | None:
        """What is seen on a problem up to the first step at which the two differ; None if they never do."""
        for word in self._words:
            hypothesis.reset_to_initial()
            self.num_queries += 1
            for t, (seen, output) in enumerate(word, 1):
                self.num_steps += 1
                if hypothesis.step(seen) != output:
                    return tuple(seen for seen, _ in word[:t])
        return None


class _Sure(Policy):
    """A float model that has nothing to say where its best score is not far enough ahead."""

    def __init__(self, model: DFST) -> None:
        self.model, self.name, self.world = model, model.name, model.world

    def begin(self) -> Any:
        return self.model.h0

    def act(self, state: Any, symbol: int) -> tuple[Any, int, int] | None:
        state, *scores = step(self.model, state, symbol)
        for each in scores:
            second, first = np.sort(each)[-2:]
            if not first - second >= _SURE:
                return None
        return state, int(scores[0].argmax()), int(scores[1].argmax())
