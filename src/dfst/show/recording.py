"""A run written down step by step, for eyes: a machine's with its states, a model's with its margins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from dfst.errors import InputError
from dfst.shapes import Int64, UInt8
from dfst.world.alphabet import Alphabet
from dfst.world.grid import Area
from dfst.world.machine import GridMachine
from dfst.world.moves import OFFSETS
from dfst.world.policy import Policy
from dfst.world.rollout import Rollout, Trace
from dfst.world.worlds import World, in_order_of

VIEW_STEPS = 5_000_000
"""A longer run is shown up to here, unless more is asked for."""

MAX_VIEW_CELLS = 2**24
"""Runs that spread over a larger rectangle are refused: browsers keep several copies of it."""

_PATIENCE, _LEEWAY = 2, 100
"""A learner that left its teacher is shown for so many times the teacher's steps, and so many more."""


@dataclass(frozen=True, eq=False)
class Recording:
    """A recorded rollout with its problem and the name to show it under."""

    name: str
    operands: tuple[str, ...]
    rollout: Rollout

    def __len__(self) -> int:
        return self.rollout.steps

    @property
    def policy(self) -> Any:
        """Who acted."""
        return self.rollout.policy

    @property
    def world(self) -> World:
        """Where it acted."""
        return self.policy.world

    @property
    def alphabet(self) -> Alphabet:
        """The symbols."""
        return self.world.alphabet

    @cached_property
    def tape(self) -> UInt8[np.ndarray, " length"]:
        """The input, on row 0."""
        return self.policy.place(self.operands)

    @property
    def steps(self) -> Trace:
        """What was seen, written and moved."""
        assert self.rollout.trace is not None
        return self.rollout.trace

    @cached_property
    def path(self) -> tuple[Int64[np.ndarray, " positions"], Int64[np.ndarray, " positions"]]:
        """X and y of the head before every step, and after the last."""
        moved = np.array(OFFSETS)[self.steps.moves]
        x, y = np.cumsum(np.concatenate([[self.policy.layout.head], moved]), axis=0).T
        return x, y

    @cached_property
    def box(self) -> Area:
        """Every cell that was visited or written on."""
        x, y = self.path
        right = max(int(x.max()), len(self.tape) - 1)
        return Area(min(int(x.min()), 0), right, min(int(y.min()), 0), max(int(y.max()), 0))

    def frame(self, step: int) -> UInt8[np.ndarray, "height width"]:
        """The grid after ``step`` steps: [j, i] is the symbol on (box.left + i, box.top - j)."""
        if not 0 <= step <= len(self):
            raise InputError(f"there is no step {step}", where=self.name, do=f"The run has {len(self)} steps.")
        box, (x, y) = self.box, self.path
        shape = (box.top - box.bottom + 1, box.right - box.left + 1)
        cells = np.full(shape, self.alphabet.blank_index, np.uint8)
        cells[box.top, -box.left : len(self.tape) - box.left] = self.tape
        cells[box.top - y[:step], x[:step] - box.left] = self.steps.written[:step]  # a cell keeps what was written last
        return cells

    def state(self, step: int) -> str:
        """A machine's state before ``step`` (after the last step: how it ended); nothing for a model."""
        pairs = self.rollout.pairs
        if pairs is None or step == len(self):
            return self.rollout.state
        return self.policy.states[pairs[step] // len(self.alphabet)]


def record_run(policy: Policy, *operands: str, name: str = "", step_limit: int = VIEW_STEPS) -> Recording:
    """The run of ``policy`` on ``operands``, of at most ``step_limit`` steps."""
    own = policy.step_limit
    result = policy.run(*operands, record=True, step_limit=step_limit if own is None else min(own, step_limit))
    recording = Recording(name or policy.name, operands, result)
    box = recording.box
    width, height = box.right - box.left + 1, box.top - box.bottom + 1
    if width * height > MAX_VIEW_CELLS:
        raise InputError(f"the run spreads over {width} x {height} cells", where=recording.name, do="Show fewer steps.")
    return recording


def record_both(
    learner: Policy,
    teacher: GridMachine,
    *operands: str,
    name: str = "",
    step_limit: int = VIEW_STEPS,
) -> tuple[Recording, Recording]:
    """The learner's run beside the teacher's on the same problem, each alone on its grid."""
    learner = in_order_of(teacher.world, learner)
    if not learner.world.has_symbols_of(teacher.world):
        what = f"{name or learner.name} and {teacher.name} have different symbols"
        raise InputError(what, do="Show a learner beside the teacher of its own task.")
    taught = record_run(teacher, *operands, name=teacher.name, step_limit=step_limit)
    patience = min(step_limit, _PATIENCE * len(taught) + _LEEWAY)
    return record_run(learner, *operands, name=name, step_limit=patience), taught


def differing_step(recordings: Sequence[Recording]) -> int | None:
    """The first step at which two runs on one problem do not do the same; None if there is none."""
    one, two = recordings
    if one.policy.layout.head != two.policy.layout.head or not np.array_equal(one.tape, two.tape):
        return 0
    shared = min(len(one), len(two))
    pairs = zip(one.steps[1:], two.steps[1:], strict=True)  # written, moves
    differ = np.any([a[:shared] != b[:shared] for a, b in pairs], axis=0)
    if differ.any():
        return int(differ.argmax())
    return None if len(one) == len(two) and one.rollout.outcome == two.rollout.outcome else shared
