"""Putting a state of a policy back: as a copy, or, where copies do not work, by living through its history again."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dfst.act.own import OwnPolicy
from dfst.errors import InputError, raise_ours
from dfst.traces.traces import Traces

Done = tuple[int, int] | None
"""What a policy did at one step: the symbol written and the move, or nothing."""

_TRIED = 4
"""On so many traces, the longest first, it is tried whether copies of states work."""


class Rewind:
    """How the states of one policy are kept and put back.

    ``copies`` says whether a copy of a state goes on as the state itself would: with ``copy.deepcopy``, or with the
    policy's own method ``copy``. A policy whose copies do not (it keeps its state in itself, or in something that
    cannot be copied) is led along the same symbols again from the start, which takes longer.
    """

    def __init__(self, policy: OwnPolicy, traces: Traces) -> None:
        self.policy = policy
        self._copy: Callable[[Any], Any] = getattr(policy.policy, "copy", copy.deepcopy)
        longest = np.argsort(-traces.lengths, kind="stable")[:_TRIED].tolist()
        seen = [traces[i].seen.tolist() for i in longest]
        self._check_same_twice(seen)
        self.copies = all(self._copies_work(symbols, seen[-1]) for symbols in seen)

    def _check_same_twice(self, runs: Sequence[list[int]]) -> None:
        """Refuse a policy that draws lots."""
        first, second = ([lead(self.policy, self.policy.begin(), seen)[1] for seen in runs] for _ in range(2))
        if first != second:
            what = "it does not act the same twice on the same symbols"
            do = "Make it deterministic: a machine is. Set seeds in begin(), or switch sampling and dropout off."
            raise InputError(what, where=self.policy.name, do=do)

    def _copies_work(self, seen: list[int], other: list[int]) -> bool:
        """Whether a copy made halfway goes on as the original does, though the policy was used for something else."""
        half = len(seen) // 2
        whole = lead(self.policy, self.policy.begin(), seen)[1]
        try:
            state, _ = lead(self.policy, self.policy.begin(), seen[:half])
            kept = self._copy(state)
            lead(self.policy, self.policy.begin(), other)
            again = lead(self.policy, self._copy(kept), seen[half:])[1]
            original = lead(self.policy, state, seen[half:])[1]
            last = lead(self.policy, self._copy(kept), seen[half:])[1]
        except BaseException as error:  # whatever a copy of somebody else's object may raise
            raise_ours(error)
            return False
        return again == original == last == whole[half:]

    def begin(self) -> Any:
        """What is kept of the start."""
        return self.policy.begin() if self.copies else ()

    def resume(self, kept: Any) -> Any:
        """A state to go on from; ``kept`` stays as it is."""
        if self.copies:
            return self._copy(kept)
        return lead(self.policy, self.policy.begin(), kept)[0]

    def after(self, kept: Any, symbols: Sequence[int]) -> Any:
        """What is kept of the state after seeing ``symbols`` from ``kept`` on."""
        if not self.copies:
            return (*kept, *symbols)
        return lead(self.policy, self.resume(kept), symbols)[0]


def lead(policy: OwnPolicy, state: Any, symbols: Sequence[int]) -> tuple[Any, list[Done]]:
    """Lead ``policy`` along ``symbols`` whatever it does, until it has nothing to say: its last state, what it did."""
    done: list[Done] = []
    for symbol in symbols:
        action = policy.attempt(state, symbol)
        if action is None:
            return state, [*done, None]
        state = action[0]
        done.append(action[1:])
    return state, done


def as_numbers(state: Any) -> np.ndarray | None:
    """A state as one vector, if it is made of numbers and arrays (NumPy's, JAX's or torch's); else None."""
    if isinstance(state, (list, tuple)):
        parts = [as_numbers(part) for part in state]
        return None if not parts or any(part is None for part in parts) else np.concatenate(parts)  # pyright: ignore
    if isinstance(state, (bool, str, bytes)) or state is None:
        return None
    if hasattr(state, "detach"):  # torch
        state = state.detach()
    try:
        array = np.asarray(state, np.float64)
    except (TypeError, ValueError, RuntimeError):
        return None
    return array.ravel()
