"""A DFST let loose on the grid: it sees only what stands under it, writes, moves, and halts by itself."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from dfst.act.drift import Drift, DriftRecord, signed_margin
from dfst.act.policy import OwnPolicy
from dfst.errors import InputError
from dfst.shapes import Float
from dfst.training.model import DFST, MOVES
from dfst.world.grid import Area, Cell, Grid, Window
from dfst.world.layout import Answer, Layout
from dfst.world.machine import UNDEFINED, GridMachine
from dfst.world.moves import Move
from dfst.world.outcome import Outcome, explained
from dfst.world.run import check_limits, patience
from dfst.world.same import check_same_world, in_order_of

_PATIENCE = 10**7
"""The default step limit of a model on a short input: a few seconds for a large one."""

_CHUNK = 20_000_000  # multiply-adds between returns to Python are a hundred times this, so that Ctrl-C is heard


@dataclass(frozen=True)
class Divergence:
    """The first step at which a policy does not do what its teacher does.

    ``expected`` is the teacher's (symbol, move), or None where it has no rule; ``done`` is the policy's, or None where
    it returns no action. ``state`` is the teacher's state.
    """

    step: int
    cell: Cell
    state: str
    seen: str
    expected: tuple[str, str] | None
    done: tuple[str, str] | None

    def explain(self) -> str:
        """In words."""
        acts = [
            "has no rule" if act is None else f"writes {act[0]} and moves {act[1]}"
            for act in (self.expected, self.done)
        ]
        where = f"at step {self.step}, on cell {self.cell}, seeing {self.seen} (teacher's state {self.state})"
        return f"{where}, the teacher {acts[0]} and the policy {acts[1]}"


@dataclass(frozen=True)
class Rollout:
    """A finished rollout: how it ended, after how many steps, in which cell, on what grid.

    ``divergence`` is set if a teacher was followed and left. ``rescales`` and ``flushed`` count how often h was scaled
    by a power of two (which changes no action) and how many of its components were set to zero because they had fallen
    below 2^-100 of the largest. ``drift`` is what the monitor saw, if asked for.
    """

    model: DFST | OwnPolicy
    outcome: Outcome
    steps: int
    cell: Cell
    grid: Window | Grid = field(repr=False)
    rescales: int
    flushed: int
    divergence: Divergence | None = None
    drift: Drift | None = field(default=None, repr=False)

    @property
    def answer(self) -> Answer:
        """What stands on the grid, read as the model's layout says; no answer unless the policy halted."""
        if self.outcome != Outcome.HALTED or self.model.layout is None:
            return Answer(None, False, self.grid)
        return self.model.layout.read(self.grid)

    def explain(self) -> str:
        """The outcome in words."""
        if self.divergence is not None:
            return f"diverged from the teacher: {self.divergence.explain()}"
        own = isinstance(self.model, OwnPolicy)
        why = "it returns no action" if own else "two symbols or moves tie for the highest score"
        return explained(self.outcome, self.steps, f"at cell {self.cell}", stuck=why)

    def __str__(self) -> str:
        return f"{self.grid.text()}\n{self.explain()}"

    def _repr_html_(self) -> str:
        return self.grid.html(f"{self.model.name} {self.explain()}.", self.cell)


def rollout(
    model: DFST,
    *operands: str,
    teacher: GridMachine | None = None,
    step_limit: int | None = None,
    reach: int | None = None,
    drift: bool = False,
) -> Rollout:
    """Let ``model`` act on ``operands`` until it halts, is stuck, leaves the area, or reaches ``step_limit``.

    Everything is computed in the model's own precision, strictly (see :mod:`dfst.act.float_kernels`). A step at which
    two symbols or two moves share the highest score is the outcome stuck: the model has no opinion. With ``teacher``
    the run ends where the two first differ; ``drift`` then also records margins and norms. ``step_limit`` is ten
    million by default, and more for long problems.

    >>> import dfst
    >>> model = dfst.from_machine(dfst.task("add10").machine)
    >>> result = rollout(model, "999", "1")
    >>> result.outcome.value, result.steps, result.answer.text
    ('halted', 36, '1000')
    """
    check_limits(step_limit, reach)
    model = model if teacher is None else in_order_of(teacher, model)
    layout = layout_of(model)
    if teacher is None and drift:
        raise InputError("drift is measured against a teacher", do="Give the teacher to follow.")
    tape = layout.place(model.alphabet, operands)
    window = Window(model.alphabet, tape, None if reach is None else Area.around(len(tape), reach))
    loosed = LoosedModel(model, teacher)
    record = DriftRecord.of(teacher) if teacher is not None and drift else None
    limit = patience(len(tape), _PATIENCE) if step_limit is None else step_limit
    why, steps, cell = loosed.roll(window, layout.head, limit, record)
    divergence, error = None, None
    if teacher is not None and why in (Outcome.STUCK, Outcome.DIVERGED):
        divergence = loosed.divergence(teacher, cell, window[cell], stuck=why == Outcome.STUCK)
        why, error = Outcome.DIVERGED, loosed.margins_of_the_teacher(teacher, window[cell])
    seen = None if record is None or teacher is None else record.finish(teacher, steps, error)
    return Rollout(model, why, steps, cell, window, loosed.rescales, loosed.flushed, divergence, seen)


class LoosedModel:
    """A model in the middle of acting: its packed weights, its hidden state, and the teacher it is compared with."""

    def __init__(self, model: DFST, teacher: GridMachine | None = None) -> None:
        from dfst.act.float_kernels import PLACES, TEACHER

        if teacher is not None:
            check_same_world(model, teacher)
        self.model = model
        packed = pack(model)
        self._weights, self._shape = packed.ravel(), Shape.of(packed)
        self._buffer = aligned(2 * self._shape.stride, model.h0.dtype)
        self._tables = None if teacher is None else tuple(table.ravel() for table in teacher.bordered)
        self._state = np.zeros(PLACES, np.int64)
        self._buffer[: model.hidden_dim] = model.h0
        if teacher is not None:
            self._state[TEACHER] = teacher.start * (len(model.alphabet) + 1)

    @property
    def hidden(self) -> Float[np.ndarray, " d"]:
        """H as it is now, up to a power of two."""
        from dfst.act.float_kernels import HALF

        start = int(self._state[HALF]) * self._shape.stride
        return self._buffer[start : start + self.model.hidden_dim].copy()

    @property
    def rescales(self) -> int:
        """How often h was scaled."""
        from dfst.act.float_kernels import RESCALED

        return int(self._state[RESCALED])

    @property
    def flushed(self) -> int:
        """How many components of h were set to zero."""
        from dfst.act.float_kernels import FLUSHED

        return int(self._state[FLUSHED])

    def roll(
        self, window: Window, cell: Cell, step_limit: int, record: DriftRecord | None = None
    ) -> tuple[Outcome, int, Cell]:
        """Act on ``window`` from ``cell`` on; (how it ended, steps, cell)."""
        from dfst.act.float_kernels import AT, DIVERGED, EDGE, FULL, HALTED, STEPS, STUCK

        endings = {HALTED: Outcome.HALTED, STUCK: Outcome.STUCK, DIVERGED: Outcome.DIVERGED}
        state, chunk = self._state, max(_CHUNK * 100 // (self._shape.d * self._shape.stride), 1)
        while state[STEPS] < step_limit:
            if not window.make_room(cell):
                return Outcome.LEFT, int(state[STEPS]), cell
            width = window.array.shape[1]
            state[AT] = (cell[1] - window.y0) * width + cell[0] - window.x0
            steps = min(chunk, step_limit - int(state[STEPS]))
            why = self._kernel(window.array.ravel(), np.array([width, -width, -1, 1, 0]), steps, record)
            j, i = divmod(int(state[AT]), width)
            cell = (i + window.x0, j + window.y0)
            if why == FULL and record is not None:
                record.thin()
            elif why in endings:
                return endings[why], int(state[STEPS]), cell
            assert why != EDGE or not window.inside(cell)
        return Outcome.STEP_LIMIT, int(state[STEPS]), cell

    def _kernel(self, cells: np.ndarray, offset: np.ndarray, steps: int, record: DriftRecord | None) -> int:
        from dfst.act.float_kernels import roll

        model = (self._weights, self._shape, self._buffer, self._state)
        return roll(cells, offset, *model, steps, self._tables, record)

    def divergence(self, teacher: GridMachine, cell: Cell, seen: int, *, stuck: bool) -> Divergence:
        """What happened at the step after the last one that agreed."""
        from dfst.act.float_kernels import MOVE, STEPS, SYMBOL, TEACHER

        q = int(self._state[TEACHER]) // (len(teacher.alphabet) + 1)
        symbols, expected, done = teacher.alphabet.symbols, None, None
        if teacher.next_state[q, seen] != UNDEFINED:
            expected = symbols[teacher.written[q, seen]], Move(int(teacher.move[q, seen])).name
        if not stuck:
            done = symbols[self._state[SYMBOL]], Move(int(self._state[MOVE])).name
        return Divergence(int(self._state[STEPS]), cell, teacher.states[q], symbols[seen], expected, done)

    def margins_of_the_teacher(self, teacher: GridMachine, seen: int) -> tuple[float, float] | None:
        """Signed margins of the teacher's symbol and move at the step that was not made; None where it has no rule."""
        from dfst.act.float_kernels import HALF, TEACHER

        d, k, stride, *_ = self._shape
        q = int(self._state[TEACHER]) // (k + 1)
        if teacher.next_state[q, seen] == UNDEFINED:
            return None
        begin = (1 - int(self._state[HALF])) * stride + d  # the half that the kernel filled and did not move on to
        scores = self._buffer[begin : begin + k + MOVES].astype(np.float64)
        return (
            signed_margin(scores[:k], int(teacher.written[q, seen])),
            signed_margin(scores[k:], int(teacher.move[q, seen])),
        )


def layout_of(model: DFST) -> Layout:
    """How problems are written on the grid for ``model``; refuses one that does not say so."""
    if model.layout is None:
        do = "Use a model that was trained on a task, or set its layout with dataclasses.replace."
        raise InputError("the model does not say how a problem is written on the grid", where=model.name, do=do)
    return model.layout


def aligned(size: int, dtype: np.dtype) -> Float[np.ndarray, " size"]:
    """Zeros that begin at a cache line: vectors that cross lines are slow."""
    memory = np.zeros(size * dtype.itemsize + 64, np.uint8)
    start = -memory.ctypes.data % 64
    return memory[start : start + size * dtype.itemsize].view(dtype)


class Shape(NamedTuple):
    """What the kernels know of packed weights: d dimensions, K symbols, rows of ``stride`` numbers.

    ``least``, ``most`` and ``infinity`` are the integers that stand for 2^-16, 2^16 and infinity in the order of
    floats. There is no array among them: counting who refers to one takes as long as a step.
    """

    d: int
    symbols: int
    stride: int
    least: int
    most: int
    infinity: int

    @classmethod
    def of(cls, packed: Float[np.ndarray, "K d stride"]) -> Shape:
        """That of the weights that :func:`pack` gives."""
        from dfst.act.float_kernels import RESCALE_BEYOND

        values = np.array([2.0**-RESCALE_BEYOND, 2.0**RESCALE_BEYOND, np.inf], packed.dtype)
        bits = values.view(np.int32 if packed.dtype == np.float32 else np.int64).tolist()
        k, d, stride = packed.shape
        return cls(d, k, stride, *bits)


def pack(model: DFST) -> Float[np.ndarray, "K d stride"]:
    """The weights as the kernel wants them: for each symbol and each j, column j of A, B and C, padded with zeros."""
    k, d = len(model.alphabet), model.hidden_dim
    used = d + k + MOVES
    packed = aligned(k * d * (-(-used // 16) * 16), model.h0.dtype).reshape(k, d, -1)
    packed[:, :, :used] = np.concatenate([model.A, model.B, model.C], axis=1).transpose(0, 2, 1)
    return packed
