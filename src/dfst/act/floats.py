"""A float model on the grid: it sees only what stands under it, writes, moves, and halts by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from dfst.act.weights import Weights
from dfst.shapes import Float, Int64, UInt8
from dfst.world.grid import Cell, Window
from dfst.world.moves import Move
from dfst.world.policy import Action, Policy, Setup
from dfst.world.rollout import Drift, Outcome, Rollout, Trace
from dfst.world.table import Table, parted

_CHUNK = 20_000_000  # multiply-adds between returns to Python are a hundred times this, so that Ctrl-C is heard
_RECORDED_CHUNK = 2**16


def run_floats(
    model: Policy, weights: Weights, setup: Setup, teacher: Table | None = None, *, drift: bool = False
) -> Rollout:
    """The rollout of ``model``, which has these ``weights``, alone or in step with a table.

    Everything is computed in the weights' own precision, strictly (see :mod:`dfst.act.float_kernels`). A step at which
    two symbols or two moves share the highest score, or any score is NaN, is the outcome stuck: the model has no
    opinion.
    """
    window = Window(model.world, setup.tape, setup.area)
    runner = FloatRunner(weights, teacher, record=setup.record, drift=drift)
    outcome, steps, cell = runner.roll(window, model.layout.head, setup.limit)
    trace, margins = runner.recorded()
    found = Rollout(model, outcome, steps, cell, window, trace=trace, margins=margins)
    return found if teacher is None else runner.compared(found, teacher)


class FloatRunner:
    """A float model part-way through a rollout: its packed weights, its hidden state, and the teacher it follows."""

    def __init__(
        self, weights: Weights, teacher: Table | None = None, *, record: bool = False, drift: bool = False
    ) -> None:
        from dfst.act.float_kernels import PLACES, TEACHER

        packed = pack(weights)
        self._weights, self._shape = packed.ravel(), PackedShape.of(packed, weights.h0)
        self._buffer = aligned(2 * self._shape.stride, weights.h0.dtype)
        self._buffer[: self._shape.d] = weights.h0
        self._state = np.zeros(PLACES, np.int64)
        self._tables = None
        self.drift = None if teacher is None or not drift else np.full(2, np.inf)
        self._records: list[tuple[np.ndarray, np.ndarray]] | None = [] if record else None
        if teacher is not None:
            self._tables = tuple(table.ravel() for table in teacher.bordered)
            self._state[TEACHER] = teacher.start * (self._shape.symbols + 1)

    def roll(self, window: Window, cell: Cell, step_limit: int) -> tuple[Outcome, int, Cell]:
        """Act on ``window`` from ``cell`` on; (how it ended, steps, cell)."""
        from dfst.act.float_kernels import AT, DIVERGED, EDGE, HALTED, STEPS, STUCK

        endings = {HALTED: Outcome.HALTED, STUCK: Outcome.STUCK, DIVERGED: Outcome.DIVERGED}
        state, chunk = self._state, max(_CHUNK * 100 // (self._shape.d * self._shape.stride), 1)
        while state[STEPS] < step_limit:
            if not window.make_room(cell):
                return Outcome.LEFT, int(state[STEPS]), cell
            width = window.array.shape[1]
            state[AT] = (cell[1] - window.y0) * width + cell[0] - window.x0
            steps = min(chunk, step_limit - int(state[STEPS]))
            why = self._kernel(window.array.ravel(), np.array([width, -width, -1, 1, 0]), steps)
            j, i = divmod(int(state[AT]), width)
            cell = (i + window.x0, j + window.y0)
            if why in endings:
                return endings[why], int(state[STEPS]), cell
            assert why != EDGE or not window.inside(cell)
        return Outcome.STEP_LIMIT, int(state[STEPS]), cell

    def _kernel(self, cells: UInt8[np.ndarray, " cells"], offset: Int64[np.ndarray, " moves"], steps: int) -> int:
        from dfst.act.float_kernels import roll, roll_recorded

        model = (self._weights, self._shape, self._buffer, self._state)
        if self._records is None:
            return roll(cells, offset, *model, steps, self._tables, self.drift)
        steps = min(steps, _RECORDED_CHUNK)
        record, margins = np.empty((3, steps), np.uint8), np.empty((steps, 2))
        done, why = roll_recorded(cells, offset, *model, record, margins)
        self._records.append((record[:, :done], margins[:done]))
        return why

    def recorded(self) -> tuple[Trace | None, Float[np.ndarray, "T 2"] | None]:
        """The steps and their margins, if they were to be recorded."""
        if self._records is None:
            return None, None
        records, margins = zip((np.empty((3, 0), np.uint8), np.empty((0, 2))), *self._records, strict=True)
        return Trace(*np.concatenate(records, axis=1)), np.concatenate(margins)

    def act(self, symbol: int) -> Action | None:
        """One step on ``symbol``, as a rollout makes it; this runner is the state after it, too."""
        from dfst.act.float_kernels import AT, roll_recorded

        self._state[AT] = 0
        record, model = np.empty((3, 1), np.uint8), (self._weights, self._shape, self._buffer, self._state)
        cells, nowhere = np.array([symbol], np.uint8), np.zeros(len(Move), np.int64)
        done, _ = roll_recorded(cells, nowhere, *model, record, np.empty((1, 2)))
        return (self, int(record[1, 0]), int(record[2, 0])) if done else None

    def compared(self, found: Rollout, teacher: Table) -> Rollout:
        """``found``, this runner's rollout, with how it left the ``teacher`` that was followed, and with its drift."""
        from dfst.act.float_kernels import HALF, MOVE, SYMBOL, TEACHER

        error = None
        if (diverged := found.outcome == Outcome.DIVERGED) or found.outcome == Outcome.STUCK:
            d, k, stride, *_ = self._shape
            q, done = int(self._state[TEACHER]) // (k + 1), (self, int(self._state[SYMBOL]), int(self._state[MOVE]))
            found = parted(found, teacher, q, done if diverged else None)
            if expected := teacher.act(q, found.grid[found.cell]):
                begin = (1 - int(self._state[HALF])) * stride + d  # the half that the kernel filled, but did not enter
                scores = self._buffer[begin : begin + k + len(Move)].astype(np.float64)
                error = signed_margin(scores[:k], expected[1]), signed_margin(scores[k:], expected[2])
        if self.drift is None:
            return found
        least, last = self.drift.tolist()
        return replace(found, drift=Drift(least, last, error))


def signed_margin(scores: Float[np.ndarray, " n"], wanted: int) -> float:
    """How far the score of ``wanted`` is ahead of the best other one, relative to the largest in size; often negative.

    -inf if a score is not a number or infinite: then nothing can be said in favour of ``wanted``.

    >>> signed_margin(np.array([0.25, 1.0, 0.5]), 1), signed_margin(np.array([0.25, 1.0, 0.5]), 2)
    (0.5, -0.5)
    """
    if not np.isfinite(scores).all():
        return -np.inf
    size = float(np.abs(scores).max())
    return float(scores[wanted] - np.delete(scores, wanted).max()) / size if size else 0.0


def aligned(size: int, dtype: np.dtype) -> Float[np.ndarray, " size"]:
    """Zeros that begin at a cache line: vectors that cross lines are slow."""
    memory = np.zeros(size * dtype.itemsize + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + size * dtype.itemsize].view(dtype)


class PackedShape(NamedTuple):
    """What the kernels know of packed weights: d dimensions, K symbols, rows of ``stride`` numbers.

    ``least``, ``most`` and ``infinity`` are the integers that stand for 2^-16, 2^16 and infinity in the order of
    floats; ``wild`` says that weights or h0 are so large that finite ones may give scores that are NaN. There is no
    array among them: counting who refers to one takes as long as a step.
    """

    d: int
    symbols: int
    stride: int
    least: int
    most: int
    infinity: int
    wild: bool

    @classmethod
    def of(cls, packed: Float[np.ndarray, "K d stride"], h0: Float[np.ndarray, " d"]) -> PackedShape:
        """That of the weights that :func:`pack` gives, and of the first hidden state."""
        from dfst.act.float_kernels import RESCALE_BEYOND

        values = np.array([2.0**-RESCALE_BEYOND, 2.0**RESCALE_BEYOND, np.inf], packed.dtype)
        bits = values.view(np.int32 if packed.dtype == np.float32 else np.int64).tolist()
        k, d, stride = packed.shape
        largest = max(float(packed.max()), -float(packed.min())), max(float(np.abs(h0).max()), 2.0**RESCALE_BEYOND)
        most = float(np.finfo(packed.dtype).max)
        return cls(d, k, stride, *bits, wild=not 2 * d * largest[0] * largest[1] < most)


def pack(weights: Weights) -> Float[np.ndarray, "K d stride"]:
    """The weights as the kernel wants them: for each symbol and each j, column j of A, B and C, padded with zeros."""
    k, d = weights.A.shape[:2]
    used = d + k + len(Move)
    packed = aligned(k * d * (-(-used // 16) * 16), weights.h0.dtype).reshape(k, d, -1)
    packed[:, :, :used] = np.concatenate([weights.A, weights.B, weights.C], axis=1).transpose(0, 2, 1)
    return packed
